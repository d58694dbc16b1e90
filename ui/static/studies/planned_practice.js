// How many practice items a manager planned for a new study. The dialog for gold and practice reminds of this number.

import { remember, remembered } from "../shared/storage.js";

/** @param {number} study */
const nameOf = (study) => `capscope-planned-practice-${study}`;

/** @param {number} study @param {number | null} items null: nothing was typed */
export function rememberPractice(study, items) {
  if (items !== null) remember(nameOf(study), String(items));
}

/** Say how many practice items were planned, with a leading space; "" if nothing was typed. @param {number} study */
export function plannedPractice(study) {
  const items = Number(remembered(nameOf(study)) ?? 0);
  return items > 0 ? ` You planned ${items} practice ${items === 1 ? "item" : "items"}.` : "";
}
