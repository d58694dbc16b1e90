// Dialogs that a rater can open at any time: keys, guidelines, instructions, and the rater's code with its return key.

import { dialog, el, emphasised } from "../shared/dom.js";
import { button, paragraph } from "../shared/elements.js";
import { keyWords } from "./key_table.js";

/** @import { Rater, Study } from "../shared/types.d.ts" */

/** Split a study's instructions into the greeting, as text, and the other paragraphs, as elements.
 * @param {Study} study */
export function instructionsOf({ instructions, criteria }) {
  const [greeting, ...paragraphs] = instructions;
  return {
    greeting,
    paragraphs: [
      paragraphs.map((text) => paragraph(emphasised(text))),
      el("ul", {}, criteria.map(({ name, question }) => el("li", {}, el("strong", {}, name), ": ", question))),
    ],
  };
}

/** @param {Study} study */
export function showInstructions(study) {
  const { greeting, paragraphs } = instructionsOf(study);
  dialog(greeting, paragraphs, contactLine(study));
}

/** Say whom a rater can ask; null if the study names nobody. @param {Pick<Study, "contact"> | null | undefined} study */
export function contactLine(study) {
  return study?.contact ? el("p", { class: "contact" }, "Questions or problems? Contact: ", study.contact) : null;
}

/** @param {Study} study */
export function showKeys(study) {
  const rows = keyWords(study).map(([key, words]) =>
    el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, key)), el("td", {}, words))
  );
  dialog("Keys", el("table", { class: "keys" }, rows));
}

/** @param {Study} study */
export function showGuidelines({ criteria }) {
  dialog(
    "Guidelines",
    criteria.map(({ name, question, guidelines }) => [
      el("h3", {}, name),
      paragraph(question),
      el(
        "dl",
        { class: "guidelines" },
        guidelines.map(({ point, text }) => [el("dt", {}, String(point)), el("dd", {}, text)]),
      ),
    ]),
  );
}

/** The rater's code and return key. another: rate another study, null if there is no other; leave: sign out; giveUp:
 * leave the study permanently, null unless a recruitment platform sent the rater.
 * @param {Rater} rater @param {{another: (() => void) | null, leave: () => void, giveUp: (() => void) | null,
 * messages: () => void}} ways */
export function showRater(rater, { another, leave, giveUp, messages }) {
  const way = (/** @type {string} */ text, /** @type {() => void} */ go) =>
    paragraph(button(text, () => (box.close(), go())));
  const box = dialog(
    `You rate as ${rater.code}`,
    giveUp
      ? paragraph(
        "You may stop at any moment and continue later: open the study again from the page that sent you here.",
      )
      : comingBack(
        rater,
        "To continue in another browser, open this page there and enter your code with this return key: ",
      ),
    way("Messages", messages),
    another && way("Rate another study", another),
    giveUp ? way("Leave this study …", giveUp) : way("Sign out …", () => askToLeave(rater, leave)),
  );
}

/** Ask before signing out: without the return key the rater cannot return to these ratings.
 * @param {Rater} rater @param {() => void} leave */
function askToLeave(rater, leave) {
  const box = dialog(
    `Sign ${rater.code} out?`,
    paragraph("Every answer stays stored. Somebody else can then rate in this browser."),
    comingBack(rater, `To come back as ${rater.code} you need this return key, so note it first: `),
    paragraph(button(`Sign ${rater.code} out`, () => (box.close(), leave()))),
  );
}

/** @param {Rater} rater @param {string} words */
export function comingBack({ return_key: key }, words) {
  return paragraph(words, el("strong", { class: "return-key" }, key));
}
