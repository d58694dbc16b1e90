// How far scores are from human ratings. The section shows errors on three scales and mean ratings of captions with
// similar scores.

import { colour, el, present } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";
import { Section } from "./in_sight.js";
import { seriesColour } from "./plot_looks.js";
import { drawn } from "./plots.js";
import { sectionFigure } from "./section_figure.js";

/** @import { Calibrations } from "../shared/wire.d.ts" */
/** @import { PlotBox } from "../shared/types.d.ts" */
/** @import { Looked } from "./error_sections.js" */

const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"]; // these distinguish lines without colour

export class CalibrationSection {
  constructor() {
    this.part = new Section("calibration", "How far scores differ from human judgements");
    this.section = this.part.node;
    /** @type {Looked} */
    this.looked = { dataset: "", metrics: [], chosen: [], extra: {}, annotated: 0 };
    /** @type {(() => Promise<void>)[]} functions that redraw the section's figures in the current colours */
    this.figures = [];
  }

  /** @param {Looked} looked */
  open(looked) {
    const { dataset, metrics, extra } = this.looked = looked;
    this.figures = [];
    this.part.fill("Calibrating scores", async (ask) => {
      const found = await ask(
        `/api/analyse/calibration?${new URLSearchParams([
          ["dataset", dataset],
          ...metrics.map(({ name }) => ["metric", name]),
          ...Object.entries(extra),
        ])}`,
      );
      return this.parts(found);
    });
  }

  redraw() {
    for (const draw of this.figures) draw();
  }

  /** @param {Calibrations} found */
  parts(found) {
    const name = present(this.looked.dataset, this.looked.extra.slice).join(" ");
    return [
      records(found.errors, { file: `${name} errors` }),
      quiet(
        "A metric can order captions as people do, but give higher or lower scores. Then errors are large if they " +
          "are computed from the scores, and zero if they are computed from ranks. " +
          "Calibrated errors compare a score with the mean human judgement of other images’ captions with a " +
          "similar score. A positive error means that the metric rates the caption higher than people.",
      ),
      el(
        "div",
        { class: "study-figures" },
        this.figure("Calibration", `${name} calibration`, (box) => drawCalibration(box, found)),
      ),
      folded("The bins of the calibration plot", records(found.bins, { file: `${name} calibration` })),
    ];
  }

  /** Make a figure of the section, and store the function that draws it again.
   * @param {string} title @param {string} name @param {(box: PlotBox) => Promise<void>} draw draws the figure */
  figure(title, name, draw) {
    const { node, redraw } = sectionFigure(title, name, draw);
    this.figures.push(redraw);
    return node;
  }
}

/** @param {string} words @param {Node} content */
function folded(words, content) {
  return el("details", {}, el("summary", {}, words), content);
}

/** @param {PlotBox} box @param {Calibrations} found */
function drawCalibration(box, { curves, bins }) {
  const traces = curves.flatMap(({ label, fit }, number) => {
    const rows = bins.rows.filter((row) => row.label === label);
    const look = { color: seriesColour(number) };
    return [
      {
        type: "scatter",
        mode: "lines",
        name: label,
        legendgroup: label,
        showlegend: false,
        x: fit.map(([score]) => score),
        y: fit.map(([, human]) => human),
        hoverinfo: "skip",
        line: { ...look, width: 1.5, dash: DASHES[number % DASHES.length] },
      },
      {
        type: "scatter",
        mode: "markers",
        name: label,
        legendgroup: label,
        x: rows.map(({ score }) => score),
        y: rows.map(({ human }) => human),
        customdata: rows.map(({ n }) => n),
        hovertemplate: "score %{x:.3f}, people %{y:.3f}, %{customdata} captions",
        marker: { ...look, size: 8, symbol: number },
        error_y: {
          type: "data",
          symmetric: false,
          thickness: 1.5,
          width: 3,
          array: rows.map((row) => (row.ci_high ?? row.human) - row.human),
          arrayminus: rows.map((row) => row.human - (row.ci_low ?? row.human)),
        },
      },
    ];
  });
  const diagonal = {
    type: "line",
    x0: 0,
    y0: 0,
    x1: 1,
    y1: 1,
    line: { color: colour("--edge", box), width: 1, dash: "dot" },
  };
  return drawn(
    box,
    traces,
    { x: { title: "score, rescaled to 0–1", range: [0, 1] }, y: { title: "mean human judgement", range: [0, 1] } },
    "Mean human judgement of captions with similar scores, with 95 % intervals, and a fitted curve that never falls. The table of bins has the same numbers.",
    { shapes: [diagonal], showlegend: true, legend: LEGEND, margin: MARGINS },
  );
}

const LEGEND = { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" };
const MARGINS = { l: 56, r: 12, t: 40, b: 48 };
