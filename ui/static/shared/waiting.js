// Waiting for a busy server: the reason and the seconds that are left stand on the page, then the work is done again.

import { Busy } from "./api.js";
import { el } from "./dom.js";

const TICK_MS = 250;
const MINUTES_FROM_S = 100;

/** Which wait is shown in an element; a newer one replaces it.
 * @type {WeakMap<Element, object>} */
const waits = new WeakMap();

/** Show words and the seconds left. Resolves when they are over, with whether the element still shows them: it may have
 * left the page, or show something else.
 * @param {HTMLElement} place @param {string} words @param {number} seconds @param {(left: string) => string} [again]
 * @returns {Promise<boolean>} */
export function countDown(place, words, seconds, again = (left) => `We try again in ${left}.`) {
  const mine = {}, end = performance.now() + 1000 * seconds;
  const left = el("span", { "aria-hidden": "true" }); // a screen reader is told once, not every second
  place.replaceChildren(words, " ", left);
  waits.set(place, mine);
  return new Promise((done) => {
    const tick = () => {
      const isShown = waits.get(place) === mine && place.contains(left);
      const rest = (end - performance.now()) / 1000;
      if (!isShown || rest <= 0) return done(isShown && place.isConnected);
      left.textContent = again(inWords(Math.ceil(rest)));
      setTimeout(tick, TICK_MS);
    };
    tick();
  });
}

/** Do something that a busy server may put off; wait in an element and do it again until the server takes it. Returns
 * undefined where somebody has begun anew, or gone elsewhere, meanwhile. Throws what the work throws, but never Busy.
 * @template Result @param {HTMLElement} place @param {() => Promise<Result>} work @returns {Promise<Result | undefined>} */
export async function patiently(place, work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      if (!(await countDown(place, error.words, error.seconds))) return undefined;
      place.replaceChildren();
    }
  }
}

/** @param {number} seconds */
function inWords(seconds) {
  if (seconds >= MINUTES_FROM_S) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
