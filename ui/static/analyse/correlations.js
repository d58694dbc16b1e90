// The tables of agreement: taus or pairwise accuracies, ours beside the published, and which metric agrees better.

import { get, getSlowly, isRefused, latest, wordsOf } from "../shared/api.js";
import { el, rounded } from "../shared/dom.js";
import { interval, records } from "../shared/tables.js";
import { problem, working } from "../shared/notices.js";

/** @import { AccuracyRow, Correlations, DifferenceRow, PublishedFigure, TauRow } from "../shared/wire.d.ts" */

/** @type {Record<string, string>} */
const QUANTITIES = { tau_b: "τ-b ", tau_c: "τ-c ", accuracy: "" };

export class Agreement {
  constructor() {
    this.head = el("h2", { id: "agreement" }, "Agreement with human judgement");
    this.section = el(
      "section",
      { class: "analyse-section", "aria-labelledby": "agreement" },
      this.head,
      el("p", { class: "quiet working" }, "The plot comes first …"),
    );
    this.turn = latest();
  }

  /** Show the figures at once, then their intervals metric by metric, then comparisons. `query` makes the parameters for some metrics.
   * @param {string[]} metrics @param {(metrics: string[], more: Record<string, any>) => URLSearchParams} query */
  async show(metrics, query) {
    const isLast = this.turn();
    const ask = (/** @type {string[]} */ names, /** @type {boolean} */ intervals) =>
      (intervals ? getSlowly : get)(`/api/analyse/correlations?${query(names, intervals ? {} : { intervals: false })}`);
    const wait = working("Reading scores and judgements");
    this.section.replaceChildren(this.head, wait.node);
    try {
      const found = await ask(metrics, false);
      const done = working("Bootstrapping intervals, 1,000 draws of images", metrics.length + 1);
      for (let number = 0; isLast() && number < metrics.length; number++) {
        this.draw(found, done.node, number);
        done.step(number);
        replace(found, await ask([metrics[number]], true));
      }
      if (!isLast()) return;
      this.draw(found, done.node, metrics.length);
      done.step(metrics.length);
      const whole = metrics.length > 1 ? await ask(metrics, true) : found;
      if (isLast()) this.draw(whole, null, metrics.length);
    } catch (error) {
      if (isLast()) {
        this.section.replaceChildren(
          this.head,
          isRefused(error, "bad_request")
            ? el("p", { class: "quiet" }, wordsOf(error))
            : problem(error, () => this.show(metrics, query)),
        );
      }
    }
  }

  /** @param {Correlations} found @param {Element | null} waiting @param {number} done */
  draw(found, waiting, done) {
    const known = new Set([...new Set(found.taus.map(({ metric }) => metric))].slice(0, done));
    this.section.replaceChildren(
      this.head,
      ...[waiting, ...tables(found, (metric) => waiting === null || known.has(metric))].filter(Boolean),
    );
  }
}

/** Put a metric's rows, now with intervals, in the place of its rows without.
 * @param {Correlations} found @param {Correlations} more */
function replace(found, { taus }) {
  found.taus = found.taus.map((row) =>
    taus.find(({ metric, variant }) => metric === row.metric && variant === row.variant) ?? row
  );
}

/** @param {Correlations} found @param {(metric: string) => boolean} isDone */
function tables({ benchmark, taus, accuracies, differences }, isDone) {
  return [
    ...(taus.length ? tauTable(benchmark, taus, isDone) : []),
    accuracies.length > 0 && accuracyTable(accuracies),
    differences.length > 0 && differenceTable(differences),
  ];
}

