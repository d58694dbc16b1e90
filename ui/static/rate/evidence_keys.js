// The keys that judge an explanation sentence by sentence: each one a row that the handler, the dialog "Keys" and the line
// about what the keys do now all read.
//
// What a key does depends on the step, which is what is asked for at the moment. A row with steps holds in these steps only.

import { digitOf, nameOf } from "../shared/keys.js";
import { KINDS, SEVERITIES, VERDICTS } from "../shared/verdicts.js";

/** @import { KeyRow } from "./key_table.js" */
/** @import { ItemEvidence } from "./evidence.js" */
/** @import { Judgement, Step } from "./evidence_sentence.js" */
/** @typedef {KeyRow<ItemEvidence> & {steps?: Step[], prompt?: string, promptIn?: Step[]}} EvidenceKey
 * prompt: what the key does in two words, for the line about the keys in the steps of promptIn (default: steps) */

/** The letters that buttons name, too. */
export const LETTERS = { words: "W", region: "R", box: "B", nowhere: "N", undo: "U", overlooked: "O", noFault: "T" };

const W = LETTERS.words.toLowerCase(), R = LETTERS.region.toLowerCase(), B = LETTERS.box.toLowerCase();
const N = LETTERS.nowhere.toLowerCase(), U = LETTERS.undo.toLowerCase();
const O = LETTERS.overlooked.toLowerCase(), T = LETTERS.noFault.toLowerCase();

/** @type {EvidenceKey[]} a key takes the first row that holds for it */
export const EVIDENCE_KEYS = [
  {
    keys: ["digit"],
    shown: "1 – 4",
    words: "judge the sentence at hand, and go on to the next",
    act: (evidence, event) => giveDigit(evidence, Number(digitOf(event))),
  },
  { shown: "1 – 6, 1 – 2", words: "of a wrong one: the kind of error, then how bad it is" },
  {
    keys: ["ArrowUp", "ArrowDown"],
    shown: "↑ ↓",
    words: "the sentence before, the next one",
    prompt: "↑ ↓ sentence",
    promptIn: ["verdict"],
    act: (evidence, { key }) => evidence.goBeside(key === "ArrowUp" ? -1 : 1),
  },
  {
    keys: [W],
    shown: W,
    words: "mark the wrong words with ← →, more of them with Shift",
    prompt: `${LETTERS.words} words`,
    promptIn: ["kind", "severity", "more"],
    act: (evidence) => evidence.turnWords(),
  },
  {
    keys: ["ArrowLeft", "ArrowRight"],
    steps: ["words"],
    prompt: "← → word · Shift + ← → more of them",
    act: (evidence, { key, shiftKey }) => evidence.moveMark(key === "ArrowLeft" ? -1 : 1, shiftKey),
  },
  { keys: ["Enter"], steps: ["words"], prompt: "Enter done", act: (evidence) => evidence.markedWords() },
  { keys: ["Escape"], steps: ["words"], act: (evidence) => evidence.rest() },
  {
    keys: [R],
    shown: R,
    words: "step through the regions of the picture, the likest first; with Shift backwards",
    prompt: `${LETTERS.region} region`,
    promptIn: ["kind", "severity", "more", "overlooked"],
    act: (evidence, { shiftKey }) => evidence.stepThroughPlaces(shiftKey ? -1 : 1),
  },
  {
    keys: [B],
    shown: B,
    words: "draw a box on the picture",
    prompt: `${LETTERS.box} box`,
    promptIn: ["more", "overlooked"],
    act: (evidence) => evidence.draw(),
  },
  {
    keys: [N],
    shown: N,
    words: "say that the error shows nowhere on the picture",
    prompt: `${LETTERS.nowhere} nowhere`,
    promptIn: ["kind", "severity", "more"],
    act: (evidence) => evidence.nowhere(),
  },
  {
    keys: ["Enter"],
    steps: ["more"],
    shown: "Enter",
    words: "go on from a wrong sentence, with or without words and place",
    prompt: "Enter goes on",
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
  { keys: ["Escape"], steps: ["overlooked"], prompt: "Escape done", act: (evidence) => evidence.turn("verdict") },
  {
    keys: [U],
    shown: U,
    words: "undo",
    prompt: `${LETTERS.undo} undo`,
    promptIn: ["verdict"],
    act: (evidence) => evidence.undo(),
  },
  { keys: [O], shown: O, words: "mark what the explanation overlooks", act: (evidence) => evidence.turnOverlooked() },
  {
    keys: [T],
    shown: T,
    words: "say that the explanation is right, but that this is not a fault of the caption",
    act: (evidence) => evidence.whole.turnNoFault(),
  },
];

/** The digits' answers in a step. @type {Partial<Record<Step, [string, string][]>>} */
const CHOICES = { verdict: VERDICTS, kind: KINDS, severity: SEVERITIES };

/** Shorter than the buttons' words. @type {Record<string, string>} */
const SHORT = { unclear: "cannot tell", beside: "not about the picture" };

const BOX = "Arrows move · Enter or Space sets a corner · Escape gives up";

/** What the keys do in a step, in one line. @param {Step} step */
export function prompt(step) {
  if (step === "box") return BOX;
  const digits = (CHOICES[step] ?? []).map(([key, words], index) => `${index + 1} ${SHORT[key] ?? words}`);
  const others = EVIDENCE_KEYS.filter(({ steps, promptIn = steps }) => promptIn?.includes(step));
  return [...digits, ...others.flatMap(({ prompt = [] }) => prompt)].join(" · ");
}

/** Give the answer of a digit. @param {ItemEvidence} evidence @param {number} digit */
function giveDigit(evidence, digit) {
  const { state } = evidence;
  if (state.step === "words") state.step = state.rest();
  if (state.step === "overlooked") evidence.turn(state.asked());
  const choice = CHOICES[state.step]?.[digit - 1]?.[0];
  if (!choice) return evidence.tell(`${digit} means nothing here. ${evidence.asks()}`);
  if (state.step === "verdict") evidence.judge(/** @type {Judgement["verdict"]} */ (choice));
  else {evidence.give(
      { [state.step]: choice },
      state.step === "kind" && !state.error?.severity ? "severity" : "verdict",
    );}
}

/** Do what a key means here; false where it means nothing.
 * @param {ItemEvidence} evidence @param {KeyboardEvent} event @returns {boolean} */
export function press(evidence, event) {
  if (nameOf(event).startsWith("Ctrl+")) return false;
  if (evidence.places.pen) return pressWhileDrawing(evidence, event);
  const name = nameOf(event), { step } = evidence.state;
  const row = EVIDENCE_KEYS.find(({ keys, steps }) => keys?.includes(name) && (steps?.includes(step) ?? true));
  return row?.act ? row.act(evidence, event) !== false : false;
}

/** Keys move the box that is drawn. @param {ItemEvidence} evidence @param {KeyboardEvent} event @returns {boolean} */
function pressWhileDrawing(evidence, event) {
  if (event.key !== "Escape") return evidence.places.key(event);
  evidence.stopDrawing();
  return true;
}

/** @param {KeyboardEvent} event */
function isOnControl({ target }) {
  return target instanceof Element && target.closest("button, a, summary, select") !== null;
}
