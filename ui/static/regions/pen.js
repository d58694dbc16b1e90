// Drawing a box: how the mouse, a finger and keys set its two corners. This module does not use the page.

/** @typedef {[number, number]} Point x and y, in pixels of the picture */
/** @typedef {{width: number, height: number}} Size */

const STEP = 0.02, FINE = 0.004; // steps of an arrow key without and with Shift, as shares of the picture's longer side
const SMALL = 0.01; // a pointer press that moves less than this is a click; share of the picture's longer side
/** @type {Record<string, Point>} */
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A box that is being drawn. A drag or two clicks set its corners. */
export class Pen {
  /** @param {Size} size size of the picture */
  constructor(size) {
    this.size = size;
    this.unit = Math.max(size.width, size.height);
    /** @type {Point | null} */
    this.corner = null;
    /** @type {Point} position of the keyboard cursor, or latest position of the pointer */
    this.cursor = [size.width / 2, size.height / 2];
    /** @type {Point | null} position where the pointer was pressed */
    this.pressed = null;
    this.done = false;
  }

  /** The corners of the box so far, up to the cursor. @returns {Point[]} */
  get shape() {
    if (!this.corner) return [];
    const [x0, y0] = this.corner, [x1, y1] = this.cursor;
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
  }

  /** @param {Point} at */
  press(at) {
    this.cursor = this.pressed = this.within(at);
  }

  /** @param {Point} at */
  move(at) {
    if (this.done) return;
    this.cursor = this.within(at);
    if (this.pressed && this.isFar(this.pressed)) this.corner = this.pressed;
  }

  /** @param {Point} at */
  release(at) {
    if (!this.pressed) return;
    this.move(at);
    this.pressed = null;
    this.put();
  }

  /** Set a corner at the cursor. The second corner finishes the box if it encloses an area. */
  put() {
    if (!this.corner) this.corner = this.cursor;
    else this.done = this.corner[0] !== this.cursor[0] && this.corner[1] !== this.cursor[1];
  }

  /** Run the action of a key.
   * @param {string} name the key's name @param {boolean} [fine] whether arrow keys move by small steps
   * @returns {boolean} whether the key has an effect */
  key(name, fine = false) {
    if (MOVES[name]) {
      const step = this.unit * (fine ? FINE : STEP), [x, y] = this.cursor, [right, down] = MOVES[name];
      this.cursor = this.within([x + right * step, y + down * step]);
    } else if (name === " " || name === "Enter") this.put();
    else if (name === "Backspace") this.corner = null;
    else return false;
    return true;
  }

  /** Description of the drawing so far, for screen readers. */
  get words() {
    const [x, y] = this.cursor.map(Math.round);
    return `${x}, ${y} of ${this.size.width} × ${this.size.height}; ${
      this.corner ? "first corner set" : "no corner yet"
    }`;
  }

  /** @param {Point} at @returns {Point} */
  within([x, y]) {
    return [Math.min(this.size.width, Math.max(0, x)), Math.min(this.size.height, Math.max(0, y))];
  }

  /** Return whether the cursor is far enough from a point for a drag. @param {Point} at */
  isFar([x, y]) {
    return Math.hypot(x - this.cursor[0], y - this.cursor[1]) / this.unit >= SMALL;
  }
}
