// A layer over a picture. On this layer, a person draws a box with the mouse, a finger or keys.

import { el, say } from "../shared/dom.js";

/** @import { RegionPicture } from "./picture.js" */
/** @typedef {[number, number]} Point x and y, in pixels of the picture */

const HELP = "Drag a box, or click two corners.";
const KEYS = "Keys: arrows move the pen (with Shift in small steps), Space sets a corner, Escape cancels.";
const STEP = 0.02, FINE = 0.004; // steps of an arrow key without and with Shift, as shares of the picture's longer side
const SMALL = 0.01; // a pointer press that moves less than this is a click; share of the picture's longer side
/** @type {Record<string, Point>} */
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Drawing {
  /** @param {RegionPicture} picture
   * @param {{done: (outline: Point[]) => void, cancelled: () => void}} tells done is called with the finished outline;
   * cancelled is called when the user cancels */
  constructor(picture, { done, cancelled }) {
    this.done = done;
    this.cancelled = cancelled;
    this.size = picture.size;
    this.unit = Math.max(picture.size.width, picture.size.height);
    /** @type {Point | null} the first corner */
    this.corner = null;
    /** @type {Point} position of the keyboard cursor, or latest position of the pointer */
    this.cursor = [this.size.width / 2, this.size.height / 2];
    /** @type {Point | null} position where the pointer was pressed */
    this.pressed = null;
    this.isDone = false;
    const line = { "vector-effect": "non-scaling-stroke" };
    this.shape = el("path", { class: "drawn", ...line });
    this.edge = el("path", { class: "drawn-edge", ...line });
    this.cross = el("path", { class: "cross", ...line });
    this.said = el("p", { class: "visually-hidden", role: "status" });
    this.help = el("p", { class: "quiet drawing-help" }, HELP, el("span", {}, ` ${KEYS}`));
    this.sheet = el(
      "svg",
      {
        class: "drawing",
        viewBox: `0 0 ${this.size.width} ${this.size.height}`,
        preserveAspectRatio: "none",
        tabindex: "0",
        role: "application",
        "aria-label": `${HELP} ${KEYS}`,
      },
      this.shape,
      this.edge,
      this.cross,
    );
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
      this.sheet.addEventListener(type, (event) => this.pointer(/** @type {PointerEvent} */ (event)));
    }
    for (const type of ["click", "dblclick"]) this.sheet.addEventListener(type, (event) => event.stopPropagation());
    this.sheet.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
    picture.layer.append(this.sheet, this.said);
    this.show();
    this.sheet.focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  pointer(event) {
    event.stopPropagation();
    if (this.isDone) return;
    const box = this.sheet.getBoundingClientRect(), { width, height } = this.size;
    const at = this.within([
      ((event.clientX - box.left) / box.width) * width,
      ((event.clientY - box.top) / box.height) * height,
    ]);
    const ends = event.type === "pointerup" && this.pressed !== null;
    if (event.type === "pointerdown" && event.button === 0) {
      event.preventDefault();
      this.sheet.setPointerCapture(event.pointerId);
      this.sheet.focus({ preventScroll: true });
      this.pressed = at;
    }
    this.cursor = at;
    if (this.pressed && Math.hypot(at[0] - this.pressed[0], at[1] - this.pressed[1]) >= SMALL * this.unit) {
      this.corner = this.pressed; // a drag
    }
    if (event.type === "pointerup" || event.type === "pointercancel") this.pressed = null;
    if (ends) this.put();
    else this.show();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      this.leave();
      this.cancelled();
    } else if (this.isDone) return;
    else if (MOVES[event.key]) {
      const step = this.unit * (event.shiftKey ? FINE : STEP), [right, down] = MOVES[event.key];
      this.cursor = this.within([this.cursor[0] + right * step, this.cursor[1] + down * step]);
      this.show();
    } else if (event.key === " " || event.key === "Enter") this.put();
    else return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y] = this.cursor.map(Math.round), { width, height } = this.size;
    say(this.said, `${x}, ${y} of ${width} × ${height}; ${this.corner ? "first corner set" : "no corner yet"}`);
  }

  /** Set a corner at the cursor. The second corner finishes the box if it encloses an area. */
  put() {
    const { corner, cursor } = this;
    this.corner ??= cursor;
    this.show();
    this.isDone = corner !== null && corner[0] !== cursor[0] && corner[1] !== cursor[1];
    if (!this.isDone) return;
    this.cross.remove();
    this.done(this.box);
  }

  /** The corners of the box so far, up to the cursor. @returns {Point[]} */
  get box() {
    if (!this.corner) return [];
    const [x0, y0] = this.corner, [x1, y1] = this.cursor;
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
  }

  show() {
    const { box, cursor: [x, y], size: { width, height } } = this;
    const path = box.length ? `M${box.map((point) => point.map((one) => one.toFixed(1)).join(" ")).join("L")}Z` : "";
    for (const one of [this.shape, this.edge]) one.setAttribute("d", path);
    this.cross.setAttribute("d", `M0 ${y}H${width}M${x} 0V${height}`);
  }

  /** Return a point inside the picture. @param {Point} at @returns {Point} */
  within([x, y]) {
    return [Math.min(this.size.width, Math.max(0, x)), Math.min(this.size.height, Math.max(0, y))];
  }

  leave() {
    this.sheet.remove();
    this.said.remove();
  }
}
