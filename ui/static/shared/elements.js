// Elements that most pages have: buttons, lines of text, and what is read aloud.

import { el } from "./dom.js";

/** @import { Attributes, Child } from "./types.d.ts" */

/** A button. kind: its look, as classes: "primary", "small", "quiet-button" … @param {Child} words
 * @param {(event: MouseEvent) => void} act @param {string} [kind] @param {Attributes} [more] */
export function button(words, act, kind, more) {
  return el("button", { type: "button", class: kind || null, click: act, ...more }, words);
}

/** The button that submits its form. @param {Child} words @param {string} [kind] @param {Attributes} [more] */
export function submitButton(words, kind, more) {
  return el("button", { class: kind || null, ...more }, words);
}

/** @param {...Child} content */
export function paragraph(...content) {
  return el("p", {}, ...content);
}

/** A remark in small, grey letters. @param {...Child} content */
export function quiet(...content) {
  return el("p", { class: "quiet" }, ...content);
}

/** A row of buttons. @param {...Child} buttons */
export function actions(...buttons) {
  return el("p", { class: "actions" }, ...buttons);
}

/** What went wrong; screen readers read it aloud when it changes. @param {...Child} content */
export function alertText(...content) {
  return el("p", { class: "problem", role: "alert" }, ...content);
}

/** How far something is; screen readers read it when they have time. @param {...Child} content */
export function statusText(...content) {
  return el("p", { class: "quiet", role: "status" }, ...content);
}

/** @typedef {readonly (readonly [string | number, Child])[]} Options value and words of each */

/** @param {Options} pairs @param {string | number | null} [chosen] */
export function options(pairs, chosen = null) {
  return pairs.map(([value, words]) => el("option", { value, selected: value === chosen }, words));
}

/** Options whose words are their values. @param {readonly string[]} values @returns {[string, string][]} */
export function asOptions(values) {
  return values.map((value) => [value, value]);
}

/** A choice from a list. @param {Attributes} attributes @param {Options} pairs @param {string | number | null} [chosen]
 * @param {(value: string) => void} [onChange] is called with the chosen value */
export function picker(attributes, pairs, chosen = null, onChange = () => {}) {
  const select = el("select", { change: () => onChange(select.value), ...attributes }, options(pairs, chosen));
  return select;
}
