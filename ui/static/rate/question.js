// One question about an item, with its answers as radio buttons.

import { el } from "../shared/dom.js";
import { whenMoved } from "../shared/pointer.js";
import { ABSTAIN, pointText } from "./answers.js";
import { answersTo, shortWords } from "./point_meanings.js";

/** @import { Criterion, Guideline, Item, Panel, Study } from "../shared/types.d.ts" */
/** @typedef {object} Question
 * @property {Criterion} criterion
 * @property {Panel} panel
 * @property {number} index index of the explanation
 * @property {string} name
 * @property {string} textId
 * @property {readonly Guideline[]} guidelines the points that can be chosen for this item
 * @property {Map<number, HTMLInputElement>} radios maps each point to its radio button
 * @property {HTMLFieldSetElement} fieldset */
/** @typedef {object} QuestionActions what the page does when a rater uses a question
 * @property {(question: Question, event: KeyboardEvent) => void} step a key was pressed
 * @property {(question: Question, point: number) => void} give a point was chosen
 * @property {(question: Question, point: number) => void} tell the pointer or the keyboard focus is on a point's answer
 * @property {() => void} leave the pointer has left a point's answer */

/** Return the name of one of several explanations that are shown side by side.
 * @param {Pick<Study, "evaluator">} study @param {number} index index of the explanation */
export function evaluator({ evaluator }, index) {
  return evaluator.replace("{number}", String(index + 1));
}

/** Build the question of a criterion about an explanation.
 * @param {Study} study @param {Item} item
 * @param {{criterion: Criterion, panel: Panel, index: number}} about index: of the explanation
 * @param {QuestionActions} does @returns {Question} */
export function buildQuestion(study, item, { criterion, panel, index }, does) {
  const sideBySide = study.form === "side_by_side";
  const name = sideBySide && !criterion.compares ? `${evaluator(study, index)}: ${criterion.name}` : criterion.name;
  const textId = sideBySide ? `text-${criterion.key}` : `text-${criterion.key}-${index}`;
  const guidelines = answersTo(criterion, item);
  const fieldset = el("fieldset", { "aria-describedby": textId, keydown: (event) => does.step(question, event) });
  /** @type {Question} */
  const question = { criterion, panel, index, name, textId, guidelines, radios: new Map(), fieldset };
  const inWords = criterion.compares || !sideBySide;
  const answers = guidelines.map((guideline) => buildAnswer(question, guideline, inWords, does));
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
 * @param {Question} question @param {Guideline} guideline
 * @param {boolean} inWords whether the page shows the short text of the point @param {QuestionActions} does */
function buildAnswer(question, guideline, inWords, does) {
  const { criterion, index, panel } = question, { point } = guideline, words = shortWords(guideline);
  const tell = () => does.tell(question, point);
  const radio = el("input", {
    type: "radio",
    name: `answer-${criterion.key}-${index}`,
    value: point,
    checked: panel.answers[criterion.key] === point,
    focus: () => radio.matches(":focus-visible") && tell(), // not after a touch: give() then shows the meaning
    change: () => does.give(question, point),
  });
  question.radios.set(point, radio);
  return el(
    "label",
    {
      class: point <= ABSTAIN || criterion.compares ? "answer abstain" : "answer",
      pointerenter: (event) => whenMoved(event, tell),
      pointerleave: (event) => whenMoved(event, () => does.leave()),
    },
    radio,
    el("span", { class: "point" }, pointText(point)),
    words && el("span", { class: inWords ? "point-words" : "visually-hidden" }, ` ${words}`),
  );
}

/** Return the chosen radio button of a question. @param {Pick<Question, "radios">} question */
export function checkedOf({ radios }) {
  return [...radios.values()].find((radio) => radio.checked);
}
