// Hints at a sentence in words: where the things are that it names, by labels of regions and the caption.

import { el } from "./dom.js";

/** @import { Hint } from "./wire.d.ts" */

/** @type {Record<Hint["where"], string>} */
const WHERE = {
  picture: "on the picture",
  caption: "only in the caption",
  nowhere: "nowhere among the annotated regions",
  unknown: "not looked for",
};
/** @type {Record<Hint["stance"], string>} */
const STANCE = {
  said: "",
  denied: ", said not to be there",
  lacking: ", said to be missing in the caption",
  reported: ", said to be in the caption",
};

/** Whether what was found does not fit what the sentence says. @param {Hint} hint */
export function contradicts({ stance, where }) {
  if (stance === "denied") return where === "picture";
  if (stance === "lacking") return where === "caption" || where === "nowhere";
  if (stance === "reported") return where === "nowhere";
  return where === "caption" || where === "nowhere";
}

/** A hint in words. Characters are counted as Python does. @param {string} text of the sentence @param {Hint} hint */
export function hintWords(text, { start, end, stance, where }) {
  return `“${[...text].slice(start, end).join("")}”${STANCE[stance]}: ${WHERE[where]}`;
}

/** Hints as a list; light is told the regions of the one that is pointed at, and none when it is left.
 * @param {string} text of the sentence @param {readonly Hint[]} hints @param {(regions: readonly number[]) => void} light */
export function hintList(text, hints, light) {
  return el(
    "ul",
    { class: "hints", "aria-label": "Where its things are, by labels" },
    hints.map((hint) =>
      el("li", {
        class: contradicts(hint) ? "hint contradicts" : "hint",
        "data-where": hint.where,
        pointerenter: () => light(hint.regions),
        pointerleave: () => light([]),
        click: () => light(hint.regions),
      }, hintWords(text, hint))
    ),
  );
}
