// The list of the largest errors, and their coding. A digit key gives the current row a code and selects the next row.
// The key u undoes this.

import { get, latest } from "../shared/api.js";
import { CodedResults } from "./coding_results.js";
import { Codings } from "./codings.js";
import { el, field, say } from "../shared/dom.js";
import { asOptions, button, paragraph, picker, quiet, statusText } from "../shared/elements.js";
import { pressCodingKey, showCodingKeys } from "./coding_keys.js";
import { bringJudgements, bringScores, fold, NO_METRIC, unfold } from "./folding.js";
import { codeButtons, errorTable, SCALES, standOut } from "./error_rows.js";
import { pager } from "./in_sight.js";
import { remember, remembered } from "../shared/storage.js";
import { begin, shownIfSlow } from "../shared/long_work.js";
import { problem } from "../shared/notices.js";

/** @import { Codebook, ErrorRow, KnownMetric, ListedErrors } from "../shared/wire.d.ts" */
/** @typedef {Pick<KnownMetric, "name" | "label" | "own">} ErrorColumn */

const CODER_KEY = "capscope.coder";
/** @type {Record<string, string>} */
const ABOUT = {
  plain: "Ordered by |metric − human|, both rescaled to 0–1. Δ is metric − human.",
  rank:
    "Ordered by the difference of ranks. Δ is the share of captions that the metric ranks lower than this caption, minus the same share for people.",
  calibrated:
    "Ordered by |calibrated score − human|. The calibrated score is the mean human judgement of other images’ captions with a similar " +
    "score. Δ is calibrated score − human.",
};

export class ErrorList {
  /** @param {(id: number, byPointer: boolean) => void} show is called with the id of a sample that was chosen */
  constructor(show) {
    this.show = show;
    this.section = el("section", { class: "analyse-section", "aria-labelledby": "errors" });
    this.results = new CodedResults((book, books) => this.changed(book, books));
    this.codings = new Codings({
      onCoded: (coded) => this.results.draw(coded, this),
      said: (text) => say(this.status, text),
    });
    this.turn = latest();
    this.loading = Promise.resolve();
    this.doing = Promise.resolve(); // resolves when the latest keypress is handled; keypresses are handled in order
    /** @type {{row: ErrorRow, before: string | null, page: number, at: number, coder: string}[]} changes of codes that
     * can be undone; before: the code before the change; page: the row's page; at: index of the row in this page */
    this.undone = [];
    /** @type {ErrorColumn[]} metrics whose errors can be listed */
    this.metrics = [];
    /** @type {Codebook[]} */
    this.books = [];
    this.dataset = "";
    this.metric = "";
    /** @type {Record<string, string>} request parameters that filter the list */
    this.extra = {};
    this.page = 1;
    this.at = 0; // index of the current row in the page
    /** @type {ListedErrors | null} the shown page of errors */
    this.found = null;
    this.account = document.querySelector("meta[name=capscope-account]")?.getAttribute("content"); // signed-in account
    this.coder = this.account ?? remembered(CODER_KEY) ?? "";
    this.book = "expert";
    this.scale = "plain"; // name of the scale on which errors are computed, a key of SCALES
    this.about = quiet();
    this.status = statusText();
    this.codes = el("p", { class: "actions codes" });
    this.body = el("div", {
      class: "error-rows",
      tabindex: "0",
      role: "region",
      "aria-label": "Rows of errors",
      keydown: (event) => pressCodingKey(this, event),
    });
    this.pager = el("nav", { class: "pager", "aria-label": "Pages of errors" });
    this.name = el("input", {
      id: "coder",
      maxlength: 100,
      readonly: this.account !== undefined,
      title: this.account && "Your codes are stored for the account with which you are signed in.",
      size: 12,
      autocomplete: "off",
      input: () => {
        this.coder = this.name.value.trim();
        remember(CODER_KEY, this.coder);
        standOut(this.body, this.coder);
      },
    });
  }

