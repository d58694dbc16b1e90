// The plots of the Analyse page. Plotly gets only arrays of numbers, no samples. After a click, this module looks up
// the clicked samples in the arrays.

import { around, counted, MARGIN, preview } from "./density.js";
import { colour, el } from "../shared/dom.js";
import { fileName } from "../shared/tables.js";
import { saveFigure } from "./figure_files.js";
import { CONFIG, hasWebGL, heat, layout, pointsOf, seriesColour } from "./plot_looks.js";
import { both, taking } from "./points.js";

/** @import { Axis, Groups, Metric, PlotBox } from "../shared/types.d.ts" */
/** @import { Grid } from "./density.js" */
/** @typedef {Record<"x" | "y", {title: string, range?: [number, number]}>} Axes */

const WIDE = 480; // width in CSS pixels above which a plot has room for a colour scale
const COUNTS_PX = 92; // width of the colour scale for counts of samples, in CSS pixels
export const CROWDED = 5000; // number of samples above which the plot shows their density behind the points

/** @type {Promise<any> | null} */
let loading = null;

/** Load plotly from our own server, once. */
export function plotly() {
  loading ??= new Promise((resolve, reject) => {
    document.head.append(el("script", {
      src: "/plotly.min.js",
      load: () => resolve(window.Plotly),
      error: () => {
        loading = null;
        reject(new Error("The plotting library did not load."));
      },
    }));
  });
  return loading;
}

/** Escape all texts of a figure, because plotly reads them as markup: a metric's name must not become a link.
 * Hover templates are our own; the texts that plotly puts into them are escaped here.
 * @template Figure @param {Figure} figure @param {string} [key] @returns {Figure} */
