// The lists beside a picture. A caption's phrases are labels ("chips") in lines: the confirmed phrases, the wrong ones,
// and those that nobody can tell. Each chip has its mark, and its precision with a short bar. The regions are a list with
// the mentioned regions first. Each has its recall, and the reason why it counts as mentioned or not.

import { all, el } from "../shared/dom.js";
import { halfUp, rounded } from "../shared/rounding.js";
import { rove } from "../shared/roving_focus.js";
import { counted } from "../shared/text.js";
import { SIGNS } from "./caption.js";
import { NOT_COMPARED } from "./picture.js";

/** @import { PhraseJson, RegionJson, ThingJson } from "../shared/wire.d.ts" */
/** @import { Mark } from "./caption.js" */

/** The class and the heading of each line. @type {Record<Mark, {look: string, head: string}>} */
const LINES = {
  correct: { look: "confirmed", head: "Confirmed" },
  incorrect: { look: "wrong", head: "Wrong" },
  "not judged": { look: "untold", head: "Can’t tell" },
};

export class PhraseLines {
  /** @param {boolean} numbered whether chips show precisions; raters judge the marks without them */
  constructor(numbered) {
    this.numbered = numbered;
    this.element = el("div", { class: "phrase-lines", role: "group", "aria-label": "Phrases of the caption" });
  }

  /** @param {readonly PhraseJson[]} phrases @param {string} caption @param {number} highest the value of a full bar */
  show(phrases, caption, highest) {
    const rows = phrases.map((phrase, index) => ({
      start: phrase.start,
      mark: phrase.mark,
      chip: this.chip(phrase, index, highest),
    }));
    for (const { thing, phrase } of thingsAlone(phrases)) {
      const text = thingWords(caption, thing, phrases[phrase]);
      rows.push({ start: thing.start, mark: thing.mark, chip: thingChip(text, thing, phrase) });
    }
    rows.sort((a, b) => a.start - b.start);
    const mean = meanWords("precision", phrases.map(({ precision }) => precision), "phrase");
    this.element.hidden = !phrases.length;
    this.element.replaceChildren(
      ...Object.entries(LINES).map(([mark, { look, head }]) => {
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
  const told = { "data-phrase": phrase, "aria-label": `${words}: ${LINES[mark].head}` };
  return el(
    "button",
    { type: "button", class: `phrase of-thing ${mark.replace(" ", "-")}`, ...told },
    sign(mark),
    words,
  );
}

/** The regions of a picture as a list. */
export class RegionList {
  constructor() {
    this.rows = el("ol", { class: "region-list", "aria-label": "Regions, mentioned regions first" });
    this.mean = el("p", { class: "quiet mean-of-regions" });
    this.element = el("div", {}, this.mean, this.rows);
  }

  /** @param {readonly RegionJson[]} regions @param {boolean} isCompared whether a caption was compared with them
   * @param {number} highest the value of a full bar */
  show(regions, isCompared, highest) {
    const whole = regions.find(({ is_full: isFull }) => isFull);
    const more = whole ? `, with the whole picture (${halfUp(whole.recall ?? 0, 3)})` : "";
    const mean = isCompared && meanWords("recall", regions.map(({ recall }) => recall), "region");
    this.mean.textContent = mean ? mean + more : "";
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement && this.rows.contains(activeElement) &&
      activeElement.dataset.region;
    const parts = regions.map((region, index) => ({ region, index })).filter(({ region }) => !region.is_full);
    parts.sort(({ region: a }, { region: b }) =>
      Number(b.mentioned) - Number(a.mentioned) || (b.recall ?? 0) - (a.recall ?? 0)
    );
    this.rows.replaceChildren(...parts.map(({ region, index }) => regionRow(region, index, isCompared, highest)));
    rove(this.rows, ".region-row");
    if (focused) all(this.rows, `[data-region="${focused}"]`)[0]?.focus();
  }
}

/** @param {RegionJson} region @param {number} index @param {boolean} isCompared @param {number} highest */
function regionRow({ name, words, recall, mentioned }, index, isCompared, highest) {
  const look = !isCompared ? "waiting" : mentioned ? "mentioned" : "unmentioned";
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", class: `region-row ${look}`, "data-region": index, "aria-pressed": "false" },
      el("span", { class: "swatch", "aria-hidden": "true" }),
      el("span", { class: "name" }, name),
      el("span", { class: "number" }, isCompared && numberNodes(recall, highest)),
      el("span", { class: "quiet" }, isCompared ? words : NOT_COMPARED),
    ),
  );
}

/** Make the number and the short bar of a precision or a recall. @param {number | null} value null: not compared
 * @param {number} highest the value of a full bar */
function numberNodes(value, highest) {
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
 * @param {"precision" | "recall"} name @param {readonly (number | null)[]} numbers @param {string} of their noun */
export function meanWords(name, numbers, of) {
  const known = numbers.filter((one) => one !== null);
  if (!known.length) return "";
  const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
  return `${name} ${halfUp(mean, 3)} = mean of ${counted(known.length, of)}`;
}
