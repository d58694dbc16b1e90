// Make outlines smooth: replace the steps of their pixels by straight lines. This module does not use the page.
// Paths have the format of core/regions/outlines.py: "M x y", then steps v (vertical) and h (horizontal) in turn,
// then "Z".

const STEP = 1; // px; a corner at most this far from a straight line is left out
const SHARE = 0.25; // a left-out corner is at most this far from the straight line; share of the region's thickness

/** @typedef {[number, number]} Point */

/** Return the loops of a path, each as its corners. @param {string} path @returns {Point[][]} */
function loopsOf(path) {
  /** @type {Point[][]} */
  const loops = [];
  let x = 0, y = 0;
  for (const [, command, first, second] of path.matchAll(/([Mvh])(-?[\d.]+)(?:[ ,](-?[\d.]+))?/g)) {
    if (command === "M") {
      [x, y] = [Number(first), Number(second)];
      loops.push([]);
    } else if (command === "v") y += Number(first);
    else x += Number(first);
    loops.at(-1)?.push([x, y]);
  }
  for (const loop of loops) loop.pop(); // the last edge ends at the first corner
  return loops;
}

/** Return the average thickness of a region, in px: twice its area divided by the length of its outline.
 * @param {string} path @param {number} area in px */
export function thicknessOf(path, area) {
  let length = 0;
  for (const [, step] of path.matchAll(/[vh](-?[\d.]+)/g)) length += Math.abs(Number(step));
  return length ? (2 * area) / length : 0;
}

/** Return a path in which straight lines replace the steps of pixels. The box of each loop stays the same.
 * @param {string} path @param {number} thickness of the region in px; the lines of thin regions stay exact */
export function smooth(path, thickness) {
  const most = Math.min(STEP, SHARE * thickness);
  return loopsOf(path).map((loop) => written(simplified(loop, most))).join("");
}

/** Leave out corners that are near straight lines. The outermost corners stay. @param {Point[]} loop @param {number} most */
function simplified(loop, most) {
  const outermost = [0, 1].flatMap((axis) => {
    const values = loop.map((point) => point[axis]);
    const low = Math.min(...values), high = Math.max(...values);
    // keep both ends of each outermost edge, so that rectangles stay rectangles
    return loop.flatMap((point, at) => point[axis] === low || point[axis] === high ? [at] : []);
  });
  const kept = new Set(outermost), fixed = [...kept].sort((a, b) => a - b);
  const round = [...loop, ...loop.slice(0, fixed[0] + 1)]; // closes the loop at its first outermost corner
  const ranges = fixed.map((from, at) => [from, fixed[at + 1] ?? loop.length + fixed[0]]);
  while (ranges.length) {
    const [from, to] = /** @type {number[]} */ (ranges.pop());
    let farthest = from, distance = most;
    for (let at = from + 1; at < to; at++) {
      const away = distanceOf(round[at], round[from], round[to]);
      if (away > distance) [farthest, distance] = [at, away];
    }
    if (farthest === from) continue;
    kept.add(farthest % loop.length);
    ranges.push([from, farthest], [farthest, to]);
  }
  return [...kept].sort((a, b) => a - b).map((at) => loop[at]);
}

/** Return the distance of a point from the line through two other points. @param {Point} point @param {Point} from
 * @param {Point} to */
function distanceOf([x, y], [x0, y0], [x1, y1]) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (!length) return Math.hypot(x - x0, y - y0);
  return Math.abs((x1 - x0) * (y0 - y) - (x0 - x) * (y1 - y0)) / length;
}

/** Write corners as a path. @param {Point[]} corners */
function written(corners) {
  const [[startX, startY]] = corners;
  const lines = [...corners.slice(1), corners[0]].map(([x, y], at) => {
    const right = x - corners[at][0], down = y - corners[at][1];
    return right && down ? `l${right} ${down}` : right ? `h${right}` : `v${down}`;
  });
  return `M${startX} ${startY}${lines.join("")}Z`;
}
