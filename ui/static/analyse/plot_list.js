// The plots that people can choose: a row for each, which the choice, the address, the drawing and the files all read.
//
// A plot of one value against another has axes; the panel then draws the samples that are here, or the server's counts of
// many. Any other plot has a draw of its own for both.

import { densityPath, largePerLevel, MANY } from "./large_plot.js";
import { rawOf } from "./column_names.js";
import { perLevel } from "./plots.js";

/** @import { Metric, PlotBox, Points } from "../shared/types.d.ts" */
/** @import { KnownMetric } from "../shared/wire.d.ts" */
/** @import { Drawn, ScoreAxis } from "./large_plot.js" */
/** @typedef {string | null} Score name of the column along an axis; null: people's judgements */
/** @typedef {Pick<Drawn, "x" | "y">} PlotAxes */
/** @typedef {Metric | KnownMetric} AnyMetric */
/** @typedef {{dataset: string, samples: number, known: KnownMetric[], metric: string[], slice?: string, plot: string, rated: boolean}} PlotState what is
 * looked at; samples: of the data set; rated: people have judged single captions; known: the metrics that are looked at */
/** @typedef {object} Plot
 * @property {string} key in the address
 * @property {string} name in the choice
 * @property {number} metrics how many metrics people choose for it; 0: all that are looked at are drawn
 * @property {boolean} [needsHuman] draws human judgements
 * @property {boolean} [needsRaw] draws scores before smoothing
 * @property {(labels: string[], first: string, second: string) => string} fileName what a saved plot shows; labels: of all
 * @property {(metrics: AnyMetric[], first: AnyMetric) => string} [missing] why these metrics cannot be drawn, or ""
 * @property {(first: AnyMetric, second: AnyMetric) => PlotAxes} [axes]
 * @property {{here: (box: PlotBox, points: Points) => Promise<void>, many: (box: PlotBox, state: PlotState) => Promise<void>}} [draw]
 * here: of samples in this browser; many: of so many that the server counts them */

/** @type {ScoreAxis} */
const PEOPLE = { of: null, range: [0, 1], title: "human judgement, rescaled to 0–1" };

/** @type {Plot[]} the first one is shown to begin with */
export const PLOTS = [
  {
    key: "human",
    name: "Score against human",
    metrics: 1,
    needsHuman: true,
    fileName: (_, first) => `${first} against human`,
    axes: (first) => ({ x: scores(first), y: PEOPLE }),
  },
  {
    key: "level",
    name: "Distribution per human level",
    metrics: 0,
    needsHuman: true,
    fileName: (labels) => `${labels.join(" ")} per human level`,
    draw: { here: (box, { groups, metrics }) => perLevel(box, groups, metrics), many: largePerLevel },
  },
  {
    key: "raw",
    name: "Raw against smoothed",
    metrics: 1,
    needsRaw: true,
    fileName: (_, first) => `${first} raw against smoothed`,
    missing: (_, first) =>
      first.has_raw ? "" : `${first.label} has no scores before smoothing: only metrics that smooth theirs have them.`,
    axes: (first) => ({ x: scores(first, true), y: scores(first) }),
  },
  {
    key: "metrics",
    name: "Metric against metric",
    metrics: 2,
    fileName: (_, first, second) => `${second} against ${first}`,
    missing: (metrics) =>
      metrics.length > 1
        ? ""
        : "There is one metric only. Import or choose another one to set them against each other.",
    axes: (first, second) => ({ x: scores(first), y: scores(second) }),
  },
];

/** The plot of an address; the first one where there is no such plot. @param {string | null} key */
export function plotOf(key) {
  return PLOTS.find((plot) => plot.key === key) ?? PLOTS[0];
}

/** The plots to choose from: without human judgements, those that need none. @param {Pick<PlotState, "rated">} state */
export function plotsFor({ rated }) {
  return PLOTS.filter(({ needsHuman }) => rated || !needsHuman);
}

/** The plot that is drawn: the chosen one if it can be chosen, else the first that can be drawn of these metrics.
 * @param {Pick<PlotState, "rated" | "plot">} state @param {AnyMetric[]} metrics */
export function plotFor(state, metrics) {
  const plots = plotsFor(state);
  return plots.find(({ key }) => key === state.plot) ?? plots.find(({ missing }) => !missing?.(metrics, metrics[0])) ??
    plots[0];
}

/** A metric's scores along an axis. @param {AnyMetric} metric @param {boolean} [raw] before smoothing @returns {ScoreAxis} */
function scores({ name, label, scale }, raw = false) {
  return { of: raw ? rawOf(name) : name, range: scale, title: raw ? `${label} before smoothing` : label };
}

/** Where the first plot's data are: counts of many samples, or the arrays of the chosen metrics.
 * @param {PlotState} state */
export function firstPath(state) {
  const [metric, second] = state.known;
  if (state.samples <= MANY) return pointsPath(state);
  const axes = plotFor(state, state.known).axes?.(metric, second);
  return densityPath({ ...state, ...(axes ?? { x: scores(metric), y: PEOPLE }) });
}

/** Where the arrays of the chosen metrics are.
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
