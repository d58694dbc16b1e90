// A study's report as a dialog: what raters said of every metric, and whether the metrics differ.

import { get, wordsOf } from "../shared/api.js";
import { dialog, el } from "../shared/dom.js";
import { records } from "../shared/tables.js";

/** @import { Study } from "./page.js" */

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
  if (!report.ratings.rows.length) {
    dialog(`Report: ${name}`, el("p", {}, "Nobody has rated yet. Send raters the study's link."));
    return;
  }
  dialog(
    `Report: ${name}`,
    records(report.ratings, { file: `${name} ratings` }),
    report.tests.rows.length > 0 && records(report.tests, { file: `${name} differences` }),
    el("p", { class: "quiet" }, "Intervals are bootstrapped over items. Abstentions are counted, never averaged."),
  );
}
