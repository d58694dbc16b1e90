// Drawing an outline: how the mouse, a finger and keys change its points. This module does not use the page.

/** @typedef {[number, number]} Point x and y, in pixels of the picture */
/** @typedef {"box" | "outline"} Tool */
/** @typedef {{width: number, height: number}} Size */

const STEP = 0.02, FINE = 0.004; // steps of an arrow key without and with Shift, as shares of the picture's longer side
const CLOSE = 0.02; // a point this near to the first point closes an outline; share of the picture's longer side
const APART = 0.008; // minimum distance between points of a freehand line; share of the picture's longer side
const SMALL = 0.01; // a pointer press that moves less than this is a click; share of the picture's longer side
/** @type {Record<string, Point>} */
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** An outline that is being drawn. A box has two corners, set by a drag or by two clicks.
 * Any other outline is a series of clicks that ends near the first point, or a line that is drawn freehand. */
export class Pen {
  /** @param {Tool} tool @param {Size} size size of the picture */
  constructor(tool, size) {
    this.tool = tool;
    this.size = size;
    this.unit = Math.max(size.width, size.height);
    /** @type {Point[]} */
    this.points = [];
    /** @type {Point} position of the keyboard cursor, or latest position of the pointer */
    this.cursor = [size.width / 2, size.height / 2];
    /** @type {Point | null} position where the pointer was pressed */
    this.pressed = null;
    this.dragged = false;
    this.done = false;
    this.reach = CLOSE; // a point this near to the first point closes the outline; share of the picture's longer side
  }

  /** Let a point close the outline from a greater distance, because fingers are less exact than a mouse.
   * @param {number} share distance, as a share of the picture's longer side */
  widen(share) {
    this.reach = Math.max(CLOSE, share);
  }

  /** The outline so far, up to the cursor. @returns {Point[]} */
  get shape() {
    if (!this.points.length) return [];
    return this.tool === "box" ? box(this.points[0], this.points[1] ?? this.cursor) : this.points;
  }

  /** @param {Point} at */
  press(at) {
    this.cursor = this.within(at);
    this.pressed = this.cursor;
    this.dragged = false;
  }

  /** @param {Point} at */
  move(at) {
    this.cursor = this.within(at);
    if (!this.pressed) return;
    if (!this.dragged && this.far(this.pressed, this.cursor) < SMALL) return;
    if (!this.dragged) this.begin(this.pressed);
    this.dragged = true;
    if (this.tool === "outline" && this.far(this.points[this.points.length - 1], this.cursor) >= APART) {
      this.points.push(this.cursor);
    }
  }

  /** @param {Point} at */
  release(at) {
    if (!this.pressed) return;
    this.move(at);
    this.pressed = null;
    if (!this.dragged) this.put();
    else if (this.tool === "box") this.put();
    else this.close();
  }

  /** Start a drag at the pressed point. An outline keeps the points of earlier clicks, but a box starts again.
   * @param {Point} at */
  begin(at) {
    if (this.tool === "box") this.points = [at];
    else this.points.push(at);
  }

  /** Add a point to the outline at the position of the cursor. */
  put() {
    const [first] = this.points, { cursor } = this;
    if (this.tool === "outline" && this.points.length >= 3 && this.far(first, cursor) < this.reach) return this.close();
    this.points.push(cursor);
    if (this.tool === "box" && this.points.length === 2) this.close();
  }

  /** Finish the outline if it encloses an area. */
  close() {
    const [a, b] = this.points;
    const flat = this.tool === "box" ? !b || a[0] === b[0] || a[1] === b[1] : this.points.length < 3;
    if (flat) this.points = this.tool === "box" ? this.points.slice(0, 1) : this.points;
    else this.done = true;
  }

  /** Run the action of a key on the outline.
   * @param {string} name the key's name @param {boolean} [fine] whether arrow keys move by small steps
   * @returns {boolean} whether the key has an effect */
  key(name, fine = false) {
    if (MOVES[name]) {
      const step = this.unit * (fine ? FINE : STEP), [x, y] = this.cursor, [right, down] = MOVES[name];
      this.cursor = this.within([x + right * step, y + down * step]);
    } else if (name === " ") this.put();
    else if (name === "Enter") this.tool === "box" ? this.put() : this.close();
    else if (name === "Backspace") this.points.pop();
    else return false;
    return true;
  }

  /** Description of the drawing so far, for screen readers. */
  get words() {
    const [x, y] = this.cursor.map(Math.round), count = this.points.length;
    const drawn = this.tool === "box" ? (count ? "first corner set" : "no corner yet") : `${count} points`;
    return `${x}, ${y} of ${this.size.width} × ${this.size.height}; ${drawn}`;
  }

  /** @param {Point} at @returns {Point} */
  within([x, y]) {
    return [Math.min(this.size.width, Math.max(0, x)), Math.min(this.size.height, Math.max(0, y))];
  }

  /** Return the distance between two points, as a share of the picture's longer side.
   * @param {Point} a @param {Point} b */
  far(a, b) {
    return Math.hypot(a[0] - b[0], a[1] - b[1]) / this.unit;
  }
}

/** Return the corners of a box. @param {Point} a @param {Point} b the corner opposite to `a` @returns {Point[]} */
function box([x0, y0], [x1, y1]) {
  return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
}
