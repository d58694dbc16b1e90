// Which plots there are, what lies along their axes, and where the data of the first one are.

import { densityPath, MANY } from "./large_plot.js";

/** @import { Metric } from "../shared/types.d.ts" */
/** @import { KnownMetric } from "../shared/wire.d.ts" */
/** @import { Drawn } from "./large_plot.js" */
/** @typedef {{metric: string, raw: boolean} | null} Score whose scores lie along an axis; null: people's */
/** @typedef {{dataset: string, samples: number, known: KnownMetric[], metric: string[], slice?: string, plot: string}} PlotState what is looked at;
 * samples: of the data set; known: the metrics that are looked at */

export const PLOTS = {
  human: "Score against human",
  level: "Distribution per human level",
  raw: "Raw against smoothed",
  metrics: "Metric against metric",
};
const HUMAN = "human judgement, rescaled to 0–1";

/** Where the first plot's data are: counts of many samples, or the arrays of the chosen metrics.
 * @param {PlotState} state */
export function firstPath(state) {
  if (state.samples <= MANY) return pointsPath(state);
  return densityPath({ ...state, ...axesOf("human", state.known[0], state.known[0]) });
}

/** What lies along both axes of a plot of one or two metrics.
 * @param {string} plot @param {Metric | KnownMetric} first @param {Metric | KnownMetric} second */
export function axesOf(plot, first, second) {
  /** @param {Metric | KnownMetric} metric @param {boolean} [raw] @returns {Drawn["x"]} */
  const of = (metric, raw = false) => ({
    of: { metric: metric.name, raw },
    range: metric.scale,
    title: raw ? `${metric.label} before smoothing` : metric.label,
  });
  /** @type {Drawn["x"]} */
  const people = { of: null, range: [0, 1], title: HUMAN };
  if (plot === "human") return { x: of(first), y: people };
  return plot === "raw" ? { x: of(first, true), y: of(first) } : { x: of(first), y: of(second) };
}

/** Where the arrays of the chosen metrics are.
 * @param {Pick<PlotState, "dataset" | "metric" | "plot">} state @returns {`/api/analyse/points?${string}`} */
export function pointsPath({ dataset, metric, plot }) {
  const raw = plot === "raw" ? [["raw", "true"]] : [];
  return `/api/analyse/points?${new URLSearchParams([
    ["dataset", dataset],
    ...metric.map((name) => ["metric", name]),
    ...raw,
  ])}`;
}
