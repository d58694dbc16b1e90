// Shows where two scores differ: which of the two is nearer to the human judgements, and the samples with their
// pictures, largest difference first.

import { latest } from "../shared/api.js";
import { el, field, unseen } from "../shared/dom.js";
import { button, paragraph, picker, quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";
import { begin, shownIfSlow } from "../shared/long_work.js";
import { problem } from "../shared/notices.js";
import { rawOf } from "./column_names.js";
import { bring } from "./folding.js";
import { Section } from "./in_sight.js";
import { picturedRow, picturedTable } from "./pictured_rows.js";
import { sliceDialog } from "./slice_dialog.js";
import { SCALES } from "./error_rows.js";
import { rounded } from "../shared/rounding.js";

/** @import { KnownMetric, ListedPartings, PartedRow } from "../shared/wire.d.ts" */
/** @import { Looked } from "./error_sections.js" */
/** @typedef {{name: string, isRaw: boolean, label: string, scored: number}} OneScore a score to compare
 * name: name of the score's column; isRaw: whether it is not smoothed; scored: number of scored samples */

/** @type {Record<string, string>} */
const BY = {
  scores: "difference of the scores",
  ranks: "difference of their ranks",
  "first right": "only the first score is right",
  "second right": "only the second score is right",
};
/** @type {Record<string, string>} */
const LISTED = {
  scores: "with different scores",
  ranks: "with different ranks",
  "first right": "for which only the first score is right",
  "second right": "for which only the second score is right",
};
const SMALLEST_GAP = 0.25; // default gap: a new slice contains samples whose two scores differ by at least this

export class Partings {
  /** @param {(id: number) => void} show is called with the id of a sample that was chosen
   * @param {(slice: string) => void} made is called with the name of a new slice (a named subset of samples) */
  constructor(show, made) {
    this.show = show;
    this.made = made;
    this.part = new Section("partings", "Where two scores differ");
    this.section = this.part.node;
    this.chosen = { first: 0, second: 1, by: "scores", errors: "plain", tolerance: 0.25 };
    this.page = 1;
    /** @type {OneScore[]} */
    this.scores = [];
    this.dataset = "";
    /** @type {Record<string, string>} */
    this.extra = {};
    this.turn = latest();
    this.list = el("div");
    this.table = el("div");
  }

  /** @param {Looked} looked */
  open({ dataset, metrics, extra }) {
    const scores = everyScore(metrics);
    if (JSON.stringify(scores) !== JSON.stringify(this.scores)) Object.assign(this.chosen, firstPair(scores));
    Object.assign(this, { dataset, scores, extra, page: 1 });
    if (scores.length < 2) {
      const words = scores.length
        ? "There is only one metric’s score, so there is nothing to compare it with."
        : "Only people have scored these captions, so there is no metric’s score to compare.";
      return this.part.fold(words, bring("Import scores"));
    }
    this.part.fill("Comparing two scores", () => this.make());
  }

  async make() {
    await this.load();
    return [this.controls(), this.table, this.list];
  }

  controls() {
    const { chosen, scores } = this;
    const labels = scores.map(({ label }, at) => /** @type {const} */ ([at, label]));
    const score = (/** @type {"first" | "second"} */ side) =>
      picker({ id: `parting-${side}` }, labels, chosen[side], (at) => this.change({ [side]: Number(at) }));
    const pick = (/** @type {"by" | "errors"} */ name, /** @type {Record<string, string>} */ options) =>
      picker({ id: `parting-${name}` }, Object.entries(options), chosen[name], (key) => this.change({ [name]: key }));
    const tolerance = el("input", {
      id: "tolerance",
      type: "number",
      min: 0.01,
      max: 0.99,
      step: 0.01,
      value: chosen.tolerance,
      change: () => tolerance.reportValidity() && this.change({ tolerance: Number(tolerance.value) }),
    });
    return el(
      "div",
      { class: "search" },
      field("First", score("first")),
      field("Second", score("second")),
      field("List by", pick("by", BY)),
      field("Errors", pick("errors", SCALES)),
      field("Right: |error| below", tolerance),
      el("p", { class: "field makes" }, button("Make a slice …", () => this.makeSlice())),
    );
  }

  /** @param {Record<string, unknown>} changes */
  async change(changes) {
    Object.assign(this.chosen, changes);
    this.page = 1;
    if (this.chosen.first === this.chosen.second) {
      this.table.replaceChildren();
      return this.list.replaceChildren(quiet("Choose two different scores."));
    }
    await this.load();
  }

  /** Return the request parameters for the comparison of the two chosen scores. @returns {string[][]} */
  asked() {
    const { scores, chosen: { first, second, by, errors, tolerance } } = this;
    const [a, b] = [scores[first], scores[second]];
    return [
      ["dataset", this.dataset],
      ["first", a.name],
      ["second", b.name],
      ["by", by],
      ["errors", errors],
      ["tolerance", String(tolerance)],
      ...Object.entries(this.extra),
    ];
  }

  /** Fetch the current page of samples, and the table that says which score is nearer to the human judgements.
   * If load() is called again meanwhile, only the latest result is shown. */
  async load() {
    const isLast = this.turn();
    const asked = this.asked();
    let found, table;
    try {
      [found, table] = await Promise.all([
        shownIfSlow(
          this.list,
          begin(`/api/analyse/partings?${new URLSearchParams([...asked, ["page", String(this.page)]])}`),
          "Computing how far the scores differ",
        ),
        shownIfSlow(
          this.table,
          begin(`/api/analyse/nearer?${new URLSearchParams(asked)}`),
          "Computing which score is closer to human judgement",
        ),
      ]);
    } catch (error) {
      return isLast() && this.list.replaceChildren(problem(error, () => this.load()));
    }
    if (!isLast()) return;
    const name = `${this.dataset} ${this.scores[this.chosen.first].label} and ${this.scores[this.chosen.second].label}`;
    this.table.replaceChildren(
      table.rows.length ? records(table, { file: name }) : quiet(
        "No sample here has both scores and a human judgement, so neither score can be closer to human judgement.",
      ),
    );
    this.list.replaceChildren(...this.rows(found));
  }

  /** @param {ListedPartings} found */
  rows({ total, rows, first_label: first, second_label: second, page_size: size }) {
    if (!total) {
      return [paragraph("No samples here match this difference.")];
    }
    const heads = [unseen("picture"), "caption", "human", first, second, "gap"];
    return [
      quiet(
        `${total.toLocaleString()} ${total === 1 ? "sample" : "samples"} ${LISTED[this.chosen.by]}; ` +
          "scores are rescaled to 0–1.",
      ),
      ...picturedTable({
        name: "Samples with the largest differences between two scores",
        heads,
        rows: rows.map((row) => this.row(row)),
        pages: "Pages of samples with different scores",
        page: this.page,
        last: Math.ceil(total / size),
        go: (page) => {
          this.page = page;
          this.load();
        },
      }),
    ];
  }

  /** @param {PartedRow} row */
  row({ human, first, second, first_error: one, second_error: other, gap, ...sample }) {
    const number = (/** @type {number | null} */ value, /** @type {number | null} */ error = null) =>
      el(
        "td",
        { title: value === null ? "not judged" : String(value) },
        value === null ? "–" : rounded(value),
        error !== null && el("span", { class: "quiet" }, ` Δ ${signed(error)}`),
      );
    return picturedRow(
      sample,
      this.show,
      number(human),
      number(first, one),
      number(second, other),
      number(gap),
    );
  }

  /** Open the dialog that saves a slice of the samples whose scores differ by at least a given gap. Then show the
   * slice. */
  makeSlice() {
    const { scores, chosen } = this;
    const [first, second] = [scores[chosen.first], scores[chosen.second]];
    const alone = chosen.by.endsWith("right");
    const gap = el("input", { id: "parting-gap", type: "number", min: 0, max: 1, step: 0.01, value: SMALLEST_GAP });
    sliceDialog({
      title: "A slice of the captions with the largest differences between two scores",
      dataset: this.dataset,
      name: `${first.label} and ${second.label}: ${BY[chosen.by]}`.slice(0, 80),
      fields: !alone && field("Difference of at least", gap),
      conditions: () => ({
        parting: {
          first: first.name,
          second: second.name,
          by: chosen.by,
          errors: chosen.errors,
          tolerance: chosen.tolerance,
          ...(!alone && { gap: { low: Number(gap.value) } }),
        },
      }),
      done: this.made,
    });
  }
}

/** Return the scores of some metrics: each metric's scores, then its raw scores if the metric smooths scores.
 * @param {KnownMetric[]} columns @returns {OneScore[]} */
export function everyScore(columns) {
  const names = new Set(columns.map(({ name }) => name));
  return columns.flatMap(({ name, label, has_raw: hasRaw, scored }) => [
    { name, isRaw: false, label, scored },
    ...(hasRaw && !names.has(rawOf(name)) ? [{ name: rawOf(name), isRaw: true, label: `${label} raw`, scored }] : []),
  ]);
}

/** Return the default pair of scores: the two metrics with the most scored samples.
 * If there is only one metric, return its smoothed and raw scores.
 * @param {OneScore[]} scores */
function firstPair(scores) {
  const own = scores.flatMap(({ isRaw }, at) => (isRaw ? [] : [at]))
    .sort((a, b) => scores[b].scored - scores[a].scored);
  return own.length > 1 ? { first: own[0], second: own[1] } : { first: 0, second: 1 };
}

/** @param {number} value */
function signed(value) {
  return `${value < 0 ? "−" : "+"}${rounded(Math.abs(value))}`;
}
