// The monitor's table of raters: sort, search, filter by state, and actions on several raters.

import { post, wordsOf } from "../shared/api.js";
import { all, dialog, el, field, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, picker, statusText, submitButton } from "../shared/elements.js";
import { STATE_WORDS, STATES } from "./participant_states.js";
import { showWork } from "./rater_work.js";

/** @import { Body } from "../shared/wire.d.ts" */
/** @import { StudyMonitor } from "./monitor.js" */
/** @import { Study } from "./page.js" */
/** @typedef {StudyMonitor["raters"][number]} Row */
/** @typedef {Body<"POST", `/api/studies/${number}/raters/bulk`>["action"]} Action */

/** @type {[string, (row: Row) => string | number][]} head of each column, and the value by which it sorts raters */
const COLUMNS = [
  ["Rater", (row) => row.code],
  ["State", (row) => STATES.indexOf(row.state)],
  ["Finished items", (row) => row.done],
  ["Open items", (row) => row.open],
  ["Arrived", (row) => row.arrived_at],
  ["Last finished item", (row) => row.last_at ?? ""],
];

/** @type {[Action, string, string, (row: Row) => boolean][]} each action, its label, its effect in words, and whether
 * it applies to a rater */
const ACTIONS = [
  [
    "exclude",
    "Exclude",
    "Their ratings are kept and exported with the reason. Other raters get the items.",
    (row) => row.joined && row.state !== "excluded",
  ],
  ["include", "Include again", "Reports include their ratings again.", (row) => row.state === "excluded"],
  [
    "release",
    "Release open items",
    "Other raters can then get the open items. Answers are kept.",
    (row) => row.joined && row.open > 0,
  ],
];

export class MonitoredRaters {
  /** @param {Study} study @param {() => Promise<void>} onChange is called after raters were changed */
  constructor(study, onChange) {
    this.study = study;
    this.onChange = onChange;
    /** @type {readonly Row[]} */
    this.rows = [];
    /** @type {Set<string>} codes of the selected raters */
    this.chosen = new Set();
    this.sorted = { column: 4, up: true };
    this.search = el("input", { id: "monitor-search", type: "search", autocomplete: "off", input: () => this.draw() });
    this.filter = picker(
      { id: "monitor-state" },
      [["", "all"], ...STATES.map((state) => /** @type {const} */ ([state, STATE_WORDS[state]]))],
      "",
      () => this.draw(),
    );
    this.every = el("input", {
      type: "checkbox",
      "aria-label": "Select all listed raters",
      change: () => this.selectAll(),
    });
    this.heads = COLUMNS.map(([name], at) =>
      el("th", { scope: "col" }, button(name, () => this.sort(at), "quiet-button"))
    );
    this.body = el("tbody", {});
    this.count = statusText();
    this.buttons = ACTIONS.map(([action, label]) => button(label, () => this.ask(action), "makes"));
    this.element = el(
      "section",
      {},
      el("h3", {}, "Raters"),
      el(
        "div",
        { class: "monitor-tools" },
        field("Search in codes and reasons", this.search),
        field("State", this.filter),
      ),
      el("div", { class: "makes" }, actions(this.buttons)),
      this.count,
      el(
        "div",
        { class: "table-box", tabindex: "0", role: "region", "aria-label": "Raters" },
        el(
          "table",
          { class: "raters monitored" },
          el("thead", {}, el("tr", {}, el("th", { class: "makes" }, this.every), this.heads)),
          this.body,
        ),
      ),
    );
  }

  /** @param {readonly Row[]} rows */
  show(rows) {
    this.rows = rows;
    const codes = new Set(rows.map(({ code }) => code));
    for (const code of this.chosen) if (!codes.has(code)) this.chosen.delete(code);
    this.draw();
  }

