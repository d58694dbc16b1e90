// The keys for judging an explanation sentence by sentence. The key handler, the dialog "Keys" and the line of key
// hints under the questions all use the same list, which has a row for each key.
//
// A key's action depends on the step: the question that is open now. If a row lists steps, its key acts only in these
// steps.

import { digitOf, isTouched, nameOf } from "../shared/keys.js";
import { sentences } from "../shared/text.js";
import { KINDS, SEVERITIES, VERDICTS } from "../shared/verdicts.js";

/** @import { KeyRow } from "./key_table.js" */
/** @import { ItemEvidence } from "./evidence.js" */
/** @import { Judgement, Step } from "./evidence_sentence.js" */
/** @typedef {KeyRow<ItemEvidence> & {steps?: Step[], prompt?: string, promptIn?: Step[]}} EvidenceKey
 * prompt: two words that say what the key does, for the line of key hints; promptIn: the steps in which this line
 * shows the prompt, by default `steps` */

/** Keys that are letters. The buttons show the same letters. */
export const LETTERS = {
  words: "W",
  region: "R",
  box: "B",
  nowhere: "N",
  undo: "U",
  overlooked: "O",
  noFault: "T",
};

const W = LETTERS.words.toLowerCase(), R = LETTERS.region.toLowerCase(), B = LETTERS.box.toLowerCase();
const N = LETTERS.nowhere.toLowerCase(), U = LETTERS.undo.toLowerCase();
const O = LETTERS.overlooked.toLowerCase(), T = LETTERS.noFault.toLowerCase();

/** @type {EvidenceKey[]} rows of keys; the first row that matches a pressed key is used */
export const EVIDENCE_KEYS = [
  {
    keys: ["digit"],
    shown: "1 – 4",
    words: "judge the current sentence and go to the next",
    act: (evidence, event) => giveDigit(evidence, Number(digitOf(event))),
  },
  { shown: "1 – 6, 1 – 2", words: "on a wrong sentence: choose the kind of error, then its severity" },
  {
    keys: ["ArrowUp", "ArrowDown"],
    shown: "↑ ↓",
    words: "go to the previous or the next sentence",
    prompt: "↑ ↓ sentence",
    promptIn: ["verdict"],
    act: (evidence, { key }) => evidence.goBeside(key === "ArrowUp" ? -1 : 1),
  },
  {
    keys: [W],
    shown: W,
    words: "mark the wrong words with ← →, several with Shift",
    prompt: "W words",
    promptIn: ["kind", "severity", "more"],
    act: (evidence) => evidence.turnWords(),
  },
  {
    keys: ["ArrowLeft", "ArrowRight"],
    steps: ["words"],
    prompt: "← → word · Shift + ← → several",
    act: (evidence, { key, shiftKey }) => evidence.moveMark(key === "ArrowLeft" ? -1 : 1, shiftKey),
  },
  { keys: ["Enter"], steps: ["words"], prompt: "Enter done", act: (evidence) => evidence.markedWords() },
  { keys: ["Escape"], steps: ["words"], act: (evidence) => evidence.rest() },
  {
    keys: [R],
    shown: R,
    words: "step through the regions of the picture, best match first; with Shift backwards",
    prompt: "R region",
    promptIn: ["kind", "severity", "more", "overlooked"],
    act: (evidence, { shiftKey }) => evidence.stepThroughPlaces(shiftKey ? -1 : 1),
  },
  {
    keys: [B],
    shown: B,
    words: "draw a box on the picture",
    prompt: "B box",
    promptIn: ["more", "overlooked"],
    act: (evidence) => evidence.draw(),
  },
  {
    keys: [N],
    shown: N,
    words: "answer that the error shows nowhere on the picture",
    prompt: "N nowhere",
    promptIn: ["kind", "severity", "more"],
    act: (evidence) => evidence.nowhere(),
  },
  {
    keys: ["Enter"],
    steps: ["more"],
    shown: "Enter",
    words: "finish a wrong sentence, with or without marked words and place",
    prompt: "Enter continues",
    act: (evidence, event) => isOnControl(event) ? false : evidence.pass(),
  },
  {
    keys: ["Enter"],
    steps: ["overlooked"],
    prompt: "Enter takes it",
    act: (evidence) => evidence.state.chosen ? evidence.whole.take() : false,
  },
  {
    keys: ["Backspace"],
    steps: ["overlooked"],
    prompt: "Backspace takes the last one away",
    act: (evidence) => evidence.whole.takeLastAway(),
  },
  {
    keys: ["Escape"],
    steps: ["overlooked"],
    prompt: "Escape done",
    act: (evidence) => evidence.turn("verdict"),
  },
  {
    keys: [U],
    shown: U,
    words: "undo",
    prompt: "U undo",
    promptIn: ["verdict"],
    act: (evidence) => evidence.undo() || evidence.tell("There is nothing to undo."),
  },
  {
    keys: [O],
    shown: O,
    words: "mark what the explanation overlooks",
    act: (evidence) => evidence.turnOverlooked(),
  },
  {
    keys: [T],
    shown: T,
    words: "answer that the explanation is right, but names no fault of the caption",
    act: (evidence) => evidence.whole.turnNoFault(),
  },
];

