// The questions about an item (one for each criterion and explanation), their answers, and the meaning of the point of
// the scale that has the focus.
//
// Arrow keys move the focus among the points of a question but choose none, so that raters can read each meaning first.
// A digit, a click or Space chooses a point.

import { el, say } from "../shared/dom.js";
import { lay, NO_PICTURE, pointText } from "./answers.js";
import { PointMeanings } from "./point_meanings.js";
import { buildQuestion, checkedOf } from "./question.js";
import { keepAnswers, keptAnswers } from "./waiting_keys.js";

/** @import { Criterion, Item, Study } from "../shared/types.d.ts" */
/** @import { Question } from "./question.js" */
/** @typedef {{item: string, panel: number, criterion: string, point: number | undefined}} Change
 * a changed answer; item: id of the assignment; panel: index of the explanation; point: the answer before the change */

const HINT = "Point at an answer, or move to it with the arrow keys, to read its meaning.";
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class ItemQuestions {
  /** @param {Study} study @param {Item} item
   * @param {{onAnswer: (question: Question, point: number) => void, whyNot: (question: Question) => string,
   * awaits: (question: Question) => boolean,
   * isNew: boolean, past: Change[]}} does onAnswer: gets each new answer; whyNot: returns why a question cannot be
   * answered now, or "" if it can; awaits: returns whether answers to a question wait for the picture; isNew: whether the rater has finished no item yet; past: earlier changes of answers
   * in this visit, newest last */
  constructor(study, item, { onAnswer, whyNot, awaits, isNew, past }) {
    this.onAnswer = onAnswer;
    this.whyNot = whyNot;
    this.awaits = awaits;
    this.past = past;
    this.item = item;
    this.guideline = el("p", { class: "guideline", role: "status", "data-kind": "hint" }, HINT);
    const does = {
      step: this.step.bind(this),
      give: this.give.bind(this),
      tell: this.tell.bind(this),
      leave: () => this.tellFocused(),
    };
    /** @type {Question[]} */
    this.all = study.criteria.flatMap((criterion) =>
      // a question that compares two panels is asked once
      item.panels.map((panel, index) => buildQuestion(study, item, { criterion, panel, index }, does))
        .slice(criterion.compares ? 1 : 0)
    );
    this.meanings = new PointMeanings(item, isNew);
    /** @type {Map<Question, number>} answers that wait for the picture, in the order in which they were given */
    this.waiting = new Map();
    for (const [panel, key, point] of keptAnswers(item.id)) {
      const question = this.all.find(({ index, criterion }) => index === panel && criterion.key === key);
      if (question?.radios.has(point) && !(key in question.panel.answers)) this.wait(question, point);
    }
  }

  // ---- meanings of the points of a scale

  /** Show the meaning of a point of the scale, and whether the rater has chosen this point.
   * @param {Question} question @param {number} point */
  tell(question, point) {
    const { name, criterion, panel, guidelines } = question;
    const text = guidelines.find((guideline) => guideline.point === point)?.text ?? "";
    const given = panel.answers[criterion.key];
    if (given === point) return this.message(`✓ ${name} ${pointText(point)}: ${text}`, "point");
    const words = given === undefined
      ? `${name} ${pointText(point)} (not answered yet): ${text}`
      : `${name} ${pointText(point)} (your answer is ${pointText(given)}): ${text}`;
    this.message(words, "point");
  }

  /** @param {string} text @param {"hint" | "point" | "message"} kind */
  message(text, kind = "message") {
    this.guideline.dataset.kind = kind;
    say(this.guideline, text);
  }

  /** Show the meaning of the focused point, or say how to see the meaning of a point. */
  tellFocused() {
    const focused = this.focused();
    const { activeElement: radio } = document;
    if (focused && radio instanceof HTMLInputElement && (radio.checked || radio.matches(":focus-visible"))) {
      this.tell(focused, Number(radio.value));
    } else this.message(HINT, "hint");
  }

  // ---- answers

  /** Move the focus among a question's points without choosing one.
   * @param {Question} question @param {KeyboardEvent} event */
  step({ radios }, event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const all = [...radios.values()];
    const at = all.findIndex((radio) => radio === document.activeElement);
    all[(at + step + all.length) % all.length].focus();
  }

  /** Set the answer to a question. Return false if the question cannot be answered now.
   * @param {Question} question @param {number} point */
  give(question, point) {
    const { panel, criterion, index, radios } = question;
    const why = point === NO_PICTURE ? "" : this.whyNot(question);
    if (why) {
      this.refresh(); // show the old answer again, because the click has already selected a radio button
      this.message(why);
      return false;
    }
    const radio = radios.get(point);
    if (radio) radio.checked = true;
    if (point !== NO_PICTURE && this.awaits(question)) return this.wait(question, point);
    const before = panel.answers[criterion.key], isNew = before !== point;
    if (isNew) this.past.push({ item: this.item.id, panel: index, criterion: criterion.key, point: before });
    lay({ panel: index + 1, criterion: criterion.key, point }, this.item, criterion);
    this.tell(question, point);
    if (isNew) this.onAnswer(question, point);
    return true;
  }

  /** Keep an answer until the picture is shown. Return true. @param {Question} question @param {number} point */
  wait(question, point) {
    const { radios, fieldset } = question, radio = radios.get(point);
    if (radio) radio.checked = true;
    fieldset.classList.add("waits");
    this.waiting.delete(question);
    this.waiting.set(question, point);
    this.keepWaiting();
    this.message(this.waitingWords());
    return true;
  }

  /** Give the answers that have waited for the picture, in order. */
  takeWaiting() {
    for (const [question, point] of [...this.waiting]) {
      if (this.awaits(question)) continue;
      question.fieldset.classList.remove("waits");
      this.waiting.delete(question);
      this.give(question, point);
    }
    this.keepWaiting();
  }

  /** Store the waiting answers in this browser tab, in case the page is reloaded. */
  keepWaiting() {
    keepAnswers(this.item.id, [...this.waiting].map(([{ index, criterion }, point]) => [index, criterion.key, point]));
  }

  waitingWords() {
    const { size } = this.waiting;
    return size === 1 ? "1 answer waits for the picture." : `${size} answers wait for the picture.`;
  }

  /** Choose the point of the scale that has the focus. */
  giveFocused() {
    const { activeElement: radio } = document;
    const question = this.focused();
    if (question && radio instanceof HTMLInputElement) this.give(question, Number(radio.value));
  }

  /** Answer the focused question, or else the first open one, and go to the next question.
   * @param {number} digit @param {HTMLElement} afterwards element to focus after the last question */
  answerByKey(digit, afterwards) {
    const question = this.focused() ?? this.next();
    if (!question) {
      const every = "Every question has an answer. Enter goes to the next item; Tab leads back to a question.";
      return this.message(this.waiting.size ? this.waitingWords() : every);
    }
    // digit 0 chooses the tenth point if this question has no point 0
    const point = question.radios.has(digit) ? digit : digit || 10;
    if (!question.radios.has(point)) {
      return this.message(
        `${question.name} has the answers ${[...question.radios.keys()].map(pointText).join(", ")}.`,
      );
    }
    if (!this.give(question, point)) return;
    const after = this.all[this.all.indexOf(question) + 1];
    const following = after && !this.whyNot(after) ? after : this.next();
    if (following) this.focusOn(following);
    else {
      afterwards.focus({ preventScroll: true });
      afterwards.scrollIntoView({ block: "nearest" }); // the question may be hidden behind the footer
    }
    // show the meaning of the new answer, because its question may no longer have the focus
    if (this.waiting.has(question)) this.message(this.waitingWords());
    else this.tell(question, point);
  }

  /** Undo the latest change of an answer. The first answer to a question cannot be undone: it stays, and
   * its question gets the focus.
   * Return false if the latest change does not belong to this item. */
  undo() {
    const waiting = [...this.waiting.keys()].at(-1);
    if (waiting) {
      this.waiting.delete(waiting);
      waiting.fieldset.classList.remove("waits");
      this.keepWaiting();
      this.refresh();
      this.focusOn(waiting);
      return true;
    }
    const last = this.past.at(-1);
    const question = last?.item === this.item.id &&
      this.all.find((one) => one.index === last.panel && one.criterion.key === last.criterion);
    if (!last || !question) return false;
    this.past.pop();
    const given = pointText(question.panel.answers[last.criterion]);
    this.focusOn(question);
    if (last.point === undefined) {
      this.message(
        `${question.name}: your answer ${given} stays until you choose another one.`,
      );
    } else if (this.give(question, last.point)) {
      this.past.pop(); // remove the change that give() has just added, so that Undo does not undo itself
      this.focusOn(question);
      this.message(
        `Undone: ${question.name} is ${pointText(last.point)} again, not ${given}.`,
      );
    }
    return true;
  }

  /** Return the questions about a criterion.
   * @param {Criterion} criterion */
  of(criterion) {
    return this.all.filter((question) => question.criterion === criterion);
  }

  open() {
    return this.all.filter(({ criterion, panel }) => !(criterion.key in panel.answers));
  }

  /** Return the questions that have no answer, and none that waits for the picture. */
  untouched() {
    return this.open().filter((question) => !this.waiting.has(question));
  }

  mark() {
    const open = this.open();
    for (const question of this.all) question.fieldset.classList.toggle("answered", !open.includes(question));
  }

  /** Show the item's current answers. */
  refresh() {
    for (const question of this.all) {
      const given = this.waiting.get(question) ?? question.panel.answers[question.criterion.key];
      for (const [point, radio] of question.radios) radio.checked = given === point;
    }
    this.tellFocused();
  }

  // ---- focus

  focused() {
    return this.all.find(({ fieldset }) => fieldset.contains(document.activeElement));
  }

  /** Return the first open question that can be answered now, or else the first open one. */
  next() {
    const open = this.untouched();
    return open.find((question) => !this.whyNot(question)) ?? open[0];
  }

  /** Return the question to start with: the first open one, or the first one if all are answered. */
  first() {
    return this.next() ?? this.all[0];
  }

  /** @param {Question} question */
  focusOn({ radios, fieldset }) {
    (checkedOf({ radios }) ?? radios.values().next().value)?.focus({ preventScroll: true });
    fieldset.scrollIntoView({ block: "nearest" }); // a CSS scroll margin keeps the question clear of the fixed bars
  }
}
