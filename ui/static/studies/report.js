// A study's report as a dialog: the ratings of every metric, and whether metrics differ.

import { get, wordsOf } from "../shared/api.js";
import { dialog, el } from "../shared/dom.js";
import { actions, paragraph, quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/report`>} StudyReport */

/** Fetch the report of a study and show it. If there is none, say why.
 * @param {Study} study */
export async function showReport({ id, name }) {
  let report;
  try {
    report = await get(`/api/studies/${id}/report`);
  } catch (error) {
    dialog("No report", paragraph(wordsOf(error)));
    return;
  }
  if (report.nothing) {
    const link = report.left_out.rows.length ? "" : " Send raters the study’s link.";
    dialog(`Report: ${name}`, paragraph(report.nothing, link), leftOut(report, name));
    return;
  }
  const box = dialog(
    `Report: ${name}`,
    report.ratings.rows.length > 0 && records(report.ratings, { file: `${name} ratings` }),
    report.tests.rows.length > 0 && records(report.tests, { file: `${name} differences` }),
    leftOut(report, name),
    report.ratings.rows.length > 0 &&
      quiet("Intervals are bootstrapped over items. “Cannot judge” answers are counted, but are not part of the mean."),
    actions(
      el("a", { href: `/api/studies/${id}/report.html`, download: true, class: "button" }, "Full report (.html)"),
    ),
  );
  box.classList.add("capscope");
}

/** Show which ratings the report excludes.
 * @param {StudyReport} report @param {string} name name of the study */
function leftOut(report, name) {
  return report.left_out.rows.length > 0 && records(report.left_out, { file: `${name} excluded` });
}
