// The status line of the rating page: whether the answers are saved, and which item is shown, as in "item 3 of 12".

import { sentences } from "../shared/text.js";

/** @import { SaveState } from "./outbox.js" */
/** @typedef {SaveState | "loading"} State */

/** State where the waiting answers are: in this browser, or only in this page.
 * @param {number} waiting @param {number} unkept how many of them are lost when the page closes */
function whereabouts(waiting, unkept) {
  if (!unkept) return waiting === 1 ? "1 answer kept in this browser" : `${waiting} answers kept in this browser`;
  if (unkept === waiting) {
    return waiting === 1
      ? "1 answer only in this page, because the browser stores nothing: do not close this page"
      : `${waiting} answers only in this page, because the browser stores nothing: do not close this page`;
  }
  return waiting === 1
    ? `1 answer, ${unkept} of them only in this page, because the browser stores nothing: do not close this page`
    : `${waiting} answers, ${unkept} of them only in this page, because the browser stores nothing: do not close this page`;
}

/** Describe in words whether a rater's answers are saved.
 * told: the reason that the server gives for storing nothing, or null; refused: how many answers the server refused;
 * again: how many answers are sent again to a server whose database was restored; isNew: whether the rater has not
 * answered anything yet.
 * @param {State} state @param {{waiting: number, unkept: number, code: string, told: string | null, refused?: number,
 * again?: number, isNew?: boolean}} of @returns {string} */
export function savingText(state, { waiting, unkept, code, told, refused = 0, again = 0, isNew = false }) {
  if (refused) {
    const lost = refused === 1
      ? "1 answer not stored: the server refused it."
      : `${refused} answers not stored: the server refused them.`;
    if (state === "saved") return sentences(lost, "Kept in this browser; all others are saved");
    const rest = savingText(state, { waiting, unkept, code, told, again });
    return sentences(lost, `Kept in this browser · ${rest}`);
  }
  if (state === "saved") return isNew ? "Nothing to save yet" : "Saved";
  if (state === "saving" && again) {
    return again === 1
      ? "The server was put back to an earlier time: sending 1 answer again …"
      : `The server was put back to an earlier time: sending ${again} answers again …`;
  }
  if (state === "saving") return "Saving …";
  if (state === "unknown") {
    return `The server was put back to an earlier time and does not know ${code} any more. Your answers are kept in this browser, and not on the server`;
  }
  if (state === "loading") return "Loading the next item …";
  const kept = whereabouts(waiting, unkept);
  if (state === "held") return `${kept}; sent when the earlier question is answered`;
  if (state === "offline" && told) return sentences(told, `${kept}; sent as soon as it stores again`);
  if (state === "offline" && !waiting) return "Not connected";
  if (state === "offline") return `Not connected: ${kept}; sent as soon as the server is back`;
  return waiting === 1
    ? `${kept}; sign in again as ${code} to send it`
    : `${kept}; sign in again as ${code} to send them`;
}

/** State the rater's place among the items, such as "item 1 of 12" or "practice 1 of 2". Practice items are counted
 * separately.
 * @param {number} place @param {{total: number, free: number, practice?: readonly number[]}} of free: how many more
 * items the rater may get; practice: the places of practice items
 * @param {{done: number, items: number, is_most: boolean}} study items: how many items the rater can still get;
 * is_most: whether other raters may take some of them */
export function placeText(place, { total, free, practice = [] }, study) {
  if (practice.includes(place)) {
    return `practice ${practice.indexOf(place) + 1} of ${practice.length}`;
  }
  const number = numberOf(place, practice);
  const items = Math.max(total - practice.length, 0);
  if (!free) return `item ${Math.min(number, items)} of ${items}`;
  return `item ${number} of ${study.is_most ? "up to " : ""}${Math.max(number, study.done + study.items)}`;
}

/** Return an item's name, such as "Practice 1" or "Item 1". Practice items and other items are numbered separately.
 * @param {number} place @param {readonly number[]} practice places of practice items */
export function placeName(place, practice) {
  return practice.includes(place) ? `Practice ${practice.indexOf(place) + 1}` : `Item ${numberOf(place, practice)}`;
}

/** Return the number of an item among the items that are not practice.
 * @param {number} place @param {readonly number[]} practice places of practice items */
function numberOf(place, practice) {
  return place - practice.filter((one) => one < place).length;
}
