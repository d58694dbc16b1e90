// What a rater can read at any time: keys, guidelines, instructions, and the own code with its return key.

import { dialog, el, emphasised } from "../shared/dom.js";

/** @import { Rater, Study } from "../shared/types.d.ts" */

const KEYS = [
  ["← →", "move within a question"],
  ["Tab", "next question"],
  ["Enter", "next item"],
  ["Backspace", "previous item"],
  ["z", "enlarge the picture"],
  ["g", "read all guidelines"],
  ["?", "show these keys"],
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
  const keys = [[digits(study), "answer the question in focus and move on to the next"], ...KEYS];
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

/** The rater's code and return key. another: to rate another study, null where there is none; leave: to sign out.
 * @param {Rater} rater @param {{another: (() => void) | null, leave: () => void}} ways */
export function showRater({ code, return_key: key }, { another, leave }) {
  const box = dialog(
    `You rate as ${code}`,
    el(
      "p",
      {},
      "To go on in another browser, give your code there with this return key: ",
      el("strong", { class: "return-key" }, key),
    ),
    another && el(
      "p",
      {},
      el("button", {
        type: "button",
        click: () => {
          box.close();
          another();
        },
      }, "Rate another study"),
    ),
    el("p", {}, el("button", { type: "button", click: leave }, "Somebody else rates now")),
  );
}
