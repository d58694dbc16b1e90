// Long requests: the page shows progress, speed and remaining time, and can cancel.

import { get, randomKey, remove, request } from "./api.js";
import { el } from "./dom.js";
import { button, quiet } from "./elements.js";
import { working } from "./notices.js";
import { duration } from "./text.js";

/** @import { Answer, HowFar } from "./wire.d.ts" */

const FIRST_LOOK_MS = 700, LOOK_MS = 500;

/** Error: the user has cancelled the work. */
export class CancelledHere extends Error {
  constructor() {
    super("Cancelled.");
  }
}

/** @template T @typedef {{answer: Promise<T>, key: string, cancel: () => void}} Work a long request
 * The server reports its progress under the key. */

/** Start a GET request that may take long.
 * @template {string} Path @param {Path} path @returns {Work<Answer<"GET", Path>>} */
export function begin(path) {
  const stop = new AbortController(), key = randomKey();
  const answer = request("GET", path, /** @type {never} */ (undefined), {
    signal: stop.signal,
    headers: { "X-Capscope-Work": key },
  }).catch(
    (error) => {
      throw stop.signal.aborted ? new CancelledHere() : error;
    },
  );
  const cancel = () => {
    remove(`/api/analyse/work/${key}`).catch(() => {}); // ignore a refusal: perhaps the work has ended
    stop.abort();
  };
  return { answer, key, cancel };
}

/** Show the progress of a long request in an element until its result arrives, but not if the work is short, so that the
 * page does not jump. Throws the request's errors, and CancelledHere.
 * @template T @param {HTMLElement} place @param {Work<T>} work @param {string} what text until the server reports the
 * first step */
export async function shownIfSlow(place, work, what) {
  const node = progressOf(work, what);
  const timer = setTimeout(() => place.append(node), FIRST_LOOK_MS);
  try {
    return await work.answer;
  } finally {
    clearTimeout(timer);
    node.remove();
  }
}

/** Build the element that shows a work's progress while it is on the page. @param {Work<any>} work @param {string} what
 */
function progressOf({ answer, key, cancel }, what) {
  const wait = working(what);
  const bar = el("progress", { max: 1, value: 0, hidden: true, "aria-label": what });
  const progress = el("span", { "aria-hidden": "true", hidden: true }); // a screen reader reads steps, but no numbers
  const stop = button("Cancel", cancel, "quiet-button", { hidden: true });
  const node = el("div", { class: "long-work" }, wait.node, quiet(bar, progress, " ", stop));
  let isOver = false;
  const look = async () => {
    if (isOver || (!node.isConnected && node.dataset.seen)) return;
    if (node.isConnected) node.dataset.seen = "yes";
    const found = await get(`/api/analyse/work/${key}`).catch(() => null);
    if (found && !isOver) {
      stop.hidden = false;
      if (found.what) wait.say(found.what);
      bar.hidden = !found.total;
      if (found.total) bar.setAttribute("value", String(found.done / found.total));
      progress.textContent = inWords(found);
      progress.hidden = !found.total;
    }
    setTimeout(look, LOOK_MS);
  };
  setTimeout(look, FIRST_LOOK_MS);
  answer.catch(() => {}).finally(() => (isOver = true));
  return node;
}

/** Describe progress in words, such as "340,000 of 1,000,000, 95,000 a second, 7 seconds left". @param {HowFar} of */
export function inWords({ done, total, seconds }) {
  if (!total) return "";
  const words = [`${done.toLocaleString()} of ${total.toLocaleString()}`], rate = done / seconds;
  if (done > 0 && seconds >= 1) {
    if (rate >= 1) words.push(`${Number(rate.toPrecision(2)).toLocaleString()} a second`);
    words.push(`${duration((total - done) / rate)} left`);
  }
  return words.join(", ");
}
