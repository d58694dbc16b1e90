// The keys of the list of errors: each one a row that the handler and the dialog "Keys in the list" both read.

import { dialog, el } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { digitOf, nameOf } from "../shared/keys.js";

/** @import { Codebook } from "../shared/wire.d.ts" */
/** @import { ErrorList } from "./error_list.js" */
/** @typedef {object} CodingKey
 * @property {string[]} [keys] as nameOf names them; none for a key that another row handles
 * @property {string} [shown] the key as the dialog writes it; not there: not in the dialog
 * @property {string} [words]
 * @property {(list: ErrorList, event: KeyboardEvent) => unknown} [act] false: the key means nothing now */

/** @type {CodingKey[]} */
const KEYS = [
  {
    keys: ["digit"],
    shown: "1 … 9",
    words: "give the row that code and go to the next",
    act: (list, event) => giveDigit(list, Number(digitOf(event))),
  },
  { keys: ["ArrowDown", "j"], shown: "↓", words: "next row", act: (list) => list.next(() => list.step(1)) },
  { keys: ["ArrowUp", "k"], shown: "↑", words: "row before", act: (list) => list.next(() => list.step(-1)) },
  { shown: "0", words: "take the row's code away" },
  { keys: ["u"], shown: "u", words: "undo", act: (list) => list.next(() => list.undo()) },
  { keys: ["?"], act: (list) => showCodingKeys(list.codebook) },
];

/** Do what a key means in the list; nothing for a key that means nothing there. @param {ErrorList} list @param {KeyboardEvent} event */
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
