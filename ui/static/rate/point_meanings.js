// The meanings of a scale's points. A few words of each point are always in sight. Devices without a pointer get all
// meanings in a list.

import { el } from "../shared/dom.js";
import { remember, remembered } from "../shared/storage.js";
import { t } from "../shared/text.js";
import { pointText } from "./answers.js";

/** @import { Criterion, Guideline, Item } from "../shared/types.d.ts" */

const MEANINGS_KEY = "capscope.meanings"; // whether each question has a list of meanings, because there is no pointer
const LONGEST_SHORT = 32; // characters of a point's text that can stand beneath its number
const WITHOUT_POINTER = "(max-width: 860px), (hover: none)";

/** The points that can be chosen for an item. If its picture is missing, this includes "cannot be judged".
 * @param {Criterion} criterion @param {Pick<Item, "image_size">} item @returns {readonly Guideline[]} */
export function answersTo({ guidelines, unseen }, { image_size: size }) {
  return unseen && !size ? [...guidelines, unseen] : guidelines;
}

/** The few words shown with a point: the study's form may state them; else the point's text, if it is short.
 * @param {Guideline} guideline */
export function shortWords({ short, text }) {
  return short || (text.length <= LONGEST_SHORT ? text : "");
}

/** Build the short texts of all points, as the head of a row that several answers share. Screen readers skip them,
 * because each radio button has its own label.
 * @param {Criterion} criterion @param {Item} item */
export function wordsOfRow(criterion, item) {
  const points = answersTo(criterion, item).filter(shortWords);
  return el(
    "span",
    { class: "row-words", "aria-hidden": "true" },
    points.map((guideline) => el("span", {}, el("b", {}, pointText(guideline.point)), ` ${shortWords(guideline)}`)),
  );
}

/** The lists of meanings under the questions. All lists are open, or none. */
export class PointMeanings {
  /** @param {Item} item @param {boolean} isNew the rater has finished no item yet: open the lists */
  constructor(item, isNew) {
    const chosen = remembered(MEANINGS_KEY);
    this.item = item;
    this.isOpen = chosen === null ? isNew : chosen === "yes";
    /** @type {HTMLDetailsElement[]} */
    this.boxes = [];
  }

  /** Build the list of a criterion's meanings; null if the device has a pointer. @param {Criterion} criterion */
  of(criterion) {
    if (!matchMedia(WITHOUT_POINTER).matches) return null;
    const points = answersTo(criterion, this.item);
    const box = el(
      "details",
      { class: "meanings", open: this.isOpen, toggle: () => this.turn(box.open) },
      el("summary", {}, t("What the points mean")),
      el(
        "dl",
        { class: "guidelines" },
        points.map(({ point, text }) => [el("dt", {}, pointText(point)), el("dd", {}, text)]),
      ),
    );
    this.boxes.push(box);
    return box;
  }

  /** Open or close all lists, after the rater opened or closed one. @param {boolean} open */
  turn(open) {
    if (open === this.isOpen) return;
    this.isOpen = open;
    remember(MEANINGS_KEY, open ? "yes" : "no");
    for (const box of this.boxes) box.open = open;
  }
}
