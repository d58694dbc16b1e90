// Marks of phrases and regions: the marks of the score, or marks for another threshold (cut). This module needs neither
// the page nor the server.

import { halfUp } from "../shared/rounding.js";

/** @import { DrawnRegionJson, LinksJson, PhraseJson, ScoreJson, ThingJson } from "../shared/wire.d.ts" */
/** @typedef {{value: number, mentioned: boolean}} JudgedRegion */
/** @typedef {ReturnType<typeof judged>} Judged */
/** @typedef {ReturnType<typeof wordsFor>} Words */
/** @typedef {PhraseJson["mark"]} Mark */

/** Decide which regions are mentioned and which phrases are right. Supports (similarities of regions and phrases)
 * decide this.
 * The whole picture is separate from its regions and gets no mark. At the score's own cut (threshold), the marks are
 * those of the score. With another cut, only the numbers decide the marks.
 * @param {Pick<LinksJson, "phrases" | "regions" | "cut">} links @param {number} cut */
export function judged({ phrases, regions, cut: own }, cut) {
  const asTold = cut === own;
  const parts = regions.map((region, index) => ({ region, index })).filter(({ region }) => !region.is_full);
  /** @type {Map<number, JudgedRegion>} */
  const of = new Map(
    parts.map(({ region, index }) => [
      index,
      { value: region.support, mentioned: asTold ? region.mentioned : region.support >= cut },
    ]),
  );
  return {
    asTold,
    byNames: asTold && areByNames({ phrases, regions }), // whether labels, not numbers, decide the marks
    regions: of, // maps the index of a region to its judgement
    phrases: phrases.map(({ mark, kind, support }) => ({
      value: support,
      mark: asTold || kind === "denied" ? mark : support >= cut ? "correct" : "incorrect",
    })),
    mentioned: [...of.values()].filter(({ mentioned }) => mentioned).length,
    things: asTold ? thingsOf(phrases) : [],
  };
}

/** Return whether labels decide the marks. Then phrases name things, or regions have reasons.
 * @param {Pick<LinksJson, "phrases" | "regions">} links */
function areByNames({ phrases, regions }) {
  return phrases.some(({ things }) => things?.length) || (phrases.length > 0 && regions.some(({ reason }) => reason));
}

/** Return the things (such as objects) that phrases name, each once.
 * @param {readonly Pick<PhraseJson, "things">[]} phrases */
function thingsOf(phrases) {
  const all = phrases.flatMap(({ things }) => things ?? []);
  return [...new Map(all.map((thing) => [`${thing.start} ${thing.end}`, thing])).values()];
}

/** Return each thing whose mark differs from the marks of all phrases that name it.
 * Each thing is returned with the first phrase that names it. The page lists these things separately.
 * Otherwise a confirmed thing whose phrases are not confirmed would be missing under the heading Confirmed.
 * @param {readonly Pick<PhraseJson, "mark" | "things">[]} phrases phrases with the marks that the score uses */
export function thingsAlone(phrases) {
  const names = (/** @type {Pick<PhraseJson, "things">} */ phrase, /** @type {ThingJson} */ thing) =>
    (phrase.things ?? []).some(({ start, end }) => start === thing.start && end === thing.end);
  return thingsOf(phrases)
    .filter((thing) => !phrases.some((phrase) => phrase.mark === thing.mark && names(phrase, thing)))
    .map((thing) => ({ thing, phrase: phrases.findIndex((phrase) => names(phrase, thing)) }));
}

/** Return the caption's words for a thing, in lower case if the phrase has them in lower case.
 * @param {string} caption @param {{start: number, end: number}} thing @param {{shown: string}} phrase */
export function thingWords(caption, { start, end }, { shown }) {
  const words = [...caption].slice(start, end).join(""); // the server counts positions in code points
  const small = words.toLowerCase();
  return !shown.includes(words) && shown.includes(small) ? small : words;
}

/** Signs before phrases, so that marks can be told apart without colour.
 * @type {Record<Mark, string>} */
export const SIGNS = { correct: "✓ ", incorrect: "✗ ", "not judged": "◌ " };

/** @type {Mark[]} */
const MARKS = ["correct", "incorrect", "not judged"];

/** @type {Record<Mark, string>} */
const HEADS = { correct: "Confirmed", incorrect: "Wrong", "not judged": "can’t tell" };

/** Return the page's texts for marks. The texts say what the caption was compared with.
 * @param {string} seen what the caption was compared with: "the picture", "the annotations"
 * @param {boolean} asTold true: the marks came with the score; false: the page computed them with another threshold
 * @param {number} cut the threshold of the marks */
export function wordsFor(seen, asTold, cut) {
  const told = {
    correct: `supported by ${seen}`,
    incorrect: `contradicted by ${seen}`,
    "not judged": "unknown",
  };
  return {
    regions: asTold
      ? ["mentioned", "not mentioned"]
      : [`support of at least ${halfUp(cut, 2)}`, `support below ${halfUp(cut, 2)}`],
    phrases: asTold ? told : { ...told, correct: "supported", incorrect: "not supported" },
    heads: asTold ? HEADS : { ...HEADS, correct: "Supported", incorrect: "Not supported" },
    signs: SIGNS,
    best: asTold ? ["mentioned by", "not mentioned; nearest phrase is"] : ["nearest is", "nearest is"],
  };
}

