// The plots of the Analyse page: plotly draws arrays without texts; what a click means is looked up in the arrays.

import { el } from "./dom.js";

const CROWDED = 5000; // samples from which density is drawn under the points
const BINS = 60;
const FEW_LEVELS = 30; // up to so many distinct values, each is a row of the density
const HERE = 100; // most samples that one click opens

let loading = null;

/** Load plotly from our own server, once. */
export function plotly() {
  loading ??= new Promise((resolve, reject) => {
    document.head.append(el("script", { src: "/capscope/plotly.min.js", load: () => resolve(window.Plotly), error: () => {
      loading = null;
      reject(new Error("The plotting library did not load."));
    } }));
  });
  return loading;
}

/** Unpack the arrays of /api/analyse/points. */
export function unpacked(points) {
  return {
    stamp: points.stamp,
    samples: points.samples,
    ids: new Int32Array(bytes(points.ids)),
    human: floats(points.human),
    levels: floats(points.levels),
    metrics: points.metrics.map((metric) => ({ ...metric, value: floats(metric.value), raw: metric.raw && floats(metric.raw) })),
  };
}

/** The part of unpacked arrays that a mask of /api/analyse/members names. */
export function within(points, mask) {
  const bits = new Uint8Array(bytes(mask));
  const kept = [...points.ids.keys()].filter((i) => (bits[i >> 3] >> (i & 7)) & 1);
  const cut = (values) => values && values.constructor.from(kept, (i) => values[i]);
  return {
    ...points,
    samples: kept.length,
    ids: cut(points.ids),
    human: cut(points.human),
    levels: cut(points.levels),
    metrics: points.metrics.map((metric) => ({ ...metric, value: cut(metric.value), raw: cut(metric.raw) })),
  };
}

function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
}

function floats(text) {
  return new Float32Array(bytes(text));
}

/** Draw one column against another; a click calls `pick` with the ids around it, the nearest first. Returns how many samples are drawn. */
export async function scatter(box, ids, x, y, pick) {
  const Plotly = await plotly();
  const known = [...ids.keys()].filter((i) => Number.isFinite(x.values[i]) && Number.isFinite(y.values[i]));
  const xs = Float32Array.from(known, (i) => x.values[i]), ys = Float32Array.from(known, (i) => y.values[i]);
  const crowded = known.length > CROWDED, gl = hasWebGL();
  const traces = [];
  if (crowded) traces.push({ ...density(xs, ys, x.range, y.range), showscale: box.clientWidth > 480 });
  if (!crowded || gl) traces.push(pointsOf(xs, ys, crowded, gl));
  await Plotly.react(box, traces, layout({ x, y }), CONFIG);
  describe(box, `${y.title} against ${x.title}, ${known.length.toLocaleString()} samples. The list of largest errors holds the same samples.`);
  box.removeAllListeners?.("plotly_click");
  box.on("plotly_click", ({ points }) => {
    const [at] = points;
    pick(around(known, xs, ys, Number(at.x), Number(at.y), x.range, y.range).map((i) => ids[i]));
  });
  return known.length;
}

/** Draw how metrics' scores are distributed at each level of human judgement. Returns how many samples are drawn. */
export async function perLevel(box, human, levels, metrics) {
  const Plotly = await plotly();
  const groups = grouping(human, levels);
  const traces = metrics.map((metric, number) => ({
    type: "violin", name: metric.label, points: false, box: { visible: true }, meanline: { visible: true }, hoverinfo: "y", spanmode: "hard",
    x: groups.of, y: metric.value, scalegroup: metric.name, line: { width: 1, color: COLOURS[number % COLOURS.length] }, legendgroup: metric.name,
  }));
  const whole = [Math.min(...metrics.map(({ scale }) => scale[0])), Math.max(...metrics.map(({ scale }) => scale[1]))];
  const axes = { x: { title: groups.title }, y: { title: "score", range: whole } };
  const looks = layout(axes);
  looks.xaxis = { ...looks.xaxis, type: "category", categoryorder: "array", categoryarray: groups.names, range: undefined };
  looks.violinmode = "group";
  looks.showlegend = metrics.length > 1;
  await Plotly.react(box, traces, looks, CONFIG);
  describe(box, `Distribution of ${metrics.map(({ label }) => label).join(", ")} at each level of human judgement.`);
  return groups.of.filter((group) => group !== null).length;
}

/** Draw traces on axes of our look, under a name for those who do not see them. */
export async function drawn(box, traces, axes, description, changes = {}) {
  const Plotly = await plotly();
  await Plotly.react(box, traces, { ...layout(axes), ...changes }, CONFIG);
  describe(box, description);
}

function describe(box, text) {
  box.setAttribute("role", "figure"); // no image: plotly's own buttons stand in it
  box.setAttribute("aria-label", text);
}

