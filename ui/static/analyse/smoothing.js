// Sentences that say how smoothing changed a metric's agreement with people.

import { halfUp } from "../shared/rounding.js";

/** @import { DifferenceRow, TauRow } from "../shared/wire.d.ts" */

/** Return a sentence for each smoothed metric whose agreement with people changed through smoothing.
 *
 * A change counts if the interval of the difference (smoothed minus raw) excludes 0. Both kinds of Kendall's tau are
 * compared, because they may change in opposite directions.
 * @param {readonly TauRow[]} rows @param {readonly DifferenceRow[]} differences */
export function smoothingRemarks(rows, differences) {
  return rows.filter(({ variant }) => variant === "smoothed").flatMap(({ metric, label }) => {
    const changes = differences.filter(({ first, second }) => first === metric && second === metric).filter(
      excludesZero,
    );
    if (!changes.length) return [];
    const c = changes.find(({ tau }) => tau === "c")?.difference,
      b = changes.find(({ tau }) => tau === "b")?.difference;
    const parts = [c && `by ${signed(c)} in τ-c`, b && `by ${signed(b)} in τ-b`].filter(Boolean);
    const reverses = b && c && c * b < 0
      ? " The two results differ because τ-c counts tied scores as not ordered, and τ-b excludes them."
      : "";
    return [`Smoothing changes ${label} ${parts.join(" and ")}.${reverses}`];
  });
}

/** @param {DifferenceRow} row */
function excludesZero({ ci_low: low, ci_high: high }) {
  return low !== null && high !== null && low * high > 0;
}

/** @param {number} value */
function signed(value) {
  return `${value < 0 ? "−" : "+"}${halfUp(Math.abs(value), 1)}`;
}
