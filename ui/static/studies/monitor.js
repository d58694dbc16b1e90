// The monitor of a study: participants by state and day, missing ratings, and the table of raters.

import { get, wordsOf } from "../shared/api.js";
import { dialog, el, say, table } from "../shared/dom.js";
import { actions, alertText, button, quiet } from "../shared/elements.js";
import { MonitoredRaters } from "./monitored_raters.js";
import { STATE_WORDS, STATES } from "./participant_states.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/participants`>} StudyMonitor */

const MOST_ITEMS = 200; // maximum number of rows in the list of items

/** Show a dialog with the current state of a study's raters and items.
 * @param {Study} study @param {() => void} onChange is called after raters were changed */
export async function showMonitor(study, onChange) {
  const problem = alertText(), facts = el("div", {});
  const raters = new MonitoredRaters(study, async () => {
    onChange();
    await refresh();
  });
  const box = dialog(
    `Monitoring of ${study.name}`,
    problem,
    actions(button("Refresh", () => refresh(), "small")),
    facts,
    raters.element,
  );
  box.classList.add("wide", "capscope", "monitor");
  await refresh();

  async function refresh() {
    try {
      const found = await get(`/api/studies/${study.id}/participants`);
      say(problem, "");
      facts.replaceChildren(...standing(found), ...tables(found));
      raters.show(found.raters);
    } catch (error) {
      say(problem, wordsOf(error));
    }
  }
}

/** @param {StudyMonitor} found @returns {Node[]} */
function standing({ now, shares_items: shares }) {
  const counts = STATES.map((state) =>
    el("div", {}, el("dt", {}, STATE_WORDS[state]), el("dd", {}, now[state].toLocaleString()))
  );
  const missing = shares
    ? "“Missing” is the number of ratings that an item still needs."
    : "Every rater rates every item, so “missing” is the number of open items of raters who have not finished.";
  return [
    el("h3", {}, "Participants now"),
    el("dl", { class: "state-counts" }, counts),
    quiet(missing),
  ];
}

/** @param {StudyMonitor} found @returns {Node[]} */
function tables({ days, flow, short, missing, shares_items: shares }) {
  const steps = flow.map(({ step, participants, why }) => [step, participants, why]);
  const heads = [
    "Day (UTC)",
    "arrived",
    "screened out",
    "began practice",
    "began rating",
    "finished",
    "returned",
    "excluded",
  ];
  const lines = days.map((line) => [line.day, ...STATES.map((state) => line[state])]);
  const needs = short.length === 1 ? "1 item needs" : `${short.length.toLocaleString()} items need`;
  const items = short.slice(0, MOST_ITEMS).map((one) => [one.item, one.key, one.finished, one.held, one.missing]);
  return [
    el("h3", {}, "By day"),
    table(heads, lines, "Participants by day"),
    el("h3", {}, "Items that need more ratings"),
    ...(!shares
      ? [quiet("Every rater rates every item, so there is no fixed number of ratings.")]
      : !short.length
      ? [quiet("No item needs more ratings.")]
      : [
        el(
          "details",
          { open: short.length <= 10 },
          el("summary", {}, `${needs} more ratings; ${missing.toLocaleString()} ratings are missing`),
          table(["Item", "Sample", "Finished", "Raters at work", "Missing"], items, "Items that need more ratings"),
          short.length > MOST_ITEMS && quiet(`The list shows the ${MOST_ITEMS} items with the most missing ratings.`),
        ),
      ]),
    el("h3", {}, "Participant flow"),
    ...(steps.length
      ? [table(["Step", "Participants", "Reasons"], steps, "Participant flow")]
      : [quiet("No rater has opened the study yet.")]),
  ];
}
