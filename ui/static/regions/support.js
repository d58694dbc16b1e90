// What a cut makes of phrases and regions: pure arithmetic over an explanation, no page and no server.

/** @import { PhraseJson, DrawnRegionJson, LinksJson } from "../shared/wire.d.ts" */
/** @typedef {{value: number, mentioned: boolean}} JudgedRegion */
/** @typedef {ReturnType<typeof judged>} Judged */
/** @typedef {typeof WORDS[keyof typeof WORDS]} Words */

/** The share of the others that a value exceeds, ties counting half: 1 for the best of an image, 0 for the worst.
 * @param {number[]} values */
export function ranks(values) {
  const others = values.length - 1;
  return values.map((value) => {
    if (!others) return 1;
    const below = values.filter((other) => other < value).length,
      equal = values.filter((other) => other === value).length - 1;
    return (below + equal / 2) / others;
  });
}

/** Supports as they are, or as ranks within the image; the whole picture is apart from its regions and has none.
 * @param {Pick<LinksJson, "phrases" | "regions">} links @param {number} cut @param {boolean} relative */
export function judged({ phrases, regions }, cut, relative) {
  const parts = regions.map((region, index) => ({ region, index })).filter(({ region }) => !region.is_full);
  const supports = parts.map(({ region }) => region.support);
  const values = relative ? ranks(supports) : supports;
  /** @type {Map<number, JudgedRegion>} */
  const of = new Map(parts.map(({ index }, at) => [index, { value: values[at], mentioned: values[at] >= cut }]));
  const said = phrases.map(({ support }) => support);
  const worth = relative ? ranks(said) : said;
  return {
    regions: of, // by index of the region
    phrases: worth.map((value) => ({ value, correct: value >= cut })),
    mentioned: [...of.values()].filter(({ mentioned }) => mentioned).length,
    correct: worth.filter((value) => value >= cut).length,
  };
}

/** What the two sides of the cut are called: a rank says nothing of right and wrong. */
export const WORDS = {
  absolute: {
    regions: ["mentioned", "not mentioned"],
    phrases: ["correct", "incorrect"],
    signs: ["✓ ", "✗ "],
    best: ["mentioned by", "not mentioned; nearest is"],
  },
  relative: {
    regions: ["upper ranks", "lower ranks"],
    phrases: ["upper ranks", "lower ranks"],
    signs: ["", ""],
    best: ["nearest is", "nearest is"],
  },
};

/** What each region is called: its label, with a number where several share it, or its number among all.
 * @param {DrawnRegionJson[]} regions @returns {string[]} */
export function regionNames(regions) {
  const parts = regions.filter(({ is_full: whole }) => !whole);
  const shared = (wanted) => parts.filter(({ label }) => label === wanted);
  return regions.map((region, index) => {
    if (region.is_full) return "the whole picture";
    if (!region.label) return `region ${index + 1}`;
    const equal = shared(region.label);
    return equal.length > 1 ? `${region.label} ${equal.indexOf(region) + 1}` : region.label;
  });
}

/** What is said of a region by its name: the phrase that mentions it best.
 * @param {Pick<LinksJson, "phrases" | "regions">} links @param {number} index @param {string} name @param {boolean} mentioned
 * @param {Words} [words] */
export function regionWords({ regions, phrases }, index, name, mentioned, words = WORDS.absolute) {
  const region = regions[index];
  if (region.phrase === null) return name;
  return `${name}: ${words.best[mentioned ? 0 : 1]} “${phrases[region.phrase].text}” (${region.support.toFixed(3)})`;
}

/** The line of counts.
 * @param {Judged} judged @param {number} cut @param {number} own @param {boolean} relative */
export function counts({ regions, phrases, mentioned, correct }, cut, own, relative) {
  const number = (count, one) => `${count} ${count === 1 ? one : `${one}s`}`;
  if (relative) {
    return `${mentioned} of ${number(regions.size, "region")} and ${correct} of ${
      number(phrases.length, "phrase")
    } rank in the upper part of this image (cut ${cut.toFixed(2)})`;
  }
  const line = `${mentioned} of ${number(regions.size, "region")} mentioned · ${correct} of ${
    number(phrases.length, "phrase")
  } correct`;
  return cut === own ? line : `${line} at cut ${cut.toFixed(2)} (the score's own: ${own.toFixed(2)})`;
}
