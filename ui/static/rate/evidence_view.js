// The view of an explanation that is judged sentence by sentence: the list of sentences, and the place of an error on
// the picture.

import { aspectName, el } from "../shared/dom.js";
import { sentenceEntry } from "./evidence_sentence.js";

/** @import { ItemEvidence } from "./evidence.js" */

export class EvidenceView {
  /** @param {ItemEvidence} evidence handles the clicks */
  constructor(evidence) {
    this.evidence = evidence;
    this.state = evidence.state;
    this.list = el("ol", { class: "sentences", "aria-label": "Sentences of the explanation" });
  }

  show() {
    this.list.replaceChildren(...this.state.sentences.map((_, index) => this.entry(index)));
    this.showPlace();
  }

  /** @param {number} index */
  entry(index) {
    const { evidence, state } = this, { sentences } = state;
    const sentence = sentences[index], { judgement } = sentence, isHere = index === state.at;
    const places = isHere && state.error ? state.likest() : [];
    return sentenceEntry(sentence, {
      isHere,
      aspect: sentences[index - 1]?.aspect === sentence.aspect ? "" : aspectName(sentence.aspect),
      step: state.step,
      places: places.map((region) => /** @type {[number, string]} */ ([region, evidence.places.name(region)])),
      missing: isHere ? state.missing() : [],
      placeName: judgement?.place ? evidence.placeName(judgement.place) : null,
      hints: evidence.hints.list(sentence),
    }, {
      go: (number) => evidence.go(number - 1),
      verdict: (verdict) => evidence.judge(verdict),
      kind: (kind) => evidence.give({ kind }, "severity"),
      severity: (severity) => evidence.give({ severity }, "verdict"),
      words: (first, last) => evidence.mark([first, last]),
      mark: () => evidence.turnWords(),
      pass: () => evidence.pass(),
      region: (region) => region === null ? evidence.nowhere() : evidence.placed(evidence.places.place(region)),
      draw: () => evidence.draw(),
    });
  }

  /** Draw the sentences at some indices again. @param {...number} indices */
  redraw(...indices) {
    for (const index of new Set(indices)) this.list.children[index]?.replaceWith(this.entry(index));
    this.showPlace();
  }

  showPlace() {
    const { evidence: { hints, places }, state } = this, isWhole = state.step === "overlooked";
    places.show(isWhole ? state.chosen : state.sentence?.judgement?.place ?? null);
    places.light(isWhole ? [] : hints.regionsOf(state.sentence));
  }

  /** Show new hints below their sentence. @param {number} number number of the sentence */
  showHints(number) {
    const entry = this.list.children[number - 1], list = this.evidence.hints.list(this.state.sentences[number - 1]);
    entry?.querySelector(".hints")?.remove();
    if (list) entry?.querySelector(".said")?.after(list);
    this.showPlace();
  }

  focus() {
    const text = this.list.children[this.state.at]?.querySelector(".sentence-text");
    if (!(text instanceof HTMLElement)) return;
    text.focus({ preventScroll: true });
    this.list.children[this.state.at].scrollIntoView({ block: "nearest" });
  }
}
