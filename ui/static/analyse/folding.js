// Shows a section without data as one line: its heading, what data are missing, and how to add them.

import { el } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";

/** @import { Child } from "../shared/types.d.ts" */

/** Fold a section to one line. unfold() shows the whole section again.
 * @param {HTMLElement} section @param {Element} head heading of the section
 * @param {Child} words text that says what is missing
 * @param {...Child} ways links and buttons to add the missing data */
export function fold(section, head, words, ...ways) {
  section.classList.add("folded");
  section.replaceChildren(head, el("div", { class: "folded-line" }, quiet(words), ...ways));
}

/** @param {HTMLElement} section */
export function unfold(section) {
  section.classList.remove("folded");
}

/** Make a link to the page where people import data. @param {string} words text of the link */
export function bring(words) {
  return el("a", { class: "button makes", href: "/studies?bring" }, words);
}

/** Message for captions that people have judged but no metric has scored. */
export const NO_METRIC = "Only people have scored these captions.";

/** Make the link to import scores for captions that no metric has scored. */
export const bringScores = () => bring("Import scores");

/** Make the link to import judgements for captions that nobody has judged. */
export const bringJudgements = () => bring("Import judgements");
