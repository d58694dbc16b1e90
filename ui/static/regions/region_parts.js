// Find regions that are parts of other regions, such as the face of a woman or the mane of a lion. The module compares
// the regions' outlines and labels, and does not use the page.
// Paths have the format of core/regions/outlines.py: "M x y", then steps v (vertical) and h (horizontal) in turn,
// then "Z".

const ROWS = 24; // number of rows of pixels at which the outlines of two regions are compared
const MOST = 0.9; // a region with at least this share of its area inside another counts as a part of the other
// The next set contains nouns for surroundings, which have no parts. For example, a bird is no part of the sky, and a
// cup no part of a table.
const SURROUNDINGS = new Set(
  [
    "air background backdrop beach bay bench bed bush bushes carpet cloud clouds coast couch counter court crowd desert",
    "desk dirt earth field floor foreground forest garden grass ground harbor harbour hill hills hillside ice lake land",
    "landscape lawn leaves meadow mountain mountains mud ocean park path pavement plate pond pool rink river road rug",
    "runway sand scene sea shelf shore sidewalk sky snow sofa street table tablecloth track tray tree trees wall water",
    "waves woods",
  ].flatMap((line) => line.split(" ")),
);

// Nouns of things that are parts of nothing. For example, a bicycle before a building is no part of the building.
const WHOLE_THINGS = new Set(
  [
    "adult baby boy child children gentleman girl guy kid lady man men passenger pedestrian people person player rider",
    "woman women",
    "animal bear bird cat cheetah chicken cow dog duck elephant giraffe goat goose horse lion lioness monkey sheep",
    "swan tiger zebra",
    "airplane bicycle bike boat bus car helicopter motorbike motorcycle plane scooter ship train tram truck van",
    "branch branches bush chair couch plant sofa tree",
  ].flatMap((line) => line.split(" ")),
);
const GROUPS = new Set("audience family flock group herd men pack pair people team women".split(" "));

/** @typedef {[number, number, number]} Edge a vertical edge: its x, first y and last y */

/** Return the vertical edges of a path. @param {string} path @returns {Edge[]} */
function edgesOf(path) {
  /** @type {Edge[]} */
  const edges = [];
  let x = 0, y = 0;
  for (const [, command, first, second] of path.matchAll(/([Mvh])(-?[\d.]+)(?:[ ,](-?[\d.]+))?/g)) {
    if (command === "v") edges.push([x, y, y += Number(first)]);
    else if (command === "h") x += Number(first);
    else [x, y] = [Number(first), Number(second)];
  }
  return edges;
}

/** Return the x positions at which a region begins and ends in a row, by the even-odd rule.
 * @param {Edge[]} edges @param {number} row */
function crossings(edges, row) {
  return edges.filter(([, from, to]) => from < row !== to < row).map(([x]) => x).sort((a, b) => a - b);
}

/** Return the share of one region that lies inside another, in [0, 1], measured on some of its rows.
 * @param {Edge[]} part @param {Edge[]} whole */
function share(part, whole) {
  const ends = part.flatMap(([, from, to]) => [from, to]);
  const top = Math.min(...ends), height = Math.max(...ends) - top;
  let inside = 0, all = 0;
  for (let at = 0; at < ROWS; at++) {
    const row = top + Math.floor((height * (at + 0.5)) / ROWS) + 0.5;
    const own = crossings(part, row), others = crossings(whole, row);
    for (let i = 0; i + 1 < own.length; i += 2) {
      all += own[i + 1] - own[i];
      for (let j = 0; j + 1 < others.length; j += 2) {
        inside += Math.max(0, Math.min(own[i + 1], others[j + 1]) - Math.max(own[i], others[j]));
      }
    }
  }
  return all ? inside / all : 0;
}

/** Return the main noun of a label: the last noun, or the noun before "of", "with", "in" and similar words.
 * @param {string | null | undefined} label */
function nounOf(label) {
  const [head] = (label ?? "").toLowerCase().split(/ (?:of|with|in|on|at|near|behind|under|beside)\b/);
  return head.trim().split(" ").at(-1) ?? "";
}

/** Return whether a region may be a part of another, by their labels. Surroundings have no parts. A person, an animal
 * or a vehicle is only part of a group, and a thing is no part of a thing with the same noun.
 * @param {string | null | undefined} part @param {string | null | undefined} whole */
function mayBePart(part, whole) {
  const noun = nounOf(part), of = nounOf(whole);
  if (SURROUNDINGS.has(of)) return false;
  if (GROUPS.has(of)) return true;
  return !noun || !(noun === of || WHOLE_THINGS.has(noun) || WHOLE_THINGS.has(noun.replace(/s$/, "")));
}

/** Return for each region the indices of the larger regions that contain it as a part. Outlines and labels decide.
 * @param {{path: string, area: number, is_full: boolean, label?: string | null}[]} regions @returns {number[][]} */
export function wholesOf(regions) {
  const edges = regions.map(({ path, is_full: full }) => (full ? [] : edgesOf(path)));
  return regions.map(({ area, is_full: full, label }, part) =>
    full
      ? []
      : [...regions.keys()].filter((whole) =>
        !regions[whole].is_full && regions[whole].area > area && mayBePart(label, regions[whole].label) &&
        share(edges[part], edges[whole]) >= MOST
      )
  );
}

/** Return a point well inside a region, for its name: the middle of a wide stretch of a row, in the widest part of the
 * region. The middle of the region's box may be in another region, or between separate pieces of this region.
 * @param {string} path @returns {{x: number, y: number} | null} null: the path has no area */
export function insideOf(path) {
  const edges = edgesOf(path), ends = edges.flatMap(([, from, to]) => [from, to]);
  if (!ends.length) return null;
  const top = Math.min(...ends), height = Math.max(...ends) - top;
  const stretches = Array.from({ length: ROWS }, (_, at) => top + Math.floor((height * (at + 0.5)) / ROWS) + 0.5)
    .flatMap((y) => {
      const row = crossings(edges, y);
      return row.flatMap((from, at) => at % 2 || at + 1 >= row.length ? [] : [{ y, from, to: row[at + 1] }]);
    });
  const found = stretches.map(({ y, from, to }) => {
    const x = (from + to) / 2, [above, below] = columnAt(stretches, x, y);
    return { x, y: (above + below) / 2, above, below, width: to - from };
  });
  if (!found.length) return null;
  const room = (/** @type {{width: number, above: number, below: number}} */ { width, above, below }) =>
    Math.min(width, 3 * (below - above)); // a name is wider than high, so the height counts three times
  const { x, y } = found.reduce((best, one) => room(one) > room(best) ? one : best);
  return { x, y };
}

/** Return y of the highest and of the lowest row in a column of a region. The column goes up and down from (x, y), as
 * long as the region covers x.
 * @param {{y: number, from: number, to: number}[]} stretches in the order of rows @param {number} x @param {number} y
 * @returns {[number, number]} */
function columnAt(stretches, x, y) {
  const rows = [...new Set(stretches.map((one) => one.y))];
  const covers = (/** @type {number} */ row) => stretches.some((one) => one.y === row && one.from <= x && one.to >= x);
  const at = rows.indexOf(y);
  let first = at, last = at;
  while (first > 0 && covers(rows[first - 1])) first--;
  while (last + 1 < rows.length && covers(rows[last + 1])) last++;
  return [rows[first], rows[last]];
}

/** Return whether regions have the same outlines, in the same order.
 * @param {readonly {path: string}[] | undefined} some @param {readonly {path: string}[]} others */
export function areAlike(some, others) {
  return some?.length === others.length && others.every(({ path }, place) => some[place].path === path);
}
