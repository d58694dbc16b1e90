// The plots of the Analyse page: plotly draws arrays without texts; what a click means is looked up in the arrays.

import { around, counted, MARGIN, padded, preview } from "./density.js";
import { colour, el } from "../shared/dom.js";
import { fileName } from "../shared/tables.js";
import { saveFigure } from "./figure_files.js";
import { both, taking } from "./points.js";

/** @import { Axis, Groups, Metric, PlotBox } from "../shared/types.d.ts" */
/** @import { Grid } from "./density.js" */
/** @typedef {Record<"x" | "y", {title: string, range?: [number, number]}>} Axes */

const WIDE = 480; // CSS pixels from which there is room for the scale of counts
const COUNTS_PX = 92; // that it takes
export const CROWDED = 5000; // samples from which density is drawn under the points

/** @type {Promise<any>} */
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

/** Draw one column against another; a click calls `pick` with the ids around it, the nearest first.
 *  Where there are many samples, their density comes at once and the single points a moment later.
 * @param {PlotBox} box @param {Int32Array} ids @param {Axis} x @param {Axis} y @param {(ids: number[]) => void} pick */
export async function scatter(box, ids, x, y, pick) {
  const known = both(x.values, y.values);
  const xs = taking(x.values, known), ys = taking(y.values, known);
  const grid = known.length > CROWDED && counted(xs, ys, x.range, y.range);
  box.drawn = known; // what the latest call draws
  describe(
    box,
    `${y.title} against ${x.title}, ${known.length.toLocaleString()} samples. The list of largest errors holds the same samples.`,
  );
  if (grid && !window.Plotly) {
    box.replaceChildren(
      preview(box, grid, x, y, { fill: colour("--accent"), right: box.clientWidth > WIDE ? COUNTS_PX : MARGIN.r }),
    );
    box.dataset.samples = String(known.length);
    await painted();
  }
  const Plotly = await plotly();
  if (box.drawn !== known) return;
  const gl = hasWebGL(), looks = layout({ x, y });
  const under = grid ? [heat(grid, box.clientWidth > WIDE)] : [];
  const points = !grid || gl ? [pointsOf(xs, ys, Boolean(grid), gl)] : [];
  await Plotly.react(box, grid ? under : points, looks, CONFIG);
  box.querySelector(".plot-preview")?.remove();
  box.dataset.samples = String(known.length);
  box.removeAllListeners("plotly_click");
  box.on(
    "plotly_click",
    ({ points: [at] }) => pick(around(known, xs, ys, Number(at.x), Number(at.y), x.range, y.range).map((i) => ids[i])),
  );
  box.whole = grid && gl &&
    settled().then(() => box.drawn === known && Plotly.react(box, [...under, ...points], looks, CONFIG));
}

/** Resolves once what stands on the page has been painted. */
function painted() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Resolves once the browser has painted and has nothing else to do. */
function settled() {
  const idle = window.requestIdleCallback ?? setTimeout; // Safari has none
  return new Promise((resolve) => requestAnimationFrame(() => idle(resolve)));
}

/** Draw how metrics' scores are distributed at each level of human judgement.
 * @param {PlotBox} box @param {Groups} groups @param {Metric[]} metrics */
