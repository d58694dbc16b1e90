// The pages of a rater who has no study to rate.

import { el } from "../shared/dom.js";
import { button, paragraph, quiet } from "../shared/elements.js";

/** @import { Study } from "../shared/types.d.ts" */

/** Build the page that is shown if there is no study. */
export function noStudy() {
  return [
    el("h1", {}, "No study yet"),
    aboutCapscope(),
    paragraph("A study is a set of explanations to rate. Make one, then come back."),
    paragraph(el("a", { href: "/studies", class: "primary" }, "Make a study")),
  ];
}

/** Build the page that is shown if a link from a recruitment platform lacks the participant's id.
 * @param {string} panel name of the platform */
export function notSent(panel) {
  return [
    el("h1", {}, `Open this study from ${panel}`),
    paragraph(
      `The address does not say who you are. Go to ${panel} and open the study from there once more.`,
    ),
  ];
}

/** Build the page that is shown if a link leads to a study that does not exist.
 * @param {Study[]} studies studies to choose instead @param {(study: Study) => void} choose */
export function unknownStudy(studies, choose) {
  return [
    el("h1", {}, "There is no such study"),
    paragraph(
      "The link that you followed names a study that is not here. Ask the person who sent it to you for a new one.",
    ),
    others(studies, choose),
  ];
}

/** Build the page that is shown if the rater's study was deleted meanwhile.
 * @param {Study[]} studies studies to choose instead @param {(study: Study) => void} choose */
export function goneStudy(studies, choose) {
  return [
    el("h1", {}, "This study is no longer here"),
    paragraph(
      "The study was deleted, or the server was put back to an earlier time. Ask the person who sent you the link what to do.",
    ),
    others(studies, choose),
  ];
}

/** @param {Study[]} studies @param {(study: Study) => void} choose */
function others(studies, choose) {
  return studies.length > 0 && [
    paragraph("Or rate one of these:"),
    el("ul", {}, studies.map((study) => el("li", {}, button(study.title, () => choose(study))))),
  ];
}

/** Explain what Capscope is to a visitor who has no link to a study. */
export function aboutCapscope() {
  return quiet(
    [
      "Capscope shows how metrics judge image captions and lets people judge the metrics’ explanations; if you only want to look, go to ",
      el("a", { href: "/inspect" }, "Inspect"),
      ".",
    ],
  );
}
