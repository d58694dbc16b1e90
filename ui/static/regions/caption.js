// A caption in which phrases and things (such as objects) are marked. Phrases may overlap. Where they overlap, the mark
// of the shortest phrase is shown.

import { all, el } from "../shared/dom.js";

/** @import { PhraseJson } from "../shared/wire.d.ts" */
/** @import { Mark } from "./support.js" */

/** Split a caption at the edges of its phrases and of the things that the phrases name.
 * Each returned piece has four fields:
 * phrases: indices of the phrases that contain the piece, shortest first;
 * thing: the mark of the thing that contains the piece, or null;
 * denied: index of the phrase that denies the words of the piece, or null;
 * runsOn: whether the next piece belongs to the same thing.
 * @param {string} caption
 * @param {readonly (Pick<PhraseJson, "start" | "end" | "things"> &
 *   Partial<Pick<PhraseJson, "kind" | "denied">>)[]} phrases */
export function pieces(caption, phrases) {
  const characters = [...caption]; // code points, in which the server counts positions; JavaScript counts UTF-16 units
  const things = phrases.flatMap((phrase) => phrase.things ?? []);
  const edges = new Set([0, characters.length]);
  const denials = phrases.flatMap(({ denied }) => denied ? [{ start: denied[0], end: denied[1] }] : []);
  for (const { start, end } of [...phrases, ...things, ...denials]) edges.add(start).add(end);
  const sorted = [...edges].filter((edge) => edge >= 0 && edge <= characters.length).sort((a, b) => a - b);
  return sorted.slice(1).map((end, at) => {
    const start = sorted[at];
    const covers = (/** @type {{start: number, end: number}} */ span) => span.start <= start && span.end >= end;
    const over = phrases
      .map((phrase, index) => ({ index, length: phrase.end - phrase.start, covers: covers(phrase) }))
      .filter((phrase) => phrase.covers)
      .sort((a, b) => a.length - b.length);
    const thing = things.find(covers)?.mark ?? null;
    return {
      text: characters.slice(start, end).join(""),
      phrases: over.map(({ index }) => index),
      thing,
      denied: over.find(({ index }) => phrases[index].kind === "denied" && covers(denialOf(phrases[index])))?.index ??
        null,
      runsOn: things.some((one) => covers(one) && one.mark === thing && one.end > end),
    };
  });
}

/** Return the span of a phrase's denial, from "no" to the end of the denied words.
 * @param {{start: number, end: number, denied?: PhraseJson["denied"]}} phrase */
const denialOf = ({ start, end, denied }) => denied ? { start: denied[0], end: denied[1] } : { start, end };

/** Make a paragraph that contains the caption with its marks.
 * Each marked piece has the attribute data-phrases. If a piece belongs to a thing with a mark, it also has data-mark.
 * @param {string} caption @param {PhraseJson[]} phrases */
export function markedCaption(caption, phrases) {
  return fillMarked(el("p", { class: "marked-caption" }), caption, phrases);
}

/** Fill a paragraph with a caption and its marks. @param {HTMLElement} paragraph @param {string} caption
 * @param {readonly (Pick<PhraseJson, "start" | "end" | "things"> & Partial<Pick<PhraseJson, "kind" | "denied">>)[]} phrases */
export function fillMarked(paragraph, caption, phrases) {
  paragraph.dataset.by = phrases.some(({ things }) => things?.length) ? "things" : "phrases";
  paragraph.replaceChildren(
    ...pieces(caption, phrases).map(({ text, phrases: over, thing, runsOn, denied: within }) => {
      if (!over.length) return text;
      const denied = thing || within === null ? undefined : within;
      const claim = thing ? undefined : over.find((index) => isOfFoundThings(phrases[index]));
      const more = { "data-phrases": over.join(" "), "data-mark": thing, "data-denied": denied, "data-claim": claim };
      const looks = ["piece", ...(denied === undefined ? [] : ["denied"]), ...(runsOn ? ["runs-on"] : [])];
      return el("mark", { class: looks.join(" "), ...more }, text);
    }),
  );
  return paragraph;
}

/** Return whether all things of a phrase are in the picture.
 * If such a phrase is marked wrong, its other words are wrong, such as "red" in "red bus".
 * @param {Pick<PhraseJson, "things">} phrase */
const isOfFoundThings = ({ things }) => Boolean(things?.length) && !things?.some(({ mark }) => mark === "incorrect");

/** Show each piece's mark, and highlight the pieces of one phrase.
 * @param {HTMLElement} paragraph @param {Mark[] | null} marks marks of the phrases; null: no mark is shown
 * @param {number | null} lit index of the highlighted phrase */
export function showPieces(paragraph, marks, lit) {
  const byThings = paragraph.dataset.by === "things";
  for (const piece of all(paragraph, ".piece")) {
    const over = String(piece.dataset.phrases).split(" ").map(Number);
    const isLit = lit !== null && over.includes(lit);
    const { mark: ofThing, denied, claim } = piece.dataset;
    const ofClaim = marks?.[Number(claim)] === "incorrect" ? "incorrect" : undefined; // claims are marked only if wrong
    const ofWords = denied !== undefined ? marks?.[Number(denied)] : byThings ? ofThing ?? ofClaim : marks?.[over[0]];
    const mark = marks && ofWords;
    piece.classList.toggle("correct", mark === "correct");
    piece.classList.toggle("incorrect", mark === "incorrect");
    piece.classList.toggle("unjudged", mark === "not judged");
    piece.classList.toggle("lit", isLit);
    piece.classList.toggle("dim", lit !== null && !isLit);
  }
}
