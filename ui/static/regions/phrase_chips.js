// The labels ("chips") of a caption's phrases, each with its mark, and of the things that no phrase with their mark names.

/** @import { PhraseJson } from "../shared/wire.d.ts" */
/** @import { Judged, wordsFor } from "./support.js" */
/** @typedef {PhraseJson["mark"]} Mark */
/** @typedef {ReturnType<typeof wordsFor>} Spoken */

import { all, el } from "../shared/dom.js";
import { phraseWords, similarityWords, thingsAlone, thingWords } from "./support.js";

/** Build a button for each phrase, still without a mark. @param {readonly PhraseJson[]} phrases */
export function phraseChips(phrases) {
  return phrases.map((phrase, index) =>
    el(
      "button",
      { type: "button", class: `phrase ${phrase.kind}`, "data-phrase": index, "aria-pressed": "false" },
      el("span", { class: "sign", "aria-hidden": "true" }),
      phraseWords(phrase),
      " ",
      el("span", { class: "number" }),
    )
  );
}

/** Show the mark of a phrase on its button.
 * @param {HTMLElement} chip @param {PhraseJson} phrase
 * @param {{mark: Mark, number: string, asTold: boolean, relative: boolean, spoken: Spoken}} shown number: the support
 * or the rank as text; asTold: whether the mark is the one that came with the score; relative: whether the colours are
 * ranks */
export function markChip(chip, phrase, { mark, number, asTold, relative, spoken }) {
  const { support, reason } = phrase;
  chip.classList.toggle("correct", mark === "correct");
  chip.classList.toggle("incorrect", mark === "incorrect");
  const [sign, figure] = all(chip, ".sign, .number");
  sign.textContent = spoken.signs[mark];
  figure.textContent = asTold ? "" : number; // a number could contradict the score's own mark
  const figures = relative ? `, rank ${number}` : asTold && reason ? "" : `, ${similarityWords(support)}`;
  chip.setAttribute("aria-label", `${phraseWords(phrase)}: ${spoken.phrases[mark]}${figures}`);
  chip.title = asTold && reason ? reason : similarityWords(support);
}

/** Return the phrases in the order of the caption, each with its words, its mark and its element.
 * A thing (object) is added if no phrase with its mark names it.
 * @param {readonly PhraseJson[]} phrases @param {string} caption @param {readonly HTMLElement[]} chips
 * @param {Judged} state @param {Spoken} spoken */
export function phraseRows(phrases, caption, chips, state, spoken) {
  const rows = phrases.map((phrase, at) => ({
    start: phrase.start,
    text: phraseWords(phrase),
    mark: state.phrases[at].mark,
    chip: chips[at],
  }));
  for (const { thing, phrase } of state.asTold ? thingsAlone(phrases) : []) {
    const { start, mark } = thing, text = thingWords(caption, thing, phrases[phrase]);
    rows.push({ start, text, mark, chip: thingChip(text, mark, phrase, spoken) });
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
