// The outbox's entries (answers) in the browser's storage. The name of an entry contains the rater's code and the time
// of the answer.

import { entryOf } from "./outbox_entry.js";

/** @import { Entry } from "./outbox.js" */

export const PREFIX = "capscope.outbox";
export const REFUSED = "capscope.refused"; // prefix for refused answers, which are set aside and never deleted

/** Return the raters whose answers wait in this browser, the latest first.
 * @returns {{code: string, answers: number}[]} */
export function codesWaiting() {
  /** @type {Map<string, {answers: number, latest: string}>} */
  const waiting = new Map();
  for (const [name] of entriesUnder(`${PREFIX}.`)) {
    const [code, time] = name.slice(PREFIX.length + 1).split(".");
    const { answers, latest } = waiting.get(code) ?? { answers: 0, latest: "" };
    waiting.set(code, { answers: answers + 1, latest: time > latest ? time : latest });
  }
  const sorted = [...waiting].sort(([, a], [, b]) => (a.latest < b.latest ? 1 : -1));
  return sorted.map(([code, { answers }]) => ({ code, answers }));
}

/** Return all names in the browser's storage, or none if the browser denies access. @returns {string[]} */
function names() {
  try {
    return Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
  } catch {
    return [];
  }
}

/** Store a value; returns whether the browser stored it. @param {string} name @param {unknown} content */
export function keep(name, content) {
  try {
    localStorage.setItem(name, JSON.stringify(content));
    return true;
  } catch {
    return false;
  }
}

/** Return the stored answers whose names start with a prefix, oldest first. Skip values that are no answers.
 * @param {string} prefix @returns {[string, Entry][]} */
export function entriesUnder(prefix) {
  return names().filter((name) => name.startsWith(prefix)).sort().flatMap((name) => {
    const entry = entryOf(localStorage.getItem(name));
    return entry ? [/** @type {[string, Entry]} */ ([name, entry])] : [];
  });
}
