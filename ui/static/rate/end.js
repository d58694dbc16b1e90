// After the last item: how many were rated and how long it took, and where to go from here.

import { el } from "../shared/dom.js";

/** The end as elements, its heading first. again() looks over the answers; resume() goes to the first open item; another()
 * rates another study, null where there is none.
 * @param {{rated: number, total: number, minutes: number, status: HTMLElement}} progress
 * @param {{again: () => void, resume: () => void, another: (() => void) | null}} ways @returns {(HTMLElement | false | null)[]} */
export function ending({ rated, total, minutes, status }, { again, resume, another }) {
  const way = (/** @type {string} */ text, /** @type {() => void} */ click, look = "") =>
    el("p", {}, el("button", { type: "button", class: look || null, click }, text));
  return [
    el("h1", { tabindex: "-1" }, rated >= total ? "Thank you, you are done" : "You have reached the end"),
    el("p", {}, `You rated ${rated} of ${total} items${minutesText(minutes)}.`),
    status,
    rated < total && way("Go to the first open item", resume, "primary"),
    way("Look over your answers", again),
    another && way("Rate another study", another),
  ];
}

/** @param {number} minutes */
function minutesText(minutes) {
  if (minutes < 1) return "";
  return minutes < 1.5 ? " in about a minute" : ` in about ${Math.round(minutes)} minutes`;
}
