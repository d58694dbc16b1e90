// The meanings of a scale's points. The ends are shown beside the answers. Devices without a pointer get all meanings
// in a list.

import { el } from "../shared/dom.js";
import { remember, remembered } from "../shared/storage.js";
import { ABSTAIN, pointText } from "./answers.js";

/** @import { Criterion, Guideline, Item } from "../shared/types.d.ts" */

const MEANINGS_KEY = "capscope.meanings"; // whether each question has a list of meanings, because there is no pointer
const WITHOUT_POINTER = "(max-width: 860px), (hover: none)";

/** The points that can be chosen for an item. If its picture is missing, this includes "cannot be judged".
 * @param {Criterion} criterion @param {Pick<Item, "image_size">} item @returns {readonly Guideline[]} */
export function answersTo({ guidelines, unseen }, { image_size: size }) {
  return unseen && !size ? [...guidelines, unseen] : guidelines;
}

/** Build short texts for the ends of a criterion's scale. Screen readers skip them, because each radio button has its
 * own label.
 * @param {Criterion} criterion */
export function endsOfScale({ guidelines }) {
  const scale = guidelines.filter(({ point }) => point > ABSTAIN);
  return [scale[0], scale[scale.length - 1]].map(({ point, short }) =>
    short && el("span", { class: "end", "aria-hidden": "true" }, el("b", {}, point), ` ${short}`)
  );
}

/** Build short texts for the ends of a scale and for abstaining, as the head of a row that several answers share.
 * @param {Criterion} criterion @param {Item} item */
export function endsOfRow(criterion, item) {
  const others = answersTo(criterion, item).filter(({ point }) => point <= ABSTAIN);
  return el(
    "span",
    { class: "ends", "aria-hidden": "true" },
    endsOfScale(criterion),
    others.map(({ point, short }) => el("span", { class: "end" }, el("b", {}, pointText(point)), ` ${short}`)),
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

  /** Open or close all lists, as the rater did with one. @param {boolean} open */
  turn(open) {
    if (open === this.isOpen) return;
    this.isOpen = open;
    remember(MEANINGS_KEY, open ? "yes" : "no");
    for (const box of this.boxes) box.open = open;
  }
}
