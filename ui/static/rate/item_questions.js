// The questions about an item: one for every criterion and explanation, their answers, and the guideline of the one in sight.

import { el, say } from "../shared/dom.js";

/** @import { Criterion, Item, Panel, Study } from "../shared/types.d.ts" */
/** @typedef {object} Question
 * @property {Criterion} criterion
 * @property {Panel} panel
 * @property {number} index of the explanation
 * @property {string} name
 * @property {string} textId
 * @property {Map<number, HTMLInputElement>} radios by point
 * @property {boolean} isPassing while arrow keys pass its answers by
 * @property {HTMLFieldSetElement} [fieldset] */

const ABSTAIN = 0;
const HINT = "Point at an answer, or move to it, to read what it means.";

/** What the explanation at an index is called where several stand side by side.
 * @param {number} index */
export function evaluator(index) {
  return `Evaluator ${index + 1}`;
}

export class ItemQuestions {
  /** @param {Study} study @param {Item} item
   * @param {{onAnswer: (question: Question, point: number) => void, onSettled: () => void}} tells onAnswer each new answer;
   * onSettled once the focus leaves a question */
  constructor(study, item, { onAnswer, onSettled }) {
    this.onAnswer = onAnswer;
    this.onSettled = onSettled;
    this.sideBySide = study.form === "side_by_side";
    this.guideline = el("p", { class: "guideline" }, HINT);
    /** @type {Question[]} */
    this.all = study.criteria.flatMap((criterion) =>
      item.panels.map((panel, index) => this.question(criterion, panel, index))
    );
  }

  /** @param {Criterion} criterion @param {Panel} panel @param {number} index */
  question(criterion, panel, index) {
    const name = this.sideBySide ? `${evaluator(index)}: ${criterion.name}` : criterion.name;
    const textId = this.sideBySide ? `text-${criterion.key}` : `text-${criterion.key}-${index}`;
    /** @type {Question} */
    const question = { criterion, panel, index, name, textId, radios: new Map(), isPassing: false };
    const answers = criterion.guidelines.map(({ point }) => this.answer(question, point));
    question.fieldset = el(
      "fieldset",
      {
        "aria-describedby": textId,
        keydown: (event) => (question.isPassing = event.key.startsWith("Arrow")), // each answer on the way is given
        pointerdown: () => (question.isPassing = false),
        focusout: (event) => question.fieldset.contains(event.relatedTarget) || this.onSettled(),
      },
      el("legend", { class: "visually-hidden" }, name),
      el("div", { class: "answers" }, answers),
    );
    return question;
  }

  /** @param {Question} question @param {number} point */
  answer(question, point) {
    const tell = () => this.tell(question, point);
    const radio = el("input", {
      type: "radio",
      name: `answer-${question.criterion.key}-${question.index}`,
      value: point,
      checked: question.panel.answers[question.criterion.key] === point,
      focus: () => radio.checked && tell(), // else what a finger is on would move away under it
      change: () => this.give(question, point),
    });
    question.radios.set(point, radio);
    return el(
      "label",
      {
        class: point === ABSTAIN ? "answer abstain" : "answer",
        pointerenter: tell,
        pointerleave: () => this.tellFocused(),
      },
      radio,
      el("span", { class: "point" }, String(point)),
      point === ABSTAIN && el("span", { class: "abstain-text", "aria-hidden": "true" }, "can’t judge"),
    );
  }

  // ---- guidelines

  /** @param {Question} question @param {number} point */
  tell({ name, criterion }, point) {
    const { text } = criterion.guidelines.find((guideline) => guideline.point === point);
    say(this.guideline, `${name} ${point}: ${text}`);
  }

  /** Point out the guideline of the given answer in focus, or how to see one: an answer that only has the focus looks given. */
  tellFocused() {
    const focused = this.focused();
    const { activeElement: radio } = document;
    if (focused && radio instanceof HTMLInputElement && radio.checked) this.tell(focused, Number(radio.value));
    else say(this.guideline, HINT);
  }

  // ---- answers

  /** @param {Question} question @param {number} point */
  give(question, point) {
    const { panel, criterion, radios } = question;
    radios.get(point).checked = true;
    this.tell(question, point);
    if (panel.answers[criterion.key] === point) return;
    panel.answers[criterion.key] = point;
    this.onAnswer(question, point);
  }

  /** Answer the question in focus, else the first open one, and move on; afterwards: what gets the focus behind the last.
   * @param {number} digit @param {HTMLElement} afterwards */
  answerByKey(digit, afterwards) {
    const question = this.focused() ?? this.open()[0];
    if (!question) return say(this.guideline, "Everything is answered. Enter goes on; Tab leads back to a question.");
    question.isPassing = false;
    const point = question.radios.has(digit) ? digit : digit || 10; // 0 is the tenth point where none may abstain
    if (!question.radios.has(point)) {
      return say(this.guideline, `${question.name} has the answers ${[...question.radios.keys()].join(", ")}.`);
    }
    this.give(question, point);
    const following = this.all[this.all.indexOf(question) + 1];
    if (following) this.focusOn(following);
    else afterwards.focus();
    this.tell(question, point); // what was given, not what the focus has moved on to
  }

  /** The questions about one criterion.
   * @param {Criterion} criterion */
  of(criterion) {
    return this.all.filter((question) => question.criterion === criterion);
  }

  open() {
    return this.all.filter(({ criterion, panel }) => !(criterion.key in panel.answers));
  }

  mark() {
    const open = this.open();
    for (const question of this.all) question.fieldset.classList.toggle("answered", !open.includes(question));
  }

  /** Show the answers as they are now. */
  refresh() {
    for (const { criterion, panel, radios } of this.all) {
      for (const [point, radio] of radios) radio.checked = panel.answers[criterion.key] === point;
    }
  }

  // ---- focus

  focused() {
    return this.all.find(({ fieldset }) => fieldset.contains(document.activeElement));
  }

  focusFirst() {
    this.focusOn(this.open()[0] ?? this.all[0]);
  }

  /** @param {Question} question */
  focusOn({ radios }) {
    const chosen = [...radios.values()].find((radio) => radio.checked) ?? radios.values().next().value;
    chosen.focus({ preventScroll: false });
  }
}