  /** Fold the section and its results, and say whether judgements or scores are missing.
   * @param {boolean} isRated whether people have judged individual captions */
  missing(isRated) {
    this.turn();
    const head = el("h2", { id: "errors" }, "Largest errors");
    if (isRated) fold(this.section, head, NO_METRIC, bringScores());
    else fold(this.section, head, "People have not judged single captions here.", bringJudgements());
    this.results.section.hidden = true;
  }

  /** List the errors of a metric in a data set. The default metric is the first of `metrics`.
   * @param {string} dataset @param {ErrorColumn[]} metrics @param {Record<string, string>} [extra] request parameters
   * that filter the list */
  open(dataset, metrics, extra = {}) {
    const metric = metrics.some(({ name }) => name === this.metric) ? this.metric : metrics[0].name;
    Object.assign(this, { dataset, metric, metrics, extra });
    this.rewind();
    return this.loading = this.begin();
  }

  async begin() {
    const { dataset, metrics, extra } = this;
    try {
      this.books = await get("/api/coding/codebooks");
    } catch (error) {
      return this.section.replaceChildren(problem(error, () => this.open(dataset, metrics, extra)));
    }
    this.layout();
    await this.load();
  }

  layout() {
    const { metrics, books } = this;
    const labels = metrics.map(({ name, label }) => /** @type {const} */ ([name, label]));
    const choose = picker({ id: "error-metric" }, labels, this.metric, (metric) => this.change({ metric }));
    const names = asOptions(books.map(({ name }) => name));
    const book = picker({ id: "codebook" }, names, this.book, (book) => this.change({ book }));
    const scale = picker({ id: "error-scale" }, Object.entries(SCALES), this.scale, (scale) => this.change({ scale }));
    this.name.value = this.coder;
    unfold(this.section);
    this.results.section.hidden = false;
    this.section.replaceChildren(
      el("h2", { id: "errors" }, "Largest errors"),
      this.about,
      el(
        "div",
        { class: "search" },
        field("Metric", choose),
        field("Errors", scale),
        field("Codebook", book),
        field("Coder", this.name),
      ),
      this.codes,
      this.status,
      this.body,
      this.pager,
    );
  }

  /** @param {{metric?: string, book?: string, scale?: string}} changes */
  async change(changes) {
    Object.assign(this, changes);
    this.rewind();
    await this.load();
  }

  rewind() {
    this.page = 1;
    this.at = 0;
    this.undone = [];
  }

  /** Fetch the current page of errors and their codes. If load() is called again meanwhile, only the latest result is
   * shown. */
  load() {
    return this.loading = this.fetch();
  }

  async fetch() {
    const { dataset, metric, own, book, page, extra, scale, codings } = this;
    const isLast = this.turn();
    this.about.textContent = ABOUT[scale];
    codings.set = { dataset, metric: own, codebook: book };
    try {
      const [found, coded] = await Promise.all([
        shownIfSlow(
          this.about,
          begin(`/api/analyse/errors?${new URLSearchParams({ dataset, metric, page: String(page), scale, ...extra })}`),
          "Computing errors",
        ),
        codings.coded(),
      ]);
      if (!isLast()) return;
      this.found = found;
      codings.take(coded);
    } catch (error) {
      if (!isLast()) return;
      this.found = null;
      return this.body.replaceChildren(problem(error, () => this.load()));
    }
    this.draw();
  }

  /** Run a function on the rows of the list, after all earlier functions and the loading of the page of rows have
   * ended. Keys that are pressed fast thus wait until the rows are loaded. If another list was opened meanwhile, the
   * function is not run.
   * @param {() => unknown} work the function */
  async next(work) {
    const { undone, doing } = this;
    const done = async () => {
      await this.loading;
      if (undone === this.undone && this.found?.rows.length) await work();
    };
    await (this.doing = doing.then(done, done));
  }

