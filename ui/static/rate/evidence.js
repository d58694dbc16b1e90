// An explanation judged sentence by sentence: which one is at hand, what the keys mean now, and what was said.
//
// A digit judges and goes on; "wrong" first asks for the kind of error and how bad it is, by digits, too. A wrong sentence
// without words or place then waits for them, or for Enter. Everything said is sent at once, the whole judgement of a sentence each time, so that nothing has to be put together later.

import { aspectName, el } from "../shared/dom.js";
import { isSaid, notMarked } from "./answers.js";
import { EvidencePlaces } from "./evidence_places.js";
import { KINDS, SEVERITIES, VERDICTS } from "../shared/verdicts.js";
import { saidOf, sentenceEntry } from "./evidence_sentence.js";
import { SentenceHints } from "./evidence_hints.js";
import { lengthOf, likest, moved, part, range, wordsOf } from "./evidence_words.js";

/** @import { Item, Panel, Save, Sentence } from "../shared/types.d.ts" */
/** @import { Judgement, Step } from "./evidence_sentence.js" */
/** @import { Place } from "./evidence_places.js" */
/** @typedef {Pick<Save, "kind" | "panel" | "sentence" | "said">} Said */

const ASKS = {
  verdict: "1 right · 2 wrong · 3 cannot tell · 4 not about the picture · ↑ ↓ sentence · U undo",
  kind: KINDS.map(([, words], index) => `${index + 1} ${words}`).join(" · ") + " · W words · R region · N nowhere",
  severity: "1 minor · 2 major · W words · R region · N nowhere",
  words: "← → word · Shift + ← → more of them · Enter done",
  more: "W words · R region · B box · N nowhere · Enter goes on",
  overlooked: "R region · B box · Enter takes it · Backspace takes the last one away · Escape done",
  box: "Arrows move · Enter or Space sets a corner · Escape gives up",
};

export class ItemEvidence {
  /** @param {Item} item @param {{send: (said: Said) => void, onChange: () => void, tell: (text: string) => void, whyNot: () => string}} does
   * send stores what was said; onChange is told that something was; tell says what the keys mean; whyNot says why nothing can
   * be said now, "" where it can */
  constructor(item, { send, onChange, tell, whyNot }) {
    this.item = item;
    /** @type {Panel} */
    this.panel = item.panels[0];
    this.send = send;
    this.onChange = onChange;
    this.tell = tell;
    this.whyNot = whyNot;
    /** @type {Step} */
    this.step = "verdict";
    /** @type {Place | null} what is about to be said to be overlooked */
    this.found = null;
    /** @type {{number: number, judgement: Judgement | null}[]} what was said before each change, the latest last */
    this.past = [];
    /** @type {Set<number>} numbers of wrong sentences that the rater left without words or place, knowingly */
    this.passed = new Set();
    if (item.finished) { for (const { number } of this.unmarked()) this.passed.add(number); // asked when it was finished
     }
    this.places = new EvidencePlaces(item, {
      onPick: (place) => this.placed(place),
      onDraw: (words) => this.tell(`${words}. ${ASKS.box}`),
    });
    this.hints = new SentenceHints(item, {
      onCome: (number, told) => this.hintsCome(number, told),
      light: (regions) => this.places.light(regions),
    });
    this.at = Math.max(0, this.sentences.findIndex((sentence) => !isSaid(sentence)));
    this.list = el("ol", { class: "sentences", "aria-label": "Sentences of the explanation" });
    this.whole = el("div", { class: "whole" });
    this.element = el("div", { class: "evidence" }, this.list, this.whole);
    this.show();
  }

  /** @returns {readonly Sentence[]} */
  get sentences() {
    return this.panel.sentences;
  }

  get sentence() {
    return this.sentences[this.at];
  }

  /** The sentences of which something is not said yet. */
  open() {
    return this.sentences.filter((sentence) => !isSaid(sentence));
  }

  /** Wrong sentences without words or place, which the rater has not left knowingly. */
  unmarked() {
    return this.sentences.filter((one) => !this.passed.has(one.number) && notMarked(one, this.item).length > 0);
  }

