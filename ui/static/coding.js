// The list of the largest errors and their coding: a digit codes the row and moves on, u takes it back.

import { get, Refused, request } from "./api.js";
import { CodedResults } from "./coding_results.js";
import { dialog, el, rounded, say } from "./dom.js";
import { problem } from "./notices.js";

const CODER_KEY = "capscope.coder";
const KEYS = [["1 … 9", "give the row that code and go to the next"], ["↓ ↑", "next row, row before"], ["0", "take the row's code away"], ["u", "undo"]];

export class ErrorList {
  /** `show` is called with the id of a sample that was chosen. */
  constructor(show) {
    this.show = show;
    this.section = el("section", { class: "analyse-section", "aria-labelledby": "errors" });
    this.results = new CodedResults((book, books) => this.changed(book, books));
    this.undone = [];
    this.coder = stored() ?? "";
    this.book = "expert";
  }

  /** List the errors of a data set's metric, the first of those chosen ({ name, label }); `extra` narrows the list down. */
  async open(dataset, metrics, extra = {}) {
    const metric = metrics.some(({ name }) => name === this.metric) ? this.metric : metrics[0].name;
    Object.assign(this, { dataset, metric, metrics, extra, page: 1, at: 0, undone: [] });
    try {
      this.books = await get("/api/coding/codebooks");
    } catch (error) {
      return this.section.replaceChildren(problem(error, () => this.open(dataset, metrics, extra)));
    }
    this.layout();
    await this.load();
  }

  layout() {
    const choose = el("select", { id: "error-metric", change: () => this.change({ metric: choose.value }) },
      this.metrics.map(({ name, label }) => el("option", { value: name, selected: name === this.metric }, label)));
    const book = el("select", { id: "codebook", change: () => this.change({ book: book.value }) },
      this.books.map(({ name }) => el("option", { value: name, selected: name === this.book }, name)));
    this.name = el("input", { id: "coder", value: this.coder, maxlength: 40, size: 12, autocomplete: "off", input: () => {
      this.coder = this.name.value.trim();
      store(this.coder);
      this.draw();
    } });
    this.status = el("p", { role: "status", class: "quiet" });
    this.codes = el("p", { class: "actions codes" });
    this.body = el("div", { class: "error-rows", tabindex: "0", role: "region", "aria-label": "Rows of errors", keydown: (event) => this.key(event) });
    const field = (label, control) => el("p", { class: "field" }, el("label", { for: control.id }, label), control);
    this.section.replaceChildren(
      el("h2", { id: "errors" }, "Largest errors"),
      el("p", { class: "quiet" }, "By |metric − human|, both rescaled to 0–1; Δ is metric − human."),
      el("div", { class: "search" }, field("Metric", choose), field("Codebook", book), field("Coder", this.name)),
      this.codes, this.status, this.body, this.pager = el("nav", { class: "pager", "aria-label": "Pages of errors" }));
  }

  async change(changes) {
    Object.assign(this, changes, { page: 1, at: 0, undone: [] });
    await this.load();
  }

