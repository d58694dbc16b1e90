// Where names stand on a picture so that none lies over another. No page: boxes in, places out.

/** @typedef {{x: number, y: number, width: number, height: number}} Box preferred middle and size of a name, in px */

const TRIES = [0, -1, 1, -2, 2]; // positions to try, in lines up or down from the middle of the region

/** Return the middle of each name; null if there is no room near its region. Earlier boxes are placed first.
 * @param {Box[]} boxes @param {{width: number, height: number}} room @returns {({x: number, y: number} | null)[]} */
export function placed(boxes, room) {
  /** @type {Box[]} */
  const taken = [];
  return boxes.map((box) => {
    const x = within(box.x, box.width, room.width);
    for (const lines of TRIES) {
      const there = { ...box, x, y: within(box.y + lines * box.height, box.height, room.height) };
      if (taken.some((other) => overlap(there, other))) continue;
      taken.push(there);
      return { x: there.x, y: there.y };
    }
    return null;
  });
}

/** @param {number} middle @param {number} size @param {number} room */
function within(middle, size, room) {
  return size >= room ? room / 2 : Math.min(room - size / 2, Math.max(size / 2, middle));
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  return 2 * Math.abs(a.x - b.x) < a.width + b.width && 2 * Math.abs(a.y - b.y) < a.height + b.height;
}
