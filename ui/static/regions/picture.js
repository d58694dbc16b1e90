// A picture with one SVG over it. Every region has an area, which reacts to the pointer, and two lines along the inner
// side of its outline: a coloured line, and a light line, so that the outline is visible on any background.
// The style sheet gives areas and lines their colours, widths and dashes, by the attribute data-look.
// Lines lie inside their regions: they are twice as wide as they look, and the region's own shape clips them.
// So the colours of two neighbours are side by side, and neither covers the other.
// A region that the caption leaves out is hatched only while somebody points at it, so that the picture stays visible.
// A part of a mentioned thing, such as the mane of a lion, is not hatched. Otherwise the lion would look left out.
// Lines of mentioned regions lie over the others, and those of highlighted regions over all. Areas keep their order, so
// that the pointer can reach a small region inside a mentioned region.

import { colour, el } from "../shared/dom.js";

/** @import { Child } from "../shared/types.d.ts" */
/** @import { LinksJson, RegionJson } from "../shared/wire.d.ts" */
/** @typedef {RegionJson["look"]} Look how a region is drawn
 * part: not mentioned, but inside a mentioned region; waiting: not compared with a caption */
/** @typedef {Pick<RegionJson, "is_full" | "area" | "path" | "thickness">} Outline */
/** @typedef {{area: SVGElement, edge: SVGElement, rim: SVGElement}} Drawn edge: the light line; rim: the coloured line */

export const NOT_COMPARED = "annotated, not compared";
/** What each look means, in the order of the legend. @type {[Look, string][]} */
const MEANINGS = [
  ["mentioned", "mentioned"],
  ["unmentioned", "not mentioned"],
  ["part", "detail, not mentioned"],
  ["waiting", NOT_COMPARED],
];
const ZOOMS = [1, 1.5, 2, 3, 4, 6, 8];
let made = 0; // number of pictures made so far; makes the ids of each picture's hatching pattern and clips unique

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

/** Make a frame that contains a picture with texts over it. @param {RegionPicture} picture @param {...Child} over */
export function framed({ stage, size }, ...over) {
  return el("div", { class: "region-frame", style: `--ratio: ${size.width / size.height}` }, stage, over);
}

/** The picture and its regions. Other modules listen to events of the regions' paths (SVG elements). The attribute
 * data-region of a path is the index of its region. */
export class RegionPicture {
  /** Draw the picture with its regions. A region that covers the whole picture is drawn as a frame.
   * @param {{image: string, alt: string, regions: readonly Outline[]} & Pick<LinksJson, "size">} picture */
  constructor({ image, alt, size: [height, width], regions }) {
    /** @type {(level: string) => void} */
    this.onZoom = () => {}; // callback that gets the new level of zoom, as text
    /** @type {Map<number, Drawn>} key: index of the region; the largest region is first */
    this.drawn = new Map();
    /** @type {ReadonlySet<number>} indices of the highlighted regions */
    this.lit = new Set();
    this.size = { width, height };
    this.image = image;
    this.zoom = 0;
    this.id = `capscope-${made += 1}`;
    this.photo = el("img", { src: image, draggable: "false", alt, width, height });
    this.lines = el("g", { class: "lines", "aria-hidden": "true" });
    this.svg = el("svg", {
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: "none",
      role: "group",
      "aria-label": "Regions of the picture",
    });
    this.layer = el("div", { class: "region-layer" }, this.photo, this.svg);
    this.stage = el("div", { class: "region-stage" }, this.layer);
    // The stage has the whole picture's size from the start. Only zooming makes the layer inside it larger.
    this.stage.style.setProperty("--ratio", String(width / height));
    this.stage.addEventListener("dblclick", (event) => this.zoomBy(this.zoom ? -this.zoom : 2, event));
    this.stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.draw(regions);
  }

  /** Draw regions over the picture, in place of those before. @param {readonly Outline[]} regions */
  draw(regions) {
    const sorted = regions.map((region, index) => ({ region, index }))
      .sort((a, b) => b.region.area - a.region.area); // largest first, so that small regions are on top
    this.lit = new Set();
    this.drawn.clear();
    this.lines.replaceChildren();
    const clips = sorted.map(({ region, index }) => this.outline(region, index));
    const areas = [...this.drawn.values()].map(({ area }) => area);
    this.svg.replaceChildren(el("defs", {}, this.hatching(), clips), ...areas, this.lines);
  }