  /** Go to a wrong sentence and say what is not marked there. @param {Sentence} sentence */
  askForMarks(sentence) {
    this.go(sentence.number - 1);
    this.step = "more";
    this.redraw(this.at);
    this.focus();
  }

  // ---- what is on the page

  show() {
    this.list.replaceChildren(...this.sentences.map((_, index) => this.entry(index)));
    this.showWhole();
    this.showPlace();
  }

  /** @param {number} index */
  entry(index) {
    const sentence = this.sentences[index], { judgement } = sentence, isHere = index === this.at;
    const placeName = judgement?.place ? this.placeName(judgement.place) : null;
    const places = isHere && judgement?.verdict === "wrong" ? this.likest() : [];
    const named = places.map((region) => /** @type {[number, string]} */ ([region, this.places.name(region)]));
    const hints = this.hints.list(sentence);
    const aspect = this.sentences[index - 1]?.aspect === sentence.aspect ? "" : aspectName(sentence.aspect);
    return sentenceEntry(sentence, {
      isHere,
      aspect,
      step: this.step,
      places: named,
      missing: notMarked(sentence, this.item),
      placeName,
      hints,
    }, {
      go: (number) => this.go(number - 1),
      verdict: (verdict) => this.judge(verdict),
      kind: (kind) => this.give({ kind }, "severity"),
      severity: (severity) => this.give({ severity }, "verdict"),
      words: (first, last) => this.mark([first, last]),
      mark: () => this.turn(this.step === "words" ? this.rest() : "words"),
      pass: () => this.pass(),
      region: (region) => this.placed(region === null ? NOWHERE : this.places.place(region)),
      draw: () => this.draw(),
    });
  }

  /** Draw some sentences anew, and nothing else. @param {...number} indices */
  redraw(...indices) {
    for (const index of new Set(indices)) this.list.children[index]?.replaceWith(this.entry(index));
    this.showPlace();
  }

  showWhole() {
    const { overlooked = [], no_fault: noFault = false } = this.panel.remark ?? {};
    const isHere = this.step === "overlooked";
    this.whole.replaceChildren(
      el(
        "p",
        {},
        el("button", {
          type: "button",
          class: "small",
          "aria-pressed": String(noFault),
          click: () => this.turnNoFault(),
        }, "The explanation is right, but this is not a fault of the caption (T)"),
        " ",
        el("button", {
          type: "button",
          class: "small",
          "aria-pressed": String(isHere),
          click: () => this.turn(isHere ? "verdict" : "overlooked"),
        }, "Overlooks something (O)"),
        " ",
        isHere && el("button", { type: "button", class: "small", click: () => this.draw() }, "Draw a box (B)"),
        isHere && this.item.places.length > 0 && el("button", {
          type: "button",
          class: "small",
          click: () => this.stepThroughPlaces(1),
        }, "Next region (R)"),
        isHere && this.found &&
          el(
            "button",
            { type: "button", class: "small primary", click: () => this.take() },
            `Take ${this.placeName(this.found)}`,
          ),
      ),
      ...overlooked.map((place, index) =>
        el(
          "span",
          { class: "chip" },
          `overlooks ${this.placeName(place)} `,
          el("button", {
            type: "button",
            class: "quiet-button",
            "aria-label": `Take back: overlooks ${this.placeName(place)}`,
            click: () => this.remark({ overlooked: overlooked.filter((_, at) => at !== index) }),
          }, "×"),
        )
      ),
    );
  }

  showPlace() {
    this.places.show(this.step === "overlooked" ? this.found : this.sentence?.judgement?.place ?? null);
    this.places.light(this.step === "overlooked" ? [] : this.hints.regionsOf(this.sentence));
  }

  /** @param {Place} place */
  placeName(place) {
    if (place.nowhere) return "nowhere";
    return place.region === null ? "a box" : this.places.name(place.region);
  }

  /** The picture is there: its regions can lie over it. @param {HTMLElement} figure */
  pictureShown(figure) {
    this.places.over(figure);
    this.hints.begin();
    this.showPlace();
  }

