// Lines above all areas of a picture: outlines of mentioned regions lie over other outlines, and highlighted ones over all.
// Only lines move. The areas that react to the pointer keep their order. So a small region inside a mentioned region
// stays within reach.

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
   * @param {SVGElement} edge the light line over the coloured line */
  raise(index, path, edge) {
    const rim = this.rims.get(index) ?? rimOf(path);
    this.rims.set(index, rim);
    rim.setAttribute("stroke", path.getAttribute("stroke") ?? "none");
    rim.style.display = path.style.display;
    rim.classList.toggle("lit", path.classList.contains("lit"));
    path.parentNode?.append(rim, edge);
  }

  /** Put the lines of a region back to its area. @param {number} index @param {SVGElement} path
   * @param {SVGElement} edge */
  lower(index, path, edge) {
    const rim = this.rims.get(index);
    if (!rim) return;
    this.rims.delete(index);
    rim.remove();
    path.after(edge);
  }
}

/** @param {SVGElement} path */
function rimOf(path) {
  return el("path", {
    d: path.getAttribute("d"),
    class: "rim",
    fill: "none",
    "stroke-width": path.getAttribute("stroke-width"),
    "aria-hidden": "true",
    "vector-effect": "non-scaling-stroke",
  });
}
