// Hints about a sentence, written in words. They state whether regions' labels and the caption mention the objects that
// the sentence names.

import { el } from "./dom.js";
import { whenMoved } from "./pointer.js";

/** @import { Hint, SaidSentence } from "./wire.d.ts" */

/** @type {Record<Hint["where"], string>} */
const WHERE = {
  picture: "on the picture",
  caption: "only in the caption",
  nowhere: "nowhere among the annotated regions",
  unknown: "not looked for",
};
/** @type {Record<Hint["stance"], string>} */
const STANCE = {
  said: "“{words}”: {where}",
  denied: "“{words}”, said not to be there: {where}",
  lacking: "“{words}”, said to be missing in the caption: {where}",
  reported: "“{words}”, said to be in the caption: {where}",
};

/** Return whether a hint shows that its sentence is wrong. @param {Hint} hint */
export function contradicts({ stance, where }) {
  if (stance === "denied") return where === "picture";
  if (stance === "lacking") return where === "caption" || where === "nowhere";
  if (stance === "reported") return where === "nowhere";
  return where === "caption" || where === "nowhere";
}

/** Write a hint in words. The hint's positions count code points, as in Python.
 * @param {string} text text of the sentence @param {Hint} hint */
export function hintWords(text, { start, end, stance, where }) {
  return STANCE[stance].replace("{words}", () => [...text].slice(start, end).join("")).replace("{where}", WHERE[where]);
}

/** Build a list of hints. `light` is called with the regions of the hint under the pointer, or with none.
 * @param {string} text text of the sentence @param {readonly Hint[]} hints
 * @param {(regions: readonly number[]) => void} light highlights regions */
export function hintList(text, hints, light) {
  return el(
    "ul",
    { class: "hints", "aria-label": "Objects of this sentence, by labels" },
    hints.map((hint) =>
      el("li", {
        class: contradicts(hint) ? "hint contradicts" : "hint",
        "data-where": hint.where,
        pointerenter: (event) => whenMoved(event, () => light(hint.regions)),
        pointerleave: (event) => whenMoved(event, () => light([])),
        click: () => light(hint.regions),
      }, hintWords(text, hint))
    ),
  );
}
