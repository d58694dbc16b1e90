// One line about the answers' state and the rater's place.

/** @import { SaveState } from "./outbox.js" */
/** @typedef {SaveState | "loading"} State */

/** State where unsent answers are. unkept: how many of them are lost when the page closes.
 * @param {number} waiting @param {number} unkept */
export function whereabouts(waiting, unkept) {
  const answers = counted(waiting);
  if (!unkept) return `${answers} kept in this browser`;
  const where = "only in this page, as the browser stores nothing: do not close it";
  return unkept === waiting ? `${answers} ${where}` : `${answers}, ${unkept} of them ${where}`;
}

/** @param {number} answers */
function counted(answers) {
  return answers === 1 ? "1 answer" : `${answers} answers`;
}

/** Describe the state of the answers. told: the server's reason for storing nothing, if it answers; refused: how many
 * answers the server refused; again: how many answers are sent again to a server that was put back.
 * @param {State} state @param {{waiting: number, unkept: number, code: string, told: string | null, refused?: number,
 * again?: number}} of @returns {string} */
export function savingText(state, { waiting, unkept, code, told, refused = 0, again = 0 }) {
  if (refused) {
    const rest = savingText(state, { waiting, unkept, code, told, again });
    return `${counted(refused)} not stored: the server refused ${refused === 1 ? "it" : "them"}. ` +
      `Kept in this browser${state === "saved" ? "; all others are saved" : ` · ${rest}`}`;
  }
  if (state === "saved") return "Saved";
  if (state === "saving" && again) {
    return `The server was put back to an earlier time: sending ${counted(again)} again …`;
  }
  if (state === "saving") return "Saving …";
  if (state === "unknown") {
    return `The server was put back to an earlier time and does not know ${code} any more. ` +
      "Your answers are kept in this browser, and not on the server";
  }
  if (state === "loading") return "Loading the next item …";
  const kept = whereabouts(waiting, unkept);
  if (state === "held") return `${kept}; sent when the earlier question is answered`;
  if (state === "offline" && told) return `${told} ${kept}; sent as soon as it stores again`;
  if (state === "offline" && !waiting) return "Not connected";
  if (state === "offline") return `Not connected: ${kept}; sent as soon as the server is back`;
  return `${kept}; sign in again as ${code} to send ${waiting === 1 ? "it" : "them"}`;
}

/** State the rater's place. Practice items are counted separately, so that none is called "item 1 of 12".
 * @param {number} place @param {{total: number, free: number, practice?: readonly number[]}} of free: how many more
 * items the rater may get; practice: the places of practice items */
export function placeText(place, { total, free, practice = [] }) {
  if (practice.includes(place)) return `practice ${practice.indexOf(place) + 1} of ${practice.length}`;
  const number = numberOf(place, practice);
  const items = Math.max(total - practice.length, 0);
  if (!free) return `item ${Math.min(number, items)} of ${items}`;
  return `item ${number} of at least ${Math.max(number, items)}`;
}

/** Name an item: "Practice 1", or "Item 1" for the first item that counts.
 * @param {number} place @param {readonly number[]} practice places of practice items */
export function placeName(place, practice) {
  return practice.includes(place) ? `Practice ${practice.indexOf(place) + 1}` : `Item ${numberOf(place, practice)}`;
}

/** The number of an item, counted without practice. @param {number} place @param {readonly number[]} practice */
function numberOf(place, practice) {
  return place - practice.filter((one) => one < place).length;
}
