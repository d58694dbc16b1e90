// One item on the screen: picture, caption, explanations, the questions about them, and what the keys do there.

import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { sentences } from "../shared/text.js";
import { SightClock } from "./item_clock.js";
import { layoutOf } from "./item_layout.js";
import { ItemNote } from "./item_note.js";
import { ItemReport } from "./item_report.js";
import { ItemPicture } from "./item_picture.js";
import { ItemQuestions } from "./item_questions.js";
import { showGuidelines, showKeys } from "./dialogs.js";
import { isDone, waitsForPicture } from "./answers.js";

/** @import { RatingRun } from "./run.js" */
/** @import { Question } from "./question.js" */
/** @import { Item, Save } from "../shared/types.d.ts" */

const LOOK_MS = 250; // ms between looks whether the picture, for which answers wait, is shown
const SIGHT_STEPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]; // visible shares that update the button

export class ItemView {
  /** @param {RatingRun} run the run to which the item belongs @param {Item} item */
  constructor(run, item) {
    this.run = run;
    this.item = item;
    this.study = run.study;
    this.sideBySide = run.study.form === "side_by_side";
    this.caption = el(
      "p",
      { class: "caption", dir: "auto", hidden: !item.caption }, // if captions are compared, they are shown in columns
      el("span", { class: "overline" }, "Caption"),
      `“${item.caption}”`,
    );
    this.picture = new ItemPicture(this.study, item, this.caption, {
      onReveal: () => this.revealed(),
      onLost: () => this.takeWaiting(),
    });
    this.questions = new ItemQuestions(this.study, item, {
      onAnswer: (question, point) => this.answered(question, point),
      whyNot: ({ criterion, name }) => (waitsForPicture(criterion) ? this.picture.whyNot(name) : ""),
      awaits: ({ criterion }) => waitsForPicture(criterion) && this.picture.isAwaited(),
      isNew: run.shelf.done() === 0,
      past: run.past,
    });
    this.note = new ItemNote(item, (text) => this.send({ kind: "note", text }));
    this.report = new ItemReport(item, {
      send: (report) => this.reported(report),
      isPictureHidden: () => this.picture.isVeiled(),
      skipped: () => this.goOn(),
      answers: () => this.questions.focusOn(this.questions.first()),
    });
    // a picture that has loaded gives the waiting answers, whatever happened to its load event
    this.waits = setInterval(() => {
      if (!this.questions.waiting.size || !this.picture.wasSeen()) return;
      this.picture.reveal(); // which gives the answers, unless the picture was revealed before
      this.takeWaiting();
    }, LOOK_MS);
    this.clock = new SightClock(item, () => this.note.saveNow());
    this.practice = item.practice &&
      el("div", { class: "practice notice-line" }, el("strong", {}, "Practice."), " This item does not count.");
    this.progress = el("progress", { max: run.shelf.reach(), value: run.shelf.done(), "aria-label": "Items rated" });
    this.next = button("Next", () => this.goNext(true), "primary");
    this.leave = button("Leave open and go on", () => this.goOn(), "quiet-button", { hidden: true });
    this.element = layoutOf(this);
    this.picture.show();
    this.mark();
  }

  /** @param {Omit<Save, "key" | "assignment">} save */
  send(save) {
    this.run.outbox.add({ assignment: this.item.id, ...save });
  }

  showGuidelines() {
    showGuidelines(this.study);
  }

  showKeys() {
    showKeys(this.study);
  }

  // ---- answers

  /** Send a report of a problem with the item; null withdraws the report. @param {Item["report"]} report */
  reported(report) {
    this.send({ kind: "report", said: report, ...this.clock.times() });
    if (report?.skip) this.run.shelf.finish(this.item);
    else this.run.shelf.reopen(this.item);
    this.mark();
  }

  /** Send an answer. If it is the last answer that must come before the picture, fetch the picture.
   * @param {Question} question @param {number} point */
  answered({ index, criterion }, point) {
    this.report.takeUp();
    this.send({
      kind: "rating",
      panel: index + 1,
      criterion: criterion.key,
      point,
      regions_shown: this.picture.showsRegions(),
      picture_shown: this.picture.wasSeen(),
      ...this.clock.times(),
    });
    if (!this.item.open) this.picture.show();
    this.changed();
  }

  changed() {
    if (isDone(this.study, this.item)) this.run.shelf.finish(this.item);
    this.mark();
  }

  /** Give the answers that have waited for the picture. Then go on if the rater has pressed Enter meanwhile. */
  takeWaiting() {
    if (!this.questions.waiting.size) return;
    this.questions.takeWaiting();
    if (!this.run.keys.isOn || this.questions.open().length) return;
    this.run.keys.set(false);
    this.goNext(false);
  }

