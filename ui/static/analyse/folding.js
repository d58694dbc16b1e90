// A section without data is one line: its heading, what is missing, and what brings it.

import { el } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";

/** @import { Child } from "../shared/types.d.ts" */

/** Fold a section to one line; unfold() undoes it. @param {HTMLElement} section @param {Element} head @param {Child} words
 * @param {...Child} ways to bring the data */
export function fold(section, head, words, ...ways) {
  section.classList.add("folded");
  section.replaceChildren(head, el("div", { class: "folded-line" }, quiet(words), ...ways));
}

/** @param {HTMLElement} section */
export function unfold(section) {
  section.classList.remove("folded");
}

/** A link to where people bring data. @param {string} words what they would bring */
export function bring(words) {
  return el("a", { class: "button makes", href: "/studies?bring" }, words);
}

/** What is missing where people judged captions and no metric did. */
export const NO_METRIC = "Only people have scored these captions.";

/** What people bring if captions have no metric's scores. */
export const bringScores = () => bring("Bring scores");

/** What people bring if captions have no judgements. */
export const bringJudgements = () => bring("Bring judgements");