/** The answers that the keys 1, 2, … choose in each step. @type {Partial<Record<Step, [string, string][]>>} */
const CHOICES = { verdict: VERDICTS, kind: KINDS, severity: SEVERITIES };

/** Short texts of answers for the line of key hints. The buttons show longer texts. @type {Record<string, string>} */
const SHORT = { unclear: "cannot tell", beside: "not about the picture" };

const BOX = "Arrows move · Enter or Space sets a corner · Escape cancels";

/** Describe in one line what the keys do in a step. @param {Step} step */
export function prompt(step) {
  if (step === "box") return BOX;
  const digits = (CHOICES[step] ?? []).map(([key, words], index) => `${index + 1} ${(SHORT[key] ?? words)}`);
  const others = EVIDENCE_KEYS.filter(({ keys, steps, promptIn = steps }) =>
    promptIn?.includes(step) && !(isTouched() && keys?.includes("Enter"))
  );
  return [...digits, ...others.flatMap(({ prompt }) => prompt === undefined ? [] : prompt)].join(" · ");
}

/** Give the answer that a digit stands for. @param {ItemEvidence} evidence @param {number} digit */
function giveDigit(evidence, digit) {
  const { state } = evidence;
  if (state.step === "words") state.step = state.rest();
  if (state.step === "overlooked") evidence.turn(state.asked());
  const choice = CHOICES[state.step]?.[digit - 1]?.[0];
  if (!choice) return evidence.tell(sentences(`The key ${digit} has no function here.`, evidence.asks()));
  if (state.step === "verdict") evidence.judge(/** @type {Judgement["verdict"]} */ (choice));
  else {evidence.give(
      { [state.step]: choice },
      state.step === "kind" && !state.error?.severity ? "severity" : "verdict",
    );}
}

/** Run the action of a pressed key. Return false if the key does nothing here.
 * @param {ItemEvidence} evidence @param {KeyboardEvent} event @returns {boolean} */
export function press(evidence, event) {
  if (nameOf(event).startsWith("Ctrl+")) return false;
  if (evidence.places.pen) return pressWhileDrawing(evidence, event);
  const name = nameOf(event), { step } = evidence.state;
  const row = EVIDENCE_KEYS.find(({ keys, steps }) => keys?.includes(name) && (steps?.includes(step) ?? true));
  return row?.act ? row.act(evidence, event) !== false : false;
}

/** Move the box that is being drawn with keys, or stop drawing.
 * @param {ItemEvidence} evidence @param {KeyboardEvent} event @returns {boolean} whether the key did something */
function pressWhileDrawing(evidence, event) {
  if (event.key !== "Escape") return evidence.places.key(event);
  evidence.stopDrawing();
  return true;
}

/** @param {KeyboardEvent} event */
function isOnControl({ target }) {
  return target instanceof Element && target.closest("button, a, summary, select") !== null;
}
