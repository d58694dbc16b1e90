// A line that people draw by hand around a part of a plot, and the samples inside this line. The corners of the line
// are in units of the axes.

import { el } from "../shared/dom.js";

/** @typedef {[number, number]} Corner */

const STEP_PX = 4; // smallest distance in px between two corners of a drawn line
const MOST_CORNERS = 400; // maximum number of corners of a drawn line; the server would accept 500

export class Lasso {
  /** @param {HTMLElement} box element of the plot
   * @param {() => {across: Corner, up: Corner}} ranges returns the ranges that the axes show now
   * @param {(corners: Corner[]) => void} drawn is called with the corners of a finished line, in units of the axes */
  constructor(box, ranges, drawn) {
    this.box = box;
    this.ranges = ranges;
    this.drawn = drawn;
    /** @type {SVGElement | null} */
    this.sheet = null;
    this.line = el("path", { class: "lasso-line" });
    /** @type {Corner[]} */
    this.path = [];
  }

  get isOn() {
    return this.sheet !== null;
  }

  /** Start or end drawing. While drawing is on, people draw a line on a transparent sheet over the plot.
   * @param {boolean} on */
  turn(on) {
    this.sheet?.remove();
    this.sheet = null;
    if (!on) return;
    const frame = this.frame();
    this.line.removeAttribute("d");
    this.sheet = el(
      "svg",
      { class: "lasso-sheet", style: frameStyle(frame), pointerdown: (event) => this.begin(event) },
      this.line,
    );
    this.box.append(this.sheet);
  }

  /** Return the rectangle of the plot's axes, relative to the plot's element. */
  frame() {
    const drag = (this.box.querySelector(".nsewdrag") ?? this.box).getBoundingClientRect();
    const box = this.box.getBoundingClientRect();
    return { left: drag.left - box.left, top: drag.top - box.top, width: drag.width, height: drag.height };
  }

  /** @param {PointerEvent} event */
  begin(event) {
    event.preventDefault();
    const { sheet } = this;
    if (!sheet) return;
    sheet.setPointerCapture(event.pointerId);
    this.path = [[event.offsetX, event.offsetY]];
    const move = (/** @type {PointerEvent} */ { offsetX, offsetY }) => {
      const [x, y] = this.path[this.path.length - 1];
      if (Math.hypot(offsetX - x, offsetY - y) < STEP_PX) return;
      this.path.push([offsetX, offsetY]);
      this.show();
    };
    const end = () => {
      sheet.removeEventListener("pointermove", move);
      if (this.path.length > 2) this.drawn(this.corners());
    };
    sheet.addEventListener("pointermove", move);
    sheet.addEventListener("pointerup", end, { once: true });
  }

  show() {
    this.line.setAttribute("d", `M${this.path.map((corner) => corner.join(" ")).join("L")}Z`);
  }

  /** Return the corners of the drawn line, in units of the axes. @returns {Corner[]} */
  corners() {
    const { width, height } = this.frame(), { across, up } = this.ranges();
    return thinned(this.path).map(([x, y]) => [
      across[0] + (x / width) * (across[1] - across[0]),
      up[1] - (y / height) * (up[1] - up[0]),
    ]);
  }
}

/** @param {{left: number, top: number, width: number, height: number}} frame */
function frameStyle({ left, top, width, height }) {
  return `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
}

/** Thin out a drawn line so that it has at most MOST_CORNERS corners.
 * @param {Corner[]} path @returns {Corner[]} */
export function thinned(path) {
  const every = Math.ceil(path.length / MOST_CORNERS);
  return path.filter((_, at) => at % every === 0);
}

/** Return the indices of the samples inside a closed line.
 * The rule is the same as in core/analysis/slice_conditions.py.
 * @param {ArrayLike<number>} xs @param {ArrayLike<number>} ys @param {Corner[]} corners */
export function inside(xs, ys, corners) {
  const found = [];
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i], y = ys[i];
    let within = false;
    for (let a = corners.length - 1, b = 0; b < corners.length; a = b++) {
      const [x1, y1] = corners[a], [x2, y2] = corners[b];
      if ((y1 > y) !== (y2 > y) && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) within = !within;
    }
    if (within && Number.isFinite(x)) found.push(i);
  }
  return found;
}
