// Maps for each metric: where on the pictures raters marked errors, and where these pictures have regions.

import { el } from "../shared/dom.js";
import { paragraph } from "../shared/elements.js";
import { halfUp } from "../shared/rounding.js";

/** @import { ErrorMap } from "../shared/wire.d.ts" */

const ABOUT =
  "For each metric, the first map shows where raters marked errors, added up over all pictures. Each error " +
  "counts 1, spread over its region or box. " +
  "The second map shows where these pictures have regions, for comparison with the errors.";

/** @param {readonly ErrorMap[]} maps */
export function errorMaps(maps) {
  return el(
    "figure",
    {},
    el("figcaption", { class: "quiet" }, ABOUT),
    el(
      "div",
      { class: "error-maps" },
      maps.map(({ metric, n, cells, regions }) =>
        el(
          "div",
          {},
          paragraph(`${metric}: ${n.toLocaleString()} errors with a marked position`),
          el("div", { class: "error-map-pair" }, grid("errors", cells), grid("regions", regions)),
        )
      ),
    ),
  );
}

/** Draw a map as a grid of shaded cells.
 * @param {string} name label for screen readers
 * @param {readonly (readonly number[])[]} rows for each cell, its share of all errors (or of
 * all regions); top row first */
function grid(name, rows) {
  const most = Math.max(...rows.flat()) || 1;
  return el(
    "svg",
    { viewBox: `0 0 ${rows.length} ${rows.length + 1.2}`, role: "img", "aria-label": name, class: "error-map" },
    rows.flatMap((row, y) =>
      row.map((share, x) =>
        el(
          "rect",
          { x, y: y + 1.2, width: 1, height: 1, class: "cell", "fill-opacity": (share / most).toFixed(3) },
          el("title", {}, `${halfUp(100 * share, 1)} %`),
        )
      )
    ),
    el("rect", { x: 0, y: 1.2, width: rows.length, height: rows.length, class: "frame" }),
    el("text", { x: rows.length / 2, y: 0.8, "text-anchor": "middle" }, name),
    !rows.flat().some(Boolean) &&
      el("text", { x: rows.length / 2, y: rows.length / 2 + 1.2, "text-anchor": "middle" }, "none known"),
  );
}
