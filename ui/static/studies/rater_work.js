// What one rater did in a study, item by item, with times and answers.

import { get, wordsOf } from "../shared/api.js";
import { dialog, el, table } from "../shared/dom.js";
import { paragraph, quiet } from "../shared/elements.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/raters/${string}/work`>["items"][number]} WorkedItem */

const HEADS = ["Place", "Item", "Caption", "First seen", "Finished", "Seconds", "Answers", "Note"];

/** @type {Record<string, string>} */
const ROLES = { training: "practice", gold: "gold", repeat: "repetition of " };

/** @param {Study} study @param {string} code */
export async function showWork(study, code) {
  let items;
  try {
    ({ items } = await get(`/api/studies/${study.id}/raters/${encodeURIComponent(code)}/work`));
  } catch (error) {
    dialog("Not shown", paragraph(wordsOf(error)));
    return;
  }
  const finished = items.filter((item) => item.finished_at !== null).length;
  const box = dialog(
    `Work of ${code} in ${study.name}`,
    paragraph(`${finished} of ${items.length} items are finished. The table shows the latest answers.`),
    items.length ? table(HEADS, items.map(line), `What ${code} did`) : quiet("This rater has no items yet."),
  );
  box.classList.add("wide", "capscope", "work");
}

/** @param {WorkedItem} item */
function line(item) {
  const { place, item: number, role, caption, seconds, note } = item;
  const what = role === "item" ? String(number) : role === "repeat" ? `${ROLES.repeat}${number}` : ROLES[role] ?? role;
  return [
    place ?? "given back",
    what,
    el("span", { class: "prose", dir: "auto" }, caption),
    time(item.started_at),
    time(item.finished_at),
    seconds === null ? "–" : seconds.toFixed(1),
    el("span", { class: "prose" }, answersOf(item)),
    el("span", { class: "prose", dir: "auto" }, note),
  ];
}

/** @param {WorkedItem} item */
function answersOf({ answers }) {
  const several = new Set(answers.map(({ panel }) => panel)).size > 1;
  return answers.map(({ panel, criterion, point }) =>
    `${several ? `${panel}. ` : ""}${criterion}: ${pointWords(point)}`
  ).join("; ") || "none";
}

/** @param {number | null} point */
function pointWords(point) {
  return point === 0 ? "abstained" : point === -1 ? "no picture" : String(point);
}

/** @param {string | null} at */
function time(at) {
  return at ? new Date(at).toLocaleString() : "–";
}
