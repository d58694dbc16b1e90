// A study's report as a dialog: what raters said of every metric, and whether the metrics differ.

import { get, wordsOf } from "../shared/api.js";
import { dialog, el, rounded, table } from "../shared/dom.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/report`>} Report */

/** Fetch the report and show it, or say why there is none.
 * @param {Study} study */
export async function showReport({ id, name }) {
  let report;
  try {
    report = await get(`/api/studies/${id}/report`);
  } catch (error) {
    dialog("No report", el("p", {}, wordsOf(error)));
    return;
  }
  if (!report.rows.length) {
    dialog(`Report: ${name}`, el("p", {}, "Nobody has rated yet. Send raters the study's link."));
    return;
  }
  dialog(
    `Report: ${name}`,
    table(["metric", "criterion", "n", "mean", "sd", "95 % interval", "abstained"], report.rows.map(ratingCells)),
    report.tests.length > 0 && [
      el("h3", {}, "Differences between metrics (Wilcoxon signed-rank on item means, Holm)"),
      table(["criterion", "metrics", "items", "difference", "p", "p (Holm)", ""], report.tests.map(testCells)),
    ],
    el("p", { class: "quiet" }, "Intervals are bootstrapped over items. Abstentions are counted, never averaged."),
  );
}

/** @param {Report["rows"][number]} row */
function ratingCells({ metric, criterion, n, mean, sd, ci_low: low, ci_high: high, abstain_rate: abstained }) {
  const between = low === null ? "–" : `${rounded(low)} … ${rounded(high)}`;
  return [metric, criterion, n, number(mean), number(sd), between, `${(100 * abstained).toFixed(1)} %`];
}

/** @param {Report["tests"][number]} test */
function testCells(test) {
  return [
    test.criterion,
    `${test.metric_a} − ${test.metric_b}`,
    test.n_items,
    number(test.mean_difference),
    number(test.p),
    number(test.p_holm),
    test.note,
  ];
}

/** @param {number | null} value */
function number(value) {
  return value === null ? "–" : rounded(value);
}
