// Collapsible parts (details elements) that stay as the person left them when the page draws them again, also for the
// next sample.

import { el } from "./dom.js";

/** @import { Child } from "./types.d.ts" */

/** @type {Set<string>} names of the parts that the person opened */
const opened = new Set();

/** Make a collapsible part.
 * @param {string} look CSS class @param {string} name names the part, also when it is drawn again
 * @param {Child} summary @param {...Child} content */
export function folded(look, name, summary, ...content) {
  const toggled = () => box.open ? opened.delete(name) : opened.add(name); // at the click, the part is not toggled yet
  const head = el("summary", { click: toggled }, summary);
  const box = el("details", { class: `folded ${look}`, open: opened.has(name) }, head, content);
  return box;
}
