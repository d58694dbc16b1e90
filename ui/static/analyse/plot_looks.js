// The look of the plots in plotly's terms: axes, colours, points and density.

import { colour } from "../shared/dom.js";
import { MARGIN, padded } from "./density.js";

/** @import { Axes } from "./plots.js" */
/** @import { Grid } from "./density.js" */

const FEW = 8; // largest count at which each count has a tick
const SERIES = 6; // number of different colours; further series repeat them

/** Return the colour of a data series in a plot. @param {number} number index of the series */
export function seriesColour(number) {
  return colour(`--series-${number % SERIES + 1}`);
}

export const CONFIG = {
  displaylogo: false,
  responsive: true,
  showSendToCloud: false, // never send plots to plotly's cloud
  plotlyServerURL: "",
  modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d"],
};

/** @type {boolean | null} */
let webgl = null;

export function hasWebGL() {
  return (webgl ??= Boolean(document.createElement("canvas").getContext("webgl")));
}

/** @param {HTMLElement} box @param {Axes} axes @returns {Record<string, any>} */
export function layout(box, { x, y }) {
  const axis = (/** @type {Axes["x"]} */ { title, range }) => ({
    title: { text: title, standoff: 8, font: { size: 14 } },
    range: range && padded(range),
    gridcolor: colour("--line", box),
    zerolinecolor: colour("--line", box),
    linecolor: colour("--edge", box),
    automargin: true,
  });
  return {
    paper_bgcolor: colour("--paper", box),
    plot_bgcolor: colour("--paper", box),
    font: { color: colour("--ink", box), family: "system-ui, sans-serif", size: 14 },
    margin: MARGIN,
    xaxis: axis(x),
    yaxis: axis(y),
    showlegend: false,
    hovermode: "closest",
    dragmode: "zoom",
    autosize: true,
  };
}

/** Return settings of an axis of counts: few captions have a tick each, and no tick is at half a caption.
 * @param {number} most the largest count */
export const wholeTicks = (most) => most <= FEW ? { dtick: 1 } : { tickformat: "d" };

/** @param {HTMLElement} box @param {Float32Array} xs @param {Float32Array} ys @param {boolean} crowded @param {boolean} gl */
export function pointsOf(box, xs, ys, crowded, gl) {
  return {
    type: gl ? "scattergl" : "scatter",
    mode: "markers",
    x: xs,
    y: ys,
    hovertemplate: "%{x:.3f}, %{y:.3f}<extra></extra>",
    showlegend: false,
    marker: {
      size: crowded ? 3 : 6,
      color: crowded ? colour("--ink", box) : seriesColour(0),
      opacity: crowded ? 0.3 : 0.6,
    },
  };
}

/** Make a heatmap of counts, coloured by their logarithm. Empty cells stay empty.
 * @param {HTMLElement} box @param {Grid} grid @param {boolean} showscale */
export function heat(box, { across, up, rows, most }, showscale) {
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
    colorscale: [[0, colour("--accent-soft", box)], [1, colour("--accent", box)]],
    colorbar: {
      title: { text: "samples" },
      tickvals: ticks.map(Math.log10),
      ticktext: ticks.map(String),
      thickness: 12,
      len: 0.6,
    },
  };
}
