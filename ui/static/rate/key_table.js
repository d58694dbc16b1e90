// The keys of the rating page. The key handler and the dialog "Keys" use the same list, so a new key needs only a new
// row.

import { digitOf, nameOf } from "../shared/keys.js";
import { NO_PICTURE } from "./answers.js";

/** @import { Study } from "../shared/types.d.ts" */
/** @import { ItemView } from "./item.js" */
/** @import { RatingRun } from "./run.js" */

/** A keyboard key, or several keys with similar actions.
 * @template View @typedef {object} KeyRow
 * @property {string[]} [keys] names of the keys, from nameOf(); absent if the browser handles the key
 * @property {string | ((study: Study) => string)} [shown] the key as the dialog "Keys" shows it; absent: not listed
 * @property {string} [words] text of the dialog that says what the key does
 * @property {(study: Study) => boolean} [isOf] returns whether the dialog "Keys" of a study lists the key;
 * default: true
 * @property {(view: View, event: KeyboardEvent) => unknown} [act] runs the key's action; returns false if the key does
 * nothing now, so that the browser may handle it */

/** @param {Study} study */
const hasQuestions = ({ criteria }) => criteria.length > 0;

/** @type {KeyRow<ItemView>[]} rows of keys, in the order in which the dialog "Keys" lists them */
export const KEYS = [
  {
    keys: ["digit"],
    shown: digits,
    words: "answer the focused question and go to the next",
    isOf: hasQuestions,
    act: (view, event) => view.answer(Number(digitOf(event))),
  },
  {
    keys: ["n"],
    shown: "n",
    words: "answer that the picture is missing, if it is",
    isOf: ({ without_picture: missing, criteria }) => missing > 0 && criteria.length > 0,
    act: (view) => !view.item.image && view.answer(NO_PICTURE),
  },
  {
    keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
    shown: "← →",
    words: "read the meanings of a question's points",
    isOf: hasQuestions,
    act: (view, event) => view.earlyKey(event),
  },
  {
    keys: [" "],
    shown: "Space",
    words: "choose the focused point",
    isOf: hasQuestions,
    act: (view, event) => view.earlyKey(event),
  },
  { shown: "Tab", words: "next question", isOf: hasQuestions },
  {
    keys: ["Enter"],
    shown: "Enter",
    words: "next item",
    act: (view, event) => isOnControl(event) ? false : view.goNext(false),
  },
  { keys: ["Backspace"], shown: "Backspace", words: "previous item", act: (view) => view.goBack() },
  {
    keys: ["Ctrl+z"],
    shown: "Ctrl + Z",
    words:
      "restore the answer before the latest change, also on an earlier item; a first answer stays, and its question is focused",
    act: (view) => view.undo(),
  },
  { keys: ["z"], shown: "z", words: "enlarge the picture", act: (view) => view.picture.zoom() },
  {
    keys: ["x"],
    shown: "x",
    words: "report that something is wrong, or skip the item",
    act: (view) => view.report.open(),
  },
  { keys: ["g"], shown: "g", words: "read all guidelines", act: (view) => view.showGuidelines() },
  { keys: ["?"], shown: "?", words: "show these keys", act: (view) => view.showKeys() },
];

const ONCE = ["digit", "n", "Enter", "Backspace"]; // keys that act only once while they are held down

/** List the keys of a study, each with a text that says what it does.
 * @param {Study} study @returns {[string, string][]} */
export function keyWords(study) {
  return KEYS.filter(({ isOf }) => isOf?.(study) ?? true).flatMap(({ shown, words }) =>
    shown && words ? [[typeof shown === "string" ? shown : shown(study), words]] : []
  );
}

/** Run the action of a pressed key on the item that is shown. Do nothing while the rater types, or if the key has no
 * action. While the next item is awaited, keys that answer wait for it.
 * @param {RatingRun} run @param {KeyboardEvent} event */
export function pressKey(run, event) {
  const name = nameOf(event), { view } = run;
  if (isTyping(event) || document.querySelector("dialog[open]")) return;
  if (event.repeat && ONCE.includes(name)) return event.preventDefault();
  if (ONCE.includes(name) && run.keepKey(name === "digit" ? String(digitOf(event)) : name)) {
    return event.preventDefault();
  }
  const row = KEYS.find(({ keys }) => keys?.includes(name));
  if (view && row?.act && row.act(view, event) !== false) event.preventDefault();
}

/** @param {KeyboardEvent} event */
function isTyping({ target }) {
  return target instanceof Element && target.matches("input:not([type=radio]), textarea, select");
}

/** @param {KeyboardEvent} event */
function isOnControl({ target }) {
  return target instanceof Element && target.closest("button, a, summary, [role=button]") !== null;
}

/** Return the digit keys that answer a study's questions.
 * The key 0 means that the rater gives no judgement (abstains). If raters may not abstain, the key 0 chooses point 10.
 * @param {Study} study */
function digits({ criteria }) {
  const points = criteria.flatMap(({ guidelines }) => guidelines.map(({ point }) => point % 10));
  return points.length ? `${Math.min(...points)} – ${Math.max(...points)}` : "1 – 9";
}
