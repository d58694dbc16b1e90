// The status line of the rating page: whether the answers are saved, and which item is shown, as in "item 3 of 12".

import { counted, sentences } from "../shared/text.js";

/** @import { Study } from "../shared/types.d.ts" */
/** @import { SaveState } from "./outbox.js" */
/** @typedef {SaveState | "loading" | "new"} State new: the rater has not answered anything yet */

/** Describe in words whether a rater's answers are saved.
 * unkept: how many of the waiting answers are lost when the page closes; told: the reason that the server gives for
 * storing nothing, or null; refused: how many answers the server refused; again: how many answers are sent again to a
 * server whose database was restored.
 * @param {State} state @param {{waiting: number, unkept: number, code: string, told: string | null, refused?: number,
 * again?: number}} of @returns {string} */
export function savingText(state, { waiting, unkept, code, told, refused = 0, again = 0 }) {
  if (refused) {
    const lost = `${counted(refused, "answer")} not stored: the server refused ${refused === 1 ? "it" : "them"}.`;
    const rest = savingText(state, { waiting, unkept, code, told, again });
    return sentences(lost, `Kept in this browser${state === "saved" ? "; all others are saved" : ` · ${rest}`}`);
  }
  const kept = `${counted(waiting, "answer")}${unkept && unkept < waiting ? `, ${unkept} of them` : ""} ${
    unkept ? "only in this page, because the browser stores nothing: do not close this page" : "kept in this browser"
  }`;
  switch (state) {
    case "new":
      return "Nothing to save yet";
    case "saved":
      return "Saved";
    case "saving":
      if (!again) return "Saving …";
      return `The server was put back to an earlier time: sending ${counted(again, "answer")} again …`;
    case "loading":
      return "Loading the next item …";
    case "unknown":
      return `The server was put back to an earlier time and does not know ${code} any more. ` +
        "Your answers are kept in this browser, and not on the server";
    case "offline":
      if (told) return sentences(told, `${kept}; sent as soon as it stores again`);
      return waiting ? `Not connected: ${kept}; sent as soon as the server is back` : "Not connected";
    case "signed-out":
      return `${kept}; sign in again as ${code} to send ${waiting === 1 ? "it" : "them"}`;
  }
}

/** @typedef {{total: number, free: number, practice: readonly number[]}} Places total: number of items that the rater
 * has; free: how many more the rater may get; practice: places of practice items, which are counted separately */

/** State the rater's place among the items, such as "item 1 of 12" or "practice 1 of 2".
 * @param {number} place @param {Places} places @param {Pick<Study, "done" | "items" | "is_most">} study
 * items: how many items the rater can still get; is_most: whether other raters may take some of them */
export function placeText(place, { total, free, practice }, study) {
  const name = placeName(place, practice).toLowerCase();
  if (practice.includes(place)) return `${name} of ${practice.length}`;
  if (free) {
    return `${name} of ${study.is_most ? "up to " : ""}${
      Math.max(numberOf(place, practice), study.done + study.items)
    }`;
  }
  const items = Math.max(total - practice.length, 0);
  return `item ${Math.min(numberOf(place, practice), items)} of ${items}`;
}

/** Return an item's name, such as "Practice 1" or "Item 1". Practice items and other items are numbered separately.
 * @param {number} place @param {readonly number[]} practice places of practice items */
export function placeName(place, practice) {
  if (practice.includes(place)) return `Practice ${practice.indexOf(place) + 1}`;
  return `Item ${numberOf(place, practice)}`;
}

/** @param {number} place @param {readonly number[]} practice */
function numberOf(place, practice) {
  return place - practice.filter((one) => one < place).length;
}
