// The positions of names on a picture, so that no name covers another name. This module computes with boxes and does
// not use the page.

/** @typedef {{x: number, y: number, width: number, height: number}} Box preferred middle (x, y) and size of a name, in
 * px */

const MOST_COVERED = 0.35; // largest share of a region's box that its name may cover
const TRIES = [0, -1, 1, -2, 2]; // positions to try for a name, in lines below or above the middle of its region

/** Return the position of each name's middle, or null if a name has no room near its region.
 * Names are placed in the order of `boxes`.
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

/** Return the preferred middle of a region's name: inside the region, or above a region that the name would cover.
 * @param {{x: number, y: number}} inside a point inside the region
 * @param {{y: number, width: number, height: number}} region box of the region; y: its upper edge
 * @param {{width: number, height: number}} name size of the name, all in px */
export function preferred(inside, region, name) {
  const covered = Math.min(name.width, region.width) * Math.min(name.height, region.height);
  if (covered <= MOST_COVERED * region.width * region.height) return inside;
  const above = region.y - name.height / 2;
  return { x: inside.x, y: above >= name.height / 2 ? above : region.y + region.height + name.height / 2 };
}

/** Return the middle of a name along one axis, moved so that the whole name is inside the picture.
 * @param {number} middle @param {number} size size of the name @param {number} room size of the picture */
function within(middle, size, room) {
  return size >= room ? room / 2 : Math.min(room - size / 2, Math.max(size / 2, middle));
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  return 2 * Math.abs(a.x - b.x) < a.width + b.width && 2 * Math.abs(a.y - b.y) < a.height + b.height;
}
