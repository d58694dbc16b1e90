// A caption's phrases in two lines: the confirmed phrases, and the wrong ones. The phrases that were not judged are in
// a collapsed list beside the wrong ones.

import { arrange, el } from "../shared/dom.js";
import { rove } from "../shared/roving_focus.js";

/** @import { Mark, Words } from "./support.js" */

export class PhraseLines {
  constructor() {
    this.confirmed = line("confirmed");
    this.wrong = line("wrong");
    this.summary = el("summary", {});
    this.untold = el("p", { class: "phrase-line" });
    this.folded = el("details", { class: "phrase-untold" }, this.summary, this.untold);
    this.element = el(
      "div",
      { class: "phrase-lines", role: "group", "aria-label": "Phrases of the caption" },
      this.confirmed.element,
      el("div", { class: "phrase-row" }, this.wrong.element, this.folded),
    );
  }

  /** Show the phrases in lines, one line for each mark.
   * @param {readonly HTMLElement[]} chips elements of the phrases
   * @param {readonly Mark[]} marks the mark of each phrase @param {Pick<Words, "heads">} words headings of the lines */
  show(chips, marks, { heads }) {
    this.element.hidden = !chips.length;
    const those = (/** @type {Mark} */ wanted) => chips.filter((_, at) => marks[at] === wanted);
    this.confirmed.show(heads.correct, those("correct"));
    this.wrong.show(heads.incorrect, those("incorrect"));
    const untold = those("not judged");
    this.summary.textContent = `${heads["not judged"]} (${untold.length})`;
    arrange(this.untold, untold);
    this.folded.hidden = !untold.length;
    for (const group of [this.confirmed.element, this.wrong.element, this.untold]) rove(group, ".phrase");
  }
}

/** @param {string} look */
function line(look) {
  const head = el("span", { class: "line-head" }), none = el("span", { class: "quiet" }, "–");
  const element = el("p", { class: `phrase-line ${look}` }, head);
  return {
    element,
    show(/** @type {string} */ words, /** @type {HTMLElement[]} */ chips) {
      head.textContent = words;
      arrange(element, [head, ...(chips.length ? chips : [none])]);
    },
  };
}
