// The worked example: one item in words with its right answers, before practice.

import { el } from "../shared/dom.js";
import { actions, button, paragraph } from "../shared/elements.js";
import { VERDICTS } from "../shared/verdicts.js";

/** @import { Child, Study } from "../shared/types.d.ts" */
/** @typedef {NonNullable<Study["example"]>} Example */

/** Build the page of the example, the heading first.
 * @param {Study} study @param {Example} example @param {() => void} goOn
 * @returns {[HTMLElement, ...Child[]]} */
export function examplePage(study, { picture, captions, values, explanations, answers }, goOn) {
  const isSingle = captions.length === 1 && explanations.length <= 1;
  const numbered = (/** @type {string} */ what, /** @type {number} */ at, /** @type {number} */ of) =>
    of === 1 ? what : `${what} ${at + 1}`;
  const shown = [
    picture && fact("Picture, in words", picture),
    captions.map((text, at) => fact(numbered("Caption", at, captions.length), `“${text}”`)),
    explanations.map((text, at) => [
      values[at] !== undefined && fact(numbered("Score", at, explanations.length), values[at]),
      fact(numbered("Explanation", at, explanations.length), text),
    ]),
  ];
  return [
    el("h1", { tabindex: "-1" }, "An example"),
    paragraph(`Read how ${isSingle ? "this item is" : "these texts are"} judged, and why.`),
    el("dl", { class: "example" }, shown),
    el("h2", {}, "The right answers"),
    el("ul", { class: "example-answers" }, answers.map((answer) => el("li", {}, line(answer)))),
    actions(button(study.practice > 0 ? "Go to practice" : "Go to the first item", goOn, "primary")),
  ];
}

/** @param {string} name @param {string} text */
function fact(name, text) {
  return [el("dt", {}, name), el("dd", { dir: "auto" }, text)];
}

/** @param {Example["answers"][number]} answer @returns {Child[]} */
function line({ asked, panel, point, meaning, verdict, why }) {
  const words = verdict === null ? `${point}: ${meaning}` : VERDICTS.find(([key]) => key === verdict)?.[1] ?? verdict;
  const where = panel > 0 ? `, explanation ${panel}` : "";
  return [
    el("strong", {}, verdict === null ? `${asked}${where}` : `“${asked}”`),
    " ",
    el("span", { class: "example-answer" }, words),
    el("p", {}, why),
  ];
}
