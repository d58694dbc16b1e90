// Which instructions and worked examples a rater has read in this browser.

import { remember, remembered } from "../shared/storage.js";

/** @import { Rater, Study } from "../shared/types.d.ts" */
/** @typedef {"read" | "example"} Text the study's instructions, or its worked example */

export class ReadTexts {
  constructor() {
    /** @type {Set<string>} texts that were read on this page, even if the browser stores nothing */
    this.here = new Set();
  }

  /** Whether the rater has read a text of the study. @param {Text} text @param {Study} study @param {Rater | null} rater */
  has(text, study, rater) {
    const key = keyOf(text, study, rater);
    return this.here.has(key) || remembered(key) !== null;
  }

  /** Record that the rater has read a text. @param {Text} text @param {Study} study @param {Rater | null} rater */
  add(text, study, rater) {
    const key = keyOf(text, study, rater);
    this.here.add(key);
    remember(key, "1");
  }
}

/** @param {Text} text @param {Study} study @param {Rater | null} rater */
function keyOf(text, { id }, rater) {
  return `capscope.${text}.${id}.${rater?.code ?? ""}`;
}
