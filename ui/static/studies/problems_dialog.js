// The dialog "Problems": the items that raters reported.

import { get, wordsOf } from "../shared/api.js";
import { dialog, el, say } from "../shared/dom.js";
import { actions, paragraph, quiet } from "../shared/elements.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/reports`>[number]} ReportedItem */

/** @type {Record<string, string>} */
const REASONS = {
  broken_picture: "picture missing or broken",
  offensive: "offensive",
  cannot_judge: "cannot be judged",
  other: "something else",
};

/** @type {Record<string, string>} */
const ROLES = { training: "Practice item", gold: "Gold item", repeat: "Repeated item" };

/** @param {Study} study */
export async function showProblems(study) {
  const items = el("div", {});
  dialog(`Problems of ${study.name}`, items).classList.add("wide", "capscope");
  try {
    const reported = await get(`/api/studies/${study.id}/reports`);
    items.replaceChildren(...(reported.length ? reported.map(section) : [quiet("No rater has reported an item.")]));
  } catch (error) {
    say(items, wordsOf(error));
  }
}

/** @param {ReportedItem} item */
function section(item) {
  const { caption, reasons, skips, reports } = item;
  const counts = Object.entries(reasons).map(([reason, count]) => `${REASONS[reason]}: ${count}`).join(", ");
  return el(
    "section",
    { class: "reported" },
    el("h3", {}, nameOf(item)),
    el("p", { dir: "auto" }, `“${caption}”`),
    paragraph(counts, skips ? `; skipped by ${skips} ${skips === 1 ? "rater" : "raters"}` : ""),
    el(
      "ul",
      {},
      reports.map(({ code, reason, words, skipped, at }) =>
        el(
          "li",
          {},
          `${code}, ${new Date(at).toLocaleString()}: ${REASONS[reason]}${skipped ? ", skipped" : ""}. `,
          words && el("span", { dir: "auto" }, `“${words}”`),
        )
      ),
    ),
    actions(el("a", { href: `/inspect?sample=${item.sample}`, class: "button small" }, "See the sample")),
  );
}

/** Return the name of an item that a rater has reported. @param {ReportedItem} item */
function nameOf({ number, role }) {
  return number === null ? ROLES[role] ?? role : `Item ${number}`;
}