  /** Draw one region. Return the shape that clips its lines.
   * @param {Outline} region @param {number} index */
  outline({ is_full: isFull, path: d, thickness }, index) {
    const { width, height } = this.size, clip = `${this.id}-${index}`;
    const line = { d: isFull ? "" : d, fill: "none", "clip-path": `url(#${clip})`, "data-region": index };
    const fixed = { "vector-effect": "non-scaling-stroke" },
      role = { tabindex: "-1", role: "button", "aria-pressed": "false" };
    const edge = el("path", { ...line, ...fixed, class: "edge" }),
      rim = el("path", { ...line, ...fixed, class: "rim" });
    const area = isFull
      ? el("rect", { x: 0, y: 0, width, height, class: "region whole", fill: "none", "data-region": index, ...fixed })
      : el(
        "path",
        { d, class: "region", "fill-rule": "evenodd", "data-region": index, ...role, ...fixed },
        el("title"),
      );
    this.drawn.set(index, { area, edge, rim });
    if (isFull) return null;
    for (const one of [edge, rim]) one.style.setProperty("--thickness", String(thickness / width));
    this.lines.append(edge, rim);
    return el("clipPath", { id: clip }, el("path", { d, "clip-rule": "evenodd" }));
  }

  hatching() {
    const step = Math.max(2, this.size.width / 100), size = { width: step, height: step };
    return el(
      "pattern",
      { id: `${this.id}-hatch`, ...size, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      el("rect", { width: step * 0.3, height: step, fill: colour("--unmentioned") }),
      el("rect", { x: step * 0.3, width: step * 0.12, height: step, fill: colour("--over-picture") }),
    );
  }

  /** Set the look and the name of a region, and its recall for outlines that show recalls.
   * @param {number} index @param {Look} look @param {string} name @param {number} [recall] share of the highest recall */
  show(index, look, name, recall = 1) {
    const drawn = this.drawn.get(index);
    if (!drawn || drawn.area.classList.contains("whole")) return;
    const { area, edge, rim } = drawn;
    for (const line of [edge, rim]) line.style.setProperty("--recall", String(recall));
    if (area.dataset.look !== look) { // only if the look changes, because painting a region again is slow
      area.setAttribute("fill", look === "unmentioned" ? `url(#${this.id}-hatch)` : "transparent");
      for (const one of Object.values(drawn)) one.dataset.look = look;
      this.order();
    }
    if (area.getAttribute("aria-label") === name) return;
    area.setAttribute("aria-label", name);
    area.querySelector("title")?.replaceChildren(name);
  }

  /** Highlight regions and dim the rest; without regions nothing is dimmed.
   * @param {readonly number[]} indices */
  light(indices) {
    const before = this.lit, now = this.lit = new Set(indices);
    if (before.size === now.size && [...now].every((index) => before.has(index))) return;
    this.svg.classList.toggle("has-lit", now.size > 0);
    for (const [index, drawn] of this.drawn) {
      for (const one of Object.values(drawn)) one.classList.toggle("lit", now.has(index));
    }
    this.order();
  }

  /** Put the lines in their order: highlighted regions over the mentioned ones, and these over the others. */
  order() {
    const level = (/** @type {[number, Drawn]} */ [index, { area }]) =>
      this.lit.has(index) ? 2 : Number(area.dataset.look === "mentioned");
    /** @type {SVGElement | null} */
    let next = null;
    for (const [, { edge, rim }] of [...this.drawn].sort((a, b) => level(a) - level(b)).reverse()) {
      for (const line of rim.parentNode ? [rim, edge] : []) {
        if (line.nextSibling !== next) this.lines.insertBefore(line, next); // only moved lines are painted again
        next = line;
      }
    }
  }

  /** Zoom in or out by steps. The point under the pointer, or the middle, stays in place.
   * @param {number} change @param {{clientX: number, clientY: number} | null} [point] */
  zoomBy(change, point = null) {
    const to = Math.min(ZOOMS.length - 1, Math.max(0, this.zoom + change));
    const box = this.stage.getBoundingClientRect(), before = this.layer.getBoundingClientRect();
    const x = point ? point.clientX : box.left + box.width / 2, y = point ? point.clientY : box.top + box.height / 2;
    this.zoom = to;
    this.layer.style.setProperty("--zoom", String(ZOOMS[to]));
    this.stage.tabIndex = to ? 0 : -1; // a zoomed picture can have the focus, so that the arrow keys scroll it
    const after = this.layer.getBoundingClientRect(), growth = after.width / before.width;
    this.stage.scrollBy(after.left + (x - before.left) * growth - x, after.top + (y - before.top) * growth - y);
    this.onZoom(`${Math.round(ZOOMS[to] * 100)} %`);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return; // without Ctrl or Command, the wheel scrolls the page
    event.preventDefault();
    this.zoomBy(event.deltaY < 0 ? 1 : -1, event);
  }
}
