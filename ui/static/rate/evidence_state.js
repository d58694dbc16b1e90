// An explanation judged sentence by sentence: which sentence is at hand, which answer is asked for, and the judgements.
// Nothing here touches the page.

import { isSaid, notMarked } from "./answers.js";
import { lengthOf, likest, moved, part, range, wordsOf } from "./evidence_words.js";

/** @import { Item, Panel, Save, Sentence } from "../shared/types.d.ts" */
/** @import { Judgement, Step } from "./evidence_sentence.js" */
/** @import { Place } from "./evidence_places.js" */
/** @typedef {Pick<Save, "kind" | "panel" | "sentence" | "said">} Said */

/** @type {Judgement} */
export const NOTHING = {
  verdict: "right",
  start: null,
  end: null,
  kind: null,
  severity: null,
  place: null,
  hint_shown: false,
};

export class EvidenceState {
  /** @param {Item} item @param {{send: (said: Said) => void, onChange: () => void}} does send stores a judgement or a
   * remark; onChange is told that a judgement or the remark changed */
  constructor(item, { send, onChange }) {
    this.item = item;
    this.send = send;
    this.onChange = onChange;
    /** @type {Panel} */
    this.panel = item.panels[0];
    /** @type {Step} */
    this.step = "verdict";
    /** @type {Place | null} a place that the explanation may overlook, chosen and not yet taken */
    this.chosen = null;
    /** @type {{number: number, judgement: Judgement | null}[]} judgements before each change, the latest last */
    this.past = [];
    /** @type {Set<number>} numbers of wrong sentences that the rater knowingly left without words or place */
    this.passed = new Set();
    if (item.finished) {
      for (const { number } of this.unmarked()) this.passed.add(number); // asked when it was finished
    }
    this.at = Math.max(0, this.sentences.findIndex((sentence) => !isSaid(sentence)));
  }

  /** @returns {readonly Sentence[]} */
  get sentences() {
    return this.panel.sentences;
  }

  get sentence() {
    return this.sentences[this.at];
  }

  /** The judgement of the sentence at hand where it is "wrong", else null. */
  get error() {
    const judgement = this.sentence?.judgement;
    return judgement?.verdict === "wrong" ? judgement : null;
  }

  get overlooked() {
    return this.panel.remark?.overlooked ?? [];
  }

  /** The sentences without a complete judgement. */
  open() {
    return this.sentences.filter((sentence) => !isSaid(sentence));
  }

  /** Wrong sentences without words or place, which the rater has not left knowingly. */
  unmarked() {
    return this.sentences.filter((sentence) =>
      !this.passed.has(sentence.number) && notMarked(sentence, this.item).length > 0
    );
  }

  /** What is not marked of the sentence at hand: words, place. */
  missing() {
    return this.sentence ? notMarked(this.sentence, this.item) : [];
  }

  /** Which answer is asked for of the sentence at hand. @returns {Step} */
  asked() {
    if (!this.error) return "verdict";
    if (!this.error.kind) return "kind";
    return this.error.severity ? "verdict" : "severity";
  }

  /** What is asked once words or a place were marked: the rater decides when to go on. @returns {Step} */
  rest() {
    return this.error && isSaid(this.sentence) ? "more" : this.asked();
  }

  /** Make a sentence the one at hand. @param {number} index @returns {boolean} whether there is such a sentence */
  go(index) {
    if (index < 0 || index >= this.sentences.length) return false;
    this.at = index;
    this.step = this.asked();
    return true;
  }

  /** Leave a wrong sentence as it is and go to the next one. */
  pass() {
    if (this.missing().length) this.passed.add(this.sentence.number);
    if (!this.go(this.at + 1)) this.step = "verdict";
  }

  /** Add to the judgement of the sentence at hand, and ask the next thing. Once the judgement is complete, the next sentence is
   * at hand. @param {Partial<Judgement>} more @param {Step} next */
  give(more, next) {
    const { sentence, at } = this;
    this.change({ ...NOTHING, ...sentence.judgement, ...more });
    this.passed.delete(sentence.number);
    const isDone = next === "verdict" && isSaid(sentence), waits = isDone && this.missing().length > 0;
    if (isDone && !waits && at < this.sentences.length - 1) this.at = at + 1;
    this.step = waits ? "more" : this.at === at ? next : this.asked();
  }

  /** Give the sentence at hand a judgement that can be undone. @param {Judgement} judgement */
  change(judgement) {
    const { sentence } = this;
    this.past.push({ number: sentence.number, judgement: sentence.judgement });
    this.put(sentence, judgement);
  }

  /** Store the judgement of a sentence. @param {Sentence} sentence @param {Judgement} judgement */
  put(sentence, judgement) {
    sentence.judgement = judgement;
    this.send({ kind: "sentence", panel: 1, sentence: sentence.number, said: judgement });
    this.onChange();
  }

  // ---- words and places

  /** The words of the sentence at hand, by their characters. */
  get words() {
    return wordsOf(this.sentence.text);
  }

  /** Mark words of the wrong sentence at hand; false where there are none. @param {[number, number]} words by their places: first and last */
  mark([first, last]) {
    const { error, words, sentence: { text } } = this;
    if (!words.length || !error) return false;
    const isAll = first === 0 && last === words.length - 1;
    const span = isAll ? { start: 0, end: lengthOf(text) } : { start: words[first].start, end: words[last].end };
    this.change({ ...error, ...span });
    return true;
  }

  /** The marked words after a step to the left (-1) or the right (1). @param {number} step @param {boolean} grows
   * @returns {[number, number]} places of the first and the last word */
  movedMark(step, grows) {
    const { error, words } = this, last = words.length - 1;
    if (error?.start === null && !grows) return step > 0 ? [0, 0] : [last, last];
    return moved(range(words, error ?? NOTHING), step, grows, words.length);
  }

  /** Regions of the picture, the one most like the marked words first. */
  likest() {
    const { sentence: { text }, error } = this;
    const { start = null, end = null } = error ?? {};
    return likest(this.item.places, start === null || end === null ? text : part(text, start, end));
  }

  /** The region a step after the chosen one, or before it. @param {-1 | 1} step */
  regionBeside(step) {
    const isWhole = this.step === "overlooked";
    const order = isWhole ? this.item.places.map((_, at) => at) : this.likest();
    const now = order.indexOf((isWhole ? this.chosen : this.error?.place)?.region ?? -1);
    return order[now < 0 ? (step > 0 ? 0 : order.length - 1) : (now + step + order.length) % order.length];
  }

  /** Take the latest change back. A first judgement stays, since it was sent: only its sentence is at hand again.
   * @returns {"undone" | "kept" | "nothing"} */
  undo() {
    const last = this.past.pop();
    if (!last) return "nothing";
    this.at = last.number - 1;
    if (last.judgement) this.put(this.sentence, last.judgement);
    this.step = last.judgement ? this.asked() : "verdict";
    return last.judgement ? "undone" : "kept";
  }

  /** Store what is remarked on the whole explanation. @param {Partial<NonNullable<Panel["remark"]>>} more */
  remark(more) {
    const remark = { overlooked: [], no_fault: false, ...this.panel.remark, ...more };
    this.panel.remark = remark;
    this.send({ kind: "whole", panel: 1, said: remark });
  }
}
