// Writes two or three sentences about what a caption mentions and omits. The functions are pure: they get an
// explanation and return texts.

import { phraseWords } from "../regions/support.js";

/** @import { DrawnRegionJson, PhraseJson } from "../shared/wire.d.ts" */
/** @import { Judged } from "../regions/support.js" */

const MOST_NAMED = 3; // maximum number of omitted regions that are named; the sentence must be readable in ten seconds
const MOST_LETTERS = 70; // maximum number of characters of all named regions together; further regions are only counted
const MOST_OF_THE_LAST = 20; // maximum characters of the last name in the list; a longer one is replaced by "one more"
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const BACKGROUNDS = new Set(["background", "backdrop"]); // labels of regions that a caption need not mention
const SINGULAR = /\b(gas|canvas|atlas|lens|iris|tennis|mantis|trellis|chassis|christmas)$/;
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
  const wrong = (things.length ? phrases : denied).filter(isWrongOfThingsThatAreThere).map(phraseWords);
  const areAllThere = things.length > 0 && countOf(things, "correct") === things.length;
  const said = things.length
    ? saidOfThings(things, areAllThere ? wrong : [])
    : stated.length || !denied.length
    ? saidOfPhrases(stated)
    : "";
  const right = denied.filter(({ mark }) => mark === "correct").map(phraseWords);
  const absent = things.filter(({ mark }) => mark === "incorrect").map(({ text }) => text.toLowerCase());
  const made = absent.length ? `Makes up ${inWords([...new Set(absent)].map(withArticle))}.` : "";
  const parts = regions.some(({ is_full: isFull }) => !isFull);
  const unknown = denied.filter(({ mark }) => mark === "not judged").length;
  return [
    said,
    !said && unknown === denied.length && unconfirmed("Denies", unknown),
    right.length > 0 && `Rightly says ${inWords(right.map((words) => `“${words}”`))}.`,
    made,
    wrong.length > 0 && !areAllThere && `Wrong: ${inWords(wrong)}.`,
    parts && omittedInWords(regions, leftOut),
  ].filter(Boolean).join(" ");
}

/** Say how many things a caption names, and how many of them are in the picture.
 * If all are in the picture, also say which phrases are wrong.
 * @param {{mark: PhraseJson["mark"]}[]} things
 * @param {readonly string[]} wrong words of the phrases that say something wrong about things in the picture */
function saidOfThings(things, wrong) {
  const found = countOf(things, "correct"), unknown = countOf(things, "not judged"), count = things.length;
  const all = inThings(count);
  if (found === count) {
    const but = wrong.length ? `, but gets ${inPhrases(wrong.length)} wrong: ${inWords(wrong)}` : "";
    return `Names ${all}, ${count > 2 ? "all" : count === 2 ? "both" : "which is"} in the picture${but}.`;
  }
  if (unknown === count) return unconfirmed("Names", count);
  const there = found ? `, ${found} in the picture` : unknown ? "" : ", none in the picture";
  return `Names ${all}${there}${unknown ? `, ${unknown} unknown` : ""}.`;
}

/** Summarise the phrases that an encoder judged. An encoder judges whole phrases, not single things.
 * @param {{mark: PhraseJson["mark"]}[]} phrases */
function saidOfPhrases(phrases) {
  const count = phrases.length, fit = countOf(phrases, "correct");
  if (!count) return "Says nothing that can be compared with the picture.";
  if (countOf(phrases, "not judged") === count) return unconfirmed("Says", count);
  if (fit === count) return count === 1 ? "Says 1 thing, and it fits." : `Says ${count} things, and all fit.`;
  return `Says ${inThings(count)}, ${fit || "none"} of which ${fit === 1 ? "fits" : "fit"}.`;
}

/** @param {"Names" | "Says" | "Denies"} verb @param {number} count */
const unconfirmed = (verb, count) =>
  `${verb} ${inThings(count)}. The annotations cannot confirm ${count === 1 ? "it" : "them"}.`;

/** @param {number} count */
const inThings = (count) => count === 1 ? "1 thing" : `${count} things`;

/** @param {number} count */
const inPhrases = (count) => count === 1 ? "1 phrase" : `${count} phrases`;

/** Count the items that have a given mark.
 * @param {readonly {mark: PhraseJson["mark"]}[]} marked @param {PhraseJson["mark"]} wanted */
const countOf = (marked, wanted) => marked.filter(({ mark }) => mark === wanted).length;

