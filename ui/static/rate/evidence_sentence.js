// One sentence of an explanation on the page: its text, its judgement and, for the current sentence, the possible
// answers.

import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { isTouched } from "../shared/keys.js";
import { KINDS, SEVERITIES, VERDICTS } from "../shared/verdicts.js";
import { part, wordsOf } from "./evidence_words.js";

/** @import { Sentence } from "../shared/types.d.ts" */
/** @typedef {NonNullable<Sentence["judgement"]>} Judgement */
/** @typedef {"verdict" | "kind" | "severity" | "words" | "more" | "overlooked" | "box"} Step the question that digits
 * and arrow keys answer now */

/** @typedef {object} Does callbacks for what a rater does
 * @property {(number: number) => void} go goes to the sentence with this number
 * @property {(verdict: Judgement["verdict"]) => void} verdict
 * @property {(kind: NonNullable<Judgement["kind"]>) => void} kind
 * @property {(severity: NonNullable<Judgement["severity"]>) => void} severity
 * @property {(first: number, last: number) => void} words marks the words from the first to the last position
 * @property {() => void} mark starts the marking of words
 * @property {(region: number | null) => void} region chooses a region as the place; null: the error has no place in the
 * picture
 * @property {() => void} draw starts to draw a box
 * @property {() => void} pass goes to the next sentence */

/** Build the list entry of a sentence.
 * @param {Sentence} sentence
 * @param {{isHere: boolean, aspect: string, step: Step, places: [number, string][], missing: ("words" | "place")[],
 *   placeName: string | null, hints: HTMLElement | null}} how isHere: whether the sentence is the current one;
 * aspect: name of the aspect that the sentence is about, or "" if the sentence before has the same aspect;
 * step: the open question; places: indices and names of the regions, best match first;
 * missing: what the rater has not marked; placeName: name of the chosen place
 * @param {Does} does */
export function sentenceEntry(sentence, how, does) {
  const { number, judgement } = sentence;
  const { isHere, aspect } = how;
  const state = !judgement ? "open" : judgement.verdict;
  const text = isHere
    ? el(
      "p",
      {
        class: "sentence-text",
        tabindex: "-1",
        dir: "auto",
        "aria-label": `Sentence ${number}: ${sentence.text}`,
      },
      judgement?.verdict === "wrong" ? markable(sentence, how.step, does) : sentence.text,
    )
    : button(marked(sentence), () => does.go(number), "sentence-text", { dir: "auto", tabindex: "-1" });
  return el(
    "li",
    { class: "sentence", "data-verdict": state, "aria-current": isHere ? "step" : null },
    aspect && el("strong", { class: "aspect" }, aspect),
    text,
    el("span", { class: "said" }, saidOf(judgement, how.placeName)),
    how.hints,
    isHere && answers(sentence, how, does),
  );
}

/** Summarise the judgement of a sentence in a few words. @param {Judgement | null} judgement @param {string | null}
 * placeName */
export function saidOf(judgement, placeName) {
  if (!judgement) return "";
  const digit = VERDICTS.findIndex(([verdict]) => verdict === judgement.verdict) + 1;
  const words = [`${digit} ${(VERDICTS[digit - 1][1])}`];
  if (judgement.verdict === "wrong") {
    words.push(KINDS.find(([kind]) => kind === judgement.kind)?.[1] ?? "kind?");
    words.push(SEVERITIES.find(([severity]) => severity === judgement.severity)?.[1] ?? "minor or major?");
    if (placeName) words.push(placeName);
  }
  return words.join(" · ");
}

/** @param {Sentence} sentence */
function marked({ text, judgement }) {
  const { start = null, end = null } = judgement ?? {};
  if (start === null || end === null) return text;
  return [part(text, 0, start), el("mark", {}, part(text, start, end)), part(text, end)];
}

/** Build a sentence whose words the rater marks by a click or a drag.
 * @param {Sentence} sentence @param {Step} step @param {Does} does */
