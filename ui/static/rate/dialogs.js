// What a rater can read at any time: keys, guidelines, instructions, and the own code with its return key.

import { dialog, el, emphasised } from "../shared/dom.js";

/** @import { Rater, Study } from "../shared/types.d.ts" */

const KEYS = [
  ["← →", "read what the points of a question mean"],
  ["Space", "give the point in focus"],
  ["Tab", "next question"],
  ["Enter", "next item"],
  ["Backspace", "previous item"],
  ["Ctrl + Z", "undo the latest change of an answer; go back to a first answer"],
  ["z", "enlarge the picture"],
  ["g", "read all guidelines"],
  ["?", "show these keys"],
];

const EVIDENCE_KEYS = [
  ["1 – 4", "judge the sentence at hand, and go on to the next"],
  ["1 – 6, 1 – 2", "of a wrong one: the kind of error, then how bad it is"],
  ["↑ ↓", "the sentence before, the next one"],
  ["w", "mark the wrong words with ← →, more of them with Shift"],
  ["r", "step through the regions of the picture, the likest first; with Shift backwards"],
  ["b, n", "draw a box on the picture; say that it shows nowhere"],
  ["Enter", "go on from a wrong sentence, with or without words and place"],
  ["u", "undo"],
  ["o, t", "what the explanation overlooks; that it is right, but this is not a fault of the caption"],
];

/** A study's instructions: the greeting as text, the rest as elements.
 * @param {Study} study */
export function instructionsOf({ instructions, criteria }) {
  const [greeting, ...paragraphs] = instructions;
  return {
    greeting,
    paragraphs: [
      paragraphs.map((text) => el("p", {}, emphasised(text))),
      el("ul", {}, criteria.map(({ name, question }) => el("li", {}, el("strong", {}, name), ": ", question))),
    ],
  };
}

/** @param {Study} study */
export function showInstructions(study) {
  const { greeting, paragraphs } = instructionsOf(study);
  dialog(greeting, paragraphs);
}

/** The digits that answer a study's questions; 0 abstains, or is the tenth point where none may abstain.
 * @param {Study} study */
function digits({ criteria }) {
  const points = criteria.flatMap(({ guidelines }) => guidelines.map(({ point }) => point % 10));
  return points.length ? `${Math.min(...points)} – ${Math.max(...points)}` : "1 – 9";
}

/** @param {Study} study */
export function showKeys(study) {
  const keys = study.evidence ? [...EVIDENCE_KEYS] : [];
  if (study.criteria.length) {
    keys.push([digits(study), "answer the question in focus and move on to the next"]);
    if (study.without_picture) keys.push(["n", "answer that the picture is missing, where it is"]);
    keys.push(...KEYS);
  } else keys.push(...KEYS.slice(3));
  dialog(
    "Keys",
    el(
      "table",
      { class: "keys" },
      keys.map(([key, what]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, key)), el("td", {}, what))),
    ),
  );
}

/** @param {Study} study */
export function showGuidelines({ criteria }) {
  dialog(
    "Guidelines",
    criteria.map(({ name, question, guidelines }) => [
      el("h3", {}, name),
      el("p", {}, question),
      el(
        "dl",
        { class: "guidelines" },
        guidelines.map(({ point, text }) => [el("dt", {}, String(point)), el("dd", {}, text)]),
      ),
    ]),
  );
}

/** The rater's code and return key. another: to rate another study, null where there is none; leave: to sign out;
 * giveUp: to leave for good, null for whom no panel has sent.
 * @param {Rater} rater @param {{another: (() => void) | null, leave: () => void, giveUp: (() => void) | null}} ways */
export function showRater(rater, { another, leave, giveUp }) {
  const way = (/** @type {string} */ text, /** @type {() => void} */ go) =>
    el("p", {}, el("button", { type: "button", click: () => (box.close(), go()) }, text));
  const box = dialog(
    `You rate as ${rater.code}`,
    giveUp
      ? el("p", {}, "You may stop at any moment and go on later: open the study again from where you were sent.")
      : comingBack(
        rater,
        "To go on in another browser, open this page there and give your code with this return key: ",
      ),
    another && way("Rate another study", another),
    giveUp ? way("Leave this study …", giveUp) : way("Sign out …", () => askToLeave(rater, leave)),
  );
}

/** Ask before signing out: without the return key there is no way back to what was rated.
 * @param {Rater} rater @param {() => void} leave */
function askToLeave(rater, leave) {
  const box = dialog(
    `Sign ${rater.code} out?`,
    el("p", {}, "Every answer stays stored. Somebody else can then rate in this browser."),
    comingBack(rater, `To come back as ${rater.code} you need this return key, so note it first: `),
    el(
      "p",
      {},
      el("button", { type: "button", click: () => (box.close(), leave()) }, `Sign ${rater.code} out`),
    ),
  );
}

/** @param {Rater} rater @param {string} words */
export function comingBack({ return_key: key }, words) {
  return el("p", {}, words, el("strong", { class: "return-key" }, key));
}