/** Save a drawn plot as "png" or "svg". */
export async function savePlot(box, format, filename) {
  const Plotly = await plotly();
  await Plotly.downloadImage(box, { format, filename, width: 900, height: Math.max(600, box.clientHeight), scale: format === "png" ? 2 : 1 });
}

// Okabe and Ito's colours that hold on light and on dark paper
export const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];
const CONFIG = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d"] };

function hasWebGL() {
  return Boolean(document.createElement("canvas").getContext("webgl"));
}

export function colour(name) {
  return getComputedStyle(document.body).getPropertyValue(name).trim();
}

function layout({ x, y }) {
  const axis = ({ title, range }) => ({
    title: { text: title, standoff: 8, font: { size: 14 } }, range: range && padded(range), gridcolor: colour("--line"), zerolinecolor: colour("--line"), linecolor: colour("--edge"), automargin: true,
  });
  return {
    paper_bgcolor: colour("--paper"), plot_bgcolor: colour("--paper"), font: { color: colour("--ink"), family: "system-ui, sans-serif", size: 14 },
    margin: { l: 56, r: 12, t: 28, b: 48 }, xaxis: axis(x), yaxis: axis(y), showlegend: false, hovermode: "closest", dragmode: "zoom", autosize: true,
  };
}

function padded([low, high]) {
  const pad = 0.04 * (high - low);
  return [low - pad, high + pad];
}

function pointsOf(xs, ys, crowded, gl) {
  return {
    type: gl ? "scattergl" : "scatter", mode: "markers", x: xs, y: ys, hoverinfo: "x+y", showlegend: false,
    marker: { size: crowded ? 3 : 6, color: crowded ? colour("--ink") : COLOURS[0], opacity: crowded ? 0.3 : 0.6 },
  };
}

/** A heatmap of counts, coloured by their logarithm; empty cells stay empty. */
function density(xs, ys, xRange, yRange) {
  const across = binning(xs, xRange), up = binning(ys, yRange);
  const counts = up.centres.map(() => new Float64Array(across.centres.length));
  for (let i = 0; i < xs.length; i++) counts[up.of(ys[i])][across.of(xs[i])] += 1;
  const most = Math.max(...counts.map((row) => Math.max(...row)));
  const ticks = [1, 10, 100, 1000, 10000].filter((count) => count <= most);
  return {
    type: "heatmap", x: across.centres, y: up.centres, customdata: counts.map((row) => [...row]), hovertemplate: "%{customdata} samples<extra></extra>",
    z: counts.map((row) => [...row].map((count) => (count ? Math.log10(count) : null))), zmin: -0.6, zmax: Math.log10(most),
    colorscale: [[0, colour("--accent-soft")], [1, colour("--accent")]],
    colorbar: { title: { text: "samples" }, tickvals: ticks.map(Math.log10), ticktext: ticks.map(String), thickness: 12, len: 0.6 },
  };
}

function binning(values, [low, high]) {
  const distinct = [...new Set(values)];
  if (distinct.length > 1 && distinct.length <= FEW_LEVELS) {
    const centres = distinct.sort((a, b) => a - b);
    const place = new Map(centres.map((value, index) => [value, index]));
    return { centres, of: (value) => place.get(value) };
  }
  const width = (high - low) / BINS;
  const centres = Array.from({ length: BINS }, (_, index) => low + (index + 0.5) * width);
  return { centres, of: (value) => Math.min(BINS - 1, Math.max(0, Math.floor((value - low) / width))) };
}

/** The samples around a clicked place, the nearest first; always at least the nearest one. */
function around(known, xs, ys, x, y, xRange, yRange) {
  const wide = (xRange[1] - xRange[0]) / BINS, high = (yRange[1] - yRange[0]) / BINS;
  const distance = (i) => ((xs[i] - x) / wide) ** 2 + ((ys[i] - y) / high) ** 2;
  const ranked = [...known.keys()].map((i) => [distance(i), i]).sort((a, b) => a[0] - b[0]);
  const near = ranked.filter(([far], rank) => rank === 0 || far <= 1).slice(0, HERE);
  return near.map(([, i]) => known[i]);
}

function grouping(human, levels) {
  const distinct = [...new Set(levels)].filter(Number.isFinite).sort((a, b) => a - b);
  if (distinct.length > 1 && distinct.length <= 12) {
    return { title: "human level (median judgement)", names: distinct.map(String), of: Array.from(levels, (level) => (Number.isFinite(level) ? String(level) : null)) };
  }
  const names = ["0–0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "0.8–1"];
  const place = (value) => (Number.isFinite(value) ? names[Math.min(4, Math.floor(5 * value))] : null);
  return { title: "human judgement, rescaled to 0–1", names, of: Array.from(human, place) };
}
