// The choice of the metrics or data sets that the Analyse page looks at; at least one stays chosen.

import { el } from "../shared/dom.js";

/** @import { KnownMetric } from "../shared/wire.d.ts" */

/** @param {Pick<KnownMetric, "name" | "label">[]} metrics @param {string[]} chosen names @param {(names: string[]) => void} onChange */
export function metricBoxes(metrics, chosen, onChange) {
  return boxesOf("Metrics", metrics, chosen, onChange);
}

/** @param {string[]} names @param {string[]} chosen @param {(names: string[]) => void} onChange */
export function datasetBoxes(names, chosen, onChange) {
  return boxesOf("Columns of the table", names.map((name) => ({ name, label: name })), chosen, onChange);
}

/** @param {string} legend @param {{name: string, label: string}[]} offered @param {string[]} chosen
 * @param {(names: string[]) => void} onChange */
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
