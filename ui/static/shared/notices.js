// Notices in place of content that is being loaded, that could not be loaded, or that does not exist yet.

import { Busy, request, wordsOf } from "./api.js";
import { el } from "./dom.js";
import { alertText, button, paragraph } from "./elements.js";
import { countDown } from "./waiting.js";

/** @import { Answer } from "./wire.d.ts" */

const TICK_MS = 1000, FIRST_LOOK_MS = 700, LONGEST_MS = 1_800_000;

/** Show what is being done and for how long. @param {string} what */
export function working(what) {
  const seconds = el("span", { "aria-hidden": "true" });
  const node = el("p", { class: "quiet working" }, el("span", { role: "status" }, `${what} …`), " ", seconds);
  const since = performance.now();
  const timer = setInterval(() => {
    if (!node.isConnected) return clearInterval(timer);
    seconds.textContent = `${Math.round((performance.now() - since) / 1000)} s`;
  }, TICK_MS);
  return node;
}

/** Send a GET request that may take minutes. An element shows what the server does, but not if the answer comes soon, so
 * that the page does not jump. Throws the request's errors.
 * @template {string} Path @param {HTMLElement} place @param {Path} path @param {string} what
 * @returns {Promise<Answer<"GET", Path>>} */
export async function shownIfSlow(place, path, what) {
  const node = working(what);
  const timer = setTimeout(() => place.append(node), FIRST_LOOK_MS);
  try {
    return await request("GET", path, /** @type {never} */ (undefined), { signal: AbortSignal.timeout(LONGEST_MS) });
  } finally {
    clearTimeout(timer);
    node.remove();
  }
}

/** Build the content that says what to do if there is no data set.
 * @param {(() => void) | null} [bring] opens the dialog for a user's own picture */
export function empty(bring = null) {
  return el(
    "div",
    { class: "column" },
    el("h1", {}, "No data yet"),
    el(
      "p",
      { class: "makes" },
      "Import samples, scores and explanations. This page then shows them. ",
      el("a", { href: "/studies/import", class: "button" }, "Import data"),
    ),
    el(
      "p",
      { class: "manages" },
      "Or start with a benchmark and its published scores: ",
      el("a", { href: "/studies/published" }, "Get published data"),
      ".",
    ),
    paragraph("Or use a command:"),
    el("pre", {}, command("import FORMAT FILE --images FOLDER")),
    paragraph("To list the formats, run ", el("code", {}, command("formats")), "."),
    bring &&
      paragraph("Or start with your own picture and caption: ", button("Add picture …", bring)),
  );
}

/** Show an error with a button that tries again. If the server is busy, try again after the pause that it asks for.
 * @param {unknown} error @param {() => void} again */
export function problem(error, again) {
  const words = el("span", {}, wordsOf(error));
  if (error instanceof Busy) countDown(words, error.words, error.seconds).then((isShown) => isShown && again());
  return alertText(words, " ", button("Try again", again));
}

/** Return a command that starts with `capscope` if Capscope is installed, or with `python app.py` in a clone.
 * @param {string} rest the command's name and options */
function command(rest) {
  const typed = document.querySelector("meta[name=capscope-command]")?.getAttribute("content");
  return `${typed ?? "capscope"} ${rest}`;
}
