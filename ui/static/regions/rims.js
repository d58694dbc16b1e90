// Lines above all areas of a picture: the outlines of highlighted regions lie over the other outlines.
// Only these lines are moved to the top. The areas that react to the pointer keep their order. So a small region inside
// a highlighted region stays within reach.

import { el } from "../shared/dom.js";

export class Rims {
  constructor() {
    /** @type {Map<number, SVGElement>} coloured lines above the areas; key: index of the region */
    this.rims = new Map();
  }

  /** Forget all lines, because other regions are drawn. */
  clear() {
    this.rims.clear();
  }

  /** @param {number} index of a region */
  get(index) {
    return this.rims.get(index);
  }

  /** Draw both lines of a region above everything that is drawn so far.
   * @param {number} index @param {SVGElement} path the region's area with its coloured line
   * @param {SVGElement} edge the light line beneath the coloured line */
  raise(index, path, edge) {
    const rim = this.rims.get(index) ?? rimOf(path);
    this.rims.set(index, rim);
    for (const name of ["stroke", "stroke-width"]) rim.setAttribute(name, path.getAttribute(name) ?? "none");
    rim.style.display = path.style.display;
    rim.classList.toggle("lit", path.classList.contains("lit"));
    path.parentNode?.append(edge, rim);
  }

  /** Move the lines of a region from the top back to the region's area. @param {number} index @param {SVGElement} path
   * @param {SVGElement} edge */
  lower(index, path, edge) {
    const rim = this.rims.get(index);
    if (!rim) return;
    this.rims.delete(index);
    rim.remove();
    path.before(edge);
  }
}

/** @param {SVGElement} path */
function rimOf(path) {
  return el("path", {
    d: path.getAttribute("d"),
    class: "rim",
    fill: "none",
    "clip-path": path.getAttribute("clip-path"),
    "aria-hidden": "true",
    "vector-effect": "non-scaling-stroke",
  });
}