export async function perLevel(box, groups, metrics) {
  box.drawn = groups; // what the latest call draws
  const Plotly = await plotly();
  if (box.drawn !== groups) return;
  const of = Array.from(groups.of, (group) => groups.names[group] ?? null);
  const traces = metrics.map((metric, number) => ({
    type: "violin",
    name: metric.label,
    points: false,
    box: { visible: true },
    meanline: { visible: true },
    hoverinfo: "y",
    hoveron: "violins",
    spanmode: "hard",
    x: of,
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
  const looks = layout(axes);
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
  await Plotly.react(box, traces, looks, CONFIG);
  box.querySelector(".plot-preview")?.remove();
  box.removeAllListeners("plotly_click");
  describe(box, `Distribution of ${metrics.map(({ label }) => label).join(", ")} at each level of human judgement.`);
  box.dataset.samples = String(groups.of.filter((group) => group >= 0).length);
}

/** Draw traces on axes of our look, under a name for those who do not see them.
 * @param {HTMLElement} box @param {object[]} traces @param {Axes} axes
 * @param {string} description @param {object} [changes] of the layout */
export async function drawn(box, traces, axes, description, changes = {}) {
  const Plotly = await plotly();
  await Plotly.react(box, traces, { ...layout(axes), ...changes }, CONFIG);
  describe(box, description);
}

/** @param {HTMLElement} box @param {string} text */
function describe(box, text) {
  box.setAttribute("role", "figure"); // no image: plotly's own buttons stand in it
  box.setAttribute("aria-label", text);
}

/** Save a drawn plot, under a name that says what it is.
 * @param {PlotBox} box @param {"png" | "svg" | "pdf"} format @param {string} name */
export async function savePlot(box, format, name) {
  const Plotly = await plotly();
  await box.whole;
  const size = { width: 900, height: Math.max(600, box.clientHeight) }, filename = fileName(name);
  if (format !== "pdf") {
    return Plotly.downloadImage(box, { ...size, format, filename, scale: format === "png" ? 2 : 1 });
  }
  const drawn = await Plotly.toImage(box, { ...size, format: "svg" });
  await saveFigure(decodeURIComponent(drawn.slice(drawn.indexOf(",") + 1)), size, "pdf", filename);
}

const SERIES = 6; // colours that tell series apart

/** The colour of a series of a plot, by its number. @param {number} number */
export function seriesColour(number) {
  return colour(`--series-${number % SERIES + 1}`);
}

const CONFIG = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d"] };

let webgl = null;

function hasWebGL() {
  return (webgl ??= Boolean(document.createElement("canvas").getContext("webgl")));
}

/** @param {Axes} axes @returns {Record<string, any>} */
function layout({ x, y }) {
  const axis = (/** @type {Axes["x"]} */ { title, range }) => ({
    title: { text: title, standoff: 8, font: { size: 14 } },
    range: range && padded(range),
    gridcolor: colour("--line"),
    zerolinecolor: colour("--line"),
    linecolor: colour("--edge"),
    automargin: true,
  });
  return {
    paper_bgcolor: colour("--paper"),
    plot_bgcolor: colour("--paper"),
    font: { color: colour("--ink"), family: "system-ui, sans-serif", size: 14 },
    margin: MARGIN,
    xaxis: axis(x),
    yaxis: axis(y),
    showlegend: false,
    hovermode: "closest",
    dragmode: "zoom",
    autosize: true,
  };
}

/** @param {Float32Array} xs @param {Float32Array} ys @param {boolean} crowded @param {boolean} gl */
function pointsOf(xs, ys, crowded, gl) {
  return {
    type: gl ? "scattergl" : "scatter",
    mode: "markers",
    x: xs,
    y: ys,
    hovertemplate: "%{x:.3f}, %{y:.3f}<extra></extra>",
    showlegend: false,
    marker: { size: crowded ? 3 : 6, color: crowded ? colour("--ink") : seriesColour(0), opacity: crowded ? 0.3 : 0.6 },
  };
}

/** A heatmap of counts, coloured by their logarithm; empty cells stay empty.
 * @param {Grid} grid @param {boolean} showscale */
function heat({ across, up, rows, most }, showscale) {
  const ticks = [1, 10, 100, 1000, 10000].filter((count) => count <= most);
  return {
    type: "heatmap",
    x: across,
    y: up,
    customdata: rows.map((row) => [...row]),
    hovertemplate: "%{customdata} samples<extra></extra>",
    showscale,
    z: rows.map((row) => [...row].map((count) => (count ? Math.log10(count) : null))),
    zmin: -0.6,
    zmax: Math.log10(most),
    colorscale: [[0, colour("--accent-soft")], [1, colour("--accent")]],
    colorbar: {
      title: { text: "samples" },
      tickvals: ticks.map(Math.log10),
      ticktext: ticks.map(String),
      thickness: 12,
      len: 0.6,
    },
  };
}
