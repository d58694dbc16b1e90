// The preview of imported samples.

import { el, table } from "../shared/dom.js";

/** @import { LookJson } from "../shared/wire.d.ts" */

const LONG = 24; // characters; a longer cell gets a wide column

/** Say which columns' values are stored. @param {readonly string[]} columns */
export function keptText(columns) {
  return `${columns.length === 1 ? "This column is" : "These columns are"} kept, to filter by: ${columns.join(", ")}.`;
}

/** Build a cell. A long text gets a wide column. @param {string} text */
export function roomy(text) {
  return text.length > LONG ? el("span", { class: "prose", title: text }, text) : text;
}

/** Build the table of samples. @param {LookJson["records"]} records */
export function samplesTable(records) {
  const scores = (/** @type {LookJson["records"][number]} */ one) =>
    one.scores.map(({ metric, value }) => `${metric} ${value ?? "error"}`).join(", ");
  const explanations = (/** @type {LookJson["records"][number]} */ one) =>
    one.scores.map(({ explanation }) => explanation).filter(Boolean).join(" · ");
  const isExplained = records.some(explanations);
  const isNamed = records.some(({ system }) => system);
  return table(
    [
      "Picture",
      "Caption",
      ...(isNamed ? ["Captioner"] : []),
      "References",
      "Human (0–1)",
      "Scores",
      ...(isExplained ? ["Explanation"] : []),
    ],
    records.map((one) => [
      roomy(one.image),
      roomy(one.caption),
      ...(isNamed ? [roomy(one.system ?? "")] : []),
      one.references,
      one.human ?? "",
      roomy(scores(one)),
      ...(isExplained ? [roomy(explanations(one))] : []),
    ]),
    "Preview of the samples",
  );
}