  /** Hints at a sentence have come: they stand beneath it, and what they contradict is said aloud.
   * @param {number} number @param {string} told */
  hintsCome(number, told) {
    const entry = this.list.children[number - 1], list = this.hints.list(this.sentences[number - 1]);
    entry?.querySelector(".hints")?.remove();
    if (list) entry?.querySelector(".said")?.after(list);
    this.showPlace();
    if (told) this.tell(`Sentence ${number}: ${told}. ${ASKS[this.step]}`);
  }

  // ---- saying something

  /** Which answer is asked for of the sentence at hand. @returns {Step} */
  asked() {
    const judgement = this.sentence?.judgement;
    if (judgement?.verdict !== "wrong") return "verdict";
    if (!judgement.kind) return "kind";
    return judgement.severity ? "verdict" : "severity";
  }

  /** What is asked once words or a place were marked: the rater decides when to go on. @returns {Step} */
  rest() {
    return this.sentence?.judgement?.verdict === "wrong" && isSaid(this.sentence) ? "more" : this.asked();
  }

  /** What the keys do now, and what is not marked of the sentence at hand. */
  asks() {
    const missing = this.step === "more" ? notMarked(this.sentence, this.item) : [];
    return missing.length ? `Not marked: ${missing.join(" and ")}. ${ASKS.more} without` : ASKS[this.step];
  }

  /** Leave a wrong sentence as it is and go to the next one. */
  pass() {
    const { at, sentence } = this;
    if (notMarked(sentence, this.item).length) this.passed.add(sentence.number);
    if (at < this.sentences.length - 1) return this.go(at + 1);
    this.step = "verdict";
    this.redraw(at);
    this.told(sentence);
  }

  /** @param {Judgement["verdict"]} verdict */
  judge(verdict) {
    if (this.whyNot()) return this.tell(this.whyNot());
    const { judgement } = this.sentence;
    const kept = verdict === "wrong" && judgement?.verdict === "wrong" ? judgement : NOTHING;
    this.give({ ...kept, verdict }, verdict === "wrong" ? "kind" : "verdict");
  }

  /** Say more of the sentence at hand, and ask the next thing; once all of it is said, go on to the next sentence.
   * @param {Partial<Judgement>} more @param {Step} next */
  give(more, next) {
    const { sentence, at } = this, before = sentence.judgement;
    this.past.push({ number: sentence.number, judgement: before });
    this.put(sentence, { ...NOTHING, ...before, ...more });
    this.passed.delete(sentence.number);
    const isDone = next === "verdict" && isSaid(sentence), waits = isDone && notMarked(sentence, this.item).length > 0;
    if (isDone && !waits && at < this.sentences.length - 1) this.at = at + 1;
    this.step = waits ? "more" : this.at === at ? next : this.asked();
    this.redraw(at, this.at);
    this.told(sentence);
  }

  /** Store what is said of a sentence now. @param {Sentence} sentence @param {Judgement | null} judgement */
  put(sentence, judgement) {
    sentence.judgement = judgement;
    if (judgement) this.send({ kind: "sentence", panel: 1, sentence: sentence.number, said: judgement });
    this.onChange();
  }

  /** Say what was given and go to where the rater goes on. @param {Sentence} sentence that something was said of */
  told(sentence) {
    const { judgement } = sentence;
    const said = saidOf(judgement, judgement?.place ? this.placeName(judgement.place) : null);
    const isEnd = !this.open().length && this.step === "verdict";
    const next = isEnd ? "All sentences are judged. O, T: the whole · Enter: next item" : this.asks();
    this.tell(said ? `✓ ${sentence.number}: ${said}. ${next}` : next);
    this.focus();
  }

  /** Ask something else of the sentence at hand. @param {Step} step */
  turn(step) {
    const before = this.step;
    if (step === "words" && this.sentence?.judgement?.verdict !== "wrong") return;
    this.step = step;
    if (step !== "overlooked") this.found = null;
    this.redraw(this.at);
    if (before === "overlooked" || step === "overlooked") this.showWhole();
    this.tell(this.asks());
  }

  /** @param {number} index */
  go(index) {
    if (index < 0 || index >= this.sentences.length) return;
    const before = this.at;
    this.at = index;
    this.step = this.asked();
    this.redraw(before, index);
    this.tell(ASKS[this.step]);
    this.focus();
  }

