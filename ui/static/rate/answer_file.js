// Save answers as a file. A rater sends the file to the study's manager when the browser cannot send the answers.

import { el } from "../shared/dom.js";

/** @import { Entry } from "./outbox.js" */

const VERSION = 1;
const KEPT_MS = 60_000; // ms after which the file's URL is removed; the browser has saved the file by then

/** Write answers as the text of a file. @param {string} code the rater's code @param {Entry[]} entries */
export function answerFile(code, entries) {
  const answers = entries.map(({ at, save, seal }) => ({ at, save, ...(seal && { seal }) }));
  return JSON.stringify({ capscope: "answers", version: VERSION, rater: code, answers }, null, 1);
}

/** Let the browser save answers as a file. @param {string} code the rater's code @param {Entry[]} entries */
export function saveAnswers(code, entries) {
  const blob = new Blob([answerFile(code, entries)], { type: "application/json" });
  const link = el("a", { href: URL.createObjectURL(blob), download: `answers-of-${code}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
