// Finds the words of a sentence that raters can mark, and the regions that best match these words. This module does not
// change the page.

/** @typedef {{start: number, end: number}} Span characters of a text, counted as code points like on the server; the
 * end is exclusive */

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu; // \p{M}: accents and vowel signs, which are parts of their words
/** @type {Record<string, string>} */
const IRREGULAR = { men: "man", women: "woman", people: "person", children: "child", feet: "foot", mice: "mouse" };

/** @param {string} text @returns {Span[]} */
export function wordsOf(text) {
  let units = 0, characters = 0; // index counts UTF-16 units, but spans count characters
  return [...text.matchAll(WORD)].map(({ index, 0: word }) => {
    const start = characters + lengthOf(text.slice(units, index)), end = start + lengthOf(word);
    [units, characters] = [index + word.length, end];
    return { start, end };
  });
}

/** Count the characters of a text. @param {string} text */
export function lengthOf(text) {
  return [...text].length;
}

/** Cut characters out of a text. @param {string} text @param {number} start @param {number} [end] exclusive */
export function part(text, start, end) {
  return [...text].slice(start, end).join("");
}

/** Return the positions of the first and the last word of a span, or of the whole sentence if there is no span.
 * @param {Span[]} words @param {{start?: number | null, end?: number | null}} span @returns {[number, number]} */
export function range(words, { start, end }) {
  if (start === null || start === undefined || end === null || end === undefined) return [0, words.length - 1];
  const first = words.findIndex((word) => word.end > start);
  const last = words.findLastIndex((word) => word.start < end);
  return [Math.max(0, first), Math.max(0, last)];
}

/** Move a range of words by a step. If `grows` is true, only the last word of the range changes.
 * Otherwise the new range is a single word.
 * @param {[number, number]} of @param {number} step @param {boolean} grows @param {number} count
 * @returns {[number, number]} */
export function moved([first, last], step, grows, count) {
  const within = (/** @type {number} */ place) => Math.max(0, Math.min(count - 1, place));
  if (grows) return [first, Math.max(first, within(last + step))];
  const place = within(step > 0 ? (first === last ? first + 1 : first) : first - 1);
  return [place, place];
}

/** Return indices of regions, those that best match a text first, and the largest first among equal matches.
 * @param {readonly {label: string | null, area: number}[]} places @param {string} text @returns {number[]} */
export function likest(places, text) {
  const named = new Set(stems(text));
  const likeness = (/** @type {number} */ at) => stems(places[at].label ?? "").filter((stem) => named.has(stem)).length;
  return places.map((_, at) => at).sort((a, b) => likeness(b) - likeness(a) || places[b].area - places[a].area);
}

/** @param {string} text */
function stems(text) {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.map((word) => IRREGULAR[word] ?? (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word));
}
