// One question about an item: its text, its answers as radio buttons, and the meanings of the points of its scale.

import { all, el } from "../shared/dom.js";
import { whenMoved } from "../shared/pointer.js";
import { remember, remembered } from "../shared/storage.js";
import { ABSTAIN, pointText } from "./answers.js";

/** @import { Criterion, Guideline, Item, Panel, Study } from "../shared/types.d.ts" */
/** @import { ItemQuestions } from "./questions.js" */
/** @typedef {object} Question
 * @property {Criterion} criterion
 * @property {Panel} panel
 * @property {number} index index of the explanation
 * @property {string} name
 * @property {string} textId
 * @property {readonly Guideline[]} guidelines the points that can be chosen for this item
 * @property {Map<number, HTMLInputElement>} radios maps each point to its radio button
 * @property {HTMLFieldSetElement} fieldset */

const MEANINGS_KEY = "capscope.meanings"; // the browser stores under this name whether the lists of meanings are open
const LONGEST_SHORT = 32; // maximum number of characters of a text that is shown below the number of a point
const WITHOUT_POINTER = "(max-width: 860px), (hover: none)";

/** Return the name of one of several explanations that are shown side by side.
 * @param {Pick<Study, "evaluator">} study @param {number} index index of the explanation */
export function evaluator({ evaluator }, index) {
  return evaluator.replace("{number}", String(index + 1));
}

/** Return the points that can be chosen for an item. If its picture is missing, include "cannot be judged".
 * @param {Criterion} criterion @param {Pick<Item, "image_size">} item @returns {readonly Guideline[]} */
export function answersTo({ guidelines, unseen }, { image_size: size }) {
  return unseen && !size ? [...guidelines, unseen] : guidelines;
}

/** Return the few words that are shown with a point of a scale.
 * The study may state them. Otherwise, they are the point's text if it is short.
 * @param {Guideline} guideline */
function shortWords({ short, text }) {
  return short || (text.length <= LONGEST_SHORT ? text : "");
}

/** Build the question of a criterion about an explanation.
 * @param {Study} study @param {Item} item
 * @param {{criterion: Criterion, panel: Panel, index: number}} about index: of the explanation
 * @param {ItemQuestions} owner is told what the rater does @returns {Question} */
export function buildQuestion(study, item, { criterion, panel, index }, owner) {
  const sideBySide = study.form === "side_by_side";
  const name = sideBySide && !criterion.compares ? `${evaluator(study, index)}: ${criterion.name}` : criterion.name;
  const textId = `text-${criterion.key}${sideBySide ? "" : `-${index}`}`;
  const guidelines = answersTo(criterion, item);
  const fieldset = el("fieldset", { "aria-describedby": textId, keydown: (event) => owner.step(question, event) });
  /** @type {Question} */
  const question = { criterion, panel, index, name, textId, guidelines, radios: new Map(), fieldset };
  const look = criterion.compares || !sideBySide ? "point-words" : "visually-hidden";
  const answers = guidelines.map((guideline) => buildAnswer(question, guideline, look, owner));
  fieldset.append(
    el("legend", { class: "visually-hidden" }, name),
    el(
      "div",
      { class: "answers", "data-open": "still open" },
      answers.filter((_, at) => guidelines[at].point > ABSTAIN),
      answers.filter((_, at) => guidelines[at].point <= ABSTAIN),
    ),
  );
  return question;
}

/** Build an answer: a radio button for a point of the scale.
 * @param {Question} question @param {Guideline} guideline @param {string} look CSS class of the point's short text
 * @param {ItemQuestions} owner */
function buildAnswer(question, guideline, look, owner) {
  const { criterion, index, panel } = question, { point } = guideline, words = shortWords(guideline);
  const tell = () => owner.tell(question, point);
  const radio = el("input", {
    type: "radio",
    name: `answer-${criterion.key}-${index}`,
    value: point,
    checked: panel.answers[criterion.key] === point,
    focus: () => radio.matches(":focus-visible") && tell(), // not after a touch: give() then shows the meaning
    change: () => owner.give(question, point),
  });
  question.radios.set(point, radio);
  return el(
    "label",
    {
      class: point <= ABSTAIN || criterion.compares ? "answer abstain" : "answer",
      pointerenter: (event) => whenMoved(event, tell),
      pointerleave: (event) => whenMoved(event, () => owner.tellFocused()),
    },
    radio,
    el("span", { class: "point" }, pointText(point)),
    words && el("span", { class: look }, ` ${words}`),
  );
}

/** Build the row of a criterion: its text, the meanings of its points, and the answers for each explanation.
 * @param {Study} study @param {Item} item @param {readonly Question[]} questions the criterion's questions */
export function buildRow(study, item, questions) {
  const [{ criterion, textId, fieldset }] = questions;
  const isOfPanels = study.form === "side_by_side" && !criterion.compares;
  return el(
    "div",
    { class: "question" },
    el(
      "div",
      { class: "question-head" },
      el(
        "p",
        { class: "question-text", id: textId },
        el("strong", { "aria-hidden": isOfPanels ? null : "true", "data-open": "still open" }, criterion.name),
        " ",
        el("span", {}, criterion.question),
        isOfPanels && [" ", scaleWords(criterion, item)],
      ),
      matchMedia(WITHOUT_POINTER).matches && meaningsOf(criterion, item),
    ),
    !isOfPanels ? fieldset : el(
      "div",
      { class: "cells" },
      questions.map(({ index, fieldset }) =>
        el(
          "div",
          { class: "cell" },
          el("span", { class: "cell-name", "aria-hidden": "true" }, evaluator(study, index)),
          fieldset,
        )
      ),
    ),
  );
}

/** Build the short texts of all points of a scale. Screen readers skip them, because each radio button has its own
 * label.
 * @param {Criterion} criterion @param {Item} item */
function scaleWords(criterion, item) {
  const points = answersTo(criterion, item).filter(shortWords);
  return el(
    "span",
    { class: "row-words", "aria-hidden": "true" },
    points.map((guideline) => el("span", {}, el("b", {}, pointText(guideline.point)), ` ${shortWords(guideline)}`)),
  );
}

/** Build the list that explains a criterion's points. All lists are opened and closed together.
 * @param {Criterion} criterion @param {Item} item */
function meaningsOf(criterion, item) {
  const turn = () => {
    remember(MEANINGS_KEY, box.open ? "yes" : "no");
    for (const other of all(document, ".meanings")) /** @type {HTMLDetailsElement} */ (other).open = box.open;
  };
  const box = el(
    "details",
    { class: "meanings", open: remembered(MEANINGS_KEY) === "yes", toggle: turn },
    el("summary", {}, "What the points mean"),
    guidelineList(answersTo(criterion, item)),
  );
  return box;
}

/** @param {readonly Guideline[]} guidelines */
export function guidelineList(guidelines) {
  return el(
    "dl",
    { class: "guidelines" },
    guidelines.map(({ point, text }) => [el("dt", {}, pointText(point)), el("dd", {}, text)]),
  );
}
