// The phrases of a caption before a metric has compared them with the picture. They show what the caption says, but not
// whether it is right.

import { latest, post } from "../shared/api.js";
import { el } from "../shared/dom.js";

/** @import { SaidPhrase } from "../shared/wire.d.ts" */

const PAUSE_MS = 150; // ms after the last keypress, before the phrases of the caption are found again

export class SaidPhrases {
  constructor() {
    this.turn = latest();
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {string | null} the caption whose phrases are shown or requested */
    this.caption = null;
    /** @type {readonly string[]} names of the things that the phrases mention */
    this.things = [];
    this.chips = el("div", { class: "phrases", role: "group", "aria-label": "Phrases of the caption" });
    this.note = el(
      "p",
      { class: "quiet", hidden: true },
      "Phrases of the caption. They were not compared with the picture.",
    );
    this.element = el("div", {}, this.chips, this.note);
  }

  /** Show the phrases of a caption, or none.
   * @param {string} caption @param {boolean} wanted whether to show the caption's phrases */
  show(caption, wanted) {
    if (!wanted || !caption.trim()) {
      this.caption = null;
      this.put([]);
    } else if (caption !== this.caption) {
      const first = this.caption === null;
      this.caption = caption;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(caption), first ? 0 : PAUSE_MS);
    }
  }

  /** @param {string} caption */
  async ask(caption) {
    const isLast = this.turn();
    const phrases = await post("/api/phrases", { caption }).catch(() => []); // on an error, only the caption is shown
    if (isLast() && caption === this.caption) this.put(phrases);
  }

  /** @param {readonly Pick<SaidPhrase, "shown" | "things">[]} phrases */
  put(phrases) {
    this.things = phrases.flatMap(({ things }) => things);
    this.note.hidden = !phrases.length;
    this.chips.replaceChildren(...phrases.map(({ shown }) => el("span", { class: "chip phrase-said" }, shown)));
  }
}
