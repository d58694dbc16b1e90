// Where names stand on a picture so that none lies over another. No page: boxes in, places out.

/** @typedef {{x: number, y: number, width: number, height: number}} Box preferred middle (x, y) and size of a name, in
 * px */

const TRIES = [0, -1, 1, -2, 2]; // positions to try for a name, in lines below or above the middle of its region

/** Return the middle of each name, or null for a name that has no room near its region.
 * The first boxes are placed first.
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

/** Return a name's middle, moved so that the name lies within the room.
 * @param {number} middle @param {number} size @param {number} room */
function within(middle, size, room) {
  return size >= room ? room / 2 : Math.min(room - size / 2, Math.max(size / 2, middle));
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  return 2 * Math.abs(a.x - b.x) < a.width + b.width && 2 * Math.abs(a.y - b.y) < a.height + b.height;
}
