// The page after the last item: how many items were rated, how long it took, and what to do next.

import { el } from "../shared/dom.js";
import { button, paragraph } from "../shared/elements.js";
import { comingBack } from "./dialogs.js";

/** @import { Child, Queue, Rater } from "../shared/types.d.ts" */

/** @type {Record<NonNullable<Queue["stopped"]>, {title: string, text: string, later: boolean}>} later: the study may
 * continue */
export const STOPS = {
  full: {
    title: "This study is full",
    text: "Other raters have taken all of its items. You have nothing left to do. " +
      "You may close this page, or come back later: an item may become free.",
    later: true,
  },
  not_started: {
    title: "This study has not started yet",
    text: "Open the same address again when the person who sent it to you tells you to.",
    later: true,
  },
  paused: {
    title: "This study is paused",
    text: "You can close this page and open the same address later. " +
      "If you leave it open, it continues by itself as soon as the study does.",
    later: true,
  },
  closed: {
    title: "This study is closed",
    text: "It takes no more answers. You may close this page.",
    later: false,
  },
  excluded: {
    title: "Your part in this study has ended",
    text:
      "The people who run this study have ended your part. Your answers are kept, but they do not count in the results. " +
      "If you think that this is a mistake, write to the person who sent you the link.",
    later: false,
  },
  failed_gold: {
    title: "Thank you, your part in this study ends here",
    text: "Some items have a known right answer, and too many of your answers to them differed from it. " +
      "Your answers are kept. You have nothing left to do. " +
      "If you think that this is a mistake, write to the person who sent you the link.",
    later: false,
  },
  pilot_over: {
    title: "The trial run is over",
    text: "You rated while this study was tried out. Thank you: what you answered has helped to prepare it.",
    later: false,
  },
};

/** Build the end page as elements, its heading first. again() shows the answers again; resume() goes to the first open
 * item; another() rates another study, null if there is no other.
 * @param {{rated: number, total: number, practice?: number, stopped: Queue["stopped"], minutes: number, status: Child[],
 * rater: Rater | null}} progress practice: how many of the total are practice; rater: null if the rater needs no
 * return key
 * @param {{again: () => void, resume: () => void, another: (() => void) | null}} ways
 * @returns {[HTMLElement, ...Child[]]} */
export function ending({ rated, total, practice = 0, stopped, minutes, status, rater }, { again, resume, another }) {
  const way = (/** @type {string} */ text, /** @type {() => void} */ click, look = "") =>
    paragraph(button(text, click, look));
  const done = total > 0 && rated >= total;
  if (stopped && !done) {
    const { title, text, later } = STOPS[stopped];
    return [
      heading(title),
      paragraph(text),
      rated > 0 &&
      paragraph(
        `You rated ${rated} ${rated === 1 ? "item" : "items"}${
          minutesText(minutes)
        }. Everything you have answered is kept.`,
      ),
      ...status,
      later && way("Look again", resume),
      another && way("Rate another study", another),
    ];
  }
  return [
    heading(done ? "Thank you, you are done" : "You have reached the end"),
    paragraph(`You rated ${ratedText(rated, total, practice)}${minutesText(minutes)}.`),
    ...status,
    done && paragraph("You may close this page when it shows “Saved”."),
    !done && paragraph(`${total - rated === 1 ? "One item is" : `${total - rated} items are`} still open.`),
    !done && way("Go to the first open item", resume, "primary"),
    way("Look over your answers", again),
    another && way("Rate another study", another),
    rater &&
    comingBack(rater, `To come back from another browser, give your code ${rater.code} with this return key: `),
  ];
}

/** @param {string} text */
function heading(text) {
  return el("h1", { tabindex: "-1" }, text);
}

/** State how many items were rated. Practice items are counted separately, because they do not count.
 * @param {number} rated @param {number} total @param {number} practice */
function ratedText(rated, total, practice) {
  if (!practice) return `${rated} of ${total} items`;
  if (rated < total) return `${rated} of ${total} items, practice included`;
  return `${total - practice} of ${total - practice} items, and ${practice} for practice`;
}

/** @param {number} minutes */
function minutesText(minutes) {
  if (minutes < 1) return "";
  return minutes < 1.5 ? " in about a minute" : ` in about ${Math.round(minutes)} minutes`;
}
