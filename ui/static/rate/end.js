// After the last item: how many were rated and how long it took, and where to go from here.

import { el } from "../shared/dom.js";
import { comingBack } from "./dialogs.js";

/** @import { Child, Queue, Rater } from "../shared/types.d.ts" */

/** @type {Record<NonNullable<Queue["stopped"]>, {title: string, text: string, later: boolean}>} later: it may go on */
export const STOPS = {
  full: {
    title: "This study is full",
    text: "Other raters have taken all of its items before you came. Nothing is missing on your side. " +
      "You may close this page, or look again later: an item may become free.",
    later: true,
  },
  not_started: {
    title: "This study has not started yet",
    text: "Come back by the same address when whoever sent it to you says so.",
    later: true,
  },
  paused: {
    title: "This study is paused",
    text: "You may close this page, and come by the same address later.",
    later: true,
  },
  closed: {
    title: "This study is closed",
    text: "It takes no more answers. You may close this page.",
    later: false,
  },
  pilot_over: {
    title: "The trial run is over",
    text: "You rated while this study was tried out. Thank you: what you answered has helped to prepare it.",
    later: false,
  },
};

/** The end as elements, its heading first. again() looks over the answers; resume() goes to the first open item; another()
 * rates another study, null where there is none.
 * @param {{rated: number, total: number, stopped: Queue["stopped"], minutes: number, status: Child[], rater: Rater | null}} progress
 * rater: null where no return key is of use
 * @param {{again: () => void, resume: () => void, another: (() => void) | null}} ways
 * @returns {[HTMLElement, ...Child[]]} */
export function ending({ rated, total, stopped, minutes, status, rater }, { again, resume, another }) {
  const way = (/** @type {string} */ text, /** @type {() => void} */ click, look = "") =>
    el("p", {}, el("button", { type: "button", class: look || null, click }, text));
  const done = total > 0 && rated >= total;
  if (stopped && !done) {
    const { title, text, later } = STOPS[stopped];
    return [
      heading(title),
      el("p", {}, text),
      rated > 0 &&
      el(
        "p",
        {},
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
    el("p", {}, `You rated ${rated} of ${total} items${minutesText(minutes)}.`),
    ...status,
    done && el("p", {}, "Once it says “Saved” here, you may close this page."),
    !done && el("p", {}, `${total - rated === 1 ? "One item is" : `${total - rated} items are`} still open.`),
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

/** @param {number} minutes */
function minutesText(minutes) {
  if (minutes < 1) return "";
  return minutes < 1.5 ? " in about a minute" : ` in about ${Math.round(minutes)} minutes`;
}
