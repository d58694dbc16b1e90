// The outbox's entries (answers) in the browser's storage. The name of an entry contains the rater's code and the time
// of the answer.

import { entryOf } from "./outbox_entry.js";

/** @import { Entry } from "./outbox.js" */

export const PREFIX = "capscope.outbox";
export const REFUSED = "capscope.refused"; // prefix for refused answers, which are set aside and never deleted
const FILED = "capscope.filed"; // prefix for refused answers that the rater has saved as a file

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

/** Return the unsent answers in this browser, and the refused answers that the rater has not yet saved as a file.
 * The keys of the map are raters' codes.
 * @returns {Map<string, Entry[]>} */
export function entriesHere() {
  /** @type {Map<string, Entry[]>} */
  const entries = new Map();
  for (const prefix of [`${PREFIX}.`, `${REFUSED}.`]) {
    for (const [name, entry] of entriesUnder(prefix)) {
      const [code] = name.slice(prefix.length).split(".");
      entries.set(code, [...(entries.get(code) ?? []), entry]);
    }
  }
  return entries;
}

/** Record that a rater has saved the refused answers as a file. @param {string} code the rater's code */
export function setFiled(code) {
  for (const [name, entry] of entriesUnder(`${REFUSED}.${code}.`)) {
    if (keep(name.replace(REFUSED, FILED), entry)) localStorage.removeItem(name);
  }
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