  /** Take the latest change back. */
  undo() {
    const last = this.past.pop();
    if (!last) return this.tell("There is nothing to undo.");
    const before = this.at;
    this.at = last.number - 1;
    if (last.judgement) this.put(this.sentence, last.judgement);
    else return this.retract(before);
    this.step = this.asked();
    this.redraw(before, this.at);
    this.told(this.sentence);
  }

  /** The first thing that was said of a sentence cannot be unsaid, only said otherwise: ask again.
   * @param {number} before the sentence that was at hand */
  retract(before) {
    this.step = "verdict";
    this.redraw(before, this.at);
    this.tell(`Sentence ${this.sentence.number} again. ${ASKS.verdict}`);
    this.focus();
  }

  // ---- words

  /** @param {[number, number]} words by their places: first and last */
  mark([first, last]) {
    const words = wordsOf(this.sentence.text);
    if (!words.length || this.sentence.judgement?.verdict !== "wrong") return;
    const isAll = first === 0 && last === words.length - 1;
    const span = isAll
      ? { start: 0, end: lengthOf(this.sentence.text) }
      : { start: words[first].start, end: words[last].end };
    this.past.push({ number: this.sentence.number, judgement: this.sentence.judgement });
    this.put(this.sentence, { ...this.sentence.judgement, ...span });
    this.redraw(this.at);
    this.focus();
  }

  /** @param {number} step @param {boolean} grows */
  moveMark(step, grows) {
    const words = wordsOf(this.sentence.text), { judgement } = this.sentence;
    const isNew = judgement.start === null && !grows;
    this.mark(
      isNew
        ? (step > 0 ? [0, 0] : [words.length - 1, words.length - 1])
        : moved(range(words, judgement), step, grows, words.length),
    );
  }

  /** Words are marked: the whole sentence where none were chosen. */
  markedWords() {
    const { text, judgement } = this.sentence;
    if (judgement.start === null) this.mark([0, wordsOf(text).length - 1]);
    this.turn(this.rest());
  }

  // ---- places

  /** Regions in the order of their likeness to the marked words. */
  likest() {
    const { text, judgement } = this.sentence;
    const words = judgement && judgement.start !== null ? part(text, judgement.start, judgement.end) : text;
    return likest(this.item.places, words);
  }

  /** @param {number} step */
  stepThroughPlaces(step) {
    const isWhole = this.step === "overlooked";
    if (!isWhole && this.sentence?.judgement?.verdict !== "wrong") return;
    if (!this.item.places.length) {
      return this.tell("No regions of this picture are known. B draws a box, N says nowhere.");
    }
    const order = isWhole ? this.item.places.map((_, at) => at) : this.likest();
    const now = order.indexOf((isWhole ? this.found : this.sentence.judgement.place)?.region ?? -1);
    const next = now < 0 ? (step > 0 ? 0 : order.length - 1) : (now + step + order.length) % order.length;
    this.placed(this.places.place(order[next]));
  }

  /** A place was chosen: for the words of the sentence at hand, or as what is overlooked. @param {Place} place */
  placed(place) {
    if (this.step === "overlooked") {
      this.found = place;
      this.showWhole();
      this.showPlace();
      return this.tell(`${this.placeName(place)}. ${ASKS.overlooked}`);
    }
    const { sentence } = this;
    if (sentence?.judgement?.verdict !== "wrong") return;
    if (this.step === "box") this.step = this.rest();
    this.past.push({ number: sentence.number, judgement: sentence.judgement });
    this.put(sentence, { ...sentence.judgement, place });
    this.redraw(this.at);
    this.tell(`${this.placeName(place)}. ${this.asks()}`);
    this.focus();
  }

  draw() {
    if (this.step !== "overlooked" && this.sentence?.judgement?.verdict !== "wrong") return;
    if (!this.item.image || !this.item.open) return this.tell("There is no picture to draw on.");
    if (this.step !== "overlooked") this.step = "box";
    this.places.begin();
    this.tell(ASKS.box);
  }

  // ---- the whole

