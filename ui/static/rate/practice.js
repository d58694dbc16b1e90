// A practice item: it does not count, and once it is answered its rater is told what would have been right.

import { get, Refused, Unreachable } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { paragraph } from "../shared/elements.js";
import { pointText } from "./answers.js";

/** @import { Item, Study } from "../shared/types.d.ts" */

export class Practice {
  /** @param {Study} study @param {Item} item */
  constructor(study, item) {
    this.study = study;
    this.item = item;
    this.isTold = false; // or nothing can be told
    this.isAsked = false; // Next was pressed for it
    this.words = el("div", { role: "status" });
    this.element = el(
      "div",
      { class: "practice notice-line" },
      el("strong", {}, "Practice. "),
      "This item does not count. Once you have answered, you are told here what would have been right.",
      this.words,
    );
  }

  /** Whether going on waits for what is told; once at most. */
  stops() {
    if (this.isTold) return false;
    this.isTold = this.isAsked;
    this.isAsked = true;
    if (!this.isTold) this.tell();
    return !this.isTold;
  }

  /** Tell what would have been right, once the answers are stored. */
  async tell() {
    if (this.isTold) return;
    try {
      const { given, right, words } = await get(`/api/rate/items/${this.item.id}/feedback`);
      this.isTold = true;
      this.words.replaceChildren(
        ...Object.entries(right).map(([key, [low, high]]) => paragraph(this.line(key, given[key] ?? [], low, high))),
        paragraph(`${words} Press Next to go on.`),
      );
      this.element.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      this.isTold = error instanceof Unreachable; // nobody is held up by it
    }
  }

  /** @param {string} key @param {readonly number[]} given @param {number} low @param {number} high */
  line(key, given, low, high) {
    const name = this.study.criteria.find((criterion) => criterion.key === key)?.name ?? key;
    const isRight = given.every((point) => point >= low && point <= high);
    const wanted = low === high ? String(low) : `${low} ${high - low === 1 ? "or" : "to"} ${high}`;
    return `${isRight ? "✓" : "✗"} ${name}: you gave ${given.map(pointText).join(", ")}; right is ${wanted}.`;
  }
}
