// After the last item: how many were rated and how long it took, and where to go from here.

import { el } from "../shared/dom.js";
import { comingBack } from "./dialogs.js";

/** @import { Child, Rater } from "../shared/types.d.ts" */

/** The end as elements, its heading first. again() looks over the answers; resume() goes to the first open item; another()
 * rates another study, null where there is none.
 * @param {{rated: number, total: number, minutes: number, status: Child[], rater: Rater}} progress
 * @param {{again: () => void, resume: () => void, another: (() => void) | null}} ways
 * @returns {[HTMLElement, ...Child[]]} */
export function ending({ rated, total, minutes, status, rater }, { again, resume, another }) {
  const way = (/** @type {string} */ text, /** @type {() => void} */ click, look = "") =>
    el("p", {}, el("button", { type: "button", class: look || null, click }, text));
  if (!total) {
    return [
      heading("This study is full"),
      el("p", {}, "Other raters have taken all of its items before you came. Nothing is missing on your side."),
      el("p", {}, "You may close this page, or look again later: an item may become free."),
      ...status,
      way("Look again", resume),
      another && way("Rate another study", another),
    ];
  }
  const done = rated >= total;
  return [
    heading(done ? "Thank you, you are done" : "You have reached the end"),
    el("p", {}, `You rated ${rated} of ${total} items${minutesText(minutes)}.`),
    ...status,
    done && el("p", {}, "Once it says “Saved” here, you may close this page."),
    !done && el("p", {}, `${total - rated === 1 ? "One item is" : `${total - rated} items are`} still open.`),
    !done && way("Go to the first open item", resume, "primary"),
    way("Look over your answers", again),
    another && way("Rate another study", another),
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
