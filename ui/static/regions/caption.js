// A caption with its phrases marked where they stand. Phrases may overlap and nest; the shortest one over a place wins.

import { all, el } from "../shared/dom.js";

/** @import { PhraseJson } from "../shared/wire.d.ts" */

/** Cut a caption at the edges of its phrases: [{text, phrases}], phrases being indices, the shortest first.
 * @param {string} caption @param {Pick<PhraseJson, "start" | "end">[]} phrases */
export function pieces(caption, phrases) {
  const characters = [...caption]; // spans count code points, as Python does
  const edges = new Set([0, characters.length]);
  for (const { start, end } of phrases) edges.add(start).add(end);
  const sorted = [...edges].filter((edge) => edge >= 0 && edge <= characters.length).sort((a, b) => a - b);
  return sorted.slice(1).map((end, at) => {
    const start = sorted[at];
    const over = phrases
      .map((phrase, index) => ({
        index,
        length: phrase.end - phrase.start,
        covers: phrase.start <= start && phrase.end >= end,
      }))
      .filter(({ covers }) => covers)
      .sort((a, b) => a.length - b.length);
    return { text: characters.slice(start, end).join(""), phrases: over.map(({ index }) => index) };
  });
}

/** The caption as a paragraph; each marked piece has data-phrases.
 * @param {string} caption @param {PhraseJson[]} phrases */
export function markedCaption(caption, phrases) {
  return el(
    "p",
    { class: "marked-caption" },
    pieces(caption, phrases).map(({ text, phrases: over }) =>
      over.length ? el("mark", { class: "piece", "data-phrases": over.join(" ") }, text) : text
    ),
  );
}

/** Show which pieces are correct, and which belong to the lit phrase.
 * @param {Element} paragraph @param {boolean[]} correct @param {number | null} lit */
export function showPieces(paragraph, correct, lit) {
  for (const piece of all(paragraph, ".piece")) {
    const over = String(piece.dataset.phrases).split(" ").map(Number);
    const isLit = lit !== null && over.includes(lit);
    piece.classList.toggle("correct", correct[over[0]]);
    piece.classList.toggle("incorrect", !correct[over[0]]);
    piece.classList.toggle("lit", isLit);
    piece.classList.toggle("dim", lit !== null && !isLit);
  }
}
