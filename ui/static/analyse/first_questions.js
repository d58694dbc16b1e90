// The requests that the Analyse page sends early, before Gradio has drawn the frame around the page.

import { early } from "../shared/api.js";
import { beginEarly } from "../shared/long_work.js";
import { partsAmong } from "./column_names.js";
import { firstPath, plotOf } from "./plot_list.js";
import { CROWDED, plotly } from "./plots.js";

/** Start the requests for the data of the first plot before the page is built. */
export async function askEarly() {
  const query = new URLSearchParams(location.search);
  const scored = await early("/api/analyse/datasets");
  const shown = scored.find(({ name }) => name === query.get("dataset")) ?? scored[0];
  if (!shown) return;
  const { name: dataset, samples, rated } = shown;
  if (samples <= CROWDED) plotly().catch(() => {}); // a large plot needs it later; the plot reports a failed load
  const asked = query.getAll("metric");
  const known = await beginEarly(metricsPath(dataset, asked)); // slow at the first call: the server reads all scores
  if (!known.length) return; // there is no plot if no metric has computed scores for the data set
  const names = known.map(({ name }) => name), chosen = asked.filter((name) => names.includes(name));
  const metric = chosen.length ? chosen : names, slice = query.get("slice");
  const looked = metric.flatMap((chosenName) => known.filter(({ name }) => name === chosenName));
  const plot = plotOf(query.get("plot")).key;
  beginEarly(firstPath({ dataset, samples, rated, known: looked, metric, plot, ...(slice && { slice }) }));
}

/** Return the address of the request for the columns of scores that a data set has.
 * The response contains every metric. It contains a part of a metric's scores (such as recall) only if `names` lists
 * the part.
 * @param {string} dataset @param {readonly string[]} names @returns {`/api/analyse/metrics?${string}`} */
export const metricsPath = (dataset, names) =>
  `/api/analyse/metrics?${new URLSearchParams([
    ["dataset", dataset],
    ...partsAmong(names).map((name) => ["part", name]),
  ])}`;
