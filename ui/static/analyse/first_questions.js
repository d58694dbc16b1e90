// What the Analyse page asks for before Gradio has drawn its frame.

import { early } from "../shared/api.js";
import { beginEarly } from "../shared/long_work.js";
import { firstPath, plotOf } from "./plot_list.js";
import { CROWDED, plotly } from "./plots.js";

/** Ask for what the first plot needs. */
export async function askEarly() {
  const query = new URLSearchParams(location.search);
  const scored = await early("/api/analyse/datasets");
  const shown = scored.find(({ name }) => name === query.get("dataset")) ?? scored[0];
  if (!shown) return;
  const { name: dataset, samples, rated } = shown;
  if (samples <= CROWDED) plotly().catch(() => {}); // who draws says what went wrong; where there are more, a first picture needs the time
  const known = await beginEarly(metricsPath(dataset)); // the first visit after a start reads all scores
  if (!known.length) return; // all its scores are errors
  const names = known.map(({ name }) => name), chosen = query.getAll("metric").filter((name) => names.includes(name));
  const metric = chosen.length ? chosen : names, slice = query.get("slice");
  const looked = known.filter(({ name }) => metric.includes(name));
  const plot = plotOf(query.get("plot")).key;
  beginEarly(firstPath({ dataset, samples, rated, known: looked, metric, plot, ...(slice && { slice }) }));
}

/** @param {string} dataset @returns {`/api/analyse/metrics?${string}`} */
export const metricsPath = (dataset) => `/api/analyse/metrics?${new URLSearchParams({ dataset })}`;
