// One item on the screen: picture, caption, explanations and the questions about them, and the keys that work there.

import { el, explanation, gauge, say } from "../shared/dom.js";
import { SightClock } from "./item_clock.js";
import { ItemNote } from "./item_note.js";
import { ItemPicture } from "./item_picture.js";
import { evaluator, ItemQuestions } from "./item_questions.js";
import { showGuidelines, showInstructions, showKeys } from "./dialogs.js";
import { isComplete } from "./item_store.js";

/** @import { RatingRun } from "./run.js" */
/** @import { Question } from "./item_questions.js" */
/** @import { Item, Save } from "../shared/types.d.ts" */

export class ItemView {
  /** @param {RatingRun} run that the item is part of @param {Item} item */
  constructor(run, item) {
    this.run = run;
    this.item = item;
    this.study = run.study;
    this.sideBySide = run.study.form === "side_by_side";
    this.leaving = false; // Next was pressed once although questions are open
    this.questions = new ItemQuestions(this.study, item, {
      onAnswer: (question, point) => this.answered(question, point),
      onSettled: () => this.picture.unveil(),
    });
    this.caption = el("p", { class: "caption" }, el("span", { class: "overline" }, "Caption"), `“${item.caption}”`);
    this.picture = new ItemPicture(this.study, item, this.caption, {
      waitsForAnswers: () => this.questions.open().some(({ criterion }) => criterion.without_image),
      onReveal: () => this.send({ kind: "reveal", ...this.clock.times() }),
    });
    this.note = new ItemNote(item, (text) => this.send({ kind: "note", text }));
    this.element = this.layout();
    this.picture.show();
    this.mark();
    this.clock = new SightClock(item, () => this.note.saveNow());
  }

  /** @param {Omit<Save, "key" | "assignment">} save */
  send(save) {
    this.run.outbox.add({ assignment: this.item.id, ...save });
  }

  // ---- layout

  layout() {
    const { item } = this;
    return el(
      "section",
      { class: `rate ${this.sideBySide ? "side-by-side" : "single"}`, "aria-label": `Item ${item.place}` },
      this.bar(),
      el(
        "div",
        { class: "desk" },
        el("div", { class: "picture-column" }, this.picture.figure, this.caption, this.note.element),
        el(
          "div",
          { class: "judge-column", style: `--panels: ${item.panels.length}` },
          this.sideBySide ? this.panelGrid() : this.singlePanel(),
        ),
      ),
      this.footer(),
      this.study.notice && el("p", { class: "quiet" }, this.study.notice),
    );
  }

  bar() {
    const { run, study } = this;
    const tool = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ click) =>
      el("button", { type: "button", class: "quiet-button", title, click }, text);
    this.progress = el("progress", { max: run.shelf.total, value: run.shelf.done(), "aria-label": "Items rated" });
    return el(
      "header",
      { class: "bar" },
      el("h1", { class: "visually-hidden" }, `${study.title}: item ${this.item.place}`),
      this.progress,
      run.status,
      el(
        "span",
        { class: "tools" },
        tool("Instructions", "Read the instructions again", () => showInstructions(study)),
        tool("Guidelines", "Read every guideline (g)", () => showGuidelines(study)),
        tool("Keys", "Show the keys (?)", () => showKeys(study)),
        tool(run.rater.code, "Your code and return key", () => run.page.showRater()),
      ),
    );
  }

  singlePanel() {
    const [panel] = this.item.panels;
    return [
      el(
        "div",
        { class: "panel" },
        gauge(panel.value, panel.scale),
        scrolling(explanation(panel.rationales), "Explanation"),
      ),
      el(
        "div",
        { class: "questions" },
        this.questions.all.map((question) =>
          el(
            "div",
            { class: "question" },
            el(
              "p",
              { class: "question-text", id: question.textId },
              el("strong", { "aria-hidden": "true" }, question.criterion.name),
              el("span", {}, question.criterion.question),
            ),
            question.fieldset,
          )
        ),
      ),
    ];
  }

  panelGrid() {
    const head = this.item.panels.map((panel, index) =>
      el(
        "div",
        { class: "panel", style: `grid-column: ${index + 1}` },
        el("h2", {}, evaluator(index)),
        gauge(panel.value, panel.scale),
        scrolling(explanation(panel.rationales), `Explanation of ${evaluator(index)}`),
      )
    );
    const rows = this.study.criteria.map((criterion) => [
      el(
        "p",
        { class: "question-text row-head", id: `text-${criterion.key}` },
        el("strong", {}, criterion.name),
        el("span", {}, criterion.question),
      ),
      this.questions.of(criterion).map((question) =>
        el(
          "div",
          { class: "cell" },
          el("span", { class: "cell-name", "aria-hidden": "true" }, evaluator(question.index)),
          question.fieldset,
        )
      ),
    ]);
    return el("div", { class: "panel-grid" }, head, rows);
  }

  footer() {
    this.next = el("button", { type: "button", class: "primary", click: () => this.goNext() }, "Next");
    const previous = el(
      "button",
      { type: "button", disabled: this.item.place === 1, click: () => this.goBack() },
      "Previous",
    );
    return el("footer", { class: "foot" }, previous, this.questions.guideline, this.next);
  }

  // ---- answers

  /** Take an answer: into the outbox, and the veil off when it was the last one without the picture.
   * @param {Question} question @param {number} point */
  answered({ index, criterion, isPassing }, point) {
    this.leaving = false;
    this.send({
      kind: "rating",
      panel: index + 1,
      criterion: criterion.key,
      point,
      regions_shown: this.picture.showsRegions(),
      ...this.clock.times(),
    });
    if (!isPassing) this.picture.unveil();
    if (isComplete(this.study, this.item)) this.run.shelf.finish(this.item);
    this.mark();
  }

  mark() {
    this.questions.mark();
    this.progress.value = this.run.shelf.done();
  }

  /** Show what the item holds now, after it has changed elsewhere. */
  refresh() {
    this.questions.refresh();
    this.picture.show();
    this.mark();
  }

  /** Everything given so far is stored. */
  allSaved() {
    this.picture.fetchRegions();
  }

  // ---- keys and moving on

  focusFirst() {
    this.questions.focusFirst();
    scrollTo({ top: 0 });
  }

  /** What a key does here, or undefined.
   * @param {KeyboardEvent} event */
  keyAction(event) {
    if (/^[0-9]$/.test(event.key)) return () => this.questions.answerByKey(Number(event.key), this.next);
    if (event.key === "Backspace") return () => this.goBack();
    if (event.key === "z") return () => this.picture.zoom();
    if (
      event.key === "Enter" && !(/** @type {Element} */ (event.target)).closest("button, a, summary, [role=button]")
    ) return () => this.goNext();
    return undefined;
  }

  goNext() {
    const open = this.questions.open();
    if (open.length && !this.leaving) {
      this.leaving = true;
      this.questions.focusOn(open[0]);
      const names = open.map(({ name }) => name).join(", ");
      say(
        this.questions.guideline,
        `Still open: ${names}. Press Next again to leave ${open.length === 1 ? "it" : "them"} for later.`,
      );
      return;
    }
    this.run.goTo(this.item.place + 1);
  }

  goBack() {
    if (this.item.place > 1) this.run.goTo(this.item.place - 1);
  }

  close() {
    this.clock.stop();
    this.note.saveNow();
  }
}

/** Text that may be longer than its box: it scrolls, by keyboard too.
 * @param {HTMLElement} content @param {string} label */
function scrolling(content, label) {
  return el("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": label }, content);
}