/** Return whether a phrase is wrong although every thing that it names is in the picture.
 * @param {Pick<PhraseJson, "mark" | "things">} phrase */
function isWrongOfThingsThatAreThere({ mark, things }) {
  return mark === "incorrect" && !things.some((thing) => thing.mark === "incorrect");
}

/** Describe the omitted regions in words: things first, then details of mentioned things, then backgrounds.
 * @param {readonly Pick<DrawnRegionJson, "label" | "is_full" | "mentioned">[]} regions all regions
 * @param {readonly number[]} leftOut indices of omitted regions, except those inside mentioned regions (details) */
function omittedInWords(regions, leftOut) {
  const parts = regions.filter(({ is_full: isFull }) => !isFull);
  const omitted = regions.flatMap(({ label, is_full: isFull, mentioned }, index) => {
    if (leftOut.includes(index)) return [{ label, rank: isBackground(label) ? 2 : 0 }];
    return isFull || mentioned ? [] : [{ label, rank: isBackground(label) ? 2 : 1 }];
  });
  if (!omitted.length) return "Omits nothing that is annotated.";
  if (omitted.every(({ rank }) => rank === 2)) return "Omits only the background.";
  const labels = omitted.sort((one, other) => one.rank - other.rank).map(({ label }) => label);
  const named = labels.filter((label) => label !== null);
  if (named.length < labels.length) return `Omits ${labels.length} of ${parts.length} regions.`;
  const names = grouped(named);
  const fitting = names.filter((_, index) =>
    index === 0 ||
    (index < MOST_NAMED && names.slice(0, index + 1).map(({ words }) => words).join(", ").length <= MOST_LETTERS)
  );
  const isOneShort = fitting.length === names.length - 1 && (names.at(-1)?.words.length ?? 0) <= MOST_OF_THE_LAST;
  const told = isOneShort ? names : fitting; // the last name is added if short, because "one more" is hardly shorter
  const more = names.slice(told.length).reduce((sum, { times }) => sum + times, 0);
  return `Omits ${inWords([...told.map(({ words }) => words), ...(more ? [`${number(more)} more`] : [])])}.`;
}

/** Return each label once, with "the", or with its count if it occurs several times.
 * @param {readonly string[]} labels */
function grouped(labels) {
  /** @type {Map<string, number>} */
  const kinds = new Map();
  for (const label of labels) kinds.set(label, (kinds.get(label) ?? 0) + 1);
  return [...kinds].map(([label, times]) => ({
    times,
    words: times === 1 ? `the ${label}` : `${number(times)} ${plural(label)}`,
  }));
}

/** Return whether a label names only a background: "blurred background". @param {string | null} label */
function isBackground(label) {
  return BACKGROUNDS.has(label ? headOf(label)[0].split(" ").at(-1) ?? "" : "");
}

/** Split a label before its first preposition: "man" and " in a coat". @param {string} label */
function headOf(label) {
  const [, noun, rest] = /^(.*?)((?: (?:in|of|on|with|at|near|behind)\b.*)?)$/s.exec(label) ?? [label, label, ""];
  return [noun, rest];
}

/** @param {number} count */
const number = (count) => NUMBERS[count] ?? String(count);

/** @param {readonly string[]} names */
function inWords(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}

/** Return whether a noun has the ending of a plural: "dogs", but not "bus", "glass" and "lens". @param {string} noun */
const endsAsPlural = (noun) => /[^su]s$|(menu|emu|gnu)s$/.test(noun) && !SINGULAR.test(noun);

/** Put "a" or "an" before a noun unless it is plural. @param {string} noun noun of the caption */
function withArticle(noun) {
  const isPlural = endsAsPlural(noun) || Object.values(PLURALS).includes(noun) ||
    /^\d|^(two|three|four|many)\b/.test(noun);
  if (isPlural) return noun;
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Return the plural of a region's label. In “man in a coat”, the word “man” is made plural.
 * @param {string} label */
function plural(label) {
  const [noun, rest] = headOf(label);
  const last = noun.split(" ").at(-1) ?? noun, before = noun.slice(0, noun.length - last.length);
  const many = PLURALS[last] ??
    (endsAsPlural(last)
      ? last
      : /(s|x|ch|sh)$/.test(last)
      ? `${last}es`
      : /[^aeiou]y$/.test(last)
      ? `${last.slice(0, -1)}ies`
      : `${last}s`);
  return `${before}${many}${rest}`;
}
