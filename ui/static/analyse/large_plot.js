// Plots with so many samples that the server sends counts of samples in cells instead of each sample. If people zoom in
// until few samples are visible, the plot draws each of them. The server also finds the samples at a click or inside a
// drawn line.

import { latest } from "../shared/api.js";
import { begin, beginPost, begun, shownIfSlow } from "../shared/long_work.js";
import { padded } from "./density.js";
import { describeScatter, drawFirst, drawTraces, onClick, perLevel, seen, tracesOf } from "./plots.js";
import { bytes, floats } from "./points.js";

/** @import { Axis, PlotBox } from "../shared/types.d.ts" */
/** @import { PackedDensity } from "../shared/wire.d.ts" */
/** @import { Corner } from "./lasso.js" */
/** @import { Score } from "./plot_list.js" */
/** @typedef {Omit<Axis, "values"> & {of: Score}} ScoreAxis */
/** @typedef {{dataset: string, slice?: string, x: ScoreAxis, y: ScoreAxis}} Drawn */
/** @typedef {{across: Corner, up: Corner}} Part ranges of the x and y axis that are visible in a plot */

export const MANY = 50_000; // for more samples, the server sends counts, because drawing each sample would be slow
const PAUSE_MS = 150; // ms to wait after the last zoom step before new data are requested
const COUNTING = "Counting samples", LOOKING = "Looking for the samples at this position";
let drawings = 0;

/** Return the part of a plot that is visible now. @param {PlotBox} box @returns {Part} */
export function inSight(box) {
  const ranges = seen(box);
  return { across: ordered(ranges["xaxis.range"]), up: ordered(ranges["yaxis.range"]) };
}

/** Make the request parameters for the visible part of a plot.
 * @param {Drawn} drawn @param {Part} part @returns {URLSearchParams} */
function asked({ dataset, slice, x, y }, { across: [left, right], up: [bottom, top] }) {
  const query = new URLSearchParams({ dataset, ...(slice && { slice }) });
  for (const [name, { of }] of /** @type {[string, ScoreAxis][]} */ ([["x", x], ["y", y]])) {
    if (of) query.set(name, of);
  }
  for (const [name, end] of Object.entries({ left, right, bottom, top })) query.set(name, String(end));
  return query;
}

/** Return the part of a plot that is visible before people zoom. @param {Drawn} drawn @returns {Part} */
function whole({ x, y }) {
  return { across: padded(x.range), up: padded(y.range) };
}

/** Return the address of the request that counts the samples of a whole plot. @param {Drawn} drawn
 * @returns {`/api/analyse/density?${string}`} */
export const densityPath = (drawn) => `/api/analyse/density?${asked(drawn, whole(drawn))}`;

/** Unpack the sample counts of the cells. @param {PackedDensity} found */
function unpacked({ across, up, counts, points }) {
  const cells = new Int32Array(bytes(counts));
  const rows = up.map((_, row) => cells.subarray(row * across.length, (row + 1) * across.length));
  return {
    grid: { across, up, rows, most: cells.reduce((most, count) => Math.max(most, count), 0) },
    points: points && { x: floats(points.x), y: floats(points.y) },
  };
}

/** Draw a scatter plot of two columns. A click calls `pick` with the ids of samples around it, nearest first.
 * @param {PlotBox} box @param {Drawn} drawn @param {(ids: number[]) => void} pick
 * @param {Part | null} [sight] the visible part; null: the whole plot */