  /** Return the raters that match the search text and the filter, in the chosen order. */
  listed() {
    const text = this.search.value.trim().toLowerCase(), state = this.filter.value;
    const value = COLUMNS[this.sorted.column][1], sign = this.sorted.up ? 1 : -1;
    const compare = (/** @type {Row} */ a, /** @type {Row} */ b) => {
      const [first, second] = [value(a), value(b)];
      return first < second ? -sign : first > second ? sign : 0;
    };
    return this.rows
      .filter((row) => (!state || row.state === state) && `${row.code} ${row.why}`.toLowerCase().includes(text))
      .sort(compare);
  }

  draw() {
    const listed = this.listed();
    this.heads.forEach((head, at) => {
      const order = at !== this.sorted.column ? "none" : this.sorted.up ? "ascending" : "descending";
      head.setAttribute("aria-sort", order);
    });
    this.body.replaceChildren(...listed.map((row) => this.line(row)));
    this.tell();
  }

  tell() {
    const listed = this.listed();
    const chosen = this.rows.filter(({ code }) => this.chosen.has(code));
    say(this.count, `${listed.length} of ${this.rows.length} raters listed, ${chosen.length} selected.`);
    this.every.checked = listed.length > 0 && listed.every(({ code }) => this.chosen.has(code));
    this.buttons.forEach((one, at) => (one.disabled = !chosen.some(ACTIONS[at][3])));
  }

  /** @param {Row} row */
  line({ code, state, why, pilot, joined, done, open, arrived_at: arrived, last_at: last }) {
    const box = el("input", {
      type: "checkbox",
      "aria-label": `Select ${code}`,
      checked: this.chosen.has(code),
      change: () => {
        box.checked ? this.chosen.add(code) : this.chosen.delete(code);
        this.tell();
      },
    });
    const name = joined
      ? button(code, () => showWork(this.study, code), "quiet-button", { "aria-label": `What ${code} did` })
      : code;
    return el(
      "tr",
      {},
      el("td", { class: "makes" }, box),
      el("th", { scope: "row" }, name, pilot && " (pilot)"),
      el("td", {}, STATE_WORDS[state], why && el("span", { class: "quiet why" }, ` ${why}`)),
      el("td", {}, done),
      el("td", {}, open),
      el("td", {}, new Date(arrived).toLocaleString()),
      el("td", {}, last ? new Date(last).toLocaleString() : "–"),
    );
  }

  /** @param {number} column */
  sort(column) {
    this.sorted = { column, up: this.sorted.column === column ? !this.sorted.up : true };
    this.draw();
  }

  selectAll() {
    for (const { code } of this.listed()) {
      if (this.every.checked) this.chosen.add(code);
      else this.chosen.delete(code);
    }
    all(this.body, "input").forEach((box) => (/** @type {HTMLInputElement} */ (box).checked = this.every.checked));
    this.tell();
  }

  /** Ask for confirmation of an action on those selected raters to whom it applies. @param {Action} action */
  ask(action) {
    const [, label, effect, applies] = ACTIONS.filter(([one]) => one === action)[0];
    const codes = this.rows.filter((row) => this.chosen.has(row.code) && applies(row)).map(({ code }) => code);
    const raters = `${codes.length} ${codes.length === 1 ? "rater" : "raters"}`;
    const reason = el("input", { id: "bulk-reason", maxlength: 300, required: true });
    const problem = alertText();
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const send = /** @type {HTMLButtonElement} */ (box.querySelector("form button"));
      send.disabled = true; // so that a second click does not send the change twice
      try {
        await post(`/api/studies/${this.study.id}/raters/bulk`, { codes, action, reason: reason.value });
        box.close();
        this.chosen.clear();
        await this.onChange();
      } catch (error) {
        send.disabled = false;
        say(problem, wordsOf(error));
      }
    };
    const box = dialog(
      `${label}: ${raters}?`,
      paragraph(effect),
      el("p", { class: "codes" }, codes.join(", ")),
      problem,
      el(
        "form",
        { submit },
        action === "exclude" && field("Why", reason),
        actions(submitButton(`${label}: ${raters}`, "primary"), button("Cancel", () => box.close())),
      ),
    );
    box.classList.add("capscope");
  }
}
