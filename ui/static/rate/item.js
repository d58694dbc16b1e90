// One item on the screen: picture, caption, explanations and the questions about them, and the keys that work there.

import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { ItemEvidence } from "./evidence.js";
import { SightClock } from "./item_clock.js";
import { layoutOf } from "./item_layout.js";
import { ItemNote } from "./item_note.js";
import { ItemPicture } from "./item_picture.js";
import { ItemQuestions } from "./item_questions.js";
import { showGuidelines, showKeys } from "./dialogs.js";
import { isComplete, notMarked, waitsForPicture } from "./answers.js";
import { Practice } from "./practice.js";

/** @import { RatingRun } from "./run.js" */
/** @import { Said } from "./evidence_state.js" */
/** @import { Question } from "./item_questions.js" */
/** @import { Item, Save } from "../shared/types.d.ts" */

export class ItemView {
  /** @param {RatingRun} run that the item is part of @param {Item} item */
  constructor(run, item) {
    this.run = run;
    this.item = item;
    this.study = run.study;
    this.sideBySide = run.study.form === "side_by_side";
    this.isLeaving = false; // Next was pressed once although questions are open
    this.goesWithout = false; // Next was pressed once although words or places are not marked
    this.questions = new ItemQuestions(this.study, item, {
      onAnswer: (question, point) => this.answered(question, point),
      whyNot: ({ criterion, name }) => (waitsForPicture(criterion) ? this.picture.whyNot(name) : ""),
      isNew: run.shelf.done() === 0,
    });
    this.evidence = !this.study.evidence ? null : new ItemEvidence(item, {
      send: (said) => this.said(said),
      onChange: () => this.changed(),
      tell: (text) => this.questions.message(text),
      whyNot: () => this.picture.whyNot("The explanation"),
    });
    this.caption = el(
      "p",
      { class: "caption", dir: "auto", hidden: !item.caption }, // compared captions stand apart
      el("span", { class: "overline", dir: "ltr" }, "Caption"),
      `“${item.caption}”`,
    );
    this.picture = new ItemPicture(this.study, item, this.caption, {
      onReveal: () => this.revealed(),
      onShown: (figure) => this.evidence?.pictureShown(figure),
    });
    this.note = new ItemNote(item, (text) => this.send({ kind: "note", text }));
    this.clock = new SightClock(item, () => this.note.saveNow());
    this.practice = item.practice ? new Practice(run.study, item) : null;
    this.progress = el("progress", { max: run.shelf.reach(), value: run.shelf.done(), "aria-label": "Items rated" });
    this.next = button("Next", () => this.goNext(true), "primary");
    this.element = layoutOf(this);
    this.picture.show();
    this.mark();
  }

  /** @param {Omit<Save, "key" | "assignment">} save */
  send(save) {
    this.run.outbox.add({ assignment: this.item.id, ...save }, this.item.seal);
  }

  showGuidelines() {
    showGuidelines(this.study);
  }

  showKeys() {
    showKeys(this.study);
  }

  // ---- answers

