// The page with a worked example, shown before practice: one item, described in words, with its right answers.

import { el } from "../shared/dom.js";
import { actions, button, paragraph } from "../shared/elements.js";

/** @import { Child, Study } from "../shared/types.d.ts" */
/** @typedef {NonNullable<Study["example"]>} Example */

/** Build the page that shows a worked example. The page's first element is its heading.
 * @param {Study} study @param {Example} example @param {() => void} goOn
 * @returns {[HTMLElement, ...Child[]]} */
export function examplePage(study, { picture, captions, values, explanations, answers }, goOn) {
  const isSingle = captions.length === 1 && explanations.length <= 1;
  const shown = [
    picture && fact("Picture, in words", picture),
    captions.map((text, at) => fact(captions.length === 1 ? "Caption" : `Caption ${at + 1}`, `“${text}”`)),
    explanations.map((text, at) => [
      values[at] !== undefined &&
      fact(explanations.length === 1 ? "Score" : `Score ${at + 1}`, values[at]),
      fact(explanations.length === 1 ? "Explanation" : `Explanation ${at + 1}`, text),
    ]),
  ];
  return [
    el("h1", { tabindex: "-1" }, "An example"),
    paragraph(
      isSingle ? "Read how this item is judged, and why." : "Read how these texts are judged, and why.",
    ),
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
function line({ asked, panel, point, meaning, why }) {
  const about = panel > 0 ? `${asked}, explanation ${panel}` : asked;
  return [
    el("strong", {}, about),
    " ",
    el("span", { class: "example-answer" }, `${point}: ${meaning}`),
    el("p", {}, why),
  ];
}
