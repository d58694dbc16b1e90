// A layer over a picture. On this layer, a person draws a box with the mouse, a finger or keys.

import { el, say } from "../shared/dom.js";
import { Pen } from "./pen.js";

/** @import { RegionPicture } from "./picture.js" */
/** @import { Point } from "./pen.js" */

const HELP = "Drag a box, or click two corners.";
const KEYS = "Keys: arrows move the pen (with Shift in small steps), Space sets a corner, Escape cancels.";

export class Drawing {
  /** @param {RegionPicture} picture
   * @param {{done: (outline: Point[]) => void, cancelled: () => void}} tells done is called with the finished outline;
   * cancelled is called when the user cancels */
  constructor(picture, { done, cancelled }) {
    this.tells = { done, cancelled };
    this.size = picture.size;
    this.pen = new Pen(picture.size);
    this.shape = el("path", { class: "drawn", "vector-effect": "non-scaling-stroke" });
    this.edge = el("path", { class: "drawn-edge", "vector-effect": "non-scaling-stroke" });
    this.cross = el("path", { class: "cross", "vector-effect": "non-scaling-stroke" });
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
    this.sheet.addEventListener("dblclick", (event) => event.stopPropagation());
    this.sheet.addEventListener("click", (event) => event.stopPropagation());
    this.sheet.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
    picture.layer.append(this.sheet, this.said);
    this.show();
    this.sheet.focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  pointer(event) {
    event.stopPropagation();
    const box = this.sheet.getBoundingClientRect();
    /** @type {Point} */
    const at = [
      ((event.clientX - box.left) / box.width) * this.size.width,
      ((event.clientY - box.top) / box.height) * this.size.height,
    ];
    if (event.type === "pointerdown" && event.button === 0) {
      event.preventDefault();
      this.sheet.setPointerCapture(event.pointerId);
      this.sheet.focus({ preventScroll: true });
      this.pen.press(at);
    } else if (event.type === "pointermove") this.pen.move(at);
    else if (event.type === "pointerup") this.pen.release(at);
    this.show();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Escape") {
      event.stopPropagation();
      this.leave();
      return this.tells.cancelled();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !this.pen.key(event.key, event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
    this.show();
    say(this.said, this.pen.words);
  }

  show() {
    const { shape, cursor, done } = this.pen, { width, height } = this.size;
    for (const path of [this.shape, this.edge]) path.setAttribute("d", pathOf(shape));
    this.cross.setAttribute("d", `M0 ${cursor[1]}H${width}M${cursor[0]} 0V${height}`);
    if (!done) return;
    this.cross.remove();
    this.tells.done(shape);
  }

  leave() {
    this.sheet.remove();
    this.said.remove();
  }
}

/** @param {Point[]} points */
function pathOf(points) {
  return points.length
    ? `M${points.map((point) => point.map((number) => number.toFixed(1)).join(" ")).join("L")}Z`
    : "";
}
