// What becomes of the answers, and where the rater is, in one line that is true.

/** @import { SaveState } from "./outbox.js" */
/** @typedef {SaveState | "loading"} State */

/** Where answers are that the server does not have yet. unkept: how many of them go when the page does.
 * @param {number} waiting @param {number} unkept */
export function whereabouts(waiting, unkept) {
  const answers = waiting === 1 ? "1 answer" : `${waiting} answers`;
  if (!unkept) return `${answers} kept in this browser`;
  const where = "only in this page, as the browser stores nothing: do not close it";
  return unkept === waiting ? `${answers} ${where}` : `${answers}, ${unkept} of them ${where}`;
}

/** told: why the server stores nothing, in its own words, where it answers.
 * @param {State} state @param {{waiting: number, unkept: number, code: string, told: string | null}} of */
export function savingText(state, { waiting, unkept, code, told }) {
  if (state === "saved") return "Saved";
  if (state === "saving") return "Saving …";
  if (state === "loading") return "Loading the next item …";
  const kept = whereabouts(waiting, unkept);
  if (state === "offline" && told) return `${told} ${kept}; sent as soon as it stores again`;
  if (state === "offline") return `Not connected: ${kept}; sent as soon as the server is back`;
  return `${kept}; sign in again as ${code} to send ${waiting === 1 ? "it" : "them"}`;
}

/** @param {number} place @param {{total: number, free: number}} of free: more that there may be than what was promised */
export function placeText(place, { total, free }) {
  if (!free) return `item ${Math.min(place, total)} of ${total}`;
  return `item ${place} of at least ${Math.max(place, total)}`;
}
