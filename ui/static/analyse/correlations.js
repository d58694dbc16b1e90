// The tables of agreement between metrics and people. They show taus or pairwise accuracies that are computed here,
// the published values beside them, and which of two metrics agrees better.

import { isRefused, latest, wordsOf } from "../shared/api.js";
import { el, present } from "../shared/dom.js";
import { paragraph, quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";
import { begin, CancelledHere, shown } from "../shared/long_work.js";
import { problem } from "../shared/notices.js";
import { bringJudgements, bringScores, fold, NO_METRIC, unfold } from "./folding.js";
import { smoothingRemarks } from "./smoothing.js";
import { halfUp } from "../shared/rounding.js";

/** @import { Correlations, PrintedRow } from "../shared/wire.d.ts" */
/** @import { Cell } from "../shared/types.d.ts" */
/** @import { Below } from "../shared/tables.js" */

const BOOTSTRAPPING = "Bootstrapping intervals with 1,000 resamples of images";

export class Agreement {
  constructor() {
    this.head = el("h2", { id: "agreement" }, "Agreement with human judgement");
    this.section = el(
      "section",
      { class: "analyse-section", "aria-labelledby": "agreement" },
      this.head,
      el("p", { class: "quiet working" }, "Waiting for the plot …"),
    );
    this.turn = latest();
    this.common = false; // true: count only captions that every chosen metric has scored
    this.withPrinted = false; // whether the tables also have figures that papers print for other metrics
    this.isWhole = true; // whether all samples of the data set are counted
    this.again = () => Promise.resolve(); // function that repeats the last call of show()
  }

  /** Show the correlations first, then each metric's intervals, then comparisons between metrics.
   * @param {string[]} metrics
   * @param {(metrics: string[], more: Record<string, any>) => URLSearchParams} query makes a request's parameters */
  async show(metrics, query) {
    const isLast = this.turn();
    this.isWhole = !this.common && !query(metrics, {}).has("slice"); // only then can values from papers be compared
    const ask = (/** @type {string[]} */ names, /** @type {boolean} */ intervals) => {
      const more = { ...(!intervals && { intervals }), ...(this.common && { common: metrics }) };
      return begin(`/api/analyse/correlations?${query(names, more)}`);
    };
    this.again = () => this.show(metrics, query);
    unfold(this.section);
    const place = el("div");
    this.section.replaceChildren(this.head, place);
    let found, number = 0;
    try {
      found = await shown(place, ask(metrics, false), "Reading scores and judgements");
      let last = found;
      for (; isLast() && number < metrics.length; number++) {
        this.draw(found, place, number);
        if (isUndefined(found, metrics[number])) continue; // the server computes no interval of an undefined value
        const more = await shown(place, ask([metrics[number]], true), BOOTSTRAPPING).catch((error) => {
          if (metrics.length > 1 && isRefused(error, "bad_request")) return null; // the metric's row says why it failed
          throw error;
        });
        if (more) replace(found, last = more);
      }
      if (!isLast()) return;
      this.draw(found, place, metrics.length);
      const whole = metrics.length > 1 ? await shown(place, ask(metrics, true), BOOTSTRAPPING) : last; // already whole
      if (isLast()) this.draw(whole, null, metrics.length);
    } catch (error) {
      if (!isLast()) return;
      const plain = isRefused(error, "bad_request");
      if (plain) return fold(this.section, this.head, wordsOf(error));
      const words = problem(error, this.again);
      if (found && error instanceof CancelledHere) this.draw(found, words, number);
      else this.section.replaceChildren(this.head, words);
    }
  }

  /** Fold the section to one line that says what is missing: human judgements or metric scores.
   * @param {string} dataset @param {boolean} [isRated] whether people have judged the data set's captions */
  missing(dataset, isRated = false) {
    this.turn();
    if (isRated) return fold(this.section, this.head, NO_METRIC, bringScores());
    fold(this.section, this.head, `Captions of ${dataset} have no human judgements.`, bringJudgements());
  }

  /** Make the checkbox that counts only captions that all metrics have scored.
   * Return null if the checkbox is off and would change nothing, as all metrics have scored equally many captions.
   * @param {Correlations} found */
  commonBox({ taus }) {
    const counts = new Set(taus.rows.map(({ n }) => n));
    if (!this.common && counts.size < 2) return null;
    const box = el("input", {
      type: "checkbox",
      checked: this.common,
      change: () => {
        this.common = box.checked;
        this.again();
      },
    });
    return el("label", { class: "choice" }, box, "use only captions that every chosen metric has scored");
  }

  /** Make the checkbox that adds the figures that papers print for other metrics. Return null if there are none.
   * @param {Correlations} found @param {() => void} redraw */
  printedBox({ printed }, redraw) {
    if (!printed.length) return null;
    const box = el("input", {
      type: "checkbox",
      checked: this.withPrinted,
      change: () => {
        this.withPrinted = box.checked;
        redraw();
      },
    });
    const others = new Set(printed.map(({ metric, variant }) => `${metric} ${variant}`)).size;
    return el("label", { class: "choice" }, box, `show what papers print for ${others} other metrics and variants`);
  }

  /** Draw the tables.
   * @param {Correlations} found @param {Element | null} waiting shown above the tables, such as a progress message
   * @param {number} done number of metrics whose intervals are computed */
  draw(found, waiting, done) {
    const known = new Set([...new Set(found.taus.rows.map(({ metric }) => metric))].slice(0, done));
    this.section.replaceChildren(
      this.head,
      ...found.remarks.map((remark) => el("p", { class: "notice-line" }, remark)),
      ...present(
        waiting,
        this.commonBox(found),
        this.printedBox(found, () => this.draw(found, waiting, done)),
        ...tables(
          this.withPrinted ? found : { ...found, printed: [] },
          (metric) => waiting === null || known.has(metric),
          this.isWhole,
        ),
      ),
    );
  }
}

/** Return whether a metric has rows of correlations, but all of them are undefined.
 * @param {Correlations} found @param {string} name the metric's name */
function isUndefined({ taus }, name) {
  const rows = taus.rows.filter(({ metric }) => metric === name);
  return rows.length > 0 && rows.every(({ tau_b: tau }) => tau === null);
}

/** Replace a metric's rows of correlations by the same rows with intervals.
 * @param {Correlations} found the shown correlations @param {Correlations} more the rows with intervals */
function replace(found, { taus }) {
  found.taus.rows = found.taus.rows.map((row) =>
    taus.rows.find(({ metric, variant }) => metric === row.metric && variant === row.variant) ?? row
  );
}

/** Make the tables of correlations and accuracies.
 * @param {Correlations} found @param {(metric: string) => boolean} isDone whether a metric's intervals are computed
 * @param {boolean} isWhole whether all samples of the data set are counted */
function tables(found, isDone, isWhole) {
  const below = found.printed.map(printedRow);
  const { benchmark, taus, accuracies, differences, accuracy_differences: compared } = found;
  return [
    ...(taus.rows.length ? tauTable(found, isDone, isWhole, below) : []),
    accuracies.rows.length > 0 && records(accuracies, { file: `${benchmark} pairwise accuracy`, below }),
    accuracies.rows.length > 0 && quiet("Intervals are bootstrapped over images, with 1,000 resamples."),
    differences.rows.length > 0 && records(differences, { file: `${benchmark} differences` }),
    compared.rows.length > 0 && records(compared, { file: `${benchmark} differences` }),
  ];
}

/** Make a row of a table from a figure that papers print for another metric.
 * @param {PrintedRow} printed @returns {Below} */
function printedRow(printed) {
  const { metric, variant, category, quantity, value, source } = printed;
  /** @type {Record<string, Cell>} */
  const cells = {
    label: el("span", { class: "as-printed" }, metric, " ", el("span", { class: "chip" }, "printed")),
    variant,
    category,
    [quantity]: el("span", { title: String(value) }, halfUp(value, 1)),
    published: el("span", { class: "printed-figure" }, source),
  };
  return {
    record: { ...printed, printed: true },
    cell: ({ fields: [field, second] }) => second ? "" : cells[field] ?? "",
  };
}

/** Make the table of correlations (Kendall's tau) and the remarks below it.
 * @param {Correlations} found
 * @param {(metric: string) => boolean} isDone whether a metric's intervals are computed
 * @param {boolean} isWhole whether all samples of the data set are counted
 * @param {Below[]} below figures that papers print for other metrics */
function tauTable({ benchmark, counted, taus, differences }, isDone, isWhole, below) {
  const source = !isWhole
    ? "The papers print figures for whole benchmarks only, so a part of a benchmark has no published figure."
    : taus.rows.some((row) => row.published.length)
    ? "Published figures are from the papers, for whole benchmarks. They are not recomputed."
    : "To see published figures here, choose a convention. Papers do not print figures for every metric.";
  return [
    records(taus, { file: `${benchmark} agreement`, isWaiting: (row) => !isDone(row.metric), below }),
    quiet(`${counted} Intervals of τ are bootstrapped over images, with 1,000 resamples. ${source}`),
    ...smoothingRemarks(taus.rows, differences.rows).map((words) => paragraph(words)),
  ];
}