export function plain(figure, key = "") {
  /** @type {any} */
  const part = figure;
  if (typeof part === "string") {
    if (key === "hovertemplate") return figure;
    return /** @type {any} */ (part.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
  }
  if (Array.isArray(part)) return /** @type {any} */ (part.map((one) => plain(one, key)));
  if (part === null || typeof part !== "object" || ArrayBuffer.isView(part)) return part;
  return /** @type {any} */ (Object.fromEntries(Object.entries(part).map(([name, one]) => [name, plain(one, name)])));
}

/** Draw a scatter plot of two columns. A click calls `pick` with the ids of samples around it, nearest first.
 * If there are many samples, the plot shows their density immediately and the single points a moment later.
 * @param {PlotBox} box @param {Int32Array} ids @param {Axis} x @param {Axis} y @param {(ids: number[]) => void} pick */
export async function scatter(box, ids, x, y, pick) {
  const known = both(x.values, y.values);
  const xs = taking(x.values, known), ys = taking(y.values, known);
  const grid = known.length > CROWDED && counted(xs, ys, x.range, y.range);
  box.drawn = known; // marks this call as the latest, so that earlier calls stop
  describeScatter(box, x, y, known.length);
  const pickAround = (/** @type {number} */ atX, /** @type {number} */ atY) =>
    pick(around(known, xs, ys, atX, atY, x.range, y.range).map((i) => ids[i]));
  if (grid) await drawFirst(box, grid, x, y, known.length, pickAround);
  const Plotly = await plotly();
  if (box.drawn !== known) return;
  const gl = hasWebGL(), looks = layout(box, { x, y });
  const under = grid ? [heat(box, grid, box.clientWidth > WIDE)] : [];
  const points = !grid || gl ? [pointsOf(box, xs, ys, Boolean(grid), gl)] : [];
  await Plotly.react(box, ...plain([grid ? under : points, looks]), CONFIG);
  box.querySelector(".plot-preview")?.remove();
  box.dataset.samples = String(known.length);
  box.removeAllListeners("plotly_relayout");
  onClick(box, pickAround);
  box.whole = grid && gl &&
    settled().then(() => box.drawn === known && Plotly.react(box, ...plain([[...under, ...points], looks]), CONFIG));
}

/** Describe a scatter plot for screen readers.
 * @param {HTMLElement} box @param {Omit<Axis, "values">} x @param {Omit<Axis, "values">} y @param {number} samples */
export function describeScatter(box, x, y, samples) {
  describe(
    box,
    `${y.title} against ${x.title}, ${samples.toLocaleString()} samples. The list of largest errors holds the same samples.`,
  );
}

/** Draw the density as a preview if the plotting library is not loaded yet. A click on the preview has the same effect
 * as a click on the plot.
 * @param {PlotBox} box @param {Grid} grid @param {Omit<Axis, "values">} x @param {Omit<Axis, "values">} y
 * @param {number} samples @param {(x: number, y: number) => void} pick */
export async function drawFirst(box, grid, x, y, samples, pick) {
  if (window.Plotly) return;
  const right = box.clientWidth > WIDE ? COUNTS_PX : MARGIN.r;
  box.replaceChildren(preview(box, grid, x, y, { fill: colour("--accent", box), right }, pick));
  box.dataset.samples = String(samples);
  await painted();
}

/** Call `pick` with the x and y value of each clicked point of a plot. Remove the earlier callback.
 * @param {PlotBox} box @param {(x: number, y: number) => void} pick */
export function onClick(box, pick) {
  box.removeAllListeners("plotly_click");
  box.on("plotly_click", ({ points: [at] }) => pick(Number(at.x), Number(at.y)));
}

/** Draw traces (plotly's data series) on axes in our style, without a description, and remove the preview.
 * @param {PlotBox} box @param {object[]} traces @param {{x: Omit<Axis, "values">, y: Omit<Axis, "values">}} axes
 * @param {object} [changes] layout settings that replace the defaults */
export async function drawTraces(box, traces, axes, changes = {}) {
  const Plotly = await plotly();
  await Plotly.react(box, ...plain([traces, { ...layout(box, axes), ...changes }]), CONFIG);
  box.querySelector(".plot-preview")?.remove();
}

/** Return the traces (plotly's data series) of a scatter plot: counts in cells, or the samples if they are few.
 * @param {HTMLElement} box @param {Grid} grid @param {{x: Float32Array, y: Float32Array} | null} points */
export function tracesOf(box, grid, points) {
  if (!points) return [heat(box, grid, box.clientWidth > WIDE)];
  return [pointsOf(box, points.x, points.y, false, hasWebGL())];
}

/** Return a promise that resolves when the page's current content has been painted. */
function painted() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Return a promise that resolves when the browser has painted and is idle. */
function settled() {
  const idle = window.requestIdleCallback ?? setTimeout; // Safari lacks requestIdleCallback
  return new Promise((resolve) => requestAnimationFrame(() => idle(resolve)));
}

/** Draw how metrics' scores are distributed at each level of human judgement.
 * @param {PlotBox} box @param {Groups} groups the samples, grouped by level
 * @param {(Pick<Metric, "name" | "label" | "scale" | "value"> & {of?: Int8Array})[]} metrics
 * metrics with the scores of the samples in `groups`; of: for each sample, the index of its group, if this metric
 * has other groups; without `of`, the indices in `groups` apply
 * @param {number} [samples] number of samples in the groups */
export async function perLevel(box, groups, metrics, samples) {
  box.drawn = groups; // marks this call as the latest, so that earlier calls stop
  const Plotly = await plotly();
  if (box.drawn !== groups) return;
  const named = (/** @type {Int8Array} */ of) => Array.from(of, (group) => groups.names[group] ?? null);
  const shared = named(groups.of);
  const traces = metrics.map((metric, number) => ({
    type: "violin",
    name: metric.label,
    points: false,
    box: { visible: true },
    meanline: { visible: true },
    hoverinfo: "y",
    hoveron: "violins",
    spanmode: "hard",
    x: metric.of ? named(metric.of) : shared,
    y: metric.value,
    scalegroup: metric.name,
    line: { width: 1, color: seriesColour(number) },
    legendgroup: metric.name,
  }));
  /** @type {[number, number]} */
  const whole = [Math.min(...metrics.map(({ scale }) => scale[0])), Math.max(...metrics.map(({ scale }) => scale[1]))];
  /** @type {Axes} */
  const axes = {
    x: { title: groups.title },
    y: { title: metrics.length === 1 ? metrics[0].label : "score", range: whole },
  };
  const looks = layout(box, axes);
  looks.xaxis = {
    ...looks.xaxis,
    type: "category",
    categoryorder: "array",
    categoryarray: groups.names,
    range: undefined,
  };
  looks.yaxis.hoverformat = ".3f";
  looks.violinmode = "group";
  looks.showlegend = metrics.length > 1;
  box.whole = null;
  await Plotly.react(box, ...plain([traces, looks]), CONFIG);
  box.querySelector(".plot-preview")?.remove();
  box.removeAllListeners("plotly_click");
  box.removeAllListeners("plotly_relayout");
  describe(box, `Distribution of ${metrics.map(({ label }) => label).join(", ")} at each level of human judgement.`);
  box.dataset.samples = String(samples ?? groups.of.filter((group) => group >= 0).length);
}

/** Draw traces (plotly's data series) on axes in our style, and describe the plot for screen readers.
 * @param {HTMLElement} box @param {object[]} traces @param {Axes} axes
 * @param {string} description @param {object} [changes] layout settings that replace the defaults */
export async function drawn(box, traces, axes, description, changes = {}) {
  const Plotly = await plotly();
  await Plotly.react(box, ...plain([traces, { ...layout(box, axes), ...changes }]), CONFIG);
  describe(box, description);
}

/** @param {HTMLElement} box @param {string} text */
function describe(box, text) {
  box.setAttribute("role", "figure"); // not role "img", because the plot contains plotly's own buttons
  box.setAttribute("aria-label", text);
}

const SAVED = { width: 900, height: 600 }; // smallest width and height of a saved figure, in CSS pixels

/** Save a plot under a name that says what the plot shows.
 * The plot is drawn again for print, always on light paper of the same size, so that a dark theme or a small screen
 * does not change the file. The saved plot has the same zoom as the plot on the page.
 * @param {PlotBox} box the plot on the page @param {(box: PlotBox) => Promise<unknown>} draw draws the plot into a box
 * @param {"png" | "svg" | "pdf"} format @param {string} name */
export async function savePlot(box, draw, format, name) {
  const Plotly = await plotly();
  const style = `position: fixed; left: -9999px; width: ${SAVED.width}px; height: ${SAVED.height}px`;
  const paper =
    /** @type {PlotBox} */ (el("div", { class: "plot on-paper", "aria-hidden": "true", inert: true, style }));
  document.body.append(paper);
  try {
    await draw(paper);
    await paper.whole;
    await Plotly.relayout(paper, seen(box));
    const size = { ...SAVED, height: Math.max(SAVED.height, paper.clientHeight) }, filename = fileName(name);
    if (format !== "pdf") {
      return await Plotly.downloadImage(paper, { ...size, format, filename, scale: format === "png" ? 2 : 1 });
    }
    const drawn = await Plotly.toImage(paper, { ...size, format: "svg" });
    await saveFigure(decodeURIComponent(drawn.slice(drawn.indexOf(",") + 1)), size, "pdf", filename);
  } finally {
    Plotly.purge(paper);
    paper.remove();
  }
}

/** Return the ranges that the two axes of a drawn plot show now. @param {PlotBox} box */
export function seen(box) {
  const { xaxis, yaxis } = /** @type {any} */ (box).layout; // plotly updates the layout while people zoom
  return { "xaxis.range": [...xaxis.range], "yaxis.range": [...yaxis.range] };
}
