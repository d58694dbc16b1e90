// The text about the region or phrase that the user points at.

/** @import { LinksJson, PhraseJson } from "../shared/wire.d.ts" */
/** @import { Target } from "./pointing.js" */
/** @import { Judged, wordsFor } from "./support.js" */

import { NOT_COMPARED } from "./legend.js";
import { precisionWords, regionWords } from "./support.js";

/** @typedef {object} Explained
 * @property {LinksJson} links
 * @property {readonly string[]} names names of the regions
 * @property {ReturnType<typeof wordsFor>} spoken
 * @property {Judged} state
 * @property {boolean} numbered whether the text contains precisions and recalls
 * @property {boolean} isBlank whether nothing is compared */

/** Return the text about a target; without a target, say how to point at one.
 * @param {Target | null} target @param {readonly number[]} regions the regions of the phrase that is pointed at
 * @param {Explained} explained */
export function targetWords(target, regions, explained) {
  const { region, phrase } = target ?? {};
  if (region !== undefined) return wordsOfRegion(region, explained);
  if (phrase !== undefined) return wordsOfPhrase(explained.links.phrases[phrase], phrase, regions, explained);
  return matchMedia("(hover: none)").matches
    ? "Tap a phrase or a region."
    : "Point at a phrase or a region to highlight it. Click to keep the highlight.";
}

/** @param {number} region @param {Explained} explained */
function wordsOfRegion(region, { isBlank, links, names, spoken, state, numbered }) {
  if (isBlank) return `${names[region]}: ${NOT_COMPARED}`;
  const mentioned = state.regions.get(region)?.mentioned ?? links.regions[region].mentioned;
  return regionWords(links, region, names[region], mentioned, spoken, state.byNames, numbered);
}

/** @param {PhraseJson} phrase @param {number} index the phrase's index in the caption
 * @param {readonly number[]} regions the phrase's regions @param {Explained} explained */
function wordsOfPhrase(phrase, index, regions, { links, names, spoken, state, numbered }) {
  const { things, reason } = phrase, number = numbered ? ` ${precisionWords(phrase, links.cut)}` : "";
  const start = `“${phrase.shown}”: ${spoken.phrases[state.phrases[index].mark]}`;
  if (state.asTold && reason) return `${start}. ${reason}${number}`;
  const marks = state.asTold && things?.length
    ? ` (${things.map((one) => spoken.signs[one.mark] + one.text).join(", ")})`
    : "";
  const link = !regions.length
    ? "no region matches it"
    : regions.length === 1
    ? `its nearest region is ${names[regions[0]]}`
    : `its regions are ${regions.map((one) => names[one]).join(", ")}`;
  return `${start}${marks}; ${link}.${number}`;
}
