// The keyboard keys of the list of errors. Each key has a row in KEYS. The rows are read by the function that handles
// keys, and by the dialog "Keys in the list".

import { dialog, el } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { digitOf, nameOf } from "../shared/keys.js";

/** @import { Codebook } from "../shared/wire.d.ts" */
/** @import { ErrorList } from "./error_list.js" */
/** @typedef {object} CodingKey
 * @property {string[]} [keys] names of the keyboard keys, from nameOf(); missing if another row of KEYS handles the key
 * @property {string} [shown] the key as the dialog of keys shows it; missing if the dialog does not list the key
 * @property {string} [words] what the key does, as the dialog describes it
 * @property {(list: ErrorList, event: KeyboardEvent) => unknown} [act] runs the key's action; returns false if the key
 * does nothing now */

/** @type {CodingKey[]} */
const KEYS = [
  {
    keys: ["digit"],
    shown: "1 … 9",
    words: "give this code to the row, and go to the next row",
    act: (list, event) => giveDigit(list, Number(digitOf(event))),
  },
  { keys: ["ArrowDown", "j"], shown: "↓", words: "next row", act: (list) => list.next(() => list.step(1)) },
  { keys: ["ArrowUp", "k"], shown: "↑", words: "row before", act: (list) => list.next(() => list.step(-1)) },
  { shown: "0", words: "remove the code of the row" },
  { keys: ["u"], shown: "u", words: "undo", act: (list) => list.next(() => list.undo()) },
  { keys: ["?"], act: (list) => showCodingKeys(list.codebook) },
];

/** Run the action of a pressed key in the error list. Ignore keys without an action.
 * @param {ErrorList} list @param {KeyboardEvent} event */
export function pressCodingKey(list, event) {
  if (!list.found?.rows.length) return;
  const name = nameOf(event), row = KEYS.find(({ keys }) => keys?.includes(name));
  if (row?.act && row.act(list, event) !== false) event.preventDefault();
}

/** @param {ErrorList} list @param {number} digit */
function giveDigit(list, digit) {
  const code = digit === 0 ? null : list.codebook.codes[digit - 1]?.key;
  if (code === undefined) return false;
  list.next(() => list.give(code));
}

/** @param {Codebook} book */
export function showCodingKeys({ source }) {
  const rows = KEYS.filter(({ shown }) => shown).map(({ shown, words }) =>
    el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, shown)), el("td", {}, words))
  );
  dialog("Keys in the list", el("table", { class: "keys" }, el("tbody", {}, rows)), quiet(source));
}