  /** If the picture is out of sight, as on a phone, tell the rater that the picture is no longer hidden. */
  revealed() {
    this.send({ kind: "reveal", ...this.clock.times() });
    this.takeWaiting();
    if (this.run.view !== this) return; // the waiting answers were the last ones, and a waiting Enter went on
    const { top, bottom } = this.picture.figure.getBoundingClientRect();
    if (bottom > 100 && top < innerHeight) return;
    this.questions.message("The picture is shown now.");
    this.next.before(this.wayToPicture());
  }

  /** Build a button that scrolls to the picture, or back to the questions if the picture is in sight.
   * Raters also scroll by hand, so the button's label changes whenever the picture comes into sight or leaves it. */
  wayToPicture() {
    const { figure } = this.picture;
    /** @type {number | null} */
    let from = null; // scroll position before the button was pressed; null: not pressed yet
    const name = () => way.textContent = isInSight(figure) ? "Questions" : "Picture";
    const go = () => {
      if (!isInSight(figure)) {
        from = scrollY;
        figure.scrollIntoView();
      } else if (from === null) this.questions.first().fieldset.scrollIntoView({ block: "center" });
      else scrollTo({ top: from });
      name();
    };
    const way = button("Picture", go);
    name();
    new IntersectionObserver(name, { threshold: SIGHT_STEPS }).observe(figure);
    return way;
  }

  mark() {
    this.questions.mark();
    if (this.progress.value !== this.run.shelf.done()) this.progress.value = this.run.shelf.done();
    if (this.questions.open().length) return;
    this.leave.hidden = true;
    this.element.classList.remove("shows-open");
  }

  /** Show the item's answers again, after an answer was changed in another browser tab. */
  refresh() {
    this.questions.refresh();
    this.picture.show();
    this.takeWaiting();
    this.mark();
  }

  /** Update the view after all answers so far were stored. */
  allSaved() {
    this.picture.fetchRegions();
  }

  // ---- keys, and going to the next item

  /** Focus the first open question if it is in sight. Otherwise focus the item's top, because raters read the item
   * before they answer. */
  focusFirst() {
    if (this.element.contains(document.activeElement)) return; // the rater pressed a key before the focus was set
    const { fieldset } = this.questions.first();
    const floor = Math.min(innerHeight, this.next.getBoundingClientRect().top);
    if (fieldset.getBoundingClientRect().bottom <= floor) this.questions.focusOn(this.questions.first());
    else this.element.focus({ preventScroll: true });
  }

  /** Answer the focused question with a point of its scale. @param {number} point */
  answer(point) {
    this.questions.answerByKey(point, this.next);
  }

  /** Handle an arrow key or Space that was pressed too early, before the item was painted and had the focus.
   * Return false if the browser should handle the key.
   * @param {KeyboardEvent} event */
  earlyKey(event) {
    if (this.element.contains(document.activeElement)) return false;
    this.focusFirst();
    const question = this.questions.focused();
    if (!question) return false;
    if (event.key === " ") this.questions.giveFocused();
    else this.questions.step(question, event);
    return true;
  }

  goOn() {
    return this.run.goTo(this.item.place + 1);
  }

  /** Go to the next item. If questions are open, go to the first of them instead, and show a separate button.
   * Only this button goes on without answers; Next and Enter never skip a question.
   * @param {boolean} byButton whether the rater clicked Next, not pressed Enter */
  goNext(byButton) {
    if (this.item.report?.skip) return this.goOn();
    const open = this.questions.open();
    if (open.length && !this.questions.untouched().length && !(this.run.keys.isOn && this.picture.isAway())) {
      this.run.keys.set(true);
      return this.questions.message(`${this.questions.waitingWords()} The next item comes after it.`);
    }
    if (!open.length || this.picture.isAway()) return this.goOn();
    this.element.classList.add("shows-open");
    this.leave.hidden = false;
    if (byButton) open[0].fieldset.scrollIntoView({ block: "nearest" });
    else this.questions.focusOn(open[0]);
    const still = `Still open: ${open.map(({ name }) => name).join(", ")}.`;
    this.questions.message(sentences(still, leaveText(open.length)));
  }

  /** Undo the latest change of an answer, in this item or an earlier one. */
  undo() {
    this.run.keys.clear();
    if (this.questions.undo()) return;
    const last = this.run.past.at(-1), there = last && this.run.shelf.find(last.item);
    if (there && there !== this.item) this.run.undoAt(there);
    else this.questions.message("There is nothing to undo. Backspace goes to the item before.");
  }

  goBack() {
    if (this.item.place > 1) this.run.goTo(this.item.place - 1);
  }

  close() {
    clearInterval(this.waits);
    this.clock.stop();
    this.note.saveNow();
  }
}

/** Return whether at least half of an element is in sight, or the element fills half of the window.
 * @param {HTMLElement} element */
function isInSight(element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0) >= Math.min(height, innerHeight) / 2;
}

/** Say how a rater can leave questions open. @param {number} open number of open questions */
function leaveText(open) {
  return open === 1 ? "“Leave open and go on” leaves it for later." : "“Leave open and go on” leaves them for later.";
}
