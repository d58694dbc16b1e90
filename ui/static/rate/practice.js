// Practice items. They do not count. After an answer, the rater sees the right one.

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
    this.isTold = false; // or there is no feedback
    this.isAsked = false; // the rater pressed Next and waits for feedback
    this.words = el("div", { role: "status" });
    this.element = el(
      "div",
      { class: "practice notice-line" },
      el("strong", {}, "Practice. "),
      "This item does not count. After your answers, the right ones are shown here.",
      this.words,
    );
  }

  /** Whether Next must wait for the feedback; once at most. */
  stops() {
    if (this.isTold) return false;
    this.isTold = this.isAsked;
    this.isAsked = true;
    if (!this.isTold) this.tell();
    return !this.isTold;
  }

  /** Show the right answers, after the rater's are stored. */
  async tell() {
    if (this.isTold) return;
    try {
      const { given, right, words } = await get(`/api/rate/items/${this.item.id}/feedback`);
      this.isTold = true;
      this.words.replaceChildren(
        ...Object.entries(right).map(([key, [low, high]]) => paragraph(this.line(key, given[key] ?? [], low, high))),
        paragraph(`${words} Press Next to continue.`),
      );
      this.element.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      this.isTold = error instanceof Unreachable; // a failure must not stop the rater
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
