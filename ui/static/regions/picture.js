// A picture with one SVG over it: every region has an outline; its colour and pattern show whether it is mentioned.
// Every outline has two lines, a coloured line and a light line along its inner side. So it is visible on any background.
// Outlines lie inside their regions: the lines are twice as wide as they look, and the region's own shape clips them.
// So the colours of two neighbours are side by side, and neither covers the other.
// A region that the caption leaves out is hatched only while somebody points at it, so that the picture stays visible.
// A part of a mentioned thing, such as the mane of a lion, is not hatched. Otherwise the lion would look left out.

import { colour, el } from "../shared/dom.js";
import { Outlines } from "./outlines.js";

/** @import { Attributes, Child } from "../shared/types.d.ts" */
/** @import { LinksJson } from "../shared/wire.d.ts" */
/** @import { Look, Outline } from "./outlines.js" */

const ZOOMS = [1, 1.5, 2, 3, 4, 6, 8];
let made = 0; // number of pictures made so far; makes the ids of each picture's hatching pattern and clips unique

/** Make a frame that contains a picture with texts over it. @param {RegionPicture} picture @param {...Child} over */
export function framed({ stage, size }, ...over) {
  return el("div", { class: "region-frame", style: `--ratio: ${size.width / size.height}` }, stage, over);
}

/** The picture and its regions. Other modules listen to events of the regions' paths (SVG elements). The attribute
 * data-region of a path is the index of its region. */
export class RegionPicture {
  /** @type {Outlines} */
  outlines; // set by drawing(), which the constructor calls

  /** Draw the picture with its regions. A region that covers the whole picture is drawn as a frame.
   * @param {{image: string, screen?: string | null, alt: string, regions: readonly Outline[]} & Pick<LinksJson, "size">}
   * picture */
  constructor({ image, screen, alt, size: [height, width], regions }) {
    /** @type {(level: string) => void} */
    this.onZoom = () => {}; // callback that gets the new level of zoom, as text
    /** @type {Map<number, SVGElement>} maps the index of a region to its area, which reacts to the pointer */
    this.paths = new Map();
    /** @type {ReadonlySet<number>} indices of the highlighted regions */
    this.lit = new Set();
    this.size = { width, height };
    this.zoom = 0;
    this.colours = {
      mentioned: colour("--mentioned"),
      unmentioned: colour("--unmentioned"),
      part: colour("--unmentioned"),
      edge: colour("--over-picture"),
      waiting: colour("--edge"),
    };
    this.hatch = `capscope-hatch-${(made += 1)}`;
    this.clip = `capscope-clip-${made}`;
    const { element: photo, sharpen } = photoOf(image, screen, { alt, width, height });
    this.photo = photo;
    this.sharpen = sharpen;
    this.svg = this.drawing(regions);
    this.layer = el("div", { class: "region-layer" }, this.photo, this.svg);
    this.stage = el("div", { class: "region-stage" }, this.layer);
    // The stage has the whole picture's size from the start. Only zooming makes the layer inside it larger.
    this.stage.style.setProperty("--ratio", String(width / height));
    this.stage.addEventListener("dblclick", (event) => this.zoomBy(this.zoom ? -this.zoom : 2, event));
    this.stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Draw other regions over the same picture. Return the new SVG.
   * @param {readonly Outline[]} regions */
  redraw(regions) {
    const drawn = this.drawing(regions);
    this.svg.replaceWith(drawn);
    return (this.svg = drawn);
  }

  /** @param {readonly Outline[]} regions */
  drawing(regions) {
    const { width, height } = this.size;
    const hatch = Math.max(2, width / 100);
    this.paths.clear();
    this.lit = new Set();
    const sorted = regions
      .map((region, index) => ({ region, index }))
      .sort((a, b) => b.region.area - a.region.area); // largest first, so that small regions are on top
    const areas = sorted.map(({ region, index }) => {
      const path = area(region, this.size);
      path.dataset.region = String(index);
      this.paths.set(index, path);
      return path;
    });
    const look = { clip: this.clip, light: this.colours.edge, width };
    const outlines = this.outlines = new Outlines(sorted.filter(({ region }) => !region.is_full), look);
    const stripes = el(
      "pattern",
      {
        id: this.hatch,
        width: hatch,
        height: hatch,
        patternUnits: "userSpaceOnUse",
        patternTransform: "rotate(45)",
      },
      el("rect", { width: hatch * 0.3, height: hatch, fill: this.colours.unmentioned }),
      el("rect", { x: hatch * 0.3, width: hatch * 0.12, height: hatch, fill: this.colours.edge }),
    );
    return el(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: "none",
        role: "group",
        "aria-label": "Regions of the picture",
      },
      el("defs", {}, stripes, outlines.clips),
      areas,
      outlines.element,
    );
  }

