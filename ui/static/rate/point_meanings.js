// The meanings of the points of a scale. The page always shows a few words about each point. On devices without a
// pointer, it also offers lists of all meanings.

import { el } from "../shared/dom.js";
import { remember, remembered } from "../shared/storage.js";
import { pointText } from "./answers.js";

/** @import { Criterion, Guideline, Item } from "../shared/types.d.ts" */

const MEANINGS_KEY = "capscope.meanings"; // the browser stores under this name whether the lists of meanings are open
const LONGEST_SHORT = 32; // maximum number of characters of a text that is shown below the number of a point
const WITHOUT_POINTER = "(max-width: 860px), (hover: none)";

/** Return the points that can be chosen for an item. If its picture is missing, include "cannot be judged".
 * @param {Criterion} criterion @param {Pick<Item, "image_size">} item @returns {readonly Guideline[]} */
export function answersTo({ guidelines, unseen }, { image_size: size }) {
  return unseen && !size ? [...guidelines, unseen] : guidelines;
}

/** Return the few words that are shown with a point of a scale.
 * The study may state them. Otherwise, they are the point's text if it is short.
 * @param {Guideline} guideline */
export function shortWords({ short, text }) {
  return short || (text.length <= LONGEST_SHORT ? text : "");
}

/** Build the head of a row of answers: the short texts of all points of the scale.
 * Screen readers skip the head, because each radio button has its own label.
 * @param {Criterion} criterion @param {Item} item */
export function wordsOfRow(criterion, item) {
  const points = answersTo(criterion, item).filter(shortWords);
  return el(
    "span",
    { class: "row-words", "aria-hidden": "true" },
    points.map((guideline) => el("span", {}, el("b", {}, pointText(guideline.point)), ` ${shortWords(guideline)}`)),
  );
}

/** The lists below the questions. They explain each point of a scale. All lists are opened and closed together. */
export class PointMeanings {
  /** @param {Item} item @param {boolean} isNew whether the rater has finished no item yet, so that lists start open */
  constructor(item, isNew) {
    const chosen = remembered(MEANINGS_KEY);
    this.item = item;
    this.isOpen = chosen === null ? isNew : chosen === "yes";
    /** @type {HTMLDetailsElement[]} */
    this.boxes = [];
  }

  /** Build the list that explains a criterion's points, or return null if the device has a pointer.
   * @param {Criterion} criterion */
  of(criterion) {
    if (!matchMedia(WITHOUT_POINTER).matches) return null;
    const points = answersTo(criterion, this.item);
    const box = el(
      "details",
      { class: "meanings", open: this.isOpen, toggle: () => this.turn(box.open) },
      el("summary", {}, "What the points mean"),
      el(
        "dl",
        { class: "guidelines" },
        points.map(({ point, text }) => [el("dt", {}, pointText(point)), el("dd", {}, text)]),
      ),
    );
    this.boxes.push(box);
    return box;
  }

  /** Open or close all lists after the rater has opened or closed one of them. @param {boolean} open */
  turn(open) {
    if (open === this.isOpen) return;
    this.isOpen = open;
    remember(MEANINGS_KEY, open ? "yes" : "no");
    for (const box of this.boxes) box.open = open;
  }
}
