// A study's report as a dialog: the ratings of every metric, and whether metrics differ.

import { get, wordsOf } from "../shared/api.js";
import { dialog, el, present } from "../shared/dom.js";
import { actions, paragraph, quiet } from "../shared/elements.js";
import { evidenceTables } from "../shared/evidence_tables.js";
import { records } from "../shared/tables.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/report`>} StudyReport */

/** Fetch the report of a study and show it. If there is none, say why.
 * @param {Study} study */
export async function showReport({ id, name }) {
  let report, decided;
  try {
    report = await get(`/api/studies/${id}/report`);
    decided = await get(`/api/studies/${id}/report?adjudicated=true`);
  } catch (error) {
    dialog("No report", paragraph(wordsOf(error)));
    return;
  }
  if (report.nothing) {
    const link = report.left_out.rows.length ? "" : " Send raters the study’s link.";
    dialog(`Report: ${name}`, paragraph(report.nothing, link), leftOut(report, name));
    return;
  }
  const { tables, choice } = withDecisions(report, decided, name);
  const box = dialog(
    `Report: ${name}`,
    choice,
    tables,
    leftOut(report, name),
    report.ratings.rows.length > 0 &&
      quiet("Intervals are bootstrapped over items. “Cannot judge” answers are counted, but are not part of the mean."),
    actions(
      el("a", { href: `/api/studies/${id}/report.html`, download: true, class: "button" }, "Full report (.html)"),
      el("a", { href: `/api/studies/${id}/paper.zip`, download: true, class: "button" }, "For a paper (.zip)"),
    ),
  );
  box.classList.add("capscope");
  if (report.evidence) box.classList.add("wide");
}

/** Show which ratings the report excludes.
 * @param {StudyReport} report @param {string} name name of the study */
function leftOut(report, name) {
  return report.left_out.rows.length > 0 && records(report.left_out, { file: `${name} excluded` });
}

/** Build the tables of a report. If an adjudicator has decided disputes, users can choose to apply the decisions.
 * @param {StudyReport} report @param {StudyReport} decided the report with the decisions @param {string} name */
function withDecisions(report, decided, name) {
  const tables = el("div", {});
  const show = (/** @type {StudyReport} */ one) =>
    tables.replaceChildren(
      ...present(
        ...(one.evidence && one.evidence.judgements > 0 ? [evidenceTables(one.evidence, name)].flat() : []),
        one.ratings.rows.length > 0 && records(one.ratings, { file: `${name} ratings` }),
        one.tests.rows.length > 0 && records(one.tests, { file: `${name} differences` }),
      ),
    );
  const use = el("input", { type: "checkbox", change: () => show(use.checked ? decided : report) });
  show(report);
  const differ = JSON.stringify(report) !== JSON.stringify(decided);
  const words = " Use adjudicators’ decisions instead of the disputed answers";
  return { tables, choice: differ && paragraph(el("label", {}, use, words)) };
}
