// Wait for a busy server: the page shows the reason and the seconds left, then tries again.

import { Busy } from "./api.js";
import { el } from "./dom.js";
import { duration } from "./text.js";

const TICK_MS = 250;

/** Maps an element to the countdown that it shows. A newer countdown of the element replaces an older one.
 * @type {WeakMap<Element, object>} */
const waits = new WeakMap();

/** Show words and the seconds left in an element.
 * Resolve after these seconds with true if the element still shows this countdown. Resolve with false if the element
 * has left the page or shows other content.
 * @param {HTMLElement} place @param {string} words @param {number} seconds
 * @param {(left: string) => string} [again] returns the sentence that states the time left
 * @returns {Promise<boolean>} */
export function countDown(place, words, seconds, again = (left) => `We try again in ${left}.`) {
  const mine = {}, end = performance.now() + 1000 * seconds;
  const left = el("span", { "aria-hidden": "true" }); // a screen reader announces the words once, not every second
  place.replaceChildren(words, " ", left);
  waits.set(place, mine);
  return new Promise((done) => {
    const tick = () => {
      const isShown = waits.get(place) === mine && place.contains(left);
      const rest = (end - performance.now()) / 1000;
      if (!isShown || rest <= 0) return done(isShown && place.isConnected);
      left.textContent = again(duration(rest));
      setTimeout(tick, TICK_MS);
    };
    tick();
  });
}

/** Do some work, and repeat it while the server is busy. The wait is shown in an element. Returns undefined if a newer
 * wait replaced this one or the element left the page. Throws the work's errors, but never Busy.
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
