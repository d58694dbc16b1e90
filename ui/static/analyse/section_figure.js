// A figure within a section: its title, the plot, and buttons that save it.

import { el, say } from "../shared/dom.js";
import { saveButtons } from "./figure_files.js";
import { savePlot } from "./plots.js";

/** @import { PlotBox } from "../shared/types.d.ts" */

/** Make a figure that draws itself when it has a width.
 * @param {string} title @param {string} name name of its files @param {(box: PlotBox) => Promise<void>} draw draws the
 * plot into a box */
export function sectionFigure(title, name, draw) {
  const box = /** @type {PlotBox} */ (el("div", { class: "plot small-plot" }));
  const status = el("p", { class: "problem", role: "status" });
  const redraw = () => draw(box).catch((error) => say(status, error.message));
  requestAnimationFrame(redraw);
  const node = el(
    "figure",
    { class: "study-figure" },
    el("figcaption", {}, el("h3", {}, title)),
    box,
    status,
    saveButtons(title, (format) => savePlot(box, draw, format, name)),
  );
  return { node, redraw };
}