  /** Set the look and the name of a region, and whether the region is shown.
   * @param {number} index @param {{look: Look, name: string, shown: boolean}} region */
  show(index, { look, name, shown }) {
    const path = this.paths.get(index);
    if (!path || path.classList.contains("whole")) return;
    if (path.dataset.look !== look) { // only if the look changes, because painting a region again is slow
      path.setAttribute("fill", look === "unmentioned" ? `url(#${this.hatch})` : this.colours[look]);
      path.setAttribute("fill-opacity", "0");
      this.outlines.show(index, look, this.colours[look]);
      path.classList.toggle("mentioned", look === "mentioned");
      path.dataset.look = look;
      this.outlines.order(this.lit);
    }
    if (path.getAttribute("aria-label") !== name) {
      path.setAttribute("aria-label", name);
      path.querySelector("title")?.replaceChildren(name);
    }
    path.style.display = shown ? "" : "none";
    this.outlines.style(index, { display: path.style.display });
  }

  /** Set how strong the outlines are. @param {readonly number[]} shares in [0, 1], by region; []: all in full */
  strengthen(shares) {
    for (const index of this.paths.keys()) {
      this.outlines.style(index, { opacity: shares.length ? String(0.2 + 0.8 * shares[index]) : "" });
    }
  }

  /** Highlight regions and dim the rest; without regions nothing is dimmed.
   * @param {readonly number[]} indices */
  light(indices) {
    const before = this.lit, now = this.lit = new Set(indices);
    if (before.size === now.size && [...now].every((index) => before.has(index))) return;
    this.svg.classList.toggle("has-lit", now.size > 0);
    for (const [at, drawn] of this.paths) drawn.classList.toggle("lit", now.has(at));
    this.outlines.order(now);
  }

  /** Zoom in or out by steps. The point under the pointer, or the middle, stays in place.
   * @param {number} change @param {{clientX: number, clientY: number} | null} [at] */
  zoomBy(change, at = null) {
    const to = Math.min(ZOOMS.length - 1, Math.max(0, this.zoom + change));
    const box = this.stage.getBoundingClientRect(), before = this.layer.getBoundingClientRect();
    const x = at ? at.clientX : box.left + box.width / 2, y = at ? at.clientY : box.top + box.height / 2;
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

/** Make the area of a region, which reacts to the pointer and the keyboard.
 * @param {Outline} region @param {{width: number, height: number}} size */
function area(region, { width, height }) {
  const same = { "vector-effect": "non-scaling-stroke" };
  if (region.is_full) return el("rect", { x: 0, y: 0, width, height, class: "region whole", fill: "none", ...same });
  const role = { tabindex: "-1", role: "button", "aria-pressed": "false" };
  return el("path", { d: region.path, class: "region", "fill-rule": "evenodd", ...role, ...same }, el("title"));
}

/** Make an image element that first shows a smaller copy. sharpen() loads the original and resolves when it is shown.
 * The original is also loaded when the image is shown larger than the copy.
 * @param {string} image address of the original @param {string | null | undefined} screen address of a smaller copy
 * @param {Attributes} attributes
 * @returns {{element: HTMLImageElement, sharpen: () => Promise<void>}} */
function photoOf(image, screen, attributes) {
  const element = el("img", { src: screen ?? image, draggable: "false", ...attributes });
  if (!screen) return { element, sharpen: () => Promise.resolve() };
  /** @type {Promise<void> | null} */
  let sharp = null;
  const sharpen = () => sharp ??= replace(element, image);
  const look = () => {
    const { complete, naturalWidth, clientWidth } = element;
    if (!complete || !naturalWidth || clientWidth * devicePixelRatio <= naturalWidth) return;
    watcher.disconnect();
    sharpen();
  };
  const watcher = new ResizeObserver(look); // calls look() when the window's size or the zoom changes
  watcher.observe(element);
  element.addEventListener("load", look);
  return { element, sharpen };
}

/** @param {HTMLImageElement} element @param {string} image */
async function replace(element, image) {
  const original = el("img", { src: image });
  try {
    await original.decode();
    element.src = original.src;
    await element.decode();
  } catch {
    return; // the original did not load, so the smaller copy stays
  }
}
