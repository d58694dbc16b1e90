// Draws the server's figures with Plotly, in the page's colours, and saves them.

import { colour, el, say } from "../shared/dom.js";
import { actions, button } from "../shared/elements.js";
import { fileName } from "../shared/downloads.js";

/** @import { Figure } from "../shared/wire.d.ts" */
/** @import { PlotBox } from "../shared/types.d.ts" */

const CONFIG = {
  displaylogo: false,
  displayModeBar: false,
  responsive: true,
  showSendToCloud: false, // never send plots to plotly's cloud
  plotlyServerURL: "",
};
const SAVED = { width: 900, height: 600 }; // size of a saved figure in CSS pixels
const NEAR = 60; // samples within 1/60 of the axes around a click belong to the clicked place
const MOST_NEAR = 100;

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

/** Draw a figure into a box, in the colours of the box's theme.
 * @param {PlotBox} box @param {Figure} figure @param {object} [changes] changes of the layout */
export async function draw(box, { figure, description }, changes = {}) {
  const Plotly = await plotly();
  // The first colour is too dark for a dark page.
  const { data, layout } = JSON.parse(JSON.stringify(figure).replaceAll("#0072b2", colour("--accent", box)));
  const lines = { gridcolor: colour("--line", box), linecolor: colour("--edge", box), automargin: true };
  const looks = {
    ...layout,
    paper_bgcolor: colour("--paper", box),
    plot_bgcolor: colour("--paper", box),
    font: { color: colour("--ink", box), family: "system-ui, sans-serif", size: 14 },
    xaxis: { ...layout.xaxis, ...lines },
    yaxis: { ...layout.yaxis, ...lines },
    hovermode: "closest",
    autosize: true,
    ...changes,
  };
  if (!hasWebGL()) { for (const trace of data) if (trace.type === "scattergl") trace.type = "scatter"; }
  await Plotly.react(box, data, looks, CONFIG);
  box.setAttribute("role", "figure");
  box.setAttribute("aria-label", description);
  box.dataset.drawn = "yes";
}

/** @type {boolean | null} */
let webgl = null;

function hasWebGL() {
  return (webgl ??= Boolean(document.createElement("canvas").getContext("webgl")));
}

/** Build a figure with its buttons. Returns the node, its box, and the function that draws it again.
 * @param {Figure} figure @param {string} name first part of the saved files' names @param {...Node} more buttons */
export function figureOf(figure, name, ...more) {
  const box = /** @type {PlotBox} */ (el("div", { class: "plot" }));
  if (figure.figure.layout.height) box.style.height = `${figure.figure.layout.height}px`;
  const status = el("p", { class: "problem", role: "status", hidden: true });
  const redraw = (/** @type {object} */ changes = {}) =>
    draw(box, figure, changes).catch((error) => {
      status.hidden = false;
      say(status, error.message);
    });
  const save = (/** @type {"png" | "svg"} */ format) =>
    button(format.toUpperCase(), () => saved(figure, format, `${name} ${figure.title}`), "quiet-button", {
      "aria-label": `${figure.title} as ${format.toUpperCase()}`,
    });
  const node = el("figure", { class: "analyse-figure" }, box, status, actions(save("png"), save("svg"), ...more));
  requestAnimationFrame(() => redraw());
  return { node, box, redraw };
}

/** Save a figure in the light theme. @param {Figure} figure @param {"png" | "svg"} format @param {string} name */
async function saved(figure, format, name) {
  const Plotly = await plotly();
  const style = `position: fixed; left: -9999px; width: ${SAVED.width}px; height: ${SAVED.height}px`;
  const paper =
    /** @type {PlotBox} */ (el("div", { class: "plot on-paper", "aria-hidden": "true", inert: true, style }));
  document.body.append(paper);
  try {
    await draw(paper, figure);
    const scale = format === "png" ? 2 : 1;
    await Plotly.downloadImage(paper, { ...SAVED, format, filename: fileName(name), scale });
  } finally {
    Plotly.purge(paper);
    paper.remove();
  }
}

/** Call `pick` with the ids of the samples around each clicked point, nearest first.
 * @param {PlotBox} box @param {(ids: number[]) => void} pick */
export function onClick(box, pick) {
  box.removeAllListeners("plotly_click");
  box.on("plotly_click", ({ points: [at] }) => pick(around(box, Number(at.x), Number(at.y))));
}

/** @param {PlotBox} box @param {number} atX @param {number} atY */
function around(box, atX, atY) {
  const { _fullData: [{ x, y, customdata }], layout } = /** @type {any} */ (box);
  const wide = span(layout.xaxis.range) / NEAR, high = span(layout.yaxis.range) / NEAR;
  /** @type {[number, number][]} */
  const near = [];
  for (let i = 0; i < x.length; i++) {
    const far = ((x[i] - atX) / wide) ** 2 + ((y[i] - atY) / high) ** 2;
    if (far <= 1) near.push([far, customdata[i]]);
  }
  return near.sort(([one], [other]) => one - other).slice(0, MOST_NEAR).map(([, id]) => id);
}

/** @param {number[]} range */
const span = ([low, high]) => Math.abs(high - low) || 1;

/** Call `chosen` with the samples inside each line or box that is drawn, and with the line's corners.
 * @param {PlotBox} box @param {(ids: number[], corners: [number, number][]) => void} chosen */
export function onSelect(box, chosen) {
  box.removeAllListeners("plotly_selected");
  box.on("plotly_selected", (event) => {
    if (!event?.lassoPoints) return;
    const { x, y } = event.lassoPoints;
    chosen(
      event.points.map((/** @type {any} */ { customdata }) => customdata),
      x.map((/** @type {number} */ one, /** @type {number} */ at) => [one, y[at]]),
    );
  });
}
