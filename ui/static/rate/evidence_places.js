// The regions and the drawn boxes on an item's picture that a rater can choose as the place of an error.

import { el } from "../shared/dom.js";
import { Pen } from "../regions/pen.js";

/** @import { Item } from "../shared/types.d.ts" */
/** @typedef {NonNullable<NonNullable<Item["panels"][number]["sentences"][number]["judgement"]>["place"]>} Place */

export class EvidencePlaces {
  /** @param {Item} item @param {{onPick: (place: Place) => void, onDraw: (words: string) => void}} does onPick gets
   * the place that was clicked or drawn; onDraw gets words that describe a box while it is drawn with keys */
  constructor(item, { onPick, onDraw }) {
    this.item = item;
    this.onPick = onPick;
    this.onDraw = onDraw;
    const [width, height] = item.image_size ?? [1, 1];
    this.size = { width, height };
    /** @type {Pen | null} */
    this.pen = null;
    this.paths = item.places.map(({ label, path }, region) =>
      el(
        "g",
        { class: "place", click: () => this.pick(region) },
        el("title", {}, this.name(region)),
        el("path", { d: path, class: "place-under" }),
        el("path", { d: path, class: "place-over", "data-label": label ?? "" }),
      )
    );
    this.box = el("rect", { class: "place-box", visibility: "hidden" });
    this.cross = el("path", { class: "place-cross", visibility: "hidden" });
    this.svg = el(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: "xMinYMin meet",
        class: "places",
        "aria-hidden": "true",
        pointerdown: (event) => this.draws((pen) => pen.press(this.at(event))),
        pointermove: (event) => this.draws((pen) => pen.move(this.at(event))),
        pointerup: (event) => this.draws((pen) => pen.release(this.at(event))),
      },
      this.paths,
      this.box,
      this.cross,
    );
  }

  /** Name a region. @param {number} region */
  name(region) {
    const { label } = this.item.places[region] ?? {}, number = region + 1;
    return label ? `${label} (${number})` : `region (${number})`;
  }

  /** Draw the regions over the picture after it has loaded. @param {HTMLElement} figure */
  over(figure) {
    const image = figure.querySelector("img");
    if (!image) return;
    figure.classList.add("with-places");
    image.after(this.svg);
  }

  /** @param {number} region */
  pick(region) {
    if (this.pen) return;
    this.onPick(this.place(region));
  }

  /** @param {number} region @returns {Place} */
  place(region) {
    const { label, area } = this.item.places[region];
    return { region, label, area, box: null, nowhere: false };
  }

  /** Show a place on the picture; null hides the shown place. @param {Place | null} place */
  show(place) {
    for (const [region, path] of this.paths.entries()) path.classList.toggle("chosen", place?.region === region);
    this.svg.classList.toggle("has-chosen", place !== null && !place.nowhere);
    if (!place?.box) return this.box.setAttribute("visibility", "hidden");
    const { width, height } = this.size, [left, top, right, bottom] = place.box;
    this.outline(left * width, top * height, right * width, bottom * height);
  }

  /** Highlight regions without choosing one. @param {readonly number[]} regions */
  light(regions) {
    for (const [region, path] of this.paths.entries()) path.classList.toggle("hinted", regions.includes(region));
  }

  /** Draw the outline of a box, given two opposite corners.
   * @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
  outline(x0, y0, x1, y1) {
    const sides = { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
    for (const [name, value] of Object.entries(sides)) this.box.setAttribute(name, String(value));
    this.box.setAttribute("visibility", "visible");
  }

  // ---- drawing a box with keys or a pointer

  begin() {
    this.pen = new Pen("box", this.size);
    this.svg.classList.add("drawing");
    this.show(null);
    this.drawn(this.pen);
  }

  end() {
    this.pen = null;
    this.cross.setAttribute("visibility", "hidden");
    this.svg.classList.remove("drawing");
  }

  /** @param {(pen: Pen) => void} work */
  draws(work) {
    if (!this.pen) return;
    work(this.pen);
    this.drawn(this.pen);
  }

  /** Apply a key to the box that is being drawn. @param {KeyboardEvent} event @returns {boolean} whether the key did
   * something */
  key({ key, shiftKey }) {
    const { pen } = this;
    if (!pen?.key(key, shiftKey)) return false;
    this.drawn(pen);
    const isCorner = key === "Enter" || key === " ";
    if (!pen.done) {
      this.onDraw(isCorner && pen.points.length ? "First corner set: move to the opposite one" : pen.words);
    }
    return true;
  }

  /** @param {Pen} pen */
  drawn(pen) {
    const [a, b] = [pen.points[0] ?? pen.cursor, pen.points[1] ?? pen.cursor];
    this.outline(a[0], a[1], b[0], b[1]);
    const arm = Math.max(this.size.width, this.size.height) / 40, [x, y] = pen.cursor;
    this.cross.setAttribute("d", `M${x - arm} ${y}h${2 * arm}M${x} ${y - arm}v${2 * arm}`);
    this.cross.setAttribute("visibility", "visible");
    if (!pen.done) return;
    this.end();
    const { width, height } = this.size;
    const xs = [a[0], b[0]].map((x) => x / width).sort((x, y) => x - y);
    const ys = [a[1], b[1]].map((y) => y / height).sort((x, y) => x - y);
    const area = (xs[1] - xs[0]) * (ys[1] - ys[0]);
    this.onPick({ region: null, label: null, area, box: [xs[0], ys[0], xs[1], ys[1]], nowhere: false });
  }

  /** Return the position of a pointer event on the picture.
   * @param {PointerEvent} event @returns {[number, number]} x and y in pixels of the picture */
  at(event) {
    event.preventDefault();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
    return [point.x, point.y];
  }
}
