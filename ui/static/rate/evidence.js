// Judging an explanation sentence by sentence. Clicks and keys change the judgements and what the page shows.
//
// A digit key gives the current sentence a judgement and goes to the next sentence. After "Wrong", the page first asks
// for the kind and the severity of the error. Digit keys answer these questions, too. The page then waits until the
// rater marks words and a place, or presses Enter.
// Each change sends the whole judgement of its sentence, so that the server need not merge parts.

import { el } from "../shared/dom.js";
import { isTouched } from "../shared/keys.js";
import { sentences } from "../shared/text.js";
import { prompt } from "./evidence_keys.js";
import { SentenceHints } from "./evidence_hints.js";
import { EvidencePlaces } from "./evidence_places.js";
import { missingText, saidOf } from "./evidence_sentence.js";
import { EvidenceState, NOTHING } from "./evidence_state.js";
import { EvidenceView } from "./evidence_view.js";
import { WholeRemark } from "./evidence_whole.js";

/** @import { Item, Sentence } from "../shared/types.d.ts" */
/** @import { Judgement, Step } from "./evidence_sentence.js" */
/** @import { Place } from "./evidence_places.js" */
/** @import { Said } from "./evidence_state.js" */

/** @type {Place} */
const NOWHERE = { region: null, label: null, area: null, box: null, nowhere: true };

export class ItemEvidence {
  /** @param {Item} item
   * @param {{send: (said: Said) => void, onChange: () => void, tell: (text: string) => void, whyNot: () => string}}
   * does send: stores a judgement or a remark; onChange: is called after each change; tell: shows a text, for example
   * what the keys do now; whyNot: returns why the rater cannot judge now, or "" */
  constructor(item, { send, onChange, tell, whyNot }) {
    this.item = item;
    this.tell = tell;
    this.whyNot = whyNot;
    this.state = new EvidenceState(item, { send, onChange });
    this.places = new EvidencePlaces(item, {
      onPick: (place) => this.placed(place),
      onDraw: (words) => this.tell(sentences(`${words}.`, prompt("box"))),
    });
    this.hints = new SentenceHints(item, {
      onCome: (number, contradiction) => this.hintsCome(number, contradiction),
      light: (regions) => this.places.light(regions),
    });
    this.view = new EvidenceView(this);
    this.whole = new WholeRemark(this);
    this.element = el("div", { class: "evidence" }, this.view.list, this.whole.element);
    this.show();
  }

  /** Show the item's answers again, after an answer was changed in another browser tab. */
  refresh() {
    this.state.step = this.state.asked();
    this.show();
  }

  show() {
    this.view.show();
    this.whole.show();
  }

  /** Draw the regions and the chosen place over the picture after it has loaded. @param {HTMLElement} figure */
  pictureShown(figure) {
    this.places.over(figure);
    this.hints.begin();
    this.view.showPlace();
  }

  /** Show hints about a sentence, and tell screen readers if the hints contradict the rater's answer.
   * @param {number} number number of the sentence
   * @param {string} contradiction which part of the rater's answer the hints contradict, or "" */
  hintsCome(number, contradiction) {
    this.view.showHints(number);
    if (contradiction) {
      this.tell(sentences(`Sentence ${number}: ${contradiction}.`, prompt(this.state.step)));
    }
  }

  // ---- moving among sentences and steps

  /** @param {number} index */
  go(index) {
    const before = this.state.at;
    if (!this.state.go(index)) return;
    this.view.redraw(before, index);
    this.tell(prompt(this.state.step));
    this.view.focus();
  }

  goBeside(/** @type {-1 | 1} */ step) {
    this.go(this.state.at + step);
  }

  /** Focus the current sentence. */
  focus() {
    this.go(this.state.at);
  }

  /** Go to a wrong sentence and name what the rater has not marked yet: words, place. @param {Sentence} sentence */
  askForMarks(sentence) {
    this.go(sentence.number - 1);
    this.state.step = "more";
    this.view.redraw(this.state.at);
    this.view.focus();
  }

  /** Ask a question about the current sentence. @param {Step} step the question */
  turn(step) {
    const { state } = this, before = state.step;
    if (step === "words" && !state.error) return;
    state.step = step;
    if (step !== "overlooked") state.chosen = null;
    this.view.redraw(state.at);
    if (before === "overlooked" || step === "overlooked") this.whole.show();
    this.tell(this.asks());
  }

  turnWords() {
    this.turn(this.state.step === "words" ? this.state.rest() : "words");
  }

  turnOverlooked() {
    this.turn(this.state.step === "overlooked" ? "verdict" : "overlooked");
  }

  /** Ask the unanswered question about the current sentence again. */
  rest() {
    this.turn(this.state.rest());
  }

