// What the outbox keeps in the browser's storage: one entry a name, under the rater's code and the time of the answer.

import { entryOf } from "./entry.js";

/** @import { Entry } from "./outbox.js" */

export const PREFIX = "capscope.outbox";
export const REFUSED = "capscope.refused"; // what the server will not take is set aside, never thrown away
const FILED = "capscope.filed"; // what was set aside, once the rater has it as a file

/** Whose answers wait in this browser, the latest first. @returns {{code: string, answers: number}[]} */
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

/** What waits in this browser and what was refused and is in no file yet, by the rater's code.
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

/** A rater has what was refused as a file. @param {string} code */
export function setFiled(code) {
  for (const [name, entry] of entriesUnder(`${REFUSED}.${code}.`)) {
    if (keep(name.replace(REFUSED, FILED), entry)) localStorage.removeItem(name);
  }
}

/** Names of everything in the browser's storage; none where it lets nobody in. @returns {string[]} */
function names() {
  try {
    return Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
  } catch {
    return [];
  }
}

/** Write something down; returns whether the browser keeps it. @param {string} name @param {unknown} content */
export function keep(name, content) {
  try {
    localStorage.setItem(name, JSON.stringify(content));
    return true;
  } catch {
    return false;
  }
}

/** Answers under names that begin so, oldest first; what is no answer is passed over.
 * @param {string} prefix @returns {[string, Entry][]} */
export function entriesUnder(prefix) {
  return names().filter((name) => name.startsWith(prefix)).sort().flatMap((name) => {
    const entry = entryOf(localStorage.getItem(name));
    return entry ? [/** @type {[string, Entry]} */ ([name, entry])] : [];
  });
}
