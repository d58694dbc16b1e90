// The list of the largest errors, and their coding beside it. A digit key gives the current row a code and selects the
// next row.

import { dialog, el, say } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { digitOf, nameOf } from "../shared/keys.js";
import { Coding } from "./coding.js";
import { SectionView } from "./section.js";

/** @import { ListedSection, Found } from "../shared/wire.d.ts" */
/** @import { Row } from "./coding.js" */
/** @import { Page } from "./page.js" */

const ROWS = 8;
const KEYS = [
  ["1 … 9", "give this code to the row, and go to the next row"],
  ["↓ j", "next row"],
  ["↑ k", "row before"],
  ["0", "remove the code of the row"],
];

export class ErrorSection extends SectionView {
  /** @param {ListedSection} listed @param {Page} page */
  constructor(listed, page) {
    super(listed, page, true);
    this.coding = new Coding({
      changed: () => this.mark(),
      chosen: (code) => this.next(() => this.give(code)),
      showKeys: () => this.showKeys(),
    });
    this.doing = Promise.resolve(); // resolves when the latest keypress is handled; keypresses are handled in order
    /** @type {(Row & {node: HTMLElement})[]} */
    this.rows = [];
    this.at = 0;
    this.last = 1;
    this.metric = "";
    this.node.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @override */
  query() {
    const query = super.query();
    query.set("rows", String(ROWS));
    return query;
  }

  /** @override @param {Found} found */
  async draw(found) {
    super.draw(found);
    const { keys, metric } = /** @type {{keys: string[], metric: string}} */ (found.extra);
    this.last = Math.ceil(found.total / found.size);
    const list = this.body.querySelector(".records");
    const lines = [...(list?.querySelectorAll("tbody tr") ?? [])];
    this.rows = lines.map((line, place) => {
      const node = /** @type {HTMLElement} */ (line), open = node.querySelector("[data-id]");
      return { id: Number(open?.getAttribute("data-id")), key: keys[place], caption: open?.textContent ?? "", node };
    });
    list?.setAttribute("tabindex", "0");
    list?.setAttribute("aria-label", "Rows of errors");
    list?.classList.add("error-list");
    list?.addEventListener("click", (event) => {
      const line = /** @type {Element} */ (event.target).closest("tbody tr");
      if (line) this.select(lines.indexOf(line));
    });
    list?.after(this.coding.node);
    if (metric !== this.metric) Object.assign(this, { metric, at: 0 });
    this.at = Math.min(this.at, this.rows.length - 1);
    await this.coding.open(this.page.state.dataset, metric);
  }

  /** Show the current row and everybody's codes. */
  mark() {
    this.rows.forEach(({ node, key }, place) => {
      if (place === this.at) node.setAttribute("aria-current", "true");
      else node.removeAttribute("aria-current");
      node.querySelector(".given")?.remove();
      const chips = [...this.coding.codesOf(key)].map(([coder, code]) =>
        el("span", { class: coder === this.coding.coder ? "chip mine" : "chip" }, `${code} (${coder})`)
      );
      if (chips.length) node.querySelector("[data-id]")?.after(el("span", { class: "given" }, chips));
    });
  }

  /** Run a function after all earlier keypresses were handled. @param {() => unknown} work */
  next(work) {
    const { metric } = this;
    const done = async () => {
      if (metric === this.metric && this.rows.length) await work();
    };
    return (this.doing = this.doing.then(done, done));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const field = /** @type {Element} */ (event.target), isName = field === this.coding.name && !event.isComposing;
    if (field.matches("input, select")) return isName && event.key === "Enter" && this.select(this.at);
    const name = nameOf(event), digit = Number(digitOf(event));
    const code = name === "digit" && (digit === 0 ? null : this.coding.codebook?.codes[digit - 1]?.key);
    if (name === "digit" && code !== undefined) this.next(() => this.give(/** @type {string | null} */ (code)));
    else if (name === "ArrowDown" || name === "j") this.next(() => this.step(1));
    else if (name === "ArrowUp" || name === "k") this.next(() => this.step(-1));
    else if (name === "?") this.showKeys();
    else return;
    event.preventDefault();
  }

  showKeys() {
    const rows = KEYS.map(([key, words]) =>
      el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, key)), el("td", {}, words))
    );
    const keys = el("table", { class: "keys" }, el("tbody", {}, rows));
    dialog("Keys in the list", keys, quiet(this.coding.codebook.source));
  }

  /** @param {number} at */
  select(at) {
    this.at = at;
    this.mark();
    const list = /** @type {HTMLElement | null} */ (this.body.querySelector(".error-list"));
    list?.focus({ preventScroll: true });
    this.rows[at]?.node.scrollIntoView({ block: "nearest" });
  }

  /** Move the current row, if necessary to another page. @param {number} by */
  async step(by) {
    const to = this.at + by, page = Number(this.page.options(this.key).page ?? 1);
    if (to >= 0 && to < this.rows.length) this.go(to);
    else if (to < 0 && page > 1) await this.turnTo(page - 1, ROWS - 1);
    else if (to >= this.rows.length && page < this.last) await this.turnTo(page + 1, 0);
    else return false;
    return true;
  }

  /** @param {number} at */
  go(at) {
    this.select(at);
    const row = this.rows[at];
    if (row) this.page.show(row.id, this.node, false);
  }

  /** @param {number} page @param {number} at */
  async turnTo(page, at) {
    await this.choose({ page: String(page) }, false);
    this.go(Math.min(at, this.rows.length - 1));
  }

  /** Give the current row a code and go to the next row; null removes the code. @param {string | null} code */
  async give(code) {
    this.coding.node.open = true;
    if (!this.coding.coder) {
      say(this.coding.status, "First write your name or code into the field “Coder”, then press Enter.");
      this.coding.name.focus();
      return;
    }
    const row = this.rows[this.at];
    if (!row) return;
    this.coding.give(row, code);
    if (code === null || !(await this.step(1))) this.mark();
  }
}