export async function largeScatter(box, drawn, pick, sight = null) {
  box.drawn = drawn; // marks this call as the latest, so that earlier calls stop
  const counting = begun(sight ? `/api/analyse/density?${asked(drawn, sight)}` : densityPath(drawn));
  const found = await shownIfSlow(around(box), counting, COUNTING);
  if (box.drawn !== drawn) return;
  const { grid, points } = unpacked(found), { x, y } = drawn;
  let part = sight ?? whole(drawn);
  describeScatter(box, x, y, found.samples);
  const pickAround = async (/** @type {number} */ atX, /** @type {number} */ atY) => {
    const query = asked(drawn, part);
    query.set("at_x", String(atX));
    query.set("at_y", String(atY));
    const { ids } = await shownIfSlow(around(box), begin(`/api/analyse/around?${query}`), LOOKING);
    if (ids.length && box.drawn === drawn) pick(ids);
  };
  await drawFirst(box, grid, x, y, found.samples, pickAround);
  if (box.drawn !== drawn) return;
  const kept = { uirevision: ++drawings }; // settings that keep the zoom when the same plot is drawn again
  await drawTraces(box, tracesOf(box, grid, points), drawn, kept);
  if (box.drawn !== drawn) return;
  box.dataset.samples = String(found.samples);
  box.dataset.shown = String(found.shown);
  box.whole = null;
  onClick(box, pickAround);
  box.removeAllListeners("plotly_relayout");
  if (!sight) followZoom(box, drawn, kept, (shown) => (part = shown));
}

/** Count the visible samples again after each zoom or pan. If there are few, draw each of them.
 * @param {PlotBox} box @param {Drawn} drawn @param {object} kept layout settings that keep the zoom
 * @param {(part: Part) => void} zoomed is called with the new visible part */
function followZoom(box, drawn, kept, zoomed) {
  const turn = latest();
  let timer = 0, last = JSON.stringify(whole(drawn));
  const look = async () => {
    const part = inSight(box);
    const isLast = turn();
    if (JSON.stringify(part) === last) return; // nothing to count: the plot was only resized, or redrawn by this code
    last = JSON.stringify(part);
    const counting = shownIfSlow(around(box), begin(`/api/analyse/density?${asked(drawn, part)}`), COUNTING);
    const found = await counting.catch(() => null); // if the request fails, the earlier counts stay
    if (!found || !isLast() || box.drawn !== drawn) return;
    zoomed(part);
    const { grid, points } = unpacked(found);
    await drawTraces(box, tracesOf(box, grid, points), drawn, kept);
    box.dataset.shown = String(found.shown);
  };
  box.on("plotly_relayout", () => {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE_MS);
  });
}

/** Return the element that shows progress messages: the plot's parent, because plotly controls the plot's content.
 * @param {PlotBox} box */
const around = (box) => box.parentElement ?? box;

/** Return both ends of an axis, the lower one first. @param {number[]} ends @returns {Corner} */
function ordered(ends) {
  const [low, high] = ends.map(Number).sort((a, b) => a - b);
  return [low, high];
}

/** Return the ids of all samples inside a closed line drawn on a plot. @param {Drawn} drawn
 * @param {Corner[]} corners corners of the line */
export async function lassoed({ dataset, slice, x, y }, corners) {
  const lasso = { x: x.of, y: y.of, corners };
  const found = await beginPost("/api/analyse/lasso", { dataset, lasso, ...(slice && { slice }) }).answer;
  return new Int32Array(bytes(found.ids));
}

/** Draw the distribution of scores at each level of human judgement.
 * For each level, the server sends only some scores, which represent all scores of the level.
 * @param {PlotBox} box @param {{dataset: string, slice?: string, metric: string[]}} of */
export async function largePerLevel(box, { dataset, slice, metric }) {
  box.drawn = metric;
  const query = new URLSearchParams({ dataset, ...(slice && { slice }) });
  for (const name of metric) query.append("metric", name);
  const { title, names, samples, metrics } = await shownIfSlow(
    around(box),
    begin(`/api/analyse/spread?${query}`),
    "Reading the distribution of scores",
  );
  if (box.drawn !== metric) return;
  const unpackedOnes = metrics.map((one) => ({
    ...one,
    value: floats(one.value),
    of: new Int8Array(bytes(one.of)),
  }));
  await perLevel(box, { title, names: [...names], of: new Int8Array() }, unpackedOnes, samples);
}
