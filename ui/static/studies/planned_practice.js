// How many practice items a manager planned for a new study. The dialog in which practice items are made shows this
// number as a reminder.

import { remember, remembered } from "../shared/storage.js";

/** @param {number} study */
const nameOf = (study) => `capscope-planned-practice-${study}`;

/** Store how many practice items the user plans for a study.
 * @param {number} study @param {number | null} items number of practice items; null: the user typed nothing */
export function rememberPractice(study, items) {
  if (items !== null) remember(nameOf(study), String(items));
}

/** Say how many practice items the user has planned for a study. The text starts with a space; "" if none is planned.
 * @param {number} study */
export function plannedPractice(study) {
  const items = Number(remembered(nameOf(study)) ?? 0);
  return items > 0 ? ` You planned ${items} practice ${items === 1 ? "item" : "items"}.` : "";
}
