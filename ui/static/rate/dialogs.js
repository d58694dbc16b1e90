// Dialogs that a rater can open at any time: instructions, and the rater's code with its return key.

import { dialog, el, emphasised } from "../shared/dom.js";
import { button, paragraph } from "../shared/elements.js";
import { guidelineList } from "./question.js";

/** @import { Child, Rater, Study } from "../shared/types.d.ts" */

const ADDRESS = /([\w.+-]+@(?:[\w-]+\.)+[a-z]{2,})/i; // e-mail address, in a group so that split() returns it

/** Split a study's instructions into the greeting (as text) and the other paragraphs (as elements).
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

/** Show the instructions and the meaning of every point. @param {Study} study */
export function showInstructions(study) {
  const { greeting, paragraphs } = instructionsOf(study);
  const guidelines = study.criteria.map(({ name, guidelines }) => [el("h3", {}, name), guidelineList(guidelines)]);
  dialog(greeting, paragraphs, guidelines, contactLine(study));
}

/** Make the line that says whom a rater can ask, with e-mail addresses as links. Return null if nobody is named.
 * @param {Pick<Study, "contact"> | null | undefined} study */
export function contactLine(study) {
  if (!study?.contact) return null;
  const contact = contactParts(study.contact).map(({ text, mail }) => mail ? el("a", { href: mail }, text) : text);
  return el("p", { class: "contact" }, ["Questions or problems? Contact: ", contact]);
}

/** Split a contact text into e-mail addresses, each with its link, and other text, whose link is "".
 * A link contains only the address, so that a contact cannot add a subject or other recipients.
 * @param {string} contact @returns {{text: string, mail: string}[]} */
export function contactParts(contact) {
  return contact.split(ADDRESS).map((text, at) => ({
    text,
    mail: at % 2 ? `mailto:${text.split("@").map(encodeURIComponent).join("@")}` : "",
  })).filter(({ text }) => text);
}

/** Show the rater's code and return key, with buttons for the rater's next actions.
 * others: links to other studies; leave: signs out;
 * isSent: whether a recruitment platform has sent the rater; such a rater cannot sign out;
 * giveUp: leaves the study permanently, null if the rater has finished it or no platform has sent the rater.
 * @param {Rater} rater @param {{others: Child, leave: () => void, isSent: boolean, giveUp: (() => void) | null}} ways */
export function showRater(rater, { others, leave, isSent, giveUp }) {
  const way = (/** @type {string} */ text, /** @type {() => void} */ go) =>
    paragraph(button(text, () => (box.close(), go())));
  const box = dialog(
    `You rate as ${rater.code}`,
    isSent
      ? paragraph(
        "You may stop at any moment and continue later: open the study again from the page that sent you here.",
      )
      : comingBack(
        rater,
        "To continue in another browser, open this page there and enter your code with this return key:",
      ),
    others,
    giveUp && way("Leave this study …", giveUp),
    !isSent && way("Sign out …", () => askToLeave(rater, leave)),
  );
}

/** Ask for confirmation before signing out, because raters need the return key to return to their ratings.
 * @param {Rater} rater @param {() => void} leave */
function askToLeave(rater, leave) {
  const box = dialog(
    `Sign ${rater.code} out?`,
    paragraph("Every answer stays stored. Somebody else can then rate in this browser."),
    comingBack(rater, `To come back as ${rater.code} you need this return key, so note it first:`),
    paragraph(button(`Sign ${rater.code} out`, () => (box.close(), leave()))),
  );
}

/** @param {Rater} rater @param {string} words */
export function comingBack({ return_key: key }, words) {
  return paragraph(words, " ", el("strong", { class: "return-key" }, key));
}
