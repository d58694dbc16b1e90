// One item on the screen: picture, caption, explanations, the questions about them, and what the keys do there.

import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { sentences } from "../shared/text.js";
import { layoutOf } from "./item_layout.js";
import { ItemPicture } from "./picture.js";
import { ItemQuestions } from "./questions.js";
import { ItemNote, ItemReport } from "./remarks.js";
import { SightClock } from "./sight.js";

/** @import { RatingRun } from "./run.js" */
/** @import { Question } from "./question.js" */
/** @import { Item, Save } from "../shared/types.d.ts" */

const LOOK_MS = 250; // ms between looks whether the picture, for which answers wait, is shown

export class ItemView {
  /** @param {RatingRun} run the run to which the item belongs @param {Item} item */
  constructor(run, item) {
    this.run = run;
    this.item = item;
    this.study = run.study;
    this.wasDone = run.shelf.openFrom(item.place) > item.place; // then the rater looks over the answers, and Next passes over no item
    this.caption = el(
      "p",
      { class: "caption", dir: "auto", hidden: !item.caption }, // if captions are compared, they are shown in columns
      el("span", { class: "overline" }, "Caption"),
      `“${item.caption}”`,
    );
    this.picture = new ItemPicture(this.study, item, this.caption, () => this.revealed());
    const give = (/** @type {Question} */ question, /** @type {number} */ point) => this.answered(question, point);
    this.questions = new ItemQuestions(this.study, item, this.picture, give);
    this.goesOn = false; // whether Enter was pressed while answers wait for the picture
    this.note = new ItemNote(item, (text) => this.send({ kind: "note", text }));
    this.report = new ItemReport(this);
    // a picture that has loaded gives the waiting answers, whatever happened to its load event
    this.waits = setInterval(() => {
      if (!this.questions.waiting.size || !this.picture.wasSeen()) return;
      this.picture.reveal(); // which gives the answers, unless the picture was revealed before
      this.takeWaiting();
    }, LOOK_MS);
    this.clock = new SightClock(item, () => this.note.saveNow());
    this.progress = el("progress", { max: run.shelf.expected(), value: run.shelf.done(), "aria-label": "Items rated" });
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

  // ---- answers

  /** Send a report of a problem with the item; null withdraws the report. @param {Item["report"]} report */
  reported(report) {
    this.send({ kind: "report", said: report, ...this.clock.times() });
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
    this.mark();
  }

  /** Give the answers that have waited for the picture. Then go on if the rater has pressed Enter meanwhile. */
  takeWaiting() {
    if (!this.questions.waiting.size) return;
    this.questions.takeWaiting();
    if (this.goesOn && !this.questions.open().length) this.goOn();
  }

  /** If the picture is out of sight, as on a phone, tell the rater that the picture is no longer hidden. */
  revealed() {
    this.send({ kind: "reveal", ...this.clock.times() });
    this.takeWaiting();
    if (this.run.view !== this) return; // the waiting answers were the last ones, and a waiting Enter went on
    const { top, bottom } = this.picture.figure.getBoundingClientRect();
    if (bottom > 100 && top < innerHeight) return;
    this.questions.message("The picture is shown now.");
    this.next.before(button("Picture", () => this.picture.figure.scrollIntoView()));
  }

  mark() {
    this.questions.mark();
    const done = this.run.shelf.done();
    if (this.progress.value !== done) this.progress.value = done;
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

  goOn() {
    return this.run.goTo(this.item.place + 1, { toOpen: !this.wasDone });
  }

  /** Go to the next open item. If questions are open, go to the first of them instead, and show a separate button.
   * Only this button goes on without answers. Next and Enter skip a question only while its picture cannot be fetched.
   * @param {boolean} byButton whether the rater clicked Next, not pressed Enter */
  goNext(byButton) {
    if (this.item.report?.skip) return this.goOn();
    const { questions, picture } = this, open = questions.open();
    if (open.length && !questions.untouched().length && !picture.isAway()) {
      this.goesOn = true;
      return questions.message(`${questions.waitingWords()} The next item then comes by itself.`);
    }
    if (!open.length || picture.isAway()) return this.goOn();
    this.element.classList.add("shows-open");
    this.leave.hidden = false;
    if (byButton) open[0].fieldset.scrollIntoView({ block: "nearest" });
    else questions.focusOn(open[0]);
    const still = `Still open: ${open.map(({ name }) => name).join(", ")}.`;
    questions.message(
      sentences(still, `“Leave open and go on” leaves ${open.length === 1 ? "it" : "them"} for later.`),
    );
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
