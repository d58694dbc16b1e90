// The layout of an item: where its elements are on the page.

import { el, explanation, gauge } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { showInstructions } from "./dialogs.js";
import { evaluator } from "./question.js";
import { wordsOfRow } from "./point_meanings.js";
import { placeName } from "./save_status.js";

/** @import { Criterion, Panel, Study } from "../shared/types.d.ts" */
/** @import { ItemView } from "./item.js" */
/** @import { Question } from "./question.js" */

/** Build the elements of an item and arrange them on the page. @param {ItemView} view */
export function layoutOf(view) {
  const { item, study } = view;
  const judge = el(
    "div",
    { class: "judge-column" },
    study.rates === "caption" && !compares(study) ? null : panels(view),
    rows(view),
  );
  judge.style.setProperty("--panels", String(item.panels.length));
  return el(
    "section",
    {
      class: `rate ${view.sideBySide ? "side-by-side" : "single"} of-${view.study.rates}s`,
      "aria-label": placeName(item.place, view.run.shelf.practice),
      tabindex: "-1",
    },
    bar(view),
    view.practice,
    el(
      "div",
      { class: "desk" },
      el(
        "div",
        { class: "picture-column" },
        view.picture.figure,
        view.caption,
        references(view),
        view.note.element,
        view.report.element,
      ),
      judge,
    ),
    footer(view),
    view.study.notice && quiet(view.study.notice),
  );
}

/** @param {ItemView} view */
function bar(view) {
  const { run, study } = view;
  const tool = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ click) =>
    button(text, click, "quiet-button", { title });
  return el(
    "header",
    { class: "bar" },
    el("h1", { class: "visually-hidden" }, `${study.title}: ${placeName(view.item.place, run.shelf.practice)}`),
    view.progress,
    run.status,
    run.ways,
    el(
      "span",
      { class: "tools" },
      tool("Instructions", "Read the instructions again", () => showInstructions(study)),
      tool("Guidelines", "Read every guideline (g)", () => view.showGuidelines()),
      tool("Keys", "Show the keys (?)", () => view.showKeys()),
      tool(run.rater.code, "Your code and return key", () => run.page.showRater()),
    ),
  );
}

/** @param {ItemView} view */
function references(view) {
  const { references } = view.item;
  if (!references.length) return null;
  return el(
    "details",
    { class: "references", open: true },
    el("summary", {}, references.length === 1 ? "A description by people" : "Descriptions by people"),
    el("ul", {}, references.map((text) => el("li", { dir: "auto" }, text))),
  );
}

/** @param {ItemView} view */
function panels(view) {
  return el("div", { class: "panels" }, view.item.panels.map((panel, index) => panelOf(view, panel, index)));
}

/** Build a panel: a part of the item that shows a score, an explanation or a caption.
 * @param {ItemView} view @param {Panel} panel @param {number} index */
function panelOf(view, { value, scale, rationales, caption }, index) {
  const { rates } = view.study;
  const heading = rates === "caption" ? `Caption ${index + 1}` : evaluator(view.study, index);
  const name = !view.sideBySide ? "Explanation" : rates === "caption" ? heading : `Explanation of ${heading}`;
  return el(
    "div",
    { class: "panel" },
    view.sideBySide && el("h2", {}, heading),
    value !== null && gauge(value, scale, { exact: false }),
    el(
      "div",
      { class: "words", role: "region", "aria-label": name },
      caption === null ? explanation(rationales) : el("p", { class: "compared", dir: "auto" }, `“${caption}”`),
    ),
  );
}

/** @param {ItemView} view */
function rows(view) {
  return el("div", { class: "questions" }, view.study.criteria.map((criterion) => row(view, criterion)));
}

/** Build the row of a criterion: its question, and the possible answers for each explanation.
 * @param {ItemView} view @param {Criterion} criterion */
function row(view, criterion) {
  const questions = view.questions.of(criterion);
  const isOfPanels = view.sideBySide && !criterion.compares;
  return el(
    "div",
    { class: "question" },
    el(
      "div",
      { class: "question-head" },
      el(
        "p",
        { class: "question-text", id: questions[0].textId },
        el(
          "strong",
          { "aria-hidden": isOfPanels ? null : "true", "data-open": "still open" },
          criterion.name,
        ),
        " ",
        el("span", {}, criterion.question),
        isOfPanels && [" ", wordsOfRow(criterion, view.item)],
      ),
      view.questions.meanings.of(criterion),
    ),
    isOfPanels
      ? el("div", { class: "cells" }, questions.map((question) => cell(view, question)))
      : questions[0].fieldset,
  );
}

/** @param {ItemView} view @param {Question} question */
function cell(view, { index, fieldset }) {
  const name = el("span", { class: "cell-name", "aria-hidden": "true" }, evaluator(view.study, index));
  return el("div", { class: "cell" }, name, fieldset);
}

/** @param {ItemView} view */
function footer(view) {
  const previous = button("Previous", () => view.goBack(), "", { disabled: view.item.place === 1 });
  return el("footer", { class: "foot" }, previous, view.leave, view.questions.guideline, view.next);
}

/** Return whether a study shows two texts side by side, which raters compare. @param {Study} study */
function compares({ criteria }) {
  return criteria.some((criterion) => criterion.compares);
}
