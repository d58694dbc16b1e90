// The density of samples in a plot of two values: counts in the cells of a grid, the samples near a clicked point, and
// a preview that is drawn before the plotting library is loaded.

import { el } from "../shared/dom.js";

/** @import { Axis } from "../shared/types.d.ts" */
/** @typedef {{of: (value: number) => number, centres: number[]}} Bins */
/** @typedef {{across: number[], up: number[], rows: (Float64Array | Int32Array)[], most: number}} Grid */
/** @typedef {[number, number]} Ends lowest and highest value that an axis shows */

const BINS = 60;
const FEW_LEVELS = 30; // if an axis has at most this many distinct values, the grid has a row or column for each
const HERE = 100; // a click on the plot opens at most this many samples
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]; // positions of the preview's ticks, as shares of an axis' range
export const MARGIN = { l: 56, r: 12, t: 28, b: 48 }; // margins around the plot, in CSS pixels
const PAD = 0.04; // share of an axis' range that is added as free space at each end

/** Count the samples in each cell of a grid. Rows go from low y to high y, and cells of a row from low x to high x.
 * @param {ArrayLike<number>} xs @param {ArrayLike<number>} ys @param {Ends} xRange @param {Ends} yRange */
export function counted(xs, ys, xRange, yRange) {
  const across = binning(xs, xRange), up = binning(ys, yRange);
  const rows = up.centres.map(() => new Float64Array(across.centres.length));
  for (let i = 0; i < xs.length; i++) rows[up.of(ys[i])][across.of(xs[i])] += 1;
  return { across: across.centres, up: up.centres, rows, most: Math.max(...rows.map((row) => Math.max(...row))) };
}

/** @param {ArrayLike<number>} values @param {Ends} range @returns {Bins} */
function binning(values, [low, high]) {
  const distinct = [...new Set(Array.from(values))];
  if (distinct.length > 1 && distinct.length <= FEW_LEVELS) {
    const centres = distinct.sort((a, b) => a - b);
    const place = new Map(centres.map((value, index) => [value, index]));
    return { centres, of: (value) => place.get(value) ?? 0 };
  }
  const width = (high - low) / BINS;
  const centres = Array.from({ length: BINS }, (_, index) => low + (index + 0.5) * width);
  return { centres, of: (value) => Math.min(BINS - 1, Math.max(0, Math.floor((value - low) / width))) };
}

/** Return an axis' range with some free space added at both ends.
 * @param {Ends} range @returns {Ends} */
export function padded([low, high]) {
  const pad = PAD * (high - low);
  return [low - pad, high + pad];
}

/** Return the samples around a clicked point, nearest first. If no sample is close, return only the nearest one.
 * @param {ArrayLike<number>} known indices of the drawn samples @param {ArrayLike<number>} xs
 * @param {ArrayLike<number>} ys
 * @param {number} x @param {number} y @param {Ends} xRange @param {Ends} yRange @returns {number[]} indices */
export function around(known, xs, ys, x, y, xRange, yRange) {
  const wide = (xRange[1] - xRange[0]) / BINS, high = (yRange[1] - yRange[0]) / BINS;
  const distance = (/** @type {number} */ i) => ((xs[i] - x) / wide) ** 2 + ((ys[i] - y) / high) ** 2;
  const ranked = Array.from(known, (_, i) => [distance(i), i]).sort((a, b) => a[0] - b[0]);
  const near = ranked.filter(([far], rank) => rank === 0 || far <= 1).slice(0, HERE);
  return near.map(([, i]) => known[i]);
}

/** Draw the density as a preview that is shown until the plotting library has drawn the plot.
 * @param {HTMLElement} box @param {Grid} grid @param {Omit<Axis, "values">} x @param {Omit<Axis, "values">} y
 * @param {{fill: string, right: number}} looks
 * @param {(x: number, y: number) => void} pick is called with the x and y value of a clicked point */
export function preview(box, { across, up, rows, most }, x, y, { fill, right }, pick) {
  const size = {
    width: Math.max(1, box.clientWidth - MARGIN.l - right),
    height: Math.max(1, box.clientHeight - MARGIN.t - MARGIN.b),
  };
  const [west, east] = padded(x.range), [south, north] = padded(y.range);
  const columns = edges(across, x.range), lines = edges(up, y.range);
  const cells = rows.flatMap((row, line) =>
    Array.from(row, (count, column) =>
      count > 0 && el("rect", {
        x: columns[column],
        width: columns[column + 1] - columns[column],
        y: north - lines[line + 1],
        height: lines[line + 1] - lines[line],
        fill,
        "fill-opacity": (0.2 + 0.8 * (Math.log1p(count) / Math.log1p(most))).toFixed(3),
      }))
  );
  const inside = el("svg", {
    x: MARGIN.l,
    y: MARGIN.t,
    ...size,
    viewBox: `${west} 0 ${east - west} ${north - south}`,
    preserveAspectRatio: "none",
    "shape-rendering": "crispEdges",
  }, cells);
  const clicked = (/** @type {MouseEvent} */ event) => {
    const { left, top } = box.getBoundingClientRect();
    const across = (event.clientX - left - MARGIN.l) / size.width,
      down = (event.clientY - top - MARGIN.t) / size.height;
    if (across < 0 || across > 1 || down < 0 || down > 1) return;
    pick(west + across * (east - west), north - down * (north - south));
  };
  /** @type {(words: string, left: number, top: number, more?: object) => SVGTextElement} */
  const text = (words, left, top, more = {}) =>
    el("text", { x: left, y: top, "text-anchor": "middle", ...more }, words);
  const [bottom, middle] = [MARGIN.t + size.height, MARGIN.t + size.height / 2];
  return el(
    "svg",
    { class: "plot-preview", "aria-hidden": "true", click: clicked },
    inside,
    TICKS.map((share) => text(at(x, share), MARGIN.l + (PAD + share) / (1 + 2 * PAD) * size.width, bottom + 16)),
    TICKS.map((share) =>
      text(at(y, share), MARGIN.l - 8, bottom + 4 - (PAD + share) / (1 + 2 * PAD) * size.height, {
        "text-anchor": "end",
      })
    ),
    text(x.title, MARGIN.l + size.width / 2, bottom + 40),
    text(y.title, 0, 0, { transform: `translate(18 ${middle}) rotate(-90)` }),
  );
}

/** Return the edges of cells along an axis, given the cells' centres.
 * @param {number[]} centres @param {Ends} range */
function edges(centres, [low, high]) {
  const between = centres.slice(1).map((centre, index) => (centres[index] + centre) / 2);
  const end = centres.length - 1;
  const first = end > 0 ? 2 * centres[0] - between[0] : low;
  const last = end > 0 ? 2 * centres[end] - between[end - 1] : high;
  return [first, ...between, last];
}

/** Return the value at a given share of an axis' range, rounded to three digits.
 * @param {{range: Ends}} axis @param {number} share */
function at({ range: [low, high] }, share) {
  return String(Number((low + share * (high - low)).toPrecision(3)));
}
