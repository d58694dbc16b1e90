// Elements that most pages have: buttons, lines of text, and texts that screen readers announce.

import { el } from "./dom.js";

/** @import { Attributes, Child } from "./types.d.ts" */

/** Build a button. @param {Child} words @param {(event: MouseEvent) => void} act
 * @param {string} [kind] its CSS classes, such as "primary", "small", "quiet-button" @param {Attributes} [more] */
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

/** Build a line of text for errors. Screen readers announce each change of the line immediately.
 * @param {...Child} content */
export function alertText(...content) {
  return el("p", { class: "problem", role: "alert" }, ...content);
}

/** Build a line of text for progress. Screen readers announce its changes when they are idle.
 * @param {...Child} content */
export function statusText(...content) {
  return el("p", { class: "quiet", role: "status" }, ...content);
}

/** @typedef {readonly (readonly [string | number, Child])[]} Options options of a menu: pairs of value and text */

/** @param {Options} pairs @param {string | number | null} [chosen] */
export function options(pairs, chosen = null) {
  return pairs.map(([value, words]) => el("option", { value, selected: value === chosen }, words));
}

/** Make the options of a menu in which the text of each option is its value.
 * @param {readonly string[]} values @returns {[string, string][]} */
export function asOptions(values) {
  return values.map((value) => [value, value]);
}

/** Build a menu. @param {Attributes} attributes @param {Options} pairs pairs of value and shown text
 * @param {string | number | null} [chosen] the selected value
 * @param {(value: string) => void} [onChange] is called with the chosen value */
export function picker(attributes, pairs, chosen = null, onChange = () => {}) {
  const select = el("select", { change: () => onChange(select.value), ...attributes }, options(pairs, chosen));
  return select;
}