/** Return a phrase's precision in words, and why it may disagree with the phrase's mark.
 * @param {Pick<PhraseJson, "precision" | "mark" | "reason">} phrase @param {number} cut the score's own threshold */
export function precisionWords({ precision, mark, reason }, cut) {
  if (precision === null) return "HICE-S does not compare this phrase.";
  const words = `Precision ${halfUp(precision, 3)}: similarity to the region that fits best.`;
  const isOdd = reason && (mark === "correct" ? precision < cut : mark === "incorrect" && precision >= cut);
  return isOdd ? `${words} Labels decide the mark, and similar words the number.` : words;
}

/** Return the sentence that says how the shown numbers make precision or recall; "" without numbers.
 * @param {"precision" | "recall"} name @param {readonly (number | null)[]} numbers @param {string} of what is counted */
export function meanWords(name, numbers, of) {
  const counted = numbers.filter((one) => one !== null);
  if (!counted.length) return "";
  const mean = counted.reduce((sum, one) => sum + one, 0) / counted.length;
  return `${name} ${halfUp(mean, 3)} = mean of ${counted.length} ${of}`;
}

/** Return the regions that belong to a phrase. If labels decided the marks, these are all regions that the phrase
 * names. If an encoder decided the marks, this is the nearest region, but only if its support is at least `least`.
 * @param {Pick<PhraseJson, "regions" | "support" | "things">} phrase
 * @param {number} least smallest support that counts */
export function regionsOf({ regions, support, things }, least) {
  return things?.length || support >= least ? regions : [];
}

/** Return a note if nothing in the caption is compared, or if the caption denies something. Otherwise return "".
 * @param {{notice: string, phrases: Pick<PhraseJson, "kind">[]}} links */
export function readingNote({ notice, phrases }) {
  if (notice) return notice;
  const denies = phrases.some(({ kind }) => kind === "denied");
  return denies ? "HICE-S does not understand negation. Its score treats “no dog” like “dog”." : "";
}

/** Return what the score compared the caption with: the annotations, an encoder or the picture.
 * @param {Pick<ScoreJson, "encoder" | "by_labels">} score */
export function lookedAt({ encoder, by_labels: byLabels }) {
  return byLabels ? "the annotations" : encoder ?? "the picture";
}

/** Return each region's name: its label, with a number if several regions share the label.
 * The name of a region without a label is its number among all regions.
 * @param {Pick<DrawnRegionJson, "label" | "is_full">[]} regions @returns {string[]} */
export function regionNames(regions) {
  const parts = regions.filter(({ is_full: whole }) => !whole);
  const shared = (/** @type {string} */ wanted) => parts.filter(({ label }) => label === wanted);
  return regions.map((region, index) => {
    if (region.is_full) return "the whole picture";
    if (!region.label) return `region ${index + 1}`;
    const equal = shared(region.label);
    return equal.length > 1 ? `${region.label} ${equal.indexOf(region) + 1}` : region.label;
  });
}

/** Describe a region: its name, its mark, and the reason or the phrase that mentions the region best.
 * @param {Pick<LinksJson, "phrases" | "regions">} links @param {number} index @param {string} name
 * @param {boolean} mentioned
 * @param {Words} words @param {boolean} [byNames] whether labels, not numbers, decide the mark
 * @param {boolean} [numbered] whether the words contain the region's recall */
export function regionWords({ regions, phrases }, index, name, mentioned, words, byNames = false, numbered = true) {
  const { phrase, reason, recall } = regions[index];
  const ending = numbered ? ` · recall ${halfUp(recall, 3)}` : "";
  if (byNames && reason) return `${name}: ${words.regions[mentioned ? 0 : 1]}. ${reason}${ending}`;
  if (phrase === null) return `${name}: ${words.regions[mentioned ? 0 : 1]}${ending}`;
  return `${name}: ${words.best[mentioned ? 0 : 1]} “${phrases[phrase].shown}”${ending}`;
}

/** Return two lines: how many regions and things are mentioned, and how many phrases have each mark.
 * @param {Judged} judged @param {number} cut the threshold of the marks
 * @param {number} own the threshold that came with the score @param {Words} words
 * @returns {[string, string]} */
export function counts({ asTold, regions, phrases, mentioned, things }, cut, own, words) {
  if (!phrases.length) return ["", ""];
  const number = (/** @type {number} */ count, /** @type {string} */ one) =>
    `${count} ${count === 1 ? one : `${one}s`}`;
  const marked = (/** @type {Mark} */ wanted) => phrases.filter(({ mark }) => mark === wanted).length;
  const told = MARKS.filter(marked).map((mark) =>
    `${asTold ? words.signs[mark] : ""}${marked(mark)} ${words.phrases[mark]}`
  );
  const there = things.filter(({ mark }) => mark === "correct").length;
  const line = [
    `${mentioned} of ${number(regions.size, "region")} mentioned`,
    things.length > 0 && `${there} of ${number(things.length, "thing")} found`,
  ].filter(Boolean).join(" · ");
  const at = cut === own ? "" : ` at threshold ${halfUp(cut, 2)} (the score’s own threshold: ${halfUp(own, 2)})`;
  return [line, `Phrases: ${told.join(" · ")}${at}`];
}
