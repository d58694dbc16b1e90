// The checkboxes for the metrics or data sets that the Analyse page shows. At least one always stays checked.

import { el } from "../shared/dom.js";

/** @import { KnownMetric } from "../shared/wire.d.ts" */

/** Make a checkbox for each metric.
 * @param {Pick<KnownMetric, "name" | "label">[]} metrics @param {string[]} chosen names of the checked metrics
 * @param {(names: string[]) => void} onChange is called with the names of the checked metrics */
export function metricBoxes(metrics, chosen, onChange) {
  return boxesOf("Metrics", metrics, chosen, onChange);
}

/** Make a checkbox for each data set.
 * @param {string[]} names @param {string[]} chosen names of the checked data sets
 * @param {(names: string[]) => void} onChange is called with the names of the checked data sets */
export function datasetBoxes(names, chosen, onChange) {
  return boxesOf("Columns of the table", names.map((name) => ({ name, label: name })), chosen, onChange);
}

/** Make a group of checkboxes.
 * @param {string} legend @param {{name: string, label: string}[]} offered @param {string[]} chosen checked names
 * @param {(names: string[]) => void} onChange is called with the checked names */
function boxesOf(legend, offered, chosen, onChange) {
  const boxes = offered.map(({ name, label }) => {
    const box = el("input", { type: "checkbox", checked: chosen.includes(name), change: () => turned(box) });
    return { name, label, box };
  });
  const turned = (/** @type {HTMLInputElement} */ turnedBox) => {
    const names = boxes.filter(({ box }) => box.checked).map(({ name }) => name);
    if (names.length) onChange(names);
    else turnedBox.checked = true;
  };
  const labels = boxes.map(({ label, box }) => el("label", { class: "choice" }, box, label));
  return [el("legend", {}, legend), ...labels];
}
