// A picture with one SVG over it: every region has an outline; its colour and pattern show whether it is mentioned.
// Every outline has two lines, a coloured line and a light line along its inner side. So it is visible on any background.
// Outlines lie inside their regions: the lines are twice as wide as they look, and the region's own shape clips them.
// So the colours of two neighbours are side by side, and neither covers the other.
// A region that the caption leaves out is hatched only while somebody points at it, so that the picture stays visible.
// A part of a mentioned thing, such as the mane of a lion, is not hatched. Otherwise the lion would look left out.

import { colour, el } from "../shared/dom.js";
import { photoOf } from "./photo.js";
import { Rims } from "./rims.js";

/** @import { Child } from "../shared/types.d.ts" */
/** @import { DrawnRegionJson, LinksJson } from "../shared/wire.d.ts" */
/** @typedef {Pick<DrawnRegionJson, "is_full" | "area" | "path" | "thickness">} Outline */
/** @typedef {"mentioned" | "unmentioned" | "part" | "waiting"} Look how a region is drawn
 * part: not mentioned, but inside a mentioned region; waiting: not judged yet */

const ZOOMS = [1, 1.5, 2, 3, 4, 6, 8];
const DRAG_PX = 4; // px; a pointer press that moves further than this is a drag, not a click
let made = 0; // number of pictures made so far; makes the ids of each picture's hatching pattern and clips unique

/** Make a frame that contains a picture with texts over it. @param {RegionPicture} picture @param {...Child} over */
export function framed({ stage, size }, ...over) {
  return el("div", { class: "region-frame", style: `--ratio: ${size.width / size.height}` }, stage, over);
}

/** The picture and its regions. Other modules listen to events of the regions' paths (SVG elements). The attribute
 * data-region of a path is the index of its region. */
export class RegionPicture {
  /** Draw the picture with its regions. A region that covers the whole picture is drawn as a frame.
   * If an explanation has no regions, the size of the picture is unknown, and the picture counts as square.
   * @param {{image: string, screen?: string | null, alt: string, regions: Outline[]} & Pick<LinksJson, "size">}
   * picture */
  constructor({ image, screen, alt, size, regions }) {
    const [height, width] = size ?? [1, 1];
    /** @type {(level: string) => void} */
    this.onZoom = () => {}; // callback that gets the new level of zoom, as text
    /** @type {Map<number, SVGElement>} maps the index of a region to its area, which reacts to the pointer */
    this.paths = new Map();
    this.rims = new Rims();
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
    this.stage.addEventListener("pointerdown", (event) => this.drag(event));
    this.stage.addEventListener("dblclick", (event) => this.zoomBy(this.zoom ? -this.zoom : 2, event));
    this.stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Draw other regions over the same picture. Return the new SVG.
   * @param {Outline[]} regions */
  redraw(regions) {
    const drawn = this.drawing(regions);
    this.svg.replaceWith(drawn);
    return (this.svg = drawn);
  }

  /** @param {Outline[]} regions */
  drawing(regions) {
    const { width, height } = this.size;
    const hatch = Math.max(2, width / 100);
    this.paths.clear();
    this.lit = new Set();
    const sorted = regions
      .map((region, index) => ({ region, index }))
      .sort((a, b) => b.region.area - a.region.area); // largest first, so that small regions are on top
    const areas = sorted.map(({ region, index }) => {
      const path = region.is_full
        ? el("rect", {
          x: 0,
          y: 0,
          width,
          height,
          class: "region whole",
          fill: "none",
          "vector-effect": "non-scaling-stroke",
        })
        : el("path", {
          d: region.path,
          class: "region",
          tabindex: "-1",
          role: "button",
          "aria-pressed": "false",
          "fill-rule": "evenodd",
          "vector-effect": "non-scaling-stroke",
        }, el("title"));
      path.dataset.region = String(index);
      this.paths.set(index, path);
      return path;
    });
    const clips = this.rims.begin(sorted.filter(({ region }) => !region.is_full), {
      clip: this.clip,
      light: this.colours.edge,
      width,
    });
    return el(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: "none",
        role: "group",
        "aria-label": "Regions of the picture",
      },
      el(
        "defs",
        {},
        el("pattern", {
          id: this.hatch,
          width: hatch,
          height: hatch,
          patternUnits: "userSpaceOnUse",
          patternTransform: "rotate(45)",
        }, [
          el("rect", { width: hatch * 0.3, height: hatch, fill: this.colours.unmentioned }),
          el("rect", { x: hatch * 0.3, width: hatch * 0.12, height: hatch, fill: this.colours.edge }),
        ]),
        clips,
      ),
      areas,
      this.rims.element,
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
      this.rims.show(index, look, this.colours[look]);
      path.classList.toggle("mentioned", look === "mentioned");
      path.dataset.look = look;
      this.rims.order(this.lit);
    }
    if (path.getAttribute("aria-label") !== name) {
      path.setAttribute("aria-label", name);
      path.querySelector("title")?.replaceChildren(name);
    }
    path.style.display = shown ? "" : "none";
    this.rims.display(index, path.style.display);
  }

  /** Set how strong the outlines are. @param {readonly number[]} shares in [0, 1], by region; []: all in full */
  strengthen(shares) {
    for (const index of this.paths.keys()) this.rims.fade(index, shares.length ? 0.2 + 0.8 * shares[index] : 1);
  }

  /** Highlight regions and dim the rest; without regions nothing is dimmed.
   * @param {readonly number[]} indices */
  light(indices) {
    const before = this.lit, now = this.lit = new Set(indices);
    if (before.size === now.size && [...now].every((index) => before.has(index))) return;
    this.svg.classList.toggle("has-lit", now.size > 0);
    for (const [at, drawn] of this.paths) drawn.classList.toggle("lit", now.has(at));
    this.rims.order(now);
  }

  /** Zoom in or out by steps. The point under the pointer, or the middle, stays in place.
   * @param {number} change @param {{clientX: number, clientY: number} | null} [at] */
  zoomBy(change, at = null) {
    const to = Math.min(ZOOMS.length - 1, Math.max(0, this.zoom + change));
    const box = this.stage.getBoundingClientRect(), before = this.layer.getBoundingClientRect();
    const x = at ? at.clientX : box.left + box.width / 2, y = at ? at.clientY : box.top + box.height / 2;
    this.zoom = to;
    this.layer.style.setProperty("--zoom", String(ZOOMS[to]));
    this.stage.classList.toggle("zoomed", to > 0);
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

  /** Pan with the mouse. For touch, the browser pans by itself.
   * @param {PointerEvent} event */
  drag(event) {
    if (!this.zoom || event.pointerType !== "mouse" || event.button !== 0) return;
    const { stage } = this;
    const from = { x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop };
    const start = { x: event.clientX, y: event.clientY }, ended = new AbortController();
    let moved = false;
    addEventListener("pointermove", ({ clientX, clientY }) => {
      moved ||= Math.hypot(clientX - start.x, clientY - start.y) > DRAG_PX;
      if (moved) stage.scrollTo(from.x - clientX, from.y - clientY);
    }, { signal: ended.signal });
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(end, () => ended.abort(), { signal: ended.signal });
    }
    // the click after a drag must not highlight anything
    const swallow = (/** @type {MouseEvent} */ click) => moved && click.stopPropagation();
    stage.addEventListener("click", swallow, { capture: true, once: true });
    const later = () => setTimeout(() => stage.removeEventListener("click", swallow, { capture: true }));
    ended.signal.addEventListener("abort", later);
  }
}
