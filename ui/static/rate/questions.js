// The questions about an item (one for each criterion and explanation), their answers, and the meaning of the point of
// the scale that has the focus.
//
// Arrow keys move the focus among the points of a question but choose none, so that raters can read each meaning first.
// A digit, a click or Space chooses a point. Answers about a picture that is on its way wait until it is shown.

import { el, say } from "../shared/dom.js";
import { readTab, writeTab } from "../shared/storage.js";
import { counted } from "../shared/text.js";
import { lay, NO_PICTURE, pointText, waitsForPicture } from "./answers.js";
import { buildQuestion } from "./question.js";

/** @import { Item, Study } from "../shared/types.d.ts" */
/** @import { ItemPicture } from "./picture.js" */
/** @import { Question } from "./question.js" */

const HINT = "Point at an answer, or move to it with the arrow keys, to read its meaning.";
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class ItemQuestions {
  /** @param {Study} study @param {Item} item @param {ItemPicture} picture
   * @param {(question: Question, point: number) => void} onAnswer gets each new answer */
  constructor(study, item, picture, onAnswer) {
    this.item = item;
    this.picture = picture;
    this.onAnswer = onAnswer;
    this.guideline = el("p", { class: "guideline", role: "status", "data-kind": "hint" }, HINT);
    /** @type {Question[]} */
    this.all = study.criteria.flatMap((criterion) =>
      // a question that compares two panels is asked once
      item.panels.map((panel, index) => buildQuestion(study, item, { criterion, panel, index }, this))
        .slice(criterion.compares ? 1 : 0)
    );
    /** @type {Map<Question, number>} answers that wait for the picture, in the order in which they were given */
    this.waiting = new Map();
    for (const [panel, key, point] of readTab(`capscope.waiting.${item.id}`) ?? []) {
      const question = this.all.find(({ index, criterion }) => index === panel && criterion.key === key);
      if (question?.radios.has(point) && !(key in question.panel.answers)) this.wait(question, point);
    }
  }

  // ---- meanings of the points of a scale

  /** Show the meaning of a point of the scale, and whether the rater has chosen this point.
   * @param {Question} question @param {number} point */
  tell({ name, criterion, panel, guidelines }, point) {
    const text = guidelines.find((guideline) => guideline.point === point)?.text ?? "";
    const given = panel.answers[criterion.key];
    const state = given === undefined ? " (not answered yet)" : ` (your answer is ${pointText(given)})`;
    const isGiven = given === point;
    this.message(`${isGiven ? "✓ " : ""}${name} ${pointText(point)}${isGiven ? "" : state}: ${text}`, "point");
  }

  /** @param {string} text @param {"hint" | "point" | "message"} kind */
  message(text, kind = "message") {
    this.guideline.dataset.kind = kind;
    say(this.guideline, text);
  }

  /** Show the meaning of the focused point, or say how to see the meaning of a point. */
  tellFocused() {
    const focused = this.focused(), { activeElement: radio } = document;
    if (focused && radio instanceof HTMLInputElement && (radio.checked || radio.matches(":focus-visible"))) {
      this.tell(focused, Number(radio.value));
    } else this.message(HINT, "hint");
  }

  // ---- answers

  /** Return why a question cannot be answered now, or "" if it can. @param {Question} question */
  whyNot({ criterion, name }) {
    return waitsForPicture(criterion) ? this.picture.whyNot(name) : "";
  }

  /** Return whether answers to a question wait for the picture. @param {Question} question */
  awaits({ criterion }) {
    return waitsForPicture(criterion) && this.picture.isAwaited();
  }

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
    if (point !== NO_PICTURE && this.awaits(question)) return this.wait(question, point);
    const radio = radios.get(point);
    if (radio) radio.checked = true;
    const isNew = panel.answers[criterion.key] !== point;
    lay({ panel: index + 1, criterion: criterion.key, point }, this.item, criterion);
    this.tell(question, point);
    if (isNew) this.onAnswer(question, point);
    return true;
  }

  /** Keep an answer until the picture is shown. Return true. @param {Question} question @param {number} point */
  wait(question, point) {
    const radio = question.radios.get(point);
    if (radio) radio.checked = true;
    question.fieldset.classList.add("waits");
    this.waiting.delete(question); // so that the newest answer is the last one
    this.waiting.set(question, point);
    this.storeWaiting();
    this.message(this.waitingWords());
    return true;
  }

  /** Let an answer wait no longer. @param {Question} question */
  stopWaiting(question) {
    question.fieldset.classList.remove("waits");
    this.waiting.delete(question);
    this.storeWaiting();
  }

  /** Give the answers that have waited for the picture, in order. */
  takeWaiting() {
    for (const [question, point] of [...this.waiting]) {
      if (this.awaits(question)) continue;
      this.stopWaiting(question);
      this.give(question, point);
    }
  }

  /** Store the waiting answers in this browser tab, in case the page is reloaded. */
  storeWaiting() {
    const answers = [...this.waiting].map(([{ index, criterion }, point]) => [index, criterion.key, point]);
    writeTab(`capscope.waiting.${this.item.id}`, answers);
  }

  waitingWords() {
    const { size } = this.waiting;
    return `${counted(size, "answer")} ${size === 1 ? "waits" : "wait"} for the picture.`;
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
      const points = [...question.radios.keys()].map(pointText).join(", ");
      return this.message(`${question.name} has the answers ${points}.`);
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
    const all = [...radios.values()];
    (all.find((radio) => radio.checked) ?? all[0])?.focus({ preventScroll: true });
    fieldset.scrollIntoView({ block: "nearest" }); // a CSS scroll margin keeps the question clear of the fixed bars
  }
}
