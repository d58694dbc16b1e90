// Figures of the ratings in a study: mean ratings with intervals, and how often raters chose each point of the scale.

import { seriesColour } from "./plot_looks.js";
import { drawn } from "./plots.js";
import { colour } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { saveRecords } from "../shared/tables.js";
import { figure } from "./section_figure.js";

/** @import { PointShare, RatedMetric } from "../shared/wire.d.ts" */
/** @import { Axes } from "./plots.js" */
/** @import { PlotBox } from "../shared/types.d.ts" */

const ROW_PX = 26, FRAME_PX = 96; // height in px of a row of the figure, and of all space above and below the rows
/** @type {Record<string, string>} labels of values that stand on the scale but are not judgements */
const NAMED = { "0": "abstained", "-1": "no picture" };

/** Make a figure with its buttons. One button saves the figure's numbers as CSV.
 * @param {string} title @param {object[]} rows @param {string} name @param {(box: PlotBox) => Promise<void>} draw */
export function studyFigure(title, rows, name, draw) {
  const save = button("CSV", () => saveRecords(rows, name), "", { "aria-label": `${title} as CSV` });
  return figure(title, name, draw, "study-plot", save);
}

/** Draw the mean rating of each metric on each criterion, with its 95 % interval.
 * The axis shows the whole rating scale.
 * @param {RatedMetric[]} rows @param {number[]} scale points of the rating scale */
export function drawMeans(rows, scale) {
  const known = rows.flatMap(({ mean, ...row }) => mean === null ? [] : [{ mean, ...row }]);
  const traces = groups(known, ({ metric }) => metric).map(([metric, of], number) => ({
    type: "scatter",
    mode: "markers",
    name: metric,
    x: of.map(({ mean }) => mean),
    y: of.map(({ criterion }) => `${criterion} · ${metric}`),
    hovertemplate: "%{x:.3f}<extra></extra>",
    marker: { size: 10, color: seriesColour(number), symbol: SYMBOLS[number % SYMBOLS.length] },
    error_x: {
      type: "data",
      symmetric: false,
      thickness: 2,
      array: of.map((row) => (row.ci_high ?? row.mean) - row.mean),
      arrayminus: of.map((row) => row.mean - (row.ci_low ?? row.mean)),
    },
  }));
  const names = groups(known, ({ criterion }) => criterion).flatMap(([, of]) =>
    of.map(({ criterion, metric }) => `${criterion} · ${metric}`)
  );
  /** @type {Axes} */
  const axes = { x: { title: "mean rating", range: [scale[0], scale[scale.length - 1]] }, y: { title: "" } };
  return (/** @type {PlotBox} */ box) =>
    inRows(box, names, traces, axes, "Mean rating of each metric on each criterion. The table has the same numbers.");
}

/** Draw one bar for each metric and criterion. Its parts show how often raters chose each point of the scale.
 * @param {PointShare[]} shares @param {number[]} scale points of the rating scale */
export function drawDistribution(shares, scale) {
  const names = groups(shares, ({ criterion }) => criterion).flatMap((
    [, of],
  ) => [...new Set(of.map(({ criterion, metric }) => `${criterion} · ${metric}`))]);
  const points = [...new Set(shares.map(({ point }) => point))].sort((a, b) =>
    (a > 0 ? a : 100 - a) - (b > 0 ? b : 100 - b)
  );
  const most = scale[scale.length - 1];
  /** @type {Axes} */
  const axes = { x: { title: "share of ratings, %", range: [0, 100] }, y: { title: "" } };
  return (/** @type {PlotBox} */ box) => {
    const traces = points.map((point) => {
      const of = shares.filter((share) => share.point === point);
      return {
        type: "bar",
        orientation: "h",
        name: NAMED[point] ?? `point ${point}`,
        x: of.map(({ share }) => 100 * share),
        y: of.map(({ criterion, metric }) => `${criterion} · ${metric}`),
        customdata: of.map(({ count }) => count),
        hovertemplate: "%{customdata} ratings, %{x:.1f} %",
        text: of.map(() => String(point)),
        textposition: "inside",
        insidetextanchor: "middle",
        textangle: 0,
        constraintext: "none",
        marker: {
          color: shade(box, Math.max(0, point) / most),
          line: { color: colour("--edge", box), width: 1 },
          pattern: point <= 0 ? { shape: "/", fgcolor: colour("--edge", box), size: 6 } : undefined,
        },
      };
    });
    return inRows(box, names, traces, axes, "How often each rating was given. The CSV file has the same numbers.", {
      barmode: "stack",
    });
  };
}

/** Return a colour between the page's paper colour (part 0) and accent colour (part 1).
 * The colour is solid, not transparent, so that plotly can choose a readable text colour.
 * @param {PlotBox} box @param {number} part */
function shade(box, part) {
  const [paper, accent] = ["--paper", "--accent"].map((name) =>
    (colour(name, box).match(/[0-9a-f]{2}/gi) ?? []).map((pair) => parseInt(pair, 16))
  );
  return `rgb(${paper.map((from, i) => Math.round(from + 0.85 * part * (accent[i] - from))).join(",")})`;
}

const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "cross", "x"]; // these distinguish points without colour

/** Draw traces (plotly's data series) in a figure with one named row per entry of `names`.
 * @param {PlotBox} box @param {string[]} names @param {object[]} traces @param {Axes} axes
 * @param {string} description @param {object} [changes] layout settings that replace the defaults */
function inRows(box, names, traces, axes, description, changes = {}) {
  box.style.height = `${FRAME_PX + ROW_PX * names.length}px`;
  return drawn(box, traces, axes, description, {
    ...changes,
    yaxis: {
      type: "category",
      categoryorder: "array",
      categoryarray: [...names].reverse(),
      range: [-0.6, names.length - 0.4],
      automargin: true,
      gridcolor: colour("--line", box),
      fixedrange: true,
    },
    margin: { l: 8, r: 16, t: 24, b: 48 },
  });
}

/** Group rows by their key.
 * @template Row @param {Row[]} rows @param {(row: Row) => string} key @returns {[string, Row[]][]} */
function groups(rows, key) {
  const found = new Map();
  for (const row of rows) found.set(key(row), [...(found.get(key(row)) ?? []), row]);
  return [...found];
}
