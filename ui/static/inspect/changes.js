// Finds what an edit of a caption has changed: words, phrases, regions. The functions are pure.

/** @import { LinksJson, PhraseJson } from "../shared/wire.d.ts" */

/** Split two texts into the words that an edit has kept, removed and added.
 * @param {string} before @param {string} after
 * @returns {{text: string, sort: "same" | "gone" | "new"}[]} */
export function difference(before, after) {
  const [old, now] = [before, after].map((text) => text.split(/(\s+|[.,;:!?])/).filter(Boolean));
  const most = Math.min(old.length, now.length);
  let head = 0, tail = 0;
  while (head < most && old[head] === now[head]) head++;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const middle = (/** @type {string[]} */ words) => words.slice(head, words.length - tail).join("");
  return /** @type {const} */ ([
    { text: old.slice(0, head).join(""), sort: "same" },
    { text: middle(old), sort: "gone" },
    { text: middle(now), sort: "new" },
    { text: old.slice(old.length - tail).join(""), sort: "same" },
  ]).filter(({ text }) => text);
}

/** Return a phrase's key, in which a negated phrase (“no dog”) differs from “dog”.
 * @param {Pick<PhraseJson, "text" | "kind">} phrase */
const said = ({ text, kind }) => `${kind} ${text}`;

/** Return what changes if a picture's caption is replaced by another.
 * The result lists phrases that are gone, and phrases that are new or marked differently. It also lists the names of
 * regions that only the old or only the new caption mentions.
 * @param {Pick<LinksJson, "phrases" | "regions">} before @param {Pick<LinksJson, "phrases" | "regions">} after */
export function changeOf(before, after) {
  const was = new Map(before.phrases.map((phrase) => [said(phrase), phrase]));
  const kept = new Set(after.phrases.map(said));
  const turned = (/** @type {boolean} */ mentioned) =>
    after.regions.filter((region, at) =>
      !region.is_full && region.mentioned === mentioned && before.regions[at]?.mentioned !== mentioned
    ).map(({ name }) => name);
  return {
    gone: before.phrases.filter((phrase) => !kept.has(said(phrase))),
    come: after.phrases.filter((phrase) => was.get(said(phrase))?.mark !== phrase.mark),
    leftOut: turned(false),
    mentioned: turned(true),
  };
}
