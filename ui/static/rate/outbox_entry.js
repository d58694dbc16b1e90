// Answers in this browser's storage. They are checked, because the storage may be damaged or written by another
// version.

/** @import { Entry } from "./outbox.js" */

/** Return whether a value has every field that is needed to show, send and save an answer.
 * @param {any} entry @returns {entry is Entry} */
export function isEntry(entry) {
  const { key, assignment, kind, said } = entry?.save ?? {};
  const isOdd = typeof (said ?? {}) !== "object";
  return Number.isSafeInteger(entry?.at) && [key, assignment, kind].every((one) => typeof one === "string") && !isOdd;
}

/** Read an answer that was stored as text. Return null if the text is no answer.
 * @param {string | null} text @returns {Entry | null} */
export function entryOf(text) {
  try {
    const entry = JSON.parse(text ?? "null");
    return isEntry(entry) ? entry : null;
  } catch {
    return null;
  }
}
