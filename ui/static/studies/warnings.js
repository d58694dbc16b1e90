// Warnings about a study's settings.

import { el } from "../shared/dom.js";

/** @param {string} text */
export function warningLine(text) {
  return el("p", { class: "notice-line" }, text);
}