  /** Show a codebook that was just imported, alone or together with codes.
   * @param {string} book the codebook's name @param {Codebook[]} books all codebooks */
  async changed(book, books) {
    Object.assign(this, { book, books });
    this.layout();
    await this.load();
  }

  get label() {
    return this.metrics.find(({ name }) => name === this.metric)?.label ?? this.metric;
  }

  /** The metric to which the codes of the listed errors belong. If the list shows the errors of a part of a metric's
   * scores (such as recall), it is the whole metric. */
  get own() {
    return this.metrics.find(({ name }) => name === this.metric)?.own ?? this.metric;
  }

  get codebook() {
    return this.books.find(({ name }) => name === this.book) ?? this.books[0];
  }

  // ---- drawing the list and moving in it

  draw() {
    const { found, page, label, at, coder, codings: { given } } = this;
    if (!found) return;
    this.codes.replaceChildren(
      ...codeButtons(this.codebook, (key) => this.next(() => this.give(key))),
      button("Undo", () => this.next(() => this.undo()), "quiet-button", { disabled: !this.undone.length }),
      button("Keys", () => showCodingKeys(this.codebook), "quiet-button"),
    );
    if (!found.total) {
      this.pager.replaceChildren();
      return this.body.replaceChildren(
        paragraph(`No sample here has both a score of ${label} and a human judgement.`),
      );
    }
    const last = Math.ceil(found.total / found.page_size);
    this.body.replaceChildren(errorTable(found, { label, at, given, coder, go: (number) => this.go(number, true) }));
    const turned = pager({ page, last, name: "Pages of errors", go: (to) => this.turnTo(to) });
    this.pager.replaceWith(turned);
    this.pager = turned;
  }

  /** Go to a row of this page and show the row's sample.
   * @param {number} number index of the row
   * @param {boolean} [byPointer] whether a pointer chose the row; if a key chose it, the focus stays in the list */
  go(number, byPointer = false) {
    this.at = number;
    this.draw();
    this.body.focus({ preventScroll: true });
    this.body.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    const row = this.found?.rows[number];
    if (row) this.show(row.id, byPointer);
  }

  /** Move the current row by a number of rows, if necessary to another page of the list.
   * @param {number} by @returns {Promise<boolean>} whether the new row exists */
  async step(by) {
    if (!this.found) return false;
    const to = this.at + by, { rows, first, total, page_size: size } = this.found;
    if (to >= 0 && to < rows.length) this.go(to);
    else if (to < 0 && this.page > 1) await this.turnTo(this.page - 1, size - 1);
    else if (to >= rows.length && first - 1 + rows.length < total) await this.turnTo(this.page + 1);
    else return false;
    return true;
  }

  /** @param {number} page @param {number} [at] */
  async turnTo(page, at = 0) {
    Object.assign(this, { page, at });
    await this.load();
    if (this.found) this.go(Math.min(at, this.found.rows.length - 1));
  }

  // ---- coding

  /** Give the current row a code and go to the next row; null removes the code.
   * @param {string | null} code */
  async give(code) {
    if (!this.coder) {
      say(this.status, "First write your name or code into the field “Coder”.");
      this.name.focus();
      return;
    }
    const row = this.found?.rows[this.at];
    if (!row) return;
    this.undone.push({
      row,
      before: this.codings.of(row.key, this.coder),
      page: this.page,
      at: this.at,
      coder: this.coder,
    });
    this.save(row, this.coder, code);
    const moved = code !== null && await this.step(1);
    if (!moved) this.draw();
  }

  async undo() {
    const last = this.undone.pop();
    if (!last) return say(this.status, "There is nothing to undo.");
    this.save(last.row, last.coder, last.before);
    if (last.page !== this.page) await this.turnTo(last.page, last.at);
    else this.go(last.at);
  }

  /** @param {ErrorRow} row @param {string} coder @param {string | null} code key of the code; null removes the code */
  save(row, coder, code) {
    this.codings.save(row, coder, code, this.codebook.codes.find(({ key }) => key === code)?.label);
  }
}
