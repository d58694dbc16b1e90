// The state of an explanation that is judged sentence by sentence: the current sentence, the open question, and the
// judgements. This module does not change the page.

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
   * remark; onChange is called after a judgement or the remark changed */
  constructor(item, { send, onChange }) {
    this.item = item;
    this.send = send;
    this.onChange = onChange;
    /** @type {Panel} */
    this.panel = item.panels[0];
    /** @type {Step} */
    this.step = "verdict";
    /** @type {Place | null} a chosen place that the rater has not yet confirmed as overlooked by the explanation */
    this.chosen = null;
    /** @type {{number: number, judgement: Judgement | null}[]} judgements of sentences before changes, newest last */
    this.past = [];
    /** @type {Set<number>} numbers of wrong sentences left without words or place although the rater was reminded */
    this.passed = new Set();
    if (item.finished) {
      for (const { number } of this.unmarked()) this.passed.add(number); // a finished item needs no reminder of marks
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

  /** The judgement of the current sentence if the judgement says "wrong", else null. */
  get error() {
    const judgement = this.sentence?.judgement;
    return judgement?.verdict === "wrong" ? judgement : null;
  }

  get overlooked() {
    return this.panel.remark?.overlooked ?? [];
  }

  /** The sentences whose judgement is missing or incomplete. */
  open() {
    return this.sentences.filter((sentence) => !isSaid(sentence));
  }

  /** Sentences judged wrong whose words or place are not marked, except those of which the rater was reminded. */
  unmarked() {
    return this.sentences.filter((sentence) =>
      !this.passed.has(sentence.number) && notMarked(sentence, this.item).length > 0
    );
  }

  /** What the rater has not marked on the current sentence: words, place. */
  missing() {
    return this.sentence ? notMarked(this.sentence, this.item) : [];
  }

  /** The question about the current sentence that is open now. @returns {Step} */
  asked() {
    if (!this.error) return "verdict";
    if (!this.error.kind) return "kind";
    return this.error.severity ? "verdict" : "severity";
  }

  /** The question to ask after the rater has marked words or a place.
   * The step "more" lets the rater mark more, until the rater decides to continue. @returns {Step} */
  rest() {
    return this.error && isSaid(this.sentence) ? "more" : this.asked();
  }

  /** Make a sentence the current one. @param {number} index @returns {boolean} whether there is such a sentence */
  go(index) {
    if (index < 0 || index >= this.sentences.length) return false;
    this.at = index;
    this.step = this.asked();
    return true;
  }

  /** Go to the next sentence, even if the words or the place of a wrong sentence are not marked. */
  pass() {
    if (this.missing().length) this.passed.add(this.sentence.number);
    if (!this.go(this.at + 1)) this.step = "verdict";
  }

  /** Change the judgement of the current sentence, and ask the next question.
   * If the judgement is now complete, go to the next sentence.
   * @param {Partial<Judgement>} more the changed fields @param {Step} next the next question */
  give(more, next) {
    const { sentence, at } = this;
    this.change({ ...NOTHING, ...sentence.judgement, ...more });
    this.passed.delete(sentence.number);
    const isDone = next === "verdict" && isSaid(sentence), waits = isDone && this.missing().length > 0;
    if (isDone && !waits && at < this.sentences.length - 1) this.at = at + 1;
    this.step = waits ? "more" : this.at === at ? next : this.asked();
  }

  /** Set the judgement of the current sentence and remember the earlier one for undo(). @param {Judgement} judgement */
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

  // ---- marked words and places

  /** The words of the current sentence, each as a span of characters. */
  get words() {
    return wordsOf(this.sentence.text);
  }

  /** Mark words of the current wrong sentence. Return false if the sentence has no words.
   * @param {[number, number]} words the positions of the first and the last word */
  mark([first, last]) {
    const { error, words, sentence: { text } } = this;
    if (!words.length || !error) return false;
    const isAll = first === 0 && last === words.length - 1;
    const span = isAll ? { start: 0, end: lengthOf(text) } : { start: words[first].start, end: words[last].end };
    this.change({ ...error, ...span });
    return true;
  }

  /** Return the range of marked words after a step to the left (-1) or to the right (1).
   * @param {number} step @param {boolean} grows whether the range grows instead of moving
   * @returns {[number, number]} positions of the first and the last word */
  movedMark(step, grows) {
    const { error, words } = this, last = words.length - 1;
    if (error?.start === null && !grows) return step > 0 ? [0, 0] : [last, last];
    return moved(range(words, error ?? NOTHING), step, grows, words.length);
  }

  /** Return the indices of the picture's regions. The regions that best match the marked words come first. */
  likest() {
    const { sentence: { text }, error } = this;
    const { start = null, end = null } = error ?? {};
    return likest(this.item.places, start === null || end === null ? text : part(text, start, end));
  }

  /** Return the index of the region before (-1) or after (1) the chosen region. @param {-1 | 1} step */
  regionBeside(step) {
    const isWhole = this.step === "overlooked";
    const order = isWhole ? this.item.places.map((_, at) => at) : this.likest();
    const now = order.indexOf((isWhole ? this.chosen : this.error?.place)?.region ?? -1);
    return order[now < 0 ? (step > 0 ? 0 : order.length - 1) : (now + step + order.length) % order.length];
  }

  /** Undo the latest change by sending the earlier judgement again.
   * A sentence's first judgement cannot be withdrawn, because it was already sent. In this case, the judgement stays,
   * and its sentence becomes the current one.
   * @returns {"undone" | "kept" | "nothing"} */
  undo() {
    const last = this.past.pop();
    if (!last) return "nothing";
    this.at = last.number - 1;
    if (last.judgement) this.put(this.sentence, last.judgement);
    this.step = last.judgement ? this.asked() : "verdict";
    return last.judgement ? "undone" : "kept";
  }

  /** Store a remark about the whole explanation. @param {Partial<NonNullable<Panel["remark"]>>} more */
  remark(more) {
    const remark = { overlooked: [], no_fault: false, ...this.panel.remark, ...more };
    this.panel.remark = remark;
    this.send({ kind: "whole", panel: 1, said: remark });
  }
}
