// The questions about an item: one for every criterion and explanation, their answers, and what the point in sight means.
//
// Arrow keys move among the points of a question and give none, so that each can be read before it is given; a digit, a
// click or Space gives one.

import { el, say } from "../shared/dom.js";
import { ABSTAIN, lay, NO_PICTURE, pointText } from "./answers.js";
import { answersTo, endsOfScale, PointMeanings } from "./point_meanings.js";

/** @import { Criterion, Guideline, Item, Panel, Study } from "../shared/types.d.ts" */
/** @typedef {object} Question
 * @property {Criterion} criterion
 * @property {Panel} panel
 * @property {number} index of the explanation
 * @property {string} name
 * @property {string} textId
 * @property {readonly Guideline[]} guidelines what can be answered about this item
 * @property {Map<number, HTMLInputElement>} radios by point
 * @property {HTMLFieldSetElement} fieldset */

const HINT = "Point at an answer, or move to it with the arrow keys, to read what it means.";
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** What the explanation at an index is called where several stand side by side.
 * @param {Pick<Study, "evaluator">} study @param {number} index */
export function evaluator({ evaluator }, index) {
  return evaluator.replace("{number}", String(index + 1));
}

export class ItemQuestions {
  /** @param {Study} study @param {Item} item @param {{onAnswer: (question: Question, point: number) => void, whyNot: (question: Question) => string,
   * isNew: boolean}} does onAnswer is told each new answer; whyNot says why a question cannot be answered now, "" where it can;
   * isNew: the rater has finished no item yet */
  constructor(study, item, { onAnswer, whyNot, isNew }) {
    this.onAnswer = onAnswer;
    this.whyNot = whyNot;
    /** @type {{question: Question, point: number | undefined}[]} answers as they were before each change, the latest last */
    this.past = [];
    this.item = item;
    this.study = study;
    this.sideBySide = study.form === "side_by_side";
    this.guideline = el("p", { class: "guideline", role: "status", "data-kind": "hint" }, HINT);
    /** @type {Question[]} */
    this.all = study.criteria.flatMap((criterion) =>
      item.panels.map((panel, index) => this.question(criterion, panel, index)).slice(criterion.compares ? 1 : 0) // of two
    );
    this.meanings = new PointMeanings(item, isNew);
  }

  /** @param {Criterion} criterion @param {Panel} panel @param {number} index */
  question(criterion, panel, index) {
    const isOfPanel = this.sideBySide && !criterion.compares;
    const name = isOfPanel ? `${evaluator(this.study, index)}: ${criterion.name}` : criterion.name;
    const textId = this.sideBySide ? `text-${criterion.key}` : `text-${criterion.key}-${index}`;
    const guidelines = answersTo(criterion, this.item);
    const fieldset = el("fieldset", { "aria-describedby": textId, keydown: (event) => this.step(question, event) });
    /** @type {Question} */
    const question = { criterion, panel, index, name, textId, guidelines, radios: new Map(), fieldset };
    const answers = guidelines.map((guideline) => this.answer(question, guideline));
    const [low, high] = endsOfScale(criterion);
    fieldset.append(
      el("legend", { class: "visually-hidden" }, name),
      el(
        "div",
        { class: "answers" },
        !isOfPanel && !criterion.compares && low,
        answers.filter((_, at) => guidelines[at].point > ABSTAIN),
        !isOfPanel && !criterion.compares && high,
        answers.filter((_, at) => guidelines[at].point <= ABSTAIN),
      ),
    );
    return question;
  }

  /** @param {Question} question @param {Guideline} guideline */
  answer(question, { point, short }) {
    const tell = () => this.tell(question, point);
    const radio = el("input", {
      type: "radio",
      name: `answer-${question.criterion.key}-${question.index}`,
      value: point,
      checked: question.panel.answers[question.criterion.key] === point,
      focus: () => radio.matches(":focus-visible") && tell(), // a finger on it gives it anyway
      change: () => this.give(question, point),
    });
    question.radios.set(point, radio);
    const abstains = point <= ABSTAIN, inWords = question.criterion.compares || (abstains && !this.sideBySide);
    return el(
      "label",
      {
        class: abstains || question.criterion.compares ? "answer abstain" : "answer",
        pointerenter: tell,
        pointerleave: () => this.tellFocused(),
      },
      radio,
      el("span", { class: "point" }, pointText(point)),
      short && el("span", { class: inWords ? "abstain-text" : "visually-hidden" }, ` ${short}`),
    );
  }

