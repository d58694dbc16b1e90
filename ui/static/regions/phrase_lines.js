// A caption's phrases in lines: the confirmed phrases, the wrong ones, and those that nobody can tell.

import { arrange, el } from "../shared/dom.js";
import { rove } from "../shared/roving_focus.js";

/** @import { Mark, Words } from "./support.js" */

/** @type {[Mark, string][]} */
const LOOKS = [["correct", "confirmed"], ["incorrect", "wrong"], ["not judged", "untold"]];

export class PhraseLines {
  constructor() {
    this.lines = LOOKS.map(([mark, look]) => ({ mark, ...line(look) }));
    this.mean = el("p", { class: "quiet mean-of-phrases" });
    this.element = el(
      "div",
      { class: "phrase-lines", role: "group", "aria-label": "Phrases of the caption" },
      this.lines.map(({ element }) => element),
      this.mean,
    );
  }

  /** Show the phrases in lines, one line for each mark.
   * @param {readonly HTMLElement[]} chips elements of the phrases
   * @param {readonly Mark[]} marks the mark of each phrase @param {Pick<Words, "heads">} words headings of the lines
   * @param {string} mean how the chips' numbers make the score's precision */
  show(chips, marks, { heads }, mean) {
    this.element.hidden = !chips.length;
    this.mean.textContent = mean;
    for (const { mark, element, head } of this.lines) {
      const those = chips.filter((_, at) => marks[at] === mark);
      element.hidden = !those.length;
      head.textContent = heads[mark];
      arrange(element, [head, ...those]);
      rove(element, ".phrase");
    }
  }
}

/** @param {string} look */
function line(look) {
  const head = el("span", { class: "line-head" });
  return { head, element: el("p", { class: `phrase-line ${look}` }, head) };
}
