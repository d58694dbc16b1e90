// A figure within a section: its title, the plot, and buttons that save it.

import { el, say } from "../shared/dom.js";
import { saveButtons } from "./figure_files.js";
import { savePlot } from "./plots.js";

/** @import { PlotBox } from "../shared/types.d.ts" */

/** Make a figure with buttons that save it.
 * @param {string} title @param {string} name name of the saved files
 * @param {(box: PlotBox) => Promise<void>} draw draws the figure into a box, again whenever the colours change
 * @param {"study-plot" | "small-plot"} kind @param {HTMLElement[]} more further buttons */
export function figure(title, name, draw, kind, ...more) {
  const box = /** @type {PlotBox} */ (el("div", { class: `plot ${kind}` }));
  const status = el("p", { class: "problem", role: "status" });
  const redraw = () => draw(box).catch((error) => say(status, error.message));
  const node = el(
    "figure",
    { class: "study-figure" },
    el("figcaption", {}, el("h3", {}, title)),
    box,
    status,
    saveButtons(title, (format) => savePlot(box, draw, format, name), ...more),
  );
  return { node, redraw };
}

/** Make a small figure that draws itself once it has a width.
 * @param {string} title @param {string} name @param {(box: PlotBox) => Promise<void>} draw */
export function sectionFigure(title, name, draw) {
  const made = figure(title, name, draw, "small-plot");
  requestAnimationFrame(made.redraw);
  return made;
}
