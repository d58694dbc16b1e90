// The list of the largest errors, and their coding beside it. A digit key gives the current row a code and selects the
// next row.

import { get } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { asOptions, button, picker, quiet, statusText } from "../shared/elements.js";
import { digitOf, nameOf } from "../shared/keys.js";
import { remember, remembered } from "../shared/storage.js";
import { CodedResults } from "./coded.js";
import { Codings } from "./codings.js";
import { SectionView } from "./section.js";

/** @import { Codebook, ListedSection, Found } from "../shared/wire.d.ts" */
/** @import { Page } from "./page.js" */
/** @typedef {{id: number, key: string, caption: string, node: HTMLElement}} Row */

const CODER_KEY = "capscope.coder";
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
    this.account = document.querySelector("meta[name=capscope-account]")?.getAttribute("content"); // signed-in account
    this.coder = this.account ?? remembered(CODER_KEY) ?? "";
    this.status = statusText();
    this.results = new CodedResults((book) => this.changed(book));
    this.codings = new Codings({
      onCoded: (coded) => this.results.draw(coded, this),
      said: (text) => say(this.status, text),
    });
    this.doing = Promise.resolve(); // resolves when the latest keypress is handled; keypresses are handled in order
    /** @type {Codebook[]} */
    this.books = [];
    this.book = "expert";
    /** @type {Row[]} */
    this.rows = [];
    this.at = 0;
    this.last = 1;
    this.metric = "";
    this.label = "";
    this.codes = el("div", { class: "actions codes" });
    this.name = el("input", {
      id: "coder",
      maxlength: 100,
      readonly: this.account !== undefined,
      title: this.account && "Your codes are stored for the account with which you are logged in.",
      size: 12,
      autocomplete: "off",
      input: () => {
        this.coder = this.name.value.trim();
        remember(CODER_KEY, this.coder);
        this.mark();
      },
    });
    this.coding = el("details", { class: "coding" }, el("summary", {}, "Code errors"));
    this.node.addEventListener("keydown", (event) => this.pressed(event));
  }

  get dataset() {
    return this.page.state.dataset;
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
    const { keys, metric, label } = /** @type {{keys: string[], metric: string, label: string}} */ (found.extra);
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
    list?.after(this.coding);
    if (metric !== this.metric) Object.assign(this, { metric, label, at: 0 });
    this.at = Math.min(this.at, this.rows.length - 1);
    await this.fetchCodes();
  }

  async fetchCodes() {
    const { dataset, metric, book } = this;
    this.codings.set = { dataset, metric, codebook: book };
    try {
      if (!this.books.length) this.books = await get("/api/coding/codebooks");
      this.codings.take(await this.codings.coded());
    } catch (error) {
      say(this.status, error instanceof Error ? error.message : String(error));
    }
    this.drawCoding();
    this.mark();
  }

  drawCoding() {
    this.name.value = this.coder;
    const [head] = this.coding.children;
    const books = asOptions(this.books.map(({ name }) => name));
    const choose = (/** @type {string} */ book) => {
      this.book = book;
      this.fetchCodes();
    };
    this.codes.replaceChildren(
      ...this.codebook.codes.map(({ key, label }, number) =>
        button([el("kbd", {}, number + 1), ` ${label}`], () => this.next(() => this.give(key)), "code", {
          title: this.codebook.source,
        })
      ),
      button("Keys", () => this.showKeys(), "quiet-button"),
    );
    this.coding.replaceChildren(
      head,
      el(
        "div",
        { class: "search" },
        field("Codebook", picker({ id: "codebook" }, books, this.book, choose)),
        field("Coder", this.name),
      ),
      this.codes,
      this.status,
      this.results.node,
    );
  }

  /** @param {string} book a codebook that was just imported */
  async changed(book) {
    this.books = await get("/api/coding/codebooks");
    this.book = book;
    await this.fetchCodes();
  }

  get codebook() {
    return this.books.find(({ name }) => name === this.book) ?? this.books[0];
  }

  /** Show the current row and everybody's codes. */
  mark() {
    this.rows.forEach(({ node, key }, place) => {
      if (place === this.at) node.setAttribute("aria-current", "true");
      else node.removeAttribute("aria-current");
      node.querySelector(".given")?.remove();
      const codes = [...(this.codings.given.get(key) ?? [])];
      const chips = codes.map(([coder, code]) =>
        el("span", { class: coder === this.coder ? "chip mine" : "chip" }, `${code} (${coder})`)
      );
      if (chips.length) node.querySelector("[data-id]")?.after(el("span", { class: "given" }, chips));
    });
  }

  // ---- moving in the list and coding

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
    const isField = /** @type {Element} */ (event.target).matches("input, select");
    if (isField) return event.key === "Enter" && this.select(this.at);
    const name = nameOf(event), digit = Number(digitOf(event));
    const code = name === "digit" && (digit === 0 ? null : this.codebook?.codes[digit - 1]?.key);
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
    dialog("Keys in the list", el("table", { class: "keys" }, el("tbody", {}, rows)), quiet(this.codebook.source));
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
    this.coding.open = true;
    if (!this.coder) {
      say(this.status, "First write your name or code into the field “Coder”, then press Enter.");
      this.name.focus();
      return;
    }
    const row = this.rows[this.at];
    if (!row) return;
    this.codings.save(row, this.coder, code, this.codebook.codes.find(({ key }) => key === code)?.label);
    if (code === null || !(await this.step(1))) this.mark();
  }
}
