// The second step of an import: the first rows, the meanings of columns, and a preview of the samples.

import { latest, request, wordsOf } from "../shared/api.js";
import { el, field, say, table } from "../shared/dom.js";
import { alertText, quiet } from "../shared/elements.js";

/** @import { FormatJson, ImportBody, LookJson } from "../shared/wire.d.ts" */

const LOOK_MS = 150_000;
const PAUSE_MS = 300; // ms after the last keypress, before the preview is made again
const NAMES = {
  image: "Picture",
  caption: "Caption",
  system: "Captioner",
  references: "References",
  human: "Human judgement",
  score: "Score",
  explanation: "Explanation of the score",
  id: "Id",
};
// matches columns that Capscope reads by their names; values of other columns can be stored as filters for slices
const READ =
  /^(id|image|caption|system|references|human|judgements|pair|scores?|own|explanation|(score|component|rationale):.*)$/;
const MOST_KEPT = 20;
const UNIT = [0, 1];
const LONG = 24; // a cell with more characters than this gets a wide column

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
    this.isSure = false; // whether the shown preview can be imported
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
      found.records.length ? read(found.records) : "",
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
    this.columns.replaceChildren(
      ...(head ? Object.entries(NAMES).map(([name, label]) => this.column(name, label, head.columns)) : []),
      ...(about?.takes_layout && head ? [this.scale("human", "human judgements"), this.scale("score", "scores")] : []),
      ...(about?.takes_metric
        ? [this.named("metric", "Metric of the scores", "If empty, the name from the file or the format is used.")]
        : []),
      ...(about?.takes_system
        ? [
          this.named(
            "system",
            "Captioner who wrote all captions",
            "Leave this empty if the file names the captioners, or if they are unknown.",
          ),
        ]
        : []),
      ...(about?.takes_layout && head ? this.kept(head.columns) : []),
    );
  }

  /** Offer to store the values of columns that Capscope does not read, so that slices can filter by them.
   * @param {string[]} columns */
  kept(columns) {
    const { body } = this, read = Object.values(body.columns);
    const others = columns.filter((column) => !READ.test(column) && !read.includes(column));
    if (!others.length) return [];
    const boxes = others.map((column) => {
      const box = el("input", {
        type: "checkbox",
        checked: body.keep.includes(column),
        change: () => {
          const kept = body.keep.filter((name) => name !== column);
          body.keep = box.checked ? [...kept, column].slice(0, MOST_KEPT) : kept;
          box.checked = body.keep.includes(column);
          this.look();
        },
      });
      return el("label", { class: "choice" }, box, column);
    });
    return [
      el("fieldset", { class: "choices" }, el("legend", {}, "Columns to keep, to filter by their values"), boxes),
    ];
  }

  /** Build the menu from which users choose the column for a field.
   * @param {string} name name of the field @param {string} label @param {string[]} columns */
  column(name, label, columns) {
    const { body } = this;
    const select = el(
      "select",
      {
        id: `bring-${name}`,
        change: () => {
          if (select.value) body.columns[name] = select.value;
          else delete body.columns[name];
          this.look();
        },
      },
      el("option", { value: "" }, "none"),
      columns.map((column) => el("option", { value: column }, column)),
    );
    select.value = body.columns[name] ?? "";
    return field(label, select);
  }

  /** @param {"human" | "score"} of @param {string} label */
  scale(of, label) {
    const { body } = this;
    const ends = [...(body[`${of}_scale`] ?? UNIT)];
    const end = (/** @type {number} */ place, /** @type {string} */ words) =>
      el("input", {
        id: place ? `bring-${of}-high` : `bring-${of}-low`,
        type: "number",
        step: "any",
        required: true,
        value: ends[place],
        "aria-label": `${words} of the ${label}`,
        input: (/** @type {Event} */ { target }) => {
          ends[place] = /** @type {HTMLInputElement} */ (target).valueAsNumber;
          if (ends.some(Number.isNaN)) return;
          body[`${of}_scale`] = String(ends) === String(UNIT) ? null : /** @type {number[]} */ ([...ends]);
          this.later();
        },
      });
    const low = end(0, "Lowest"), high = end(1, "Highest");
    const id = `bring-${of}-scale`;
    return el(
      "div",
      { class: "field", role: "group", "aria-labelledby": id },
      el("strong", { id }, `Scale of ${label}`),
      el("span", { class: "ends" }, low, "to", high),
    );
  }

  /** Build the text field for the name of the metric or captioner.
   * @param {"metric" | "system"} of @param {string} label @param {string} hint */
  named(of, label, hint) {
    const input = el("input", {
      id: of === "metric" ? "bring-metric" : "bring-captioner",
      maxlength: 100,
      value: this.body[of] ?? "",
      input: () => {
        this.body[of] = input.value.trim() || null;
        this.later();
      },
    });
    return field(label, input, el("span", { class: "quiet" }, hint));
  }
}

/** Say which columns' values are stored. @param {readonly string[]} columns */
export function keptText(columns) {
  return `${columns.length === 1 ? "This column is" : "These columns are"} kept, to filter by: ${columns.join(", ")}.`;
}

/** Build a cell. A long text gets a wide column. @param {string} text */
function roomy(text) {
  return text.length > LONG ? el("span", { class: "prose", title: text }, text) : text;
}

/** @param {LookJson["records"]} records */
function read(records) {
  const scores = (/** @type {LookJson["records"][number]} */ one) =>
    one.scores.map(({ metric, value }) => `${metric} ${value ?? "error"}`).join(", ");
  const explanations = (/** @type {LookJson["records"][number]} */ one) =>
    one.scores.map(({ explanation }) => explanation).filter(Boolean).join(" · ");
  const isExplained = records.some(explanations);
  const isNamed = records.some(({ system }) => system);
  return table(
    [
      "Picture",
      "Caption",
      ...(isNamed ? ["Captioner"] : []),
      "References",
      "Human (0–1)",
      "Scores",
      ...(isExplained ? ["Explanation"] : []),
    ],
    records.map((one) => [
      roomy(one.image),
      roomy(one.caption),
      ...(isNamed ? [roomy(one.system ?? "")] : []),
      one.references,
      one.human ?? "",
      roomy(scores(one)),
      ...(isExplained ? [roomy(explanations(one))] : []),
    ]),
    "Preview of the samples",
  );
}