  // ---- what the points mean

  /** Say what a point means, and whether it is given.
   * @param {Question} question @param {number} point */
  tell({ name, criterion, panel, guidelines }, point) {
    const text = guidelines.find((guideline) => guideline.point === point)?.text ?? "";
    const given = panel.answers[criterion.key];
    const state = given === point
      ? ""
      : given === undefined
      ? " (not answered yet)"
      : ` (your answer is ${pointText(given)})`;
    this.message(`${given === point ? "✓ " : ""}${name} ${pointText(point)}${state}: ${text}`, "point");
  }

  /** @param {string} text @param {"hint" | "point" | "message"} kind */
  message(text, kind = "message") {
    this.guideline.dataset.kind = kind;
    say(this.guideline, text);
  }

  /** Point out the answer in focus, given or not, or how to see one. */
  tellFocused() {
    const focused = this.focused();
    const { activeElement: radio } = document;
    if (focused && radio instanceof HTMLInputElement && (radio.checked || radio.matches(":focus-visible"))) {
      this.tell(focused, Number(radio.value));
    } else this.message(HINT, "hint");
  }

  // ---- answers

  /** Move the focus among a question's points, giving none.
   * @param {Question} question @param {KeyboardEvent} event */
  step({ radios }, event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const all = [...radios.values()];
    const at = all.findIndex((radio) => radio === document.activeElement);
    all[(at + step + all.length) % all.length].focus();
  }

  /** Take an answer; false where the question cannot be answered now.
   * @param {Question} question @param {number} point */
  give(question, point) {
    const { panel, criterion, index, radios } = question;
    const why = point === NO_PICTURE ? "" : this.whyNot(question);
    if (why) {
      this.refresh(); // a click has ticked it already
      this.message(why);
      return false;
    }
    const radio = radios.get(point);
    if (radio) radio.checked = true;
    const before = panel.answers[criterion.key], isNew = before !== point;
    if (isNew) this.past.push({ question, point: before });
    lay({ panel: index + 1, criterion: criterion.key, point }, this.item, criterion);
    this.tell(question, point);
    if (isNew) this.onAnswer(question, point);
    return true;
  }

  /** Give the point that has the focus. */
  giveFocused() {
    const { activeElement: radio } = document;
    const question = this.focused();
    if (question && radio instanceof HTMLInputElement) this.give(question, Number(radio.value));
  }

  /** Answer the question in focus, else the first open one, and move on; afterwards: what gets the focus behind the last.
   * @param {number} digit @param {HTMLElement} afterwards */
  answerByKey(digit, afterwards) {
    const question = this.focused() ?? this.open()[0];
    if (!question) return this.message("Everything is answered. Enter goes on; Tab leads back to a question.");
    const point = question.radios.has(digit) ? digit : digit || 10; // 0 is the tenth point where none may abstain
    if (!question.radios.has(point)) {
      return this.message(`${question.name} has the answers ${[...question.radios.keys()].map(pointText).join(", ")}.`);
    }
    if (!this.give(question, point)) return;
    const following = this.all[this.all.indexOf(question) + 1];
    if (following) this.focusOn(following);
    else {
      afterwards.focus({ preventScroll: true });
      afterwards.scrollIntoView({ block: "nearest" }); // where the footer does not stay in sight
    }
    this.tell(question, point); // what was given, not what the focus has moved on to
  }

  /** Undo the latest change of an answer, or go back to a first answer, which stays; false where nothing was answered here. */
  undo() {
    const last = this.past.pop();
    if (!last) return false;
    const { question, point } = last;
    this.focusOn(question);
    if (point === undefined) {
      const given = pointText(question.panel.answers[question.criterion.key]);
      this.message(`${question.name}: your answer ${given} stays until you give another one.`);
      return true;
    }
    this.give(question, point);
    this.past.pop(); // undoing is no change to be undone
    this.focusOn(question);
    return true;
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
    this.tellFocused();
  }

  // ---- focus

  focused() {
    return this.all.find(({ fieldset }) => fieldset.contains(document.activeElement));
  }

  /** The question to begin with: the first open one. */
  first() {
    return this.open()[0] ?? this.all[0];
  }

  /** @param {Question} question */
  focusOn({ radios, fieldset }) {
    const chosen = [...radios.values()].find((radio) => radio.checked) ?? radios.values().next().value;
    chosen?.focus({ preventScroll: true });
    fieldset.scrollIntoView({ block: "nearest" }); // the sheet keeps what covers the page off it
  }
}
