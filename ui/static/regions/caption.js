// A caption in which phrases and things (such as objects) are marked. Phrases may overlap. Where they overlap, the mark
// of the shortest phrase is shown.

import { all, el } from "../shared/dom.js";

/** @import { PhraseJson } from "../shared/wire.d.ts" */
/** @typedef {PhraseJson["mark"]} Mark */
/** @typedef {Pick<PhraseJson, "start" | "end" | "things" | "mark" | "kind" | "denied">} Span a phrase in a caption */
/** @typedef {object} Piece
 * @property {string} text
 * @property {readonly number[]} phrases indices of the phrases that contain the piece, shortest first
 * @property {Mark | null} mark
 * @property {boolean} isDenied whether a phrase denies the words
 * @property {boolean} hasSign whether a sign follows the piece: it ends a thing with a mark, or is a wrong claim */

/** Signs of marks, so that marks can be told apart without colour. @type {Record<Mark, string>} */
export const SIGNS = { correct: "✓", incorrect: "✗", "not judged": "◌" };
/** @type {Record<Mark, string>} */
const LOOKS = { correct: "correct", incorrect: "incorrect", "not judged": "unjudged" };

/** Split a caption at the edges of its phrases and of the things that the phrases name.
 * @param {string} caption @param {readonly Span[]} phrases @returns {Piece[]} */
export function pieces(caption, phrases) {
  const characters = [...caption]; // code points, in which the server counts positions; JavaScript counts UTF-16 units
  const things = phrases.flatMap((phrase) => phrase.things);
  const edges = new Set([0, characters.length]);
  for (const { start, end } of [...phrases, ...things, ...phrases.map(denialOf)]) edges.add(start).add(end);
  const sorted = [...edges].filter((edge) => edge >= 0 && edge <= characters.length).sort((a, b) => a - b);
  return sorted.slice(1).map((end, at) => {
    const start = sorted[at];
    const covers = (/** @type {{start: number, end: number}} */ span) => span.start <= start && span.end >= end;
    const over = phrases.filter(covers).sort((a, b) => a.end - a.start - (b.end - b.start));
    const thing = things.find(covers);
    const denial = thing ? undefined : over.find((phrase) => phrase.kind === "denied" && covers(denialOf(phrase)));
    const claim = over.find(isOfFoundThings); // its other words are wrong if it is wrong, such as "red" in "red bus"
    const ofWords = things.length ? claim?.mark === "incorrect" && claim.mark : over[0]?.mark;
    const mark = over.length ? (thing ?? denial)?.mark ?? (ofWords || null) : null;
    const runsOn = things.some((one) => covers(one) && one.mark === thing?.mark && one.end > end);
    return {
      text: characters.slice(start, end).join(""),
      phrases: over.map((phrase) => phrases.indexOf(phrase)),
      mark,
      isDenied: denial !== undefined,
      hasSign: things.length > 0 && !runsOn && mark !== null && mark !== "not judged",
    };
  });
}

/** Return the span of a phrase's denial, from "no" to the end of the denied words. @param {Span} phrase */
function denialOf({ start, end, denied }) {
  return denied ? { start: denied[0], end: denied[1] } : { start, end };
}

/** Return whether a phrase names things, and all of them are in the picture. @param {Span} phrase */
function isOfFoundThings({ things }) {
  return things.length > 0 && !things.some(({ mark }) => mark === "incorrect");
}

/** Fill a paragraph with a caption and its marks. Each marked piece has the attribute data-phrases.
 * @param {HTMLElement} paragraph @param {string} caption @param {readonly Span[]} phrases */
export function fillMarked(paragraph, caption, phrases) {
  paragraph.replaceChildren(
    ...pieces(caption, phrases).map(({ text, phrases: over, mark, isDenied, hasSign }) => {
      if (!over.length) return text;
      const looks = ["piece", mark && LOOKS[mark], isDenied && "denied", hasSign && "signed"].filter(Boolean);
      return el("mark", { class: looks.join(" "), "data-phrases": over.join(" ") }, text);
    }),
  );
  return paragraph;
}

/** Highlight the pieces of one phrase. @param {HTMLElement} paragraph @param {number | null} lit index of the phrase */
export function lightPieces(paragraph, lit) {
  for (const piece of all(paragraph, ".piece")) {
    piece.classList.toggle("lit", lit !== null && String(piece.dataset.phrases).split(" ").includes(String(lit)));
  }
}
