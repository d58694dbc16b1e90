// The list of plots that people can choose. The menu, the page's address, the drawing and the saved files all use it.
//
// A plot that shows one value against another has `axes`. For such a plot, the panel draws each sample. If there are
// too many samples, it draws cells, each with the number of samples that the server has counted in it. Every plot
// without `axes` has its own function for each of these two cases, in `draw`.

import { densityPath, largePerLevel, MANY } from "./large_plot.js";
import { rawOf } from "./column_names.js";
import { perLevel } from "./plots.js";

/** @import { Metric, PlotBox, Points } from "../shared/types.d.ts" */
/** @import { KnownMetric } from "../shared/wire.d.ts" */
/** @import { Drawn, ScoreAxis } from "./large_plot.js" */
/** @typedef {string | null} Score the name of the column that an axis shows; null: the human judgements */
/** @typedef {Pick<Drawn, "x" | "y">} PlotAxes */
/** @typedef {Metric | KnownMetric} AnyMetric */
/** @typedef {{dataset: string, samples: number, known: KnownMetric[], metric: string[], slice?: string, plot: string,
 *   rated: boolean}} PlotState the data that the plot shows
 * samples: number of samples in the data set; rated: whether people have judged individual captions;
 * known: the metrics that are chosen on the page */
/** @typedef {object} Plot
 * @property {string} key the plot's key in the address
 * @property {string} name the plot's name in the menu
 * @property {string} [nameOfScores] the name if people gave some of the scores
 * @property {number} metrics how many metrics people choose for the plot; 0: it shows all metrics chosen on the page
 * @property {boolean} [needsHuman] whether the plot draws human judgements
 * @property {boolean} [needsRaw] whether the plot draws scores before smoothing
 * @property {(labels: string[], first: string, second: string) => string} fileName returns a name for the plot's file;
 * labels: labels of all metrics; first, second: labels of the chosen metrics
 * @property {(metrics: AnyMetric[], first: AnyMetric) => string} [missing] returns why these metrics cannot be drawn,
 * or ""
 * @property {(first: AnyMetric, second: AnyMetric) => PlotAxes} [axes]
 * @property
 * {{here: (box: PlotBox, points: Points) => Promise<void>, many: (box: PlotBox, state: PlotState) => Promise<void>}}
 * [draw]
 * here: draws each sample, from data that the browser has loaded; many: if there are too many samples, draws the counts
 * that the server sends instead */

/** @type {ScoreAxis} */
const PEOPLE = { of: null, range: [0, 1], title: "human judgement, rescaled to 0–1" };

/** @type {Plot[]} the first plot is the default */
export const PLOTS = [
  {
    key: "human",
    name: "Score and human judgement",
    metrics: 1,
    needsHuman: true,
    fileName: (_, first) => `${first} against human`,
    axes: (first) => ({ x: scores(first), y: PEOPLE }),
  },
  {
    key: "level",
    name: "Distribution by human rating",
    metrics: 0,
    needsHuman: true,
    fileName: (labels) => `${labels.join(" ")} per human level`,
    draw: { here: (box, { groups, metrics }) => perLevel(box, groups, metrics), many: largePerLevel },
  },
  {
    key: "raw",
    name: "Raw and smoothed score",
    metrics: 1,
    needsRaw: true,
    fileName: (_, first) => `${first} raw against smoothed`,
    missing: (_, first) =>
      first.has_raw
        ? ""
        : `${first.label} has no scores before smoothing, because only some metrics smooth their scores.`,
    axes: (first) => ({ x: scores(first, true), y: scores(first) }),
  },
  {
    key: "metrics",
    name: "One metric and another",
    nameOfScores: "One score and another",
    metrics: 2,
    fileName: (_, first, second) => `${second} against ${first}`,
    missing: (metrics) =>
      metrics.length > 1 ? "" : "There is only one metric. Import or choose a second metric to compare them.",
    axes: (first, second) => ({ x: scores(first), y: scores(second) }),
  },
];

/** Return the plot with the given key, or the first plot if none has this key. @param {string | null} key */
export function plotOf(key) {
  return PLOTS.find((plot) => plot.key === key) ?? PLOTS[0];
}

/** Return the plots to choose from. If there are no human judgements, omit the plots that draw them.
 * @param {Pick<PlotState, "rated">} state */
export function plotsFor({ rated }) {
  return PLOTS.filter(({ needsHuman }) => rated || !needsHuman);
}

/** Return what a score on the page is called: "Metric", or "Score" if people gave some of the scores.
 * @param {Pick<PlotState, "known">} state */
export function scoreWord({ known }) {
  return known.some(({ by_people: byPeople }) => byPeople) ? "Score" : "Metric";
}

/** Return the plot to draw: the chosen plot if available, else the first that can draw the given metrics.
 * @param {Pick<PlotState, "rated" | "plot">} state @param {AnyMetric[]} metrics */
export function plotFor(state, metrics) {
  const plots = plotsFor(state);
  return plots.find(({ key }) => key === state.plot) ?? plots.find(({ missing }) => !missing?.(metrics, metrics[0])) ??
    plots[0];
}

/** Make an axis of a metric's scores.
 * @param {AnyMetric} metric @param {boolean} [raw] whether to use the scores before smoothing @returns {ScoreAxis} */
function scores({ name, label, scale }, raw = false) {
  return { of: raw ? rawOf(name) : name, range: scale, title: raw ? `${label} before smoothing` : label };
}

/** Return the address of the data for the first plot.
 * If there are many samples, the data are counts of samples in cells. Otherwise they are arrays with the scores of the
 * chosen metrics.
 * @param {PlotState} state */
export function firstPath(state) {
  const [metric, second] = state.known;
  if (state.samples <= MANY) return pointsPath(state);
  const axes = plotFor(state, state.known).axes?.(metric, second);
  return densityPath({ ...state, ...(axes ?? { x: scores(metric), y: PEOPLE }) });
}

/** Return the address of the arrays that contain the chosen metrics' scores.
 * @param {PlotState} state @returns {`/api/analyse/points?${string}`} */
export function pointsPath(state) {
  const { dataset, metric, known } = state;
  const raw = plotFor(state, known).needsRaw ? [["raw", "true"]] : [];
  return `/api/analyse/points?${new URLSearchParams([
    ["dataset", dataset],
    ...metric.map((name) => ["metric", name]),
    ...raw,
  ])}`;
}