  /** Leave the words and the place of a wrong sentence unmarked, and go to the next sentence. */
  pass() {
    const { state } = this, { at, sentence } = state;
    state.pass();
    this.view.redraw(at, state.at);
    if (state.at === at) return this.report(sentence);
    this.tell(prompt(state.step));
    this.view.focus();
  }

  /** Return a text that says what the keys do now, and what the rater has not marked on the current sentence. */
  asks() {
    const { state } = this, missing = state.step === "more" ? state.missing() : [];
    if (!missing.length) return prompt(state.step);
    return sentences(
      `Not marked: ${missingText(missing)}.`,
      `${prompt("more")} without`,
    );
  }

  /** Confirm a changed judgement in words, and go to the next open sentence.
   * @param {Sentence} sentence the sentence whose judgement changed */
  report(sentence) {
    const { judgement } = sentence, { state } = this;
    const words = saidOf(judgement, judgement?.place ? this.placeName(judgement.place) : null);
    const isEnd = !state.open().length && state.step === "verdict";
    const atEnd = isTouched()
      ? "All sentences are judged."
      : "All sentences are judged. O, T: the whole · Enter: next item";
    const next = isEnd ? atEnd : this.asks();
    this.tell(words ? sentences(`✓ ${sentence.number}: ${words}.`, next) : next);
    this.view.focus();
  }

  // ---- judging

  /** @param {Judgement["verdict"]} verdict */
  judge(verdict) {
    if (this.whyNot()) return this.tell(this.whyNot());
    const kept = verdict === "wrong" ? this.state.error ?? NOTHING : NOTHING;
    this.give({ ...kept, verdict }, verdict === "wrong" ? "kind" : "verdict");
  }

  /** Change the judgement of the current sentence.
   * @param {Partial<Judgement>} more the changed fields @param {Step} next the next question */
  give(more, next) {
    const { sentence, at } = this.state;
    this.state.give(more, next);
    this.view.redraw(at, this.state.at);
    this.report(sentence);
  }

  /** Undo the latest change. Return false if no sentence of this item was judged on this page. */
  undo() {
    const { state } = this, before = state.at, outcome = state.undo();
    if (outcome === "nothing") return false;
    this.view.redraw(before, state.at);
    if (outcome === "undone") this.report(state.sentence);
    else {
      this.tell(sentences(`Sentence ${state.sentence.number} again.`, prompt("verdict")));
      this.view.focus();
    }
    return true;
  }

  // ---- words

  /** Mark words of the current sentence as wrong.
   * @param {[number, number]} words the positions of the first and the last word */
  mark(words) {
    if (!this.state.mark(words)) return;
    this.view.redraw(this.state.at);
    this.view.focus();
  }

  /** @param {number} step @param {boolean} grows */
  moveMark(step, grows) {
    this.mark(this.state.movedMark(step, grows));
  }

  /** Finish the marking of words. If the rater has chosen no words, mark the whole sentence. */
  markedWords() {
    const { error, words } = this.state;
    if (error?.start === null) this.mark([0, words.length - 1]);
    this.rest();
  }

  // ---- places

  /** @param {Place} place */
  placeName({ nowhere: isNowhere, region }) {
    if (isNowhere) return "nowhere";
    return region === null ? "a box" : this.places.name(region);
  }

  /** Choose the next (1) or the previous (-1) region. @param {-1 | 1} step */
  stepThroughPlaces(step) {
    const { state } = this;
    if (state.step !== "overlooked" && !state.error) return;
    if (!this.item.places.length) {
      return this.tell(
        "No regions of this picture are known. Press B to draw a box, or N for “nowhere in the picture”.",
      );
    }
    this.placed(this.places.place(state.regionBeside(step)));
  }

  nowhere() {
    this.placed(NOWHERE);
  }

  /** Store a place that the rater has chosen. In the step "overlooked", it is the place of something that the
   * explanation overlooks. In other steps, it is the place of the error in the current sentence.
   * @param {Place} place */
  placed(place) {
    const { state } = this;
    if (state.step === "overlooked") {
      state.chosen = place;
      this.whole.show();
      this.view.showPlace();
      return this.tell(sentences(`${this.placeName(place)}.`, prompt("overlooked")));
    }
    if (!state.error) return;
    if (state.step === "box") state.step = state.rest();
    state.change({ ...state.error, place });
    this.view.redraw(state.at);
    this.tell(sentences(`${this.placeName(place)}.`, this.asks()));
    this.view.focus();
  }

  draw() {
    const { state } = this, isWhole = state.step === "overlooked";
    if (!isWhole && !state.error) return;
    if (!this.item.image || !this.item.open) return this.tell("There is no picture to draw on.");
    if (!isWhole) state.step = "box";
    this.places.begin();
    this.tell(prompt("box"));
  }

  stopDrawing() {
    this.places.end();
    this.turn(this.state.step === "overlooked" ? "overlooked" : this.state.rest());
  }
}
