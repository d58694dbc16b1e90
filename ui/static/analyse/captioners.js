// The section "Captioners": which captioner writes better captions by each score, whether metrics rank captioners as
// people do, and how stable the ranking is.

import { colour, present } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";
import { bring } from "./folding.js";
import { Section } from "./in_sight.js";
import { seriesColour } from "./plot_looks.js";
import { drawn } from "./plots.js";
import { sectionFigure } from "./section_figure.js";

/** @import { CaptionerComparison, Column, StabilityCurve } from "../shared/wire.d.ts" */
/** @import { PlotBox } from "../shared/types.d.ts" */
/** @import { Looked } from "./error_sections.js" */
/** @typedef {{title: string, columns: Column[], rows: object[], footnote?: string}} Shown a table to show */

const PEOPLE = "people"; // label of human judgements; other lines and bars have a metric's label
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"]; // these distinguish lines without colour
const STABLE = 95; // %
const STABILITY =
  "Would other images of the same kind rank the captioners in the same order? The probability is how often random halves of the " +
  "images give the order on this page. Another set with the same number of images gives this order about as often.";

export class CaptionerSection {
  constructor() {
    this.part = new Section("captioners", "Captioners");
    this.section = this.part.node;
    /** @type {(() => Promise<void>)[]} functions that redraw the section's figures in the current colours */
    this.figures = [];
  }

  /** @param {Looked} looked */
  open({ dataset, chosen, extra, captioners }) {
    this.figures = [];
    if (!captioners) return this.part.fold("This data set does not have two captioners.", bring("Import captioners"));
    this.part.fill("Comparing captioners", async (ask) => {
      const found = await ask(
        `/api/analyse/captioners?${new URLSearchParams([
          ["dataset", dataset],
          ...chosen.map(({ name }) => ["metric", name]),
          ...Object.entries(extra),
        ])}`,
      );
      return this.parts(found, present(dataset, extra.slice).join(" "));
    });
  }

  redraw() {
    for (const draw of this.figures) draw();
  }

  /** Return the parts of the section: a remark, tables and figures.
   * @param {CaptionerComparison} found @param {string} name first part of the file names of saved tables and figures */
  parts(found, name) {
    const { captioners, agreement, stability, battles, battle_agreement: byBattles, levels } = found;
    const some = (/** @type {Shown} */ table, /** @type {string} */ of) =>
      table.rows.length > 0 && records(table, { file: `${name} ${of}` });
    return present(
      quiet(
        "Each cell: rank, mean, 95 % interval. Intervals are bootstrapped over images, with the same images for all captioners.",
      ),
      records(captioners, { file: `${name} captioners` }),
      ...found.remarks.map((remark) => quiet(remark)),
      some(agreement, "rankings"),
      found.curves.length > 0 && this.figure(found.curves, name),
      found.curves.length > 0 && quiet(STABILITY),
      stability.rows.length > 0 && records(stability, { file: `${name} stability` }),
      some(battles, "Elo ratings"),
      some(byBattles, "Elo agreement"),
      some(levels, "battles by level"),
    );
  }

  /** @param {readonly StabilityCurve[]} curves @param {string} name */
  figure(curves, name) {
    const { node, redraw } = sectionFigure("Stability", `${name} stability`, (box) => drawCurves(box, curves));
    this.figures.push(redraw);
    return node;
  }
}

/** @param {PlotBox} box @param {readonly StabilityCurve[]} curves */
function drawCurves(box, curves) {
  const traces = curves.map(({ label, images, chances }, number) => ({
    type: "scatter",
    mode: "lines",
    name: label,
    x: images,
    y: chances,
    hovertemplate: "%{x:,} images: %{y:.1f} %",
    line: label === PEOPLE
      ? { width: 4, color: colour("--ink", box) }
      : { width: 2, color: seriesColour(number), dash: DASHES[number % DASHES.length] },
  }));
  const sizes = curves[0].images;
  const ends = [Math.log10(sizes[0]), Math.log10(sizes[sizes.length - 1])];
  const stable = {
    type: "line",
    xref: "paper",
    x0: 0,
    x1: 1,
    y0: STABLE,
    y1: STABLE,
    line: { color: colour("--edge", box), width: 1, dash: "dot" },
  };
  return drawn(
    box,
    traces,
    { x: { title: "images, logarithmic" }, y: { title: "probability of this ranking, %", range: [0, 100] } },
    "Probability that new images rank the captioners in the same order, for each number of images. " +
      "The table of stability shows the number of images for 95 %.",
    {
      shapes: [stable],
      showlegend: true,
      xaxis: {
        title: { text: "images, logarithmic", font: { size: 14 } },
        type: "log",
        dtick: 1, // ticks on the axis only at powers of ten
        range: ends,
        gridcolor: colour("--line", box),
      },
      legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
      margin: { l: 56, r: 12, t: 40, b: 48 },
    },
  );
}
