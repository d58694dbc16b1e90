// The second step of an import: the first rows, the meanings of columns, and a preview of the samples.

import { latest, request, wordsOf } from "../shared/api.js";
import { el, field, say, table } from "../shared/dom.js";
import { alertText, quiet } from "../shared/elements.js";
import { columnFields } from "./column_fields.js";
import { keptText, roomy, samplesTable } from "./sample_preview.js";

/** @import { FormatJson, ImportBody, LookJson } from "../shared/wire.d.ts" */

const LOOK_MS = 150_000;
const PAUSE_MS = 300; // ms after the last keypress, before the preview is made again

export class ColumnsStep {
  /** @param {string} key the import's key @param {Required<ImportBody>} body request that this step fills in
   * @param {FormatJson[]} formats @param {string[]} datasets names of existing data sets
   * @param {() => void} onShow is called after each preview */
  constructor(key, body, formats, datasets, onShow) {
    this.key = key;
    this.onShow = onShow;
    this.body = body;
    this.formats = formats;
    this.turn = latest();
    this.isSure = false; // whether the preview is up to date and has samples, so that they can be imported
    this.isTyping = false; // whether the user has typed something that needs a new preview
    this.looking = Promise.resolve(); // the last request for a preview
    this.format = el(
      "select",
      { id: "bring-format", change: () => this.choose() },
      el("option", { value: "" }, "choose"),
      formats.map(({ name, summary }) => el("option", { value: name, title: summary }, name)),
    );
    this.summary = el("span", { class: "quiet" });
    this.dataset = el("input", { id: "bring-dataset", maxlength: 80, list: "bring-datasets", value: body.dataset });
    this.dataset.addEventListener("input", () => this.later());
    this.adds = el("span", { class: "quiet" });
    this.datasets = datasets;
    this.names = el("datalist", { id: "bring-datasets" }, datasets.map((name) => el("option", { value: name })));
    this.head = el("div");
    this.columns = el("div", { class: "mapping" });
    this.found = el("div", { class: "preview", "aria-live": "polite" });
    this.command = el("code", { class: "command" });
    this.same = el(
      "p",
      { class: "quiet", hidden: true },
      "The same import as a command, run in the folder of the files: ",
      this.command,
    );
    this.nodes = [
      field("Format", this.format, this.summary),
      field("Data set", this.dataset, this.adds),
      this.names,
      this.head,
      this.columns,
      this.found,
      this.same,
    ];
    this.look();
  }

  /** Choose another file format, and guess the meaning of all columns again. */
  choose() {
    Object.assign(this.body, {
      format: this.format.value,
      columns: {},
      human_scale: null,
      score_scale: null,
      metric: null,
      system: null,
      keep: [],
    });
    this.columns.replaceChildren();
    this.look();
  }

  later() {
    clearTimeout(this.timer);
    this.isSure = false;
    this.isTyping = true;
    this.timer = setTimeout(() => this.look(), PAUSE_MS);
  }

  /** Fetch the preview. Only the response to the last request is shown. */
  look() {
    clearTimeout(this.timer);
    this.isTyping = false;
    this.looking = this.fetchPreview();
    return this.looking;
  }

  /** Wait until the preview reflects everything that the user has chosen and typed. */
  async settled() {
    if (this.isTyping) this.look();
    let last;
    do {
      last = this.looking;
      await last;
    } while (last !== this.looking);
  }

  async fetchPreview() {
    const isLast = this.turn();
    this.isSure = false;
    const name = this.dataset.value.trim();
    this.body.dataset = name;
    say(this.adds, this.datasets.includes(name) ? "This data set exists, so new rows are added to it." : "");
    this.found.setAttribute("aria-busy", "true");
    if (!this.found.childElementCount) this.found.replaceChildren(quiet("Reading the file …"));
    try {
      const found = await request("POST", `/api/imports/${this.key}/look`, this.body, {
        signal: AbortSignal.timeout(LOOK_MS),
      });
      if (isLast()) this.show(found);
    } catch (error) {
      if (isLast()) this.found.replaceChildren(alertText(wordsOf(error)));
    }
    if (!isLast()) return;
    this.found.removeAttribute("aria-busy");
    this.onShow();
  }

  /** @param {LookJson} found */
  show(found) {
    const { body } = this;
    body.format = this.format.value = found.format;
    say(this.summary, this.formats.find(({ name }) => name === found.format)?.summary ?? "");
    say(this.command, found.command);
    this.same.hidden = !found.command;
    if (found.guess) {
      body.columns = { ...found.guess.columns };
      body.human_scale = found.guess.human_scale;
      body.score_scale = found.guess.score_scale;
    }
    if (found.guess || !this.columns.childElementCount) this.ask(found);
    this.isSure = found.records.length > 0;
    this.found.replaceChildren(
      el("h4", {}, "Preview of the samples"),
      ...found.problems.map((problem) => alertText(problem)),
      ...found.notes.map((note) => quiet(note)),
      found.records.length ? samplesTable(found.records) : "",
      body.keep.length ? quiet(keptText(body.keep)) : "",
    );
  }

  /** @param {LookJson} found */
  ask({ format, head }) {
    const about = this.formats.find(({ name }) => name === format);
    this.head.replaceChildren(
      ...(head
        ? [
          el("h4", {}, "First rows of the file"),
          table(head.columns, head.rows.map((row) => row.map(roomy)), "First rows of the file"),
        ]
        : []),
    );
    const changed = { look: () => this.look(), later: () => this.later() };
    this.columns.replaceChildren(...columnFields(about, head, this.body, changed));
  }
}
