// Elements that most pages have: buttons, lines of text, and texts that screen readers announce.

import { wordsOf } from "./api.js";
import { el, say } from "./dom.js";

/** @import { Attributes, Child } from "./types.d.ts" */

/** Build a button. kind: its classes: "primary", "small", "quiet-button" … @param {Child} words
 * @param {(event: MouseEvent) => void} act @param {string} [kind] @param {Attributes} [more] */
export function button(words, act, kind, more) {
  return el("button", { type: "button", class: kind || null, click: act, ...more }, words);
}

/** Build the button that submits its form. @param {Child} words @param {string} [kind] @param {Attributes} [more] */
export function submitButton(words, kind, more) {
  return el("button", { class: kind || null, ...more }, words);
}

/** @param {...Child} content */
export function paragraph(...content) {
  return el("p", {}, ...content);
}

/** Build a remark in small, grey letters. @param {...Child} content */
export function quiet(...content) {
  return el("p", { class: "quiet" }, ...content);
}

/** Build a row of buttons. @param {...Child} buttons */
export function actions(...buttons) {
  return el("p", { class: "actions" }, ...buttons);
}

/** Build the line for errors; screen readers announce each change immediately. @param {...Child} content */
export function alertText(...content) {
  return el("p", { class: "problem", role: "alert" }, ...content);
}

/** Wait for work, and show its problem in a line of text. @param {Element} line @param {Promise<unknown>} work */
export async function orSay(line, work) {
  try {
    await work;
  } catch (error) {
    say(line, wordsOf(error));
  }
}

/** Build the line for progress; screen readers announce changes when they are idle. @param {...Child} content */
export function statusText(...content) {
  return el("p", { class: "quiet", role: "status" }, ...content);
}

/** @typedef {readonly (readonly [string | number, Child])[]} Options pairs of value and words */

/** @param {Options} pairs @param {string | number | null} [chosen] */
export function options(pairs, chosen = null) {
  return pairs.map(([value, words]) => el("option", { value, selected: value === chosen }, words));
}

/** Make options whose words are their values. @param {readonly string[]} values @returns {[string, string][]} */
export function asOptions(values) {
  return values.map((value) => [value, value]);
}

/** Build a list to choose from. @param {Attributes} attributes @param {Options} pairs @param {string | number | null}
 * [chosen]
 * @param {(value: string) => void} [onChange] gets the chosen value */
export function picker(attributes, pairs, chosen = null, onChange = () => {}) {
  const select = el("select", { change: () => onChange(select.value), ...attributes }, options(pairs, chosen));
  return select;
}
