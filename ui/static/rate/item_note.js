// A rater's note on an item. It is saved shortly after the rater stops typing.

import { el } from "../shared/dom.js";

/** @import { Item } from "../shared/types.d.ts" */

const PAUSE_MS = 600;
export const UNSTORABLE = /[\0\p{Surrogate}]/gu; // cannot be stored: NUL, and half an emoji at the end of a cut note

export class ItemNote {
  /** @param {Item} item @param {(text: string) => void} save gets the note without characters that cannot be stored */
  constructor(item, save) {
    this.item = item;
    this.save = save;
    /** @type {number | undefined} */
    this.timer = undefined;
    const area = el("textarea", {
      rows: 2,
      maxlength: 4000,
      "aria-label": "Note",
      input: () => this.changed(area.value),
    });
    area.value = item.note;
    const write = () => {
      if (!this.element.open) return;
      area.focus({ preventScroll: true }); // without the focus, typed digits would answer questions
      area.scrollIntoView({ block: "nearest" }); // without scrolling, the page's footer might cover the field
    };
    const onceTurned = () => this.element.addEventListener("toggle", write, { once: true });
    const summary = el("summary", { click: onceTurned }, "Note");
    this.element = el("details", { class: "note", open: item.note !== "" }, summary, area);
  }

  /** @param {string} text */
  changed(text) {
    this.item.note = text.replace(UNSTORABLE, "");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.saveNow(), PAUSE_MS);
  }

  /** Save the latest text of the note immediately. */
  saveNow() {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.save(this.item.note);
  }
}
