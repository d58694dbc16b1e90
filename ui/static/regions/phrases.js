// A caption's phrases as labels ("chips") in lines: the confirmed phrases, the wrong ones, and those that nobody can
// tell. Each chip has its mark, and its precision with a short bar.

import { el } from "../shared/dom.js";
import { halfUp, rounded } from "../shared/rounding.js";
import { rove } from "../shared/roving_focus.js";
import { SIGNS } from "./caption.js";

/** @import { LinksJson, PhraseJson, ThingJson } from "../shared/wire.d.ts" */
/** @import { Mark } from "./caption.js" */
/** @typedef {{start: number, text: string, mark: Mark, precision: number | null, chip: HTMLElement}} Row */

/** The class and the heading of each line. @type {[Mark, string, string][]} */
const LINES = [["correct", "confirmed", "Confirmed"], ["incorrect", "wrong", "Wrong"], [
  "not judged",
  "untold",
  "can’t tell",
]];
/** Headings of the lines. */
export const HEADS =
  /** @type {Record<Mark, string>} */ (Object.fromEntries(LINES.map(([mark, , head]) => [mark, head])));

export class PhraseLines {
  /** @param {boolean} numbered whether chips show precisions; raters judge the marks without them */
  constructor(numbered) {
    this.numbered = numbered;
    /** @type {Row[]} the phrases in the order of the caption */
    this.rows = [];
    this.element = el("div", { class: "phrase-lines", role: "group", "aria-label": "Phrases of the caption" });
  }

  /** @param {readonly PhraseJson[]} phrases @param {string} caption @param {number} highest the value of a full bar */
  show(phrases, caption, highest) {
    const rows = phrases.map((phrase, index) => ({
      start: phrase.start,
      text: phrase.shown,
      mark: phrase.mark,
      precision: phrase.precision,
      chip: this.chip(phrase, index, highest),
    }));
    for (const { thing, phrase } of thingsAlone(phrases)) {
      const text = thingWords(caption, thing, phrases[phrase]);
      rows.push({ start: thing.start, text, mark: thing.mark, precision: null, chip: thingChip(text, thing, phrase) });
    }
    this.rows = rows.sort((a, b) => a.start - b.start);
    const mean = meanWords(
      "precision",
      phrases.map(({ precision }) => precision),
      phrases.length === 1 ? "phrase" : "phrases",
    );
    this.element.hidden = !phrases.length;
    this.element.replaceChildren(
      ...LINES.map(([mark, look, head]) => {
        const chips = rows.filter((row) => row.mark === mark).map(({ chip }) => chip);
        const line = el("p", { class: `phrase-line ${look}`, hidden: !chips.length });
        line.append(el("span", { class: "line-head" }, head), ...chips);
        rove(line, ".phrase");
        return line;
      }),
      el("p", { class: "quiet mean-of-phrases" }, mean),
    );
  }

  /** @param {PhraseJson} phrase @param {number} index @param {number} highest */
  chip({ kind, mark, shown, precision, words }, index, highest) {
    const look = `phrase ${kind} ${mark === "not judged" ? "" : mark}`.trim();
    return el(
      "button",
      { type: "button", class: look, "data-phrase": index, "aria-pressed": "false", "aria-label": words, title: words },
      sign(mark),
      shown,
      this.numbered && [" ", el("span", { class: "number" }, numberNodes(precision, highest))],
    );
  }
}

/** @param {Mark} mark */
const sign = (mark) => el("span", { class: "sign", "aria-hidden": "true" }, `${SIGNS[mark]} `);

/** Make a button for a thing. Pointing at it highlights the phrase that names the thing.
 * @param {string} words @param {ThingJson} thing @param {number} phrase */
function thingChip(words, { mark }, phrase) {
  const told = { "data-phrase": phrase, "aria-label": `${words}: ${HEADS[mark]}` };
  return el(
    "button",
    { type: "button", class: `phrase of-thing ${mark.replace(" ", "-")}`, ...told },
    sign(mark),
    words,
  );
}

/** Make the number and the short bar of a precision or a recall. @param {number | null} value null: not compared
 * @param {number} highest the value of a full bar */
export function numberNodes(value, highest) {
  if (value === null) return [el("span", { class: "quiet" }, "not compared")];
  const bar = el("span", { class: "short-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.min(1, Math.max(0, value / highest))));
  return [rounded(value), bar];
}

/** Return each thing whose mark differs from the marks of all phrases that name it.
 * Each thing is returned with the first phrase that names it. The page lists these things separately.
 * Otherwise a confirmed thing whose phrases are not confirmed would be missing under the heading Confirmed.
 * @param {readonly Pick<PhraseJson, "mark" | "things">[]} phrases */
export function thingsAlone(phrases) {
  const names = (/** @type {Pick<PhraseJson, "things">} */ phrase, /** @type {ThingJson} */ thing) =>
    phrase.things.some(({ start, end }) => start === thing.start && end === thing.end);
  const things = phrases.flatMap((phrase) => phrase.things);
  return [...new Map(things.map((thing) => [`${thing.start} ${thing.end}`, thing])).values()]
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

/** Return the sentence that says how the shown numbers make precision or recall; "" without numbers.
 * @param {"precision" | "recall"} name @param {readonly (number | null)[]} numbers @param {string} of what is counted */
export function meanWords(name, numbers, of) {
  const counted = numbers.filter((one) => one !== null);
  if (!counted.length) return "";
  const mean = counted.reduce((sum, one) => sum + one, 0) / counted.length;
  return `${name} ${halfUp(mean, 3)} = mean of ${counted.length} ${of}`;
}