/** @param {string} benchmark @param {TauRow[]} rows @param {(metric: string) => boolean} isDone */
function tauTable(benchmark, rows, isDone) {
  const compared = rows.some((row) => row.published.length);
  const title = compared ? "Ours beside the published" : "Kendall’s τ × 100";
  const source = compared
    ? "Published figures are the papers’, on whole benchmarks, not recomputed."
    : "Choose a convention to see the papers’ figures beside these, where they printed some for these metrics.";
  return [
    records(
      title,
      [
        ["metric", (row) => row.label],
        ["variant", (row) => row.variant],
        ["n", (row) => row.n.toLocaleString()],
        ["τ-b", (row) => percent(row.tau_b, row.convention === "b")],
        ["τ-c", (row) => percent(row.tau_c, row.convention === "c")],
        ["95 % interval", (row) => (isDone(row.metric) ? interval(row, 2) : "…")],
        ["tied pairs", (row) => row.ties.toLocaleString()],
        ["published", published],
        ["note", (row) => row.note],
      ],
      rows,
      { file: `${benchmark} agreement`, name: compared ? "Agreement: ours beside the published" : "Agreement" },
    ),
    el(
      "p",
      { class: "quiet" },
      `${benchmark}: Kendall’s τ × 100; the interval is that of τ-${
        rows[0].convention
      }, bootstrapped over images. ${source}`,
    ),
    ...smoothingRemarks(rows),
  ];
}

/** @param {AccuracyRow[]} rows */
function accuracyTable(rows) {
  return records("Pairwise accuracy × 100", [
    ["category", (row) => row.category],
    ["metric", (row) => row.label],
    ["variant", (row) => row.variant],
    ["pairs", (row) => row.n.toLocaleString()],
    ["accuracy", (row) => percent(row.accuracy, true)],
    ["ties", (row) => row.ties.toLocaleString()],
    ["half credit for ties", (row) => percent(row.accuracy_half_credit)],
    ["published", published],
    ["note", (row) => row.note],
  ], rows);
}

/** @param {DifferenceRow[]} rows */
function differenceTable(rows) {
  return records(
    "Which metric agrees better (paired bootstrap)",
    [
      ["metrics", (row) => `${row.first_label} − ${row.second_label} (τ-${row.tau})`],
      ["n", (row) => row.n.toLocaleString()],
      ["difference", (row) => percent(row.difference)],
      ["95 % interval", (row) => interval(row, 2)],
      ["p", (row) => (row.p === null ? "undefined" : rounded(row.p))],
      ["note", (row) => row.note],
    ],
    rows,
    { name: "Differences between metrics" },
  );
}

/** Say what smoothing did, because the two taus may tell opposite stories.
 * @param {TauRow[]} rows */
function smoothingRemarks(rows) {
  return rows.filter(({ variant }) => variant === "smoothed").flatMap((smoothed) => {
    const raw = rows.find(({ metric, variant }) => metric === smoothed.metric && variant === "raw");
    if (!raw || raw.tau_b === null || smoothed.tau_b === null) return [];
    const [c, b] = [smoothed.tau_c - raw.tau_c, smoothed.tau_b - raw.tau_b];
    const reverses = c * b < 0
      ? " The two disagree because τ-c counts tied scores as not ordered, τ-b leaves them out."
      : "";
    return [
      el("p", {}, `Smoothing moves ${smoothed.label} by ${signed(c)} in τ-c and by ${signed(b)} in τ-b.${reverses}`),
    ];
  });
}

/** @param {number | null} value @param {boolean} [isConvention] */
function percent(value, isConvention = false) {
  if (value === null) return "undefined";
  return el(isConvention ? "strong" : "span", { title: String(value) }, value.toFixed(2).replace("-", "−"));
}

/** @param {{published: PublishedFigure[]}} row */
function published({ published: numbers }) {
  if (!numbers.length) return "";
  return el(
    "span",
    {},
    numbers.map(({ quantity, value, category, paper, table: source }) =>
      el(
        "span",
        { class: "chip", title: source },
        category ? `${category} ` : QUANTITIES[quantity],
        el("strong", {}, value.toFixed(1)),
        ` · ${paper}`,
      )
    ),
  );
}

/** @param {number} value */
function signed(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
}
