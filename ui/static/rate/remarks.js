// What a rater can say about an item besides the answers: a note, and a report that something is wrong.

import { dialog, el, field, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, picker, quiet } from "../shared/elements.js";

/** @import { Item } from "../shared/types.d.ts" */
/** @import { ItemView } from "./item.js" */
/** @typedef {NonNullable<Item["report"]>} Report */

const PAUSE_MS = 600; // ms after the last letter, before a note is saved
const UNSTORABLE = /[\0\p{Surrogate}]/gu; // cannot be stored: NUL, and half an emoji at the end of a cut text

/** @type {[Report["reason"] | "", string][]} the first entry is no reason, so that none is sent by accident */
const REASONS = [
  ["", "Choose what is wrong"],
  ["broken_picture", "The picture is missing or broken"],
  ["offensive", "The item is offensive or disturbing"],
  ["cannot_judge", "I cannot judge this item"],
  ["other", "Something else"],
];

/** A rater's note on an item. It is saved shortly after the rater stops typing. */
export class ItemNote {
  /** @param {Item} item @param {(text: string) => void} save gets the note without characters that cannot be stored */
  constructor(item, save) {
    this.item = item;
    this.save = save;
    /** @type {number | undefined} */
    this.timer = undefined;
    const area = el("textarea", {
      rows: 2,
      maxlength: 4000,
      "aria-label": "Note",
      input: () => this.changed(area.value),
    });
    area.value = item.note;
    const write = () => {
      if (!this.element.open) return;
      area.focus({ preventScroll: true }); // without the focus, typed digits would answer questions
      area.scrollIntoView({ block: "nearest" }); // without scrolling, the page's footer might cover the field
    };
    const onceTurned = () => this.element.addEventListener("toggle", write, { once: true });
    const summary = el("summary", { click: onceTurned }, "Note");
    this.element = el("details", { class: "note", open: item.note !== "" }, summary, area);
  }

  /** @param {string} text */
  changed(text) {
    this.item.note = text.replace(UNSTORABLE, "");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.saveNow(), PAUSE_MS);
  }

  /** Save the latest text of the note immediately. */
  saveNow() {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.save(this.item.note);
  }
}

/** A rater's report that something is wrong with an item. With a report, a rater can skip the item. */
export class ItemReport {
  /** @param {ItemView} view */
  constructor(view) {
    this.view = view;
    this.state = el("div", { role: "status" });
    const open = button("Something is wrong", () => this.open(), "quiet-button", { title: "Report this item (x)" });
    this.element = el("div", { class: "report" }, open, this.state);
    this.tell();
  }

  /** Open the form of the report. */
  open() {
    const { item, picture } = this.view, problem = alertText();
    const reason = picker({ id: "report-reason" }, REASONS, item.report?.reason ?? "", () => say(problem, ""));
    for (const option of reason.options) { // a hidden picture is not missing
      option.disabled = option.value === "broken_picture" && picture.isVeiled();
    }
    const words = el("textarea", { id: "report-words", rows: 3, maxlength: 1000 }, item.report?.words ?? "");
    const send = (/** @type {boolean} */ skip) => {
      const said = words.value.replace(UNSTORABLE, "").trim();
      if (!reason.value) {
        say(problem, "Choose first what is wrong.");
        return reason.focus();
      }
      if (reason.value === "other" && !said) {
        say(problem, "Say in your own words what is wrong.");
        return words.focus();
      }
      box.close();
      this.put({ reason: /** @type {Report["reason"]} */ (reason.value), words: said, skip });
      if (skip) this.view.goOn();
    };
    const box = dialog(
      "Something is wrong with this item",
      field("What is wrong?", reason),
      field("In your own words", words),
      problem,
      actions(
        !item.practice && button("Skip this item", () => send(true)),
        button(item.practice ? "Send" : "Send and answer it", () => send(false)),
      ),
      quiet("The people who run this study read your report."),
    );
    reason.focus();
  }

  /** Let the rater answer a skipped item after all, but keep the report. */
  takeUp() {
    const { report } = this.view.item;
    if (report?.skip) this.put({ ...report, skip: false });
  }

  /** Store a report, or withdraw it. @param {Report | null} report */
  put(report) {
    this.view.item.report = report;
    this.view.reported(report);
    this.tell();
  }

  /** Say what the rater has reported about the item. */
  tell() {
    const { report } = this.view.item;
    const words = report?.skip ? "You skipped this item. It counts as done for you." : "You reported this item.";
    const withdraw = button("Withdraw the report", () => this.put(null), "small");
    this.state.replaceChildren(report ? paragraph(words, " ", withdraw) : "");
  }
}
