// Bars of scores and of their components. A full bar is the highest possible value, which is written beside the bar.

import { el } from "../shared/dom.js";
import { halfUp } from "../shared/rounding.js";

/** @typedef {readonly [number, number]} Scale lowest and highest possible value */

const REF_HICE = "RefHICE-S";
const OF_HICE = new Set(["HICE-S", REF_HICE]);
/** Names of a score's components, as the page shows them. @type {Record<string, string>} */
const NAMES = {
  precision: "correct",
  recall: "complete",
  gITC: "global consistency (gITC)",
  lITC: "local consistency (lITC)",
  gTTC: "global consistency with references (gTTC)",
  lTTC: "local consistency with references (lTTC)",
  phrase_fallback: "no phrase about a thing was found, so nouns or the whole caption were compared",
  not_english: "the caption’s phrases were not read, because the caption does not look like English",
};
/** Names of components that are mean similarities in HICE-S. In other metrics, these components are shares.
 * @type {Record<string, string>} */
const SIMILARITIES = {
  precision: "precision",
  recall: "recall",
  reference_precision: "precision against references",
  reference_recall: "recall against references",
};

/** Return the name by which the page calls a component. @param {string} metric @param {string} name */
export function partName(metric, name) {
  return (OF_HICE.has(metric) && SIMILARITIES[name]) || (NAMES[name] ?? name.replaceAll("_", " "));
}

/** Return the scale of a metric's precision and recall. It is the scale of the score, except for RefHICE-S.
 * The score of RefHICE-S is the harmonic mean of four values. Two of them are precision and recall, whose maximum is w,
 * the same number as in HICE-S. The other two have the maximum 1. So w can be computed from the maximum of the score.
 * @param {string} metric @param {Scale} scale the scale of the score @returns {Scale} */
export function partScale(metric, [low, high]) {
  return metric === REF_HICE && high < 2 ? [low, high / (2 - high)] : [low, high];
}

/** Describe the ends of a scale in words. The highest possible value fills the whole bar. @param {Scale} scale */
export function ends([low, high]) {
  return low === 0 ? `of ${short(high)}` : `from ${short(low)} to ${short(high)}`;
}

/** Describe the highest value of a part, unless it is a share, which everyone reads as a share of 1.
 * @param {string} metric @param {Scale} scale the scale of the score */
export function partEnds(metric, scale) {
  const ofPart = partScale(metric, scale);
  return ofPart[0] === 0 && ofPart[1] === 1 ? "" : ends(ofPart);
}

/** Return the meaning of a flag that is set. The meaning in lists of columns is "1 if …. Then …".
 * @param {string} meaning */
export function flagMeaning(meaning) {
  return meaning.replace(/^1 if ([a-z])/, (_, letter) => letter.toUpperCase()).replace(". Then ", ". So ");
}

/** Return where a human rating is marked on a bar, as a share of the bar's length.
 * The rating is in [0, 1], the scale of people's ratings. The bars of all metrics have the mark at the same place,
 * although their scales differ. The mark is narrow and stays within the bar.
 * @param {number} human @param {number} width width of the mark as a share of the bar's length */
export function markStart(human, width) {
  return Math.min(1 - width, Math.max(0, human - width / 2));
}

const MARK = 0.014; // width of the mark of the human rating, as a share of the bar's length

/** Draw a value as a bar on its scale.
 * @param {number} value @param {Scale} scale
 * @param {number | null} [human] human rating in [0, 1], which is marked on the bar */
export function bar(value, [low, high], human = null) {
  const share = Math.min(100, Math.max(0, (100 * (value - low)) / (high - low)));
  return el(
    "svg",
    { viewBox: "0 0 100 8", preserveAspectRatio: "none", class: "gauge-bar", "aria-hidden": "true" },
    el("rect", { x: 0, y: 2, width: 100, height: 4, class: "gauge-track" }),
    el("rect", { x: 0, y: 2, width: share, height: 4, class: "gauge-fill" }),
    human !== null &&
      el("rect", { x: 100 * markStart(human, MARK), y: 0, width: 100 * MARK, height: 8, class: "gauge-human" }),
  );
}

const short = (/** @type {number} */ number) => String(Number(halfUp(number, 3)));