  async load() {
    const { dataset, metric, page, extra } = this;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const [found, coded] = await Promise.all([get(`/api/analyse/errors?${new URLSearchParams({ dataset, metric, page, ...extra })}`), this.coded()]);
      if (turn !== this.turn) return;
      Object.assign(this, { found });
      this.take(coded);
    } catch (error) {
      return this.body.replaceChildren(problem(error, () => this.load()));
    }
    this.draw();
  }

  coded() {
    return get(`/api/coding/coded?${this.set()}`);
  }

  set() {
    return new URLSearchParams({ dataset: this.dataset, metric: this.metric, codebook: this.book });
  }

  take(coded) {
    this.given = new Map(); // sample key -> coder -> code
    for (const [sample, coder, code] of coded.codings) {
      if (!this.given.has(sample)) this.given.set(sample, new Map());
      this.given.get(sample).set(coder, code);
    }
    this.results.draw(coded, this);
  }

  /** Another codebook was added or came with an imported set. */
  async changed(book, books) {
    Object.assign(this, { book, books });
    this.layout();
    await this.load();
  }

  label() {
    return this.metrics.find(({ name }) => name === this.metric).label;
  }

  // ---- the list

  draw() {
    const { found, page } = this;
    if (!found) return;
    const book = this.books.find(({ name }) => name === this.book);
    this.codes.replaceChildren(...book.codes.map(({ key, label }, number) =>
      el("button", { type: "button", class: "code", title: book.source, click: () => this.give(key) }, el("kbd", {}, number + 1), ` ${label}`)),
    el("button", { type: "button", class: "quiet-button", disabled: !this.undone.length, click: () => this.undo() }, "Undo"),
    el("button", { type: "button", class: "quiet-button", click: () => this.help() }, "Keys"));
    if (!found.total) {
      this.pager.replaceChildren();
      return this.body.replaceChildren(el("p", {}, `No sample here has both a score by ${this.label()} and a human judgement.`));
    }
    const last = Math.ceil(found.total / found.page_size);
    const go = (to, name) => el("button", { type: "button", disabled: to < 1 || to > last, click: () => this.turnTo(to) }, name);
    this.body.replaceChildren(el("table", { class: "figures error-list" },
      el("thead", {}, el("tr", {}, ["#", "caption", "human", this.label(), "Δ", "codes"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, found.rows.map((row, number) => this.row(row, number)))));
    this.pager.replaceChildren(go(page - 1, "Previous page"), el("span", {}, `${page.toLocaleString()} of ${last.toLocaleString()}`), go(page + 1, "Next page"));
  }

  row({ id, key, caption, human, value, error }, number) {
    const cell = (value) => el("td", { title: String(value) }, rounded(value).replace("-", "−"));
    const open = el("button", { type: "button", class: "quiet-button error-caption", tabindex: "-1", click: () => this.go(number) }, caption);
    const codes = [...(this.given.get(key) ?? [])].map(([coder, code]) => el("span", { class: coder === this.coder ? "chip human" : "chip" }, `${coder}: `, el("strong", {}, code)));
    return el("tr", { "data-id": id, "aria-current": number === this.at ? "true" : false },
      el("td", {}, this.found.first + number), el("td", {}, open), cell(human), cell(value), cell(error), el("td", {}, codes));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.found?.rows.length) return;
    const book = this.books.find(({ name }) => name === this.book);
    const code = book.codes[Number(event.key) - 1];
    if (code && event.key.length === 1) this.give(code.key);
    else if (event.key === "0") this.give(null);
    else if (event.key === "u") this.undo();
    else if (event.key === "ArrowDown" || event.key === "j") this.step(1);
    else if (event.key === "ArrowUp" || event.key === "k") this.step(-1);
    else if (event.key === "?") this.help();
    else return;
    event.preventDefault();
  }

  help() {
    const book = this.books.find(({ name }) => name === this.book);
    dialog("Keys in the list", el("table", { class: "keys" }, el("tbody", {}, KEYS.map(([keys, what]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, keys)), el("td", {}, what))))),
      el("p", { class: "quiet" }, book.source));
  }

  /** Go to a row of this page and show its sample. */
  go(number, quietly = false) {
    this.at = number;
    this.draw();
    if (!quietly) this.body.focus({ preventScroll: true });
    this.body.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    this.show(this.found.rows[number].id);
  }

  async step(by) {
    const to = this.at + by, { rows, first, total, page_size: size } = this.found;
    if (to >= 0 && to < rows.length) return this.go(to);
    if (to < 0 && this.page > 1) return this.turnTo(this.page - 1, size - 1);
    if (to >= rows.length && first - 1 + rows.length < total) return this.turnTo(this.page + 1);
  }

  async turnTo(page, at = 0) {
    Object.assign(this, { page, at });
    await this.load();
    this.go(Math.min(at, this.found.rows.length - 1));
  }

  // ---- coding

  /** Give the current row a code, or take it away, and move on. Rows change at once; one save follows the other. */
  give(code) {
    if (!this.coder) {
      say(this.status, "Say who codes first: your name or code in “Coder”.");
      this.name.focus();
      return;
    }
    const row = this.found.rows[this.at];
    const before = this.given.get(row.key)?.get(this.coder) ?? null;
    this.undone.push({ row, before, page: this.page, at: this.at, coder: this.coder });
    this.save(row, this.coder, code);
    if (code === null) this.draw();
    else this.step(1).then(() => this.draw());
  }

  async undo() {
    const last = this.undone.pop();
    if (!last) return say(this.status, "Nothing to undo.");
    this.save(last.row, last.coder, last.before);
    if (last.page !== this.page) await this.turnTo(last.page, last.at);
    else this.go(last.at);
  }

  save(row, coder, code) {
    const coders = this.given.get(row.key) ?? new Map();
    if (code === null) coders.delete(coder);
    else coders.set(coder, code);
    this.given.set(row.key, coders);
    const body = { sample: row.id, metric: this.metric, codebook: this.book, coder, code };
    say(this.status, "Saving …");
    this.saving = (this.saving ?? Promise.resolve()).then(() => request("PUT", "/api/coding/codes", body)).then(
      () => this.saved(row, code),
      (error) => say(this.status, `Not saved: ${error instanceof Refused ? error.message : "the server does not answer. Code the row again."}`));
  }

  async saved(row, code) {
    const label = this.books.find(({ name }) => name === this.book).codes.find(({ key }) => key === code)?.label;
    const mine = (this.count = (this.count ?? 0) + 1);
    const coded = await this.coded();
    if (mine !== this.count) return;
    this.results.draw(coded, this);
    say(this.status, label ? `Saved: “${row.caption}” is ${label}.` : `Saved: “${row.caption}” has no code.`);
  }
}

function stored() {
  try {
    return localStorage.getItem(CODER_KEY);
  } catch {
    return null;
  }
}

function store(coder) {
  try {
    localStorage.setItem(CODER_KEY, coder);
  } catch {
    // without storage the name is asked again
  }
}
