// The lines above all areas of a picture: each region has a coloured line, over a light line that is wider.
// Outlines of mentioned regions lie over the others, and those of highlighted regions over all.
// Only lines move. The areas that react to the pointer keep their order. So the pointer can reach a small region inside
// a mentioned region. If a thing is covered by its details, the pointer can reach the thing at its line.

import { el } from "../shared/dom.js";

/** @import { RegionJson } from "../shared/wire.d.ts" */
/** @typedef {RegionJson["look"]} Look how a region is drawn
 * part: not mentioned, but inside a mentioned region; waiting: not compared with a caption */
/** @typedef {Pick<RegionJson, "is_full" | "area" | "path" | "thickness">} Outline */
/** @typedef {{edge: SVGElement, rim: SVGElement, thickness: number, look: Look}} Lines the light line and the
 * coloured line of a region; thickness: of the region, as a share of the picture's width */

/** Dash patterns of the light line along the coloured line of an outline. */
const LIGHT_EDGES = { mentioned: "none", unmentioned: "6 4", part: "6 4", waiting: "1 4" };
/** Largest widths in px of coloured lines. Half of a line is inside the region and visible.
 * Lines of a thing's parts are thin, so that the thing's outline stays visible where both have the same border. */
const MOST = { mentioned: 6, unmentioned: 6, waiting: 6, part: 3 };
const LEAST = 1.2; // px; smallest width of coloured lines
const LIGHT = 1.5; // width of light lines, relative to the coloured line
const SHARE = 0.25; // width of a coloured line relative to its region's thickness, so that small regions can be seen
const SCREEN = 800; // px; picture's width for which `stroke-width` is set; on the page, a style sheet adapts the width

export const NOT_COMPARED = "annotated, not compared";
/** What each look means, in the order of the legend. @type {[Look, string][]} */
const MEANINGS = [
  ["mentioned", "mentioned"],
  ["unmentioned", "not mentioned"],
  ["part", "detail, not mentioned"],
  ["waiting", NOT_COMPARED],
];

/** Fill the legend with the kinds of outlines that the picture shows.
 * @param {HTMLElement} legend @param {ReadonlySet<Look>} looks */
export function fillLegend(legend, looks) {
  legend.replaceChildren(
    ...MEANINGS.filter(([look]) => looks.has(look)).map(([look, text]) =>
      el("span", { class: look }, el("i", { class: "swatch", "aria-hidden": "true" }), text)
    ),
  );
  legend.hidden = !looks.size;
}

export class Outlines {
  /** Make the lines of a picture's regions.
   * @param {readonly {region: Outline, index: number}[]} regions the largest first
   * @param {{clip: string, light: string, width: number}} look clip: prefix of the ids of clipping shapes; light: colour
   * of light lines; width: of the picture */
  constructor(regions, { clip, light, width }) {
    /** @type {Map<number, Lines>} key: index of the region; the largest region is first */
    this.lines = new Map();
    this.element = el("g", { class: "lines", "aria-hidden": "true" });
    /** The shapes that clip the lines. */
    this.clips = regions.map(({ region: { path: d, thickness: thick }, index }) => {
      const id = `${clip}-${index}`, thickness = thick / width;
      const line = { d, fill: "none", "clip-path": `url(#${id})`, "vector-effect": "non-scaling-stroke" };
      const edge = el("path", { ...line, class: "edge", stroke: light }), rim = el("path", { ...line, class: "rim" });
      rim.dataset.region = String(index);
      for (const one of [edge, rim]) one.style.setProperty("--thickness", String(thickness));
      this.lines.set(index, { edge, rim, thickness, look: "waiting" });
      this.element.append(edge, rim);
      return el("clipPath", { id }, el("path", { d, "clip-rule": "evenodd" }));
    });
  }

  /** Set how a region is drawn. @param {number} index @param {Look} look @param {string} colour */
  show(index, look, colour) {
    const lines = this.lines.get(index);
    if (!lines) return;
    const { edge, rim, thickness } = lines, width = Math.max(LEAST, Math.min(MOST[look], SHARE * SCREEN * thickness));
    rim.setAttribute("stroke", colour);
    rim.setAttribute("stroke-width", px(width));
    edge.setAttribute("stroke-width", px(LIGHT * width));
    edge.setAttribute("stroke-dasharray", LIGHT_EDGES[look]);
    for (const line of [edge, rim]) line.style.setProperty("--most", `${MOST[look]}px`);
    lines.look = look;
  }

  /** Set whether and how strongly a region's lines are drawn.
   * @param {number} index @param {{display?: string, opacity?: string}} style */
  style(index, style) {
    const lines = this.lines.get(index);
    for (const line of lines ? [lines.edge, lines.rim] : []) Object.assign(line.style, style);
  }

  /** Put the lines in their order: mentioned regions over the others, highlighted regions last, small ones over large ones.
   * @param {ReadonlySet<number>} lit indices of the highlighted regions */
  order(lit) {
    const level = (/** @type {[number, Lines]} */ [index, { look }]) =>
      lit.has(index) ? 2 : Number(look === "mentioned");
    const lines = [...this.lines].sort((a, b) => level(a) - level(b)).reverse(); // from the top line to the bottom one
    /** @type {SVGElement | null} */
    let next = null;
    for (const [index, { edge, rim }] of lines) {
      for (const line of [rim, edge]) {
        line.classList.toggle("lit", lit.has(index));
        if (line.nextSibling !== next) this.element.insertBefore(line, next); // only moved lines are painted again
        next = line;
      }
    }
  }
}

/** Write a length with at most two decimals. @param {number} length */
function px(length) {
  return String(Number(length.toFixed(2)));
}
