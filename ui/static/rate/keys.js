// The keys of the rating page. The key handler and the dialog "Keys" use the same list, so a new key needs only a new
// row, and a place in ONCE if it must not repeat.

import { dialog, el } from "../shared/dom.js";
import { digitOf, nameOf } from "../shared/keys.js";
import { NO_PICTURE } from "./answers.js";
import { showInstructions } from "./dialogs.js";

/** @import { ItemView } from "./item.js" */
/** @import { RatingRun } from "./run.js" */

/** A keyboard key, or several keys with similar actions.
 * @typedef {object} KeyRow
 * @property {string[]} keys names of the keys, from nameOf()
 * @property {string} shown the key as the dialog "Keys" shows it
 * @property {string} words text of the dialog that says what the key does
 * @property {(view: ItemView, event: KeyboardEvent) => unknown} act runs the key's action; returns false if the key does
 * nothing now, so that the browser may handle it */

/** @type {KeyRow[]} rows of keys, in the order in which the dialog "Keys" lists them */
const KEYS = [
  {
    keys: ["digit"],
    shown: "0 – 9",
    words: "answer the focused question and go to the next",
    act: (view, event) => view.answer(Number(digitOf(event))),
  },
  {
    keys: ["n"],
    shown: "n",
    words: "answer that the picture is missing, if it is",
    act: (view) => !view.item.image && view.answer(NO_PICTURE),
  },
  {
    keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
    shown: "← →",
    words: "read the meanings of a question's points",
    act: () => false,
  },
  { keys: [" "], shown: "Space", words: "choose the focused point", act: () => false },
  { keys: ["Tab"], shown: "Tab", words: "next question", act: () => false },
  {
    keys: ["Enter"],
    shown: "Enter",
    words: "next item",
    act: (view, event) => isOnControl(event) ? false : view.goNext(false),
  },
  { keys: ["Backspace"], shown: "Backspace", words: "previous item", act: (view) => view.goBack() },
  { keys: ["z"], shown: "z", words: "enlarge the picture", act: (view) => view.picture.zoom() },
  {
    keys: ["x"],
    shown: "x",
    words: "report that something is wrong, or skip the item",
    act: (view) => view.report.open(),
  },
  {
    keys: ["g"],
    shown: "g",
    words: "read the instructions and all guidelines",
    act: (view) => showInstructions(view.study),
  },
  { keys: ["?"], shown: "?", words: "show these keys", act: () => showKeys() },
];

const ONCE = ["digit", "n", "Enter", "Backspace"]; // keys that act only once while they are held down

export function showKeys() {
  const rows = KEYS.map(({ shown, words }) =>
    el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, shown)), el("td", {}, words))
  );
  dialog("Keys", el("table", { class: "keys" }, rows));
}

/** Run the action of a pressed key on the item that is shown. Do nothing while the rater types, or if the key has no
 * action. While the next item is awaited, keys that answer wait for it.
 * @param {RatingRun} run @param {KeyboardEvent} event */
export function pressKey(run, event) {
  const name = nameOf(event), { view } = run;
  if (isTyping(event) || document.querySelector("dialog[open]")) return;
  if (ONCE.includes(name) && (event.repeat || run.keepKey(name === "digit" ? String(digitOf(event)) : name))) {
    return event.preventDefault();
  }
  const row = KEYS.find(({ keys }) => keys.includes(name));
  if (view && row && row.act(view, event) !== false) event.preventDefault();
}

/** @param {KeyboardEvent} event */
function isTyping({ target }) {
  return target instanceof Element && target.matches("input:not([type=radio]), textarea, select");
}

/** @param {KeyboardEvent} event */
function isOnControl({ target }) {
  return target instanceof Element && target.closest("button, a, summary, [role=button]") !== null;
}