  /** Take an answer: into the outbox; the picture follows when it was the last one without the picture.
   * @param {Question} question @param {number} point */
  answered({ index, criterion }, point) {
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

  /** Take what is said of a sentence, or of the whole explanation. @param {Said} said */
  said(said) {
    this.send({ ...said, picture_shown: this.picture.wasSeen(), ...this.clock.times() });
  }

  changed() {
    this.goesWithout = false;
    if (isComplete(this.study, this.item)) this.run.shelf.finish(this.item);
    this.mark();
  }

  /** The veil is off: say so where the picture is out of sight, as on a phone. */
  revealed() {
    this.send({ kind: "reveal", ...this.clock.times() });
    const { figure } = this.picture;
    const { top, bottom } = figure.getBoundingClientRect();
    if (bottom > 100 && top < innerHeight) return;
    this.questions.message("The picture is shown now.");
    this.next.before(this.wayToPicture());
  }

  /** A button that leads to the picture, and then back to the questions. */
  wayToPicture() {
    /** @type {number | null} */
    let from = null; // where the rater was
    const go = () => {
      const back = from;
      from = back === null ? scrollY : null;
      if (back === null) this.picture.figure.scrollIntoView();
      else scrollTo({ top: back });
      way.textContent = back === null ? "Questions" : "Picture";
    };
    const way = button("Picture", go);
    return way;
  }

  mark() {
    this.questions.mark();
    if (this.progress.value !== this.run.shelf.done()) this.progress.value = this.run.shelf.done();
    if (this.questions.open().length || this.evidence?.state.open().length) return;
    this.isLeaving = false;
    this.element.classList.remove("shows-open");
    this.next.textContent = "Next";
  }

  /** Show what the item holds now, after it has changed elsewhere. */
  refresh() {
    this.questions.refresh();
    this.evidence?.refresh();
    this.picture.show();
    this.mark();
  }

  /** Everything given so far is stored. */
  allSaved() {
    this.picture.fetchRegions();
    if (!this.questions.open().length) this.practice?.tell();
  }

  // ---- keys and moving on

  /** Begin at the first open question where it is in sight, else at the item's top: reading comes first. */
  focusFirst() {
    if (this.element.contains(document.activeElement)) return; // a key was faster
    if (this.evidence) {
      this.evidence.focus();
      return;
    }
    const { fieldset } = this.questions.first();
    const floor = Math.min(innerHeight, this.next.getBoundingClientRect().top);
    if (fieldset.getBoundingClientRect().bottom <= floor) this.questions.focusOn(this.questions.first());
    else this.element.focus({ preventScroll: true });
  }

  /** Answer the question in focus by a point's number. @param {number} point */
  answer(point) {
    this.questions.answerByKey(point, this.next);
  }

  /** Take an arrow key or Space that was faster than the focus, which comes once the item is painted; false where the
   * browser moves the focus or the page. @param {KeyboardEvent} event */
  earlyKey(event) {
    if (this.element.contains(document.activeElement)) return false;
    this.focusFirst();
    const question = this.questions.focused();
    if (!question) return false;
    if (event.key === " ") this.questions.giveFocused();
    else this.questions.step(question, event);
    return true;
  }

  /** Go on. Open questions are pointed out first, and only the button then leaves them: Enter on its own skips nothing.
   * @param {boolean} byButton */
  goNext(byButton) {
    const open = this.questions.open(), unsaid = this.evidence?.state.open() ?? [];
    if (!(open.length + unsaid.length) && this.asksForMarks()) return;
    if (!(open.length + unsaid.length) && this.practice?.stops()) return; // what is told there comes first
    if (!(open.length + unsaid.length) || (byButton && this.isLeaving) || this.picture.isAway()) {
      return this.run.goTo(this.item.place + 1);
    }
    this.isLeaving = true;
    this.element.classList.add("shows-open");
    this.next.textContent = "Leave open";
    if (unsaid.length) this.evidence?.go(unsaid[0].number - 1);
    else if (byButton) open[0].fieldset.scrollIntoView({ block: "nearest" });
    else this.questions.focusOn(open[0]);
    const names = [...unsaid.map(({ number }) => `sentence ${number}`), ...open.map(({ name }) => name)].join(", ");
    const them = open.length + unsaid.length === 1 ? "it" : "them";
    this.questions.message(`Still open: ${names}. The button “Leave open” leaves ${them} for later.`);
  }

  /** Say once what is not marked of wrong sentences; returns whether something was said. */
  asksForMarks() {
    const unmarked = this.evidence?.state.unmarked() ?? [];
    if (!unmarked.length || this.goesWithout) return false;
    this.goesWithout = true;
    this.evidence?.askForMarks(unmarked[0]);
    const said = unmarked.map((one) => `sentence ${one.number}: ${notMarked(one, this.item).join(" and ")}`);
    this.questions.message(`Not marked: ${said.join("; ")}. Mark them, or press Next to go on without.`);
    return true;
  }

  /** Undo the latest change of an answer to this item. */
  undo() {
    if (this.questions.undo()) return;
    if (this.evidence) this.evidence.undo();
    else this.questions.message("There is nothing to undo on this item. Backspace goes to the item before.");
  }

  goBack() {
    if (this.item.place > 1) this.run.goTo(this.item.place - 1);
  }

  close() {
    this.clock.stop();
    this.note.saveNow();
  }
}