function markable({ text, judgement }, step, does) {
  const words = wordsOf(text), span = { start: judgement?.start ?? null, end: judgement?.end ?? null };
  /** @type {number | null} */
  let from = null;
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let at = 0;
  for (const [place, { start, end }] of words.entries()) {
    const isIn = span.start === null || span.end === null || (start < span.end && end > span.start);
    parts.push(
      part(text, at, start),
      el("span", {
        class: `word${isIn && (step === "words" || span.start !== null) ? " in" : ""}`,
        pointerdown: () => (from = place),
        pointerup: () => does.words(Math.min(from ?? place, place), Math.max(from ?? place, place)),
      }, part(text, start, end)),
    );
    at = end;
  }
  return [...parts, part(text, at)];
}

/** Build the rows of buttons that answer the questions about a sentence.
 * @param {Sentence} sentence
 * @param {{step: Step, places: [number, string][], missing: ("words" | "place")[]}} how @param {Does} does */
function answers({ judgement, number }, { step, places, missing }, does) {
  const isWrong = judgement?.verdict === "wrong";
  return el(
    "div",
    { class: "sentence-answers" },
    choices("Is it right?", VERDICTS, judgement?.verdict, step === "verdict", does.verdict),
    isWrong && choices("Kind of error", KINDS, judgement.kind, step === "kind", does.kind),
    isWrong && choices("How bad", SEVERITIES, judgement.severity, step === "severity", does.severity),
    isWrong && el(
      "p",
      { class: "sentence-more" },
      button("Mark words (W)", does.mark, "small", { "aria-pressed": String(step === "words") }),
      places.length > 0 && placeChoice(number, judgement.place, places, does),
      button("Draw a box (B)", () => does.draw(), "small"),
      button("Nowhere (N)", () => does.region(null), "small", {
        "aria-pressed": String(Boolean(judgement.place?.nowhere)),
      }),
      step === "more" &&
        button(passText(missing), does.pass, "small primary"),
    ),
  );
}

/** Name what the rater has not marked on a wrong sentence. @param {readonly ("words" | "place")[]} missing */
export function missingText(missing) {
  if (missing.length > 1) return "words and place";
  return missing[0] === "words" ? "words" : "place";
}

/** Return the label of the button with which the rater leaves a wrong sentence and continues.
 * @param {readonly ("words" | "place")[]} missing what the rater has not marked */
function passText(missing) {
  const words = !missing.length
    ? "Continue"
    : missing.length > 1
    ? "Continue without words and place"
    : missing[0] === "words"
    ? "Continue without words"
    : "Continue without place";
  return isTouched() ? words : `${words} (Enter)`;
}

/** Build the menu from which the rater chooses the place of an error.
 * @param {number} number number of the sentence @param {Judgement["place"]} place the chosen place
 * @param {[number, string][]} places indices and names of the regions @param {Does} does */
function placeChoice(number, place, places, does) {
  const select = el(
    "select",
    {
      "aria-label": `Where on the picture, sentence ${number}`,
      change: () => does.region(Number(select.value)),
    },
    el("option", { value: "", selected: place?.region === null || !place, disabled: true }, "Region (R) …"),
    places.map(([region, name]) => el("option", { value: region, selected: place?.region === region }, name)),
  );
  return select;
}

/** Build a row of buttons, one for each choice. While digit keys can choose them, the buttons show their digits.
 * @template {string} Key @param {string} name @param {[Key, string][]} of @param {Key | null | undefined} chosen
 * @param {boolean} isAsked whether digit keys choose now @param {(key: Key) => void} onChoose */
function choices(name, of, chosen, isAsked, onChoose) {
  return el(
    "div",
    { class: isAsked ? "sentence-choices asked" : "sentence-choices", role: "group", "aria-label": name },
    of.map(([key, words], index) =>
      button([el("kbd", { "aria-hidden": "true" }, index + 1), ` ${words}`], () => onChoose(key), "small", {
        "aria-pressed": String(key === chosen),
      })
    ),
  );
}
