// The form "Something is wrong with this item", in which a rater reports a problem and can skip the item.

import { el, field, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, picker, quiet } from "../shared/elements.js";
import { UNSTORABLE } from "./item_note.js";

/** @import { Item } from "../shared/types.d.ts" */
/** @typedef {NonNullable<Item["report"]>} Report */

/** @type {[Report["reason"], string][]} */
const REASONS = [
  ["broken_picture", "The picture is missing or broken"],
  ["offensive", "The item is offensive or disturbing"],
  ["cannot_judge", "I cannot judge this item"],
  ["other", "Something else"],
];

/** @type {[string, string]} the menu's first entry, which is no reason, so that none is sent by accident */
const NO_REASON = ["", "Choose what is wrong"];

/** The form in which a rater reports a problem with an item. */
export class ItemReport {
  /** @param {Item} item
   * @param {{send: (report: Report | null) => void, skipped: () => void, answers: () => void,
   * isPictureHidden: () => boolean}} does send: stores a report, or withdraws it (null); skipped: is called when
   * the rater skips the item; answers: is called when the rater decides to answer a skipped item; isPictureHidden:
   * returns whether the study hides the picture now */
  constructor(item, { send, skipped, answers, isPictureHidden }) {
    this.item = item;
    this.send = send;
    this.skipped = skipped;
    this.answers = answers;
    this.isPictureHidden = isPictureHidden;
    this.problem = alertText();
    this.reason = picker(
      { id: "report-reason", focus: () => this.offerReasons() },
      [NO_REASON, ...REASONS].map(([key, words]) => [key, words]),
      item.report?.reason ?? "",
      () => say(this.problem, ""),
    );
    this.words = el("textarea", { id: "report-words", rows: 2, maxlength: 1000 });
    this.words.value = item.report?.words ?? "";
    this.state = el("div", { role: "status" });
    this.element = el(
      "details",
      { class: "note report", open: Boolean(item.report), toggle: () => this.toggled() },
      el("summary", { title: "Report this item (x)" }, "Something is wrong"),
      this.state,
      field("What is wrong?", this.reason),
      field("In your own words", this.words),
      this.problem,
      actions(
        !item.practice && button("Skip this item", () => this.give(true)),
        button(item.practice ? "Send" : "Send and answer it", () => this.give(false)),
      ),
      quiet("The people who run this study read your report."),
    );
    this.offerReasons();
    this.tell();
  }

  /** Offer the reason "picture missing" only when the picture may be shown, because a hidden picture is not missing. */
  offerReasons() {
    for (const option of this.reason.options) {
      option.disabled = option.value === "broken_picture" && this.isPictureHidden();
    }
  }

  /** Show the opened form above the foot of the page. */
  toggled() {
    this.offerReasons();
    if (this.element.open && !this.item.report) this.element.scrollIntoView({ block: "nearest" });
  }

  /** Open the report form and focus its first field. */
  open() {
    this.element.open = true;
    this.reason.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {boolean} skip */
  give(skip) {
    const reason = /** @type {Report["reason"] | ""} */ (this.reason.value);
    if (!reason) {
      say(this.problem, "Choose first what is wrong.");
      return this.reason.focus();
    }
    const words = this.words.value.replace(UNSTORABLE, "").trim();
    if (reason === "other" && !words) {
      say(this.problem, "Say in your own words what is wrong.");
      return this.words.focus();
    }
    say(this.problem, "");
    this.put({ reason, words, skip });
    if (skip) this.skipped();
    else this.answers();
  }

  /** Withdraw the report. The item is then no longer skipped. */
  takeBack() {
    this.put(null);
  }

  /** Let the rater answer a skipped item after all, but keep the report. */
  takeUp() {
    if (this.item.report?.skip) this.put({ ...this.item.report, skip: false });
  }

  /** @param {Report | null} report */
  put(report) {
    this.item.report = report;
    this.send(report);
    this.tell();
  }

  /** Say what the rater has reported about the item. */
  tell() {
    const { report } = this.item;
    this.state.replaceChildren(
      ...(report
        ? [
          paragraph(
            report.skip ? "You skipped this item. It counts as done for you." : "You reported this item.",
            " ",
            button("Withdraw the report", () => this.takeBack(), "small"),
          ),
        ]
        : []),
    );
  }
}