  /** @param {Partial<NonNullable<Panel["remark"]>>} more */
  remark(more) {
    if (this.whyNot()) return this.tell(this.whyNot());
    const said = { overlooked: [], no_fault: false, ...this.panel.remark, ...more };
    this.panel.remark = said;
    this.send({ kind: "whole", panel: 1, said });
    this.showWhole();
    this.onChange();
  }

  turnNoFault() {
    this.remark({ no_fault: !this.panel.remark?.no_fault });
    this.tell(`Right, but not a fault of the caption: ${this.panel.remark?.no_fault ? "yes" : "no"}.`);
  }

  take() {
    if (!this.found) return;
    this.remark({ overlooked: [...(this.panel.remark?.overlooked ?? []), this.found] });
    this.found = null;
    this.showWhole();
    this.showPlace();
    this.tell(`Taken. ${ASKS.overlooked}`);
  }

  // ---- keys

  /** Show what is held now, after it has changed elsewhere. */
  refresh() {
    this.step = this.asked();
    this.show();
  }

  focus() {
    const text = this.list.children[this.at]?.querySelector(".sentence-text");
    if (!(text instanceof HTMLElement)) return;
    text.focus({ preventScroll: true });
    this.list.children[this.at].scrollIntoView({ block: "nearest" });
  }

  /** What a key does here, or undefined.
   * @param {KeyboardEvent} event @param {number | undefined} digit @returns {(() => void) | undefined} */
  keyAction(event, digit) {
    const { key, shiftKey } = event;
    if (this.places.pen) {
      if (key === "Escape") {
        return () => (this.places.end(), this.turn(this.step === "overlooked" ? "overlooked" : this.rest()));
      }
      return this.places.key(event) ? () => {} : undefined;
    }
    if (digit !== undefined) return () => this.digit(digit);
    if (this.step === "words") {
      if (key === "ArrowLeft" || key === "ArrowRight") {
        return () => this.moveMark(key === "ArrowLeft" ? -1 : 1, shiftKey);
      }
      if (key === "Enter") return () => this.markedWords();
      if (key === "Escape") return () => this.turn(this.rest());
    }
    const onControl = event.target instanceof Element && event.target.closest("button, a, summary, select");
    if (this.step === "more" && key === "Enter" && !onControl) return () => this.pass();
    if (this.step === "overlooked") {
      if (key === "Enter" && this.found) return () => this.take();
      if (key === "Escape") return () => this.turn("verdict");
      if (key === "Backspace") {
        return () => this.remark({ overlooked: (this.panel.remark?.overlooked ?? []).slice(0, -1) });
      }
    }
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowUp: () => this.go(this.at - 1),
      ArrowDown: () => this.go(this.at + 1),
      w: () => this.turn(this.step === "words" ? this.rest() : "words"),
      r: () => this.stepThroughPlaces(shiftKey ? -1 : 1),
      n: () => this.placed(NOWHERE),
      b: () => this.draw(),
      u: () => this.undo(),
      o: () => this.turn(this.step === "overlooked" ? "verdict" : "overlooked"),
      t: () => this.turnNoFault(),
    };
    return keys[key.length === 1 ? key.toLowerCase() : key];
  }

  /** @param {number} digit */
  digit(digit) {
    if (this.step === "words") this.step = this.rest();
    if (this.step === "overlooked") this.turn(this.asked());
    const chosen = { verdict: VERDICTS, kind: KINDS, severity: SEVERITIES }[this.step]?.[digit - 1]?.[0];
    if (!chosen) return this.tell(`${digit} means nothing here. ${this.asks()}`);
    if (this.step === "verdict") this.judge(/** @type {Judgement["verdict"]} */ (chosen));
    else {this.give(
        { [this.step]: chosen },
        this.step === "kind" && !this.sentence.judgement.severity ? "severity" : "verdict",
      );}
  }
}

/** @type {Judgement} */
const NOTHING = {
  verdict: "right",
  start: null,
  end: null,
  kind: null,
  severity: null,
  place: null,
  hint_shown: false,
};
/** @type {Place} */
const NOWHERE = { region: null, label: null, area: null, box: null, nowhere: true };
