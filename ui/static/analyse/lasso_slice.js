// Makes a slice (a named subset of samples) of the samples inside a line that people draw on a plot.

import { quiet } from "../shared/elements.js";
import { sliceDialog } from "./slice_dialog.js";

const DIGITS = 6; // significant digits of a corner's coordinates; the rounding error is much smaller than a pixel

/** Ask for a name of the samples inside the line, save them as a slice and call `done` with the name.
 * @param {{dataset: string, lasso: {x: string | null, y: string | null, corners: [number, number][]},
 *   done: (slice: string) => void}} of */
export function lassoSlice({ dataset, lasso, done }) {
  const corners = lasso.corners.map((corner) => corner.map((value) => Number(value.toPrecision(DIGITS))));
  sliceDialog({
    title: "A slice of the samples inside the line",
    dataset,
    name: "lasso",
    fields: quiet(
      "The slice stores the line, not the samples. Samples that you import later belong to the slice if they are inside the line.",
    ),
    conditions: () => ({ lasso: { ...lasso, corners } }),
    done,
  });
}
