// The labels ("chips") of a caption's phrases, each with its mark, and of the things that no phrase with their mark names.

/** @import { PhraseJson } from "../shared/wire.d.ts" */
/** @import { Judged, wordsFor } from "./support.js" */
/** @typedef {PhraseJson["mark"]} Mark */
/** @typedef {ReturnType<typeof wordsFor>} Spoken */

import { all, el } from "../shared/dom.js";
import { precisionWords, thingsAlone, thingWords } from "./support.js";
import { rounded } from "../shared/rounding.js";

/** Build a button for each phrase, still without a mark. @param {readonly PhraseJson[]} phrases */
export function phraseChips(phrases) {
  return phrases.map((phrase, index) =>
    el(
      "button",
      { type: "button", class: `phrase ${phrase.kind}`, "data-phrase": index, "aria-pressed": "false" },
      el("span", { class: "sign", "aria-hidden": "true" }),
      phrase.shown,
      " ",
      el("span", { class: "number" }),
    )
  );
}

/** Show the mark and the precision of a phrase on its button.
 * @param {HTMLElement} chip @param {PhraseJson} phrase
 * @param {{mark: Mark, spoken: Spoken, cut: number, highest: number, numbered: boolean}} shown cut: the score's own
 * threshold; highest: the largest precision that a bar shows; numbered: whether the chip shows the precision */
export function markChip(chip, phrase, { mark, spoken, cut, highest, numbered }) {
  const { reason, precision } = phrase, words = precisionWords(phrase, cut);
  chip.classList.toggle("correct", mark === "correct");
  chip.classList.toggle("incorrect", mark === "incorrect");
  const [sign, figure] = all(chip, ".sign, .number");
  sign.textContent = spoken.signs[mark];
  if (numbered) figure.replaceChildren(...precisionNodes(precision, highest));
  chip.setAttribute("aria-label", `${phrase.shown}: ${spoken.phrases[mark]}${numbered ? `. ${words}` : ""}`);
  chip.title = [mark === phrase.mark && reason, numbered && words].filter(Boolean).join(" ");
}

/** Make the number and the short bar of a precision or a recall. @param {number | null} value null: not compared
 * @param {number} highest the value of a full bar */
export function precisionNodes(value, highest) {
  if (value === null) return [el("span", { class: "quiet" }, "not compared")];
  const bar = el("span", { class: "short-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.min(1, Math.max(0, value / highest))));
  return [rounded(value), bar];
}

/** Return the phrases in the order of the caption, each with its words, its mark and its element.
 * A thing (object) is added if no phrase with its mark names it.
 * @param {readonly PhraseJson[]} phrases @param {string} caption @param {readonly HTMLElement[]} chips
 * @param {Judged} state @param {Spoken} spoken */
export function phraseRows(phrases, caption, chips, state, spoken) {
  const rows = phrases.map((phrase, at) => ({
    start: phrase.start,
    text: phrase.shown,
    mark: state.phrases[at].mark,
    precision: phrase.precision,
    chip: chips[at],
  }));
  for (const { thing, phrase } of state.asTold ? thingsAlone(phrases) : []) {
    const { start, mark } = thing, text = thingWords(caption, thing, phrases[phrase]);
    rows.push({ start, text, mark, precision: null, chip: thingChip(text, mark, phrase, spoken) });
  }
  return rows.sort((a, b) => a.start - b.start);
}

/** Make a button for a thing, for the lines of phrases. Pointing at it highlights the phrase that names the thing.
 * @param {string} words @param {Mark} mark @param {number} phrase @param {Spoken} spoken */
function thingChip(words, mark, phrase, { signs, phrases }) {
  const sign = el("span", { class: "sign", "aria-hidden": "true" }, signs[mark]);
  const told = { "data-phrase": phrase, "aria-label": `${words}: ${phrases[mark]}` };
  return el("button", { type: "button", class: `phrase of-thing ${mark.replace(" ", "-")}`, ...told }, sign, words);
}
