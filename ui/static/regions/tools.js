// The tools for the regions of a picture: which regions are shown, whether outlines show recalls, zoom and saving.

import { el } from "../shared/dom.js";
import { button, picker } from "../shared/elements.js";

/** @type {[string, string][]} */
const SHOWN = [["all", "all"], ["mentioned", "mentioned"], ["unmentioned", "not mentioned"], ["none", "none"]];

/** Make a toolbar. It calls functions of the view: show(which), strengthen(byRecall), zoom(steps), save(kind).
 * @param {HTMLElement} zoomLevel shows the level of zoom
 * @param {{show: (which: string) => void, strengthen: (byRecall: boolean) => void, zoom: (steps: number) => void,
 *   save: (kind: "svg" | "png") => void}} does */
export function toolbar(zoomLevel, does) {
  const strength = el("input", { type: "checkbox", change: () => does.strengthen(strength.checked) });
  const zoom = (/** @type {string} */ sign, /** @type {number} */ steps, /** @type {string} */ name) =>
    button(sign, () => does.zoom(steps), "small", { "aria-label": name });
  const save = (/** @type {"png" | "svg"} */ kind) => {
    const name = kind.toUpperCase();
    return button(`Save ${name}`, () => does.save(kind), "small", {
      "aria-label": `Save the picture with its regions as ${name}`,
    });
  };
  return el(
    "div",
    { class: "region-tools" },
    el("label", {}, "Regions shown ", picker({}, SHOWN, "all", does.show)),
    el("label", {}, strength, " Stronger outlines for larger recalls"),
    el("span", { class: "zoom" }, zoom("−", -1, "Zoom out"), zoomLevel, zoom("+", 1, "Zoom in")),
    el("span", { class: "save" }, save("png"), save("svg")),
  );
}
