// Finds what an edit of a caption has changed: words, phrases, regions. The functions are pure: they compare two
// explanations of one picture and return texts.

import { regionNames } from "../regions/support.js";

/** @import { LinksJson, PhraseJson } from "../shared/wire.d.ts" */
/** @typedef {Pick<LinksJson, "phrases" | "regions"> & Partial<Pick<LinksJson, "notice">>} Compared
 * notice: why the metric did not analyse the caption, for example because it is in another language */
/** @typedef {{text: string, sort: "same" | "gone" | "new"}} Piece */
/** @typedef {Pick<PhraseJson, "text" | "mark"> & Partial<Pick<PhraseJson, "things" | "kind">>} Said */

const LEAST = 0.0005; // smallest change of a score that is shown as a change; a smaller one rounds to 0

/** Merge the words of two texts into one sequence of common, old and new words.
 * @param {string} before @param {string} after @returns {Piece[]} */
export function difference(before, after) {
  const [old, now] = [before, after].map((text) => text.split(/(\s+|[.,;:!?])/).filter(Boolean));
  // length of the longest common subsequence of the words old.slice(i) and now.slice(j)
  const common = Array.from({ length: old.length + 1 }, () => new Array(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i][j] = old[i] === now[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  /** @type {Piece[]} */
  const pieces = [];
  for (let i = 0, j = 0; i < old.length || j < now.length;) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      pieces.push({ text: old[i++], sort: "same" });
      j++;
    } else if (j >= now.length || (i < old.length && common[i + 1][j] >= common[i][j + 1])) {
      pieces.push({ text: old[i++], sort: "gone" });
    } else pieces.push({ text: now[j++], sort: "new" });
  }
  return joined(pieces);
}

/** Join neighbouring pieces of the same kind (common, old or new). @param {Piece[]} pieces */
function joined(pieces) {
  /** @type {Piece[]} */
  const runs = [];
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last?.sort === piece.sort) last.text += piece.text;
    else runs.push({ ...piece });
  }
  return runs;
}

/** Return a phrase's key, in which a negated phrase (“no dog”) differs from “dog”.
 * @param {Pick<PhraseJson, "text" | "kind">} phrase */
const said = ({ text, kind }) => `${kind} ${text}`;

/** Return what changes if a picture's caption is replaced by another.
 * The result lists phrases that are gone, and phrases that are new or marked differently. It also lists the names of
 * regions that only the old or only the new caption mentions.
 * @param {Compared} before @param {Compared} after */
export function changeOf(before, after) {
  if (before.notice || after.notice) return { gone: [], come: [], leftOut: [], mentioned: [] }; // no phrases to compare
  const was = new Map(before.phrases.map((phrase) => [said(phrase), phrase])), names = regionNames(after.regions);
  const kept = new Set(after.phrases.map(said));
  const turned = (/** @type {boolean} */ mentioned) =>
    names.filter((_, at) =>
      !after.regions[at].is_full && after.regions[at].mentioned === mentioned &&
      before.regions[at]?.mentioned !== mentioned
    );
  return {
    gone: before.phrases.filter((phrase) => !kept.has(said(phrase))),
    come: after.phrases.filter((phrase) => was.get(said(phrase))?.mark !== phrase.mark),
    leftOut: turned(false),
    mentioned: turned(true),
  };
}

/** Return whether a wrong phrase names a thing that is not in the picture. A metric with an
 * encoder marks phrases but no things, so each of its wrong phrases counts as naming such a thing.
 * @param {Said} phrase */
const namesAbsentThing = ({ things, kind }) =>
  kind !== "denied" && (!things?.length || things.some(({ mark }) => mark === "incorrect"));

/** Say why a higher score is surprising. Return "" if it is not.
 * @param {number} step change of the score
 * @param {Pick<ReturnType<typeof changeOf>, "come" | "leftOut" | "mentioned">} change */
export function surprise(step, { come, leftOut, mentioned }) {
  if (step < LEAST) return "";
  const wrong = come.filter(({ mark }) => mark === "incorrect");
  if (wrong.some(namesAbsentThing)) return "something not in the picture is mentioned now";
  if (wrong.length) return "something wrong is said now";
  return leftOut.length > mentioned.length ? "fewer regions are mentioned now" : "";
}
