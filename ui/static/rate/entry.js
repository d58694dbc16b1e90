// An answer as this browser holds it. A browser's storage can hold anything: damage, or what another version wrote there.

/** @import { Entry } from "./outbox.js" */

/** Whether something has all that showing, sending and saving an answer needs.
 * @param {any} entry @returns {entry is Entry} */
export function isEntry(entry) {
  const { key, assignment, kind, said } = entry?.save ?? {};
  const isOdd = typeof (said ?? {}) !== "object" || !["undefined", "string"].includes(typeof entry?.seal);
  return Number.isSafeInteger(entry?.at) && [key, assignment, kind].every((one) => typeof one === "string") && !isOdd;
}

/** An answer that was stored as text; null for anything else. @param {string | null} text @returns {Entry | null} */
export function entryOf(text) {
  try {
    const entry = JSON.parse(text ?? "null");
    return isEntry(entry) ? entry : null;
  } catch {
    return null;
  }
}
