// What a caption says and leaves out, in two or three sentences. Pure: an explanation in, words out.

import { phraseWords } from "../regions/support.js";

/** @import { DrawnRegionJson, PhraseJson } from "../shared/wire.d.ts" */
/** @import { Judged } from "../regions/support.js" */

const MOST_LETTERS = 70; // maximum number of characters of listed region names; further regions are only counted
const MOST_OF_THE_LAST = 20; // a single remaining name of at most this length is written out instead of "one more"
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/** @type {Record<string, string>} */
const PLURALS = { man: "men", woman: "women", child: "children", person: "people", foot: "feet", sheep: "sheep" };

export const WRITE_ONE = "Write a caption to see what it mentions and what it omits.";

/** Describe in a sentence what a caption says and omits.
 * @param {Pick<Judged, "things">} judged things that the caption names, with the marks that the score uses
 * @param {{phrases: Pick<PhraseJson, "text" | "shown" | "kind" | "mark" | "things">[],
 *   regions: Pick<DrawnRegionJson, "label" | "is_full" | "mentioned">[]}} links
 * @param {readonly number[]} leftOut indices of regions that the caption leaves out */
export function liveSentence({ things }, { phrases, regions }, leftOut) {
  const stated = phrases.filter(({ kind }) => kind === "stated"),
    denied = phrases.filter(({ kind }) => kind === "denied");
  const said = things.length ? saidOfThings(things) : stated.length || !denied.length ? saidOfPhrases(stated) : "";
  const right = denied.filter(({ mark }) => mark === "correct").map(phraseWords);
  const absent = things.filter(({ mark }) => mark === "incorrect").map(({ text }) => text.toLowerCase());
  const made = absent.length ? `Makes up ${inWords([...new Set(absent)].map(withArticle))}.` : "";
  const wrong = (things.length ? phrases : denied).filter(isWrongOfThingsThatAreThere).map(phraseWords);
  const parts = regions.filter(({ is_full: isFull }) => !isFull);
  const unknown = denied.filter(({ mark }) => mark === "not judged").length;
  return [
    said,
    !said && unknown === denied.length && unconfirmed("Denies", unknown),
    right.length > 0 && `Rightly says ${inWords(right.map((words) => `“${words}”`))}.`,
    made,
    wrong.length > 0 && `Wrong: ${inWords(wrong)}.`,
    parts.length > 0 && leftOutInWords(leftOut.map((index) => regions[index].label), parts),
  ].filter(Boolean).join(" ");
}

/** @param {{mark: PhraseJson["mark"]}[]} things */
function saidOfThings(things) {
  const found = countOf(things, "correct"), unknown = countOf(things, "not judged"), count = things.length;
  const all = inThings(count);
  if (found === count) return count === 1 ? "Says 1 thing, and it is there." : `Says ${all}, all found.`;
  if (unknown === count) return unconfirmed("Says", count);
  return `Says ${all}${found ? `, ${found} found` : ""}${unknown ? `, ${unknown} unknown` : ""}.`;
}

/** Summarise the phrases that an encoder judged. An encoder judges whole phrases, not single things.
 * @param {{mark: PhraseJson["mark"]}[]} phrases */
function saidOfPhrases(phrases) {
  const count = phrases.length, fit = countOf(phrases, "correct");
  if (!count) return "Says nothing that can be looked for.";
  if (countOf(phrases, "not judged") === count) return unconfirmed("Says", count);
  if (fit === count) return count === 1 ? "Says 1 thing, and it fits." : `Says ${count} things, and all fit.`;
  return `Says ${inThings(count)}, ${fit || "none"} of which ${fit === 1 ? "fits" : "fit"}.`;
}

/** @param {"Says" | "Denies"} verb @param {number} count */
const unconfirmed = (verb, count) =>
  `${verb} ${inThings(count)}. The annotations cannot confirm ${count === 1 ? "it" : "them"}.`;

/** @param {number} count */
const inThings = (count) => count === 1 ? "1 thing" : `${count} things`;

/** Count the items that have a given mark.
 * @param {{mark: PhraseJson["mark"]}[]} marked @param {PhraseJson["mark"]} wanted */
const countOf = (marked, wanted) => marked.filter(({ mark }) => mark === wanted).length;

/** Return whether a phrase is wrong although every thing that it names is in the picture.
 * @param {Pick<PhraseJson, "mark" | "things">} phrase */
function isWrongOfThingsThatAreThere({ mark, things }) {
  return mark === "incorrect" && !things.some((thing) => thing.mark === "incorrect");
}

/** Describe the omitted regions in words.
 * @param {readonly (string | null)[]} labels labels of the left-out regions, without details of mentioned regions
 * @param {readonly {mentioned: boolean}[]} regions all regions */
function leftOutInWords(labels, regions) {
  const details = regions.filter(({ mentioned }) => !mentioned).length - labels.length;
  const inside = `${number(details)} ${details === 1 ? "detail" : "details"} of what it names`;
  if (!labels.length) return `Omits ${details ? `only ${inside}` : "nothing that is annotated"}.`;
  const named = labels.filter((label) => label !== null);
  if (named.length < labels.length) return `Omits ${labels.length} of ${regions.length} regions.`;
  /** @type {Map<string, number>} */
  const kinds = new Map();
  for (const label of named) kinds.set(label, (kinds.get(label) ?? 0) + 1);
  const names = [...kinds].map(([label, times]) => times === 1 ? `the ${label}` : `${number(times)} ${plural(label)}`);
  const fitting = names.filter((_, index) =>
    names.slice(0, index + 1).join(", ").length <= MOST_LETTERS || index === 0
  );
  const isOneShort = fitting.length === names.length - 1 && (names.at(-1)?.length ?? 0) <= MOST_OF_THE_LAST;
  const told = isOneShort ? names : fitting; // if one region remains, its name is hardly longer than "one more"
  const more = [...kinds.values()].slice(told.length).reduce((sum, times) => sum + times, 0);
  return `Omits ${inWords([...told, ...(more ? [`${number(more)} more`] : [])])}${details ? `, and ${inside}` : ""}.`;
}

/** @param {number} count */
const number = (count) => NUMBERS[count] ?? String(count);

/** @param {readonly string[]} names */
function inWords(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}

/** Put "a" or "an" before a noun unless it is plural. @param {string} noun noun of the caption */
function withArticle(noun) {
  const isPlural = /[^s]s$/.test(noun) || Object.values(PLURALS).includes(noun) ||
    /^\d|^(two|three|four|many)\b/.test(noun);
  if (isPlural) return noun;
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Return the plural of a region's label. In “man in a coat”, the word “man” is made plural.
 * @param {string} label */
function plural(label) {
  const [, noun, rest] = /^(.*?)((?: (?:in|of|on|with|at|near|behind)\b.*)?)$/s.exec(label) ?? [label, label, ""];
  const last = noun.split(" ").at(-1) ?? noun, before = noun.slice(0, noun.length - last.length);
  const many = PLURALS[last] ??
    (/s$/.test(last) && !/ss$/.test(last)
      ? last
      : /(ss|x|ch|sh)$/.test(last)
      ? `${last}es`
      : /[^aeiou]y$/.test(last)
      ? `${last.slice(0, -1)}ies`
      : `${last}s`);
  return `${before}${many}${rest}`;
}
