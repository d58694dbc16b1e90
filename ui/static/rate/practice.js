// Practice items, which are not part of the results. After an answer, the rater sees the right answer. If the study
// requires right answers in practice, the rater reads why an answer is wrong and answers again.

import { get, Refused, Unreachable } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { paragraph } from "../shared/elements.js";
import { sentences } from "../shared/text.js";
import { pointText } from "./answers.js";

/** @import { Item, Study } from "../shared/types.d.ts" */
/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"GET", `/api/rate/items/${string}/feedback`>} Feedback */
/** @typedef {{criterion: string, panel: number}} Wrong a question with a wrong answer
 * panel: index of the explanation */

export class Practice {
  /** @param {Study} study @param {Item} item
   * @param {{onPassed: () => void, onTold: (wrong: Wrong[]) => void}} does onPassed: is called when the rater has given
   * the right answers that practice requires; onTold: gets the questions that the rater must answer again, and puts the
   * feedback near them */
  constructor(study, item, { onPassed, onTold }) {
    this.study = study;
    this.item = item;
    this.onPassed = onPassed;
    this.onTold = onTold;
    this.isTold = false; // true after feedback was shown, or if the rater need not wait for it
    this.isAsked = false; // whether the rater has pressed the button Next and waits for feedback
    /** @type {Set<string>} wrong answers for which the rater has already seen feedback */
    this.wrong = new Set();
    this.words = el("div", { role: "status", id: "practice-words", class: "practice-words" });
    this.element = el(
      "div",
      { class: "practice notice-line" },
      el("strong", {}, "Practice."),
      " ",
      study.practice_until_right
        ? "This item does not count. If an answer is wrong, you read why here and answer again."
        : "This item does not count. After your answers, the right ones are shown here.",
      this.words,
    );
  }

  /** Return whether the rater must still give right answers before going on. */
  mustBeRight() {
    return this.study.practice_until_right && !this.item.finished;
  }

  /** Return whether the button Next must wait. It waits once, for the feedback.
   * If the study requires right answers, it waits until the answers are right. */
  stops() {
    if (this.mustBeRight()) {
      this.tell();
      return true;
    }
    if (this.isTold) return false;
    this.isTold = this.isAsked;
    this.isAsked = true;
    if (!this.isTold) this.tell();
    return !this.isTold;
  }

  /** After the rater's answers are stored, show the right answers or say what is wrong. */
  async tell() {
    if (this.isTold) return;
    try {
      const feedback = await get(`/api/rate/items/${this.item.id}/feedback`);
      if (feedback.passed && this.mustBeRight()) this.onPassed();
      this.isTold = feedback.passed;
      this.words.replaceChildren(...(feedback.passed ? this.right(feedback) : this.again(feedback)));
      this.onTold(feedback.passed ? [] : wrongOf(feedback));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      // a failed request must not stop the rater, unless the server must confirm that the answers are right
      this.isTold = error instanceof Unreachable && !this.mustBeRight();
    }
  }

  /** @param {Feedback} feedback */
  right({ given, right, words }) {
    return [
      ...Object.entries(right).map(([key, [low, high]]) =>
        paragraph(this.line(key, given[key] ?? [], isWithin(given[key] ?? [], low, high), rangeText(low, high)))
      ),
      paragraph(sentences(words, "Press Next to continue.")),
    ];
  }

  /** Say which answers are wrong and why. After a second wrong attempt, also say what the right answers are.
   * @param {Feedback} feedback */
  again({ given, right, words }) {
    this.wrong.add(JSON.stringify(given));
    const lines = Object.entries(right).filter(([key, [low, high]]) => !isWithin(given[key] ?? [], low, high)).map(
      ([key, [low, high]]) => {
        const wanted = this.wrong.size > 1 ? rangeText(low, high) : "";
        return paragraph(this.line(key, given[key] ?? [], false, wanted));
      },
    );
    return [...lines, paragraph(sentences(words, "Please answer again."))];
  }

  /** Build the line of feedback about one question.
   * @param {string} key the criterion's key @param {readonly number[]} given the rater's points
   * @param {boolean} isRight @param {string} wanted the right answer; empty if it is not shown */
  line(key, given, isRight, wanted) {
    const name = this.study.criteria.find((criterion) => criterion.key === key)?.name ?? key;
    const said = given.map(pointText).join(", ");
    const words = wanted
      ? `${name}: you gave ${said}; right is ${wanted}.`
      : isRight
      ? `${name}: you gave ${said}.`
      : `${name}: you gave ${said}, which is wrong.`;
    return `${isRight ? "✓" : "✗"} ${words}`;
  }
}

/** @param {Feedback} feedback @returns {Wrong[]} */
function wrongOf({ given, right }) {
  return Object.entries(right).flatMap(([criterion, [low, high]]) =>
    (given[criterion] ?? []).flatMap((point, panel) => isWithin([point], low, high) ? [] : [{ criterion, panel }])
  );
}

/** Return whether all given points are within a range. @param {readonly number[]} given @param {number} low
 * @param {number} high */
function isWithin(given, low, high) {
  return given.every((point) => point >= low && point <= high);
}

/** @param {number} low @param {number} high */
function rangeText(low, high) {
  if (low === high) return String(low);
  return high - low === 1 ? `${low} or ${high}` : `${low} to ${high}`;
}
