// The thresholds at which a study's raters are flagged, and the dialog that changes them.

import { get, request } from "../shared/api.js";
import { dialog, el, field } from "../shared/dom.js";
import { alertText, paragraph, submitButton } from "../shared/elements.js";
import { Conflict } from "./conflict.js";

/** @import { Study } from "./page.js" */
/** @import { MonitorAnswer } from "./rater_quality.js" */
/** @typedef {keyof MonitorAnswer["thresholds"]} Threshold */

/** @type {[Threshold, string][]} */
const THRESHOLDS = [
  ["item_seconds", "Median seconds per item. Smaller values are flagged"],
  ["word_seconds", "Median seconds per word of the explanation. Smaller values are flagged"],
  [
    "run_chance",
    "Probability of a run of equal answers, given the other raters’ answers, 0 to 1. Smaller values are flagged",
  ],
  ["longest_run", "Equal answers in a row, if no other raters have answered. This value and larger values are flagged"],
  ["entropy", "Variation of answers, 0 to 1. Smaller values are flagged"],
  ["abstained", "Share of “cannot judge” answers, 0 to 1. This value and larger values are flagged"],
  ["gold_passed", "Share of gold items answered right, 0 to 1. Smaller values are flagged"],
  [
    "repeats_within_one",
    "Share of repeated items answered with at most one point difference, 0 to 1. Smaller values are flagged",
  ],
  ["correlation", "Correlation with the other raters, −1 to 1. Smaller values are flagged"],
  ["fewest_items", "Minimum number of items before times are evaluated"],
  ["fewest_run", "Minimum number of equal answers in a row before their probability is evaluated"],
  ["fewest_answers", "Minimum number of answers before their pattern is evaluated"],
  ["fewest_gold", "Minimum number of gold answers before they are evaluated"],
  ["fewest_repeats", "Minimum number of repeated answers before they are evaluated"],
];

/** Show the dialog that changes the thresholds at which raters are flagged.
 * @param {Study} study @param {MonitorAnswer} found @param {(found: MonitorAnswer) => void} onChange */
export function showWatch(study, found, onChange) {
  const problem = alertText();
  const inputs = THRESHOLDS.map(([name, label]) => ({
    name,
    label,
    input: number(`watch-${name}`, found.thresholds[name]),
  }));
  /** @type {Conflict<MonitorAnswer["thresholds"]>} */
  const conflict = new Conflict({
    names: Object.fromEntries(THRESHOLDS),
    mine: () => ({
      ...found.thresholds,
      ...Object.fromEntries(inputs.map(({ name, input }) => [name, Number(input.value)])),
    }),
    show: (theirs) => {
      for (const { name, input } of inputs) input.value = String(theirs[name]);
    },
    load: async () => {
      found = await get(`/api/studies/${study.id}/monitor`); // gold_every or repeat_every may have changed meanwhile
      return { values: found.thresholds, stamp: found.stamp };
    },
    send: async (thresholds, stamp) => {
      const often = { gold_every: found.gold_every, repeat_every: found.repeat_every };
      found = await request("PUT", `/api/studies/${study.id}/watch`, {
        thresholds: { ...thresholds },
        ...often,
        stamp,
      });
      onChange(found);
      box.close();
      return { values: found.thresholds, stamp: found.stamp };
    },
  });
  conflict.open(found.thresholds, found.stamp);
  const box = dialog(
    `Thresholds for raters of ${study.name}`,
    el(
      "form",
      { class: "watch", submit: (event) => conflict.submit(event, problem) },
      el(
        "fieldset",
        { class: "choices" },
        el("legend", {}, "Thresholds"),
        inputs.map(({ label, input }) => field(label, input)),
      ),
      conflict.element,
      problem,
      paragraph(submitButton("Save", "primary")),
    ),
  );
  box.classList.add("wide", "capscope");
}

/** @param {string} id @param {number | null} value */
function number(id, value) {
  return el("input", { id, type: "number", step: "any", value: value ?? "", inputmode: "decimal", required: true });
}
