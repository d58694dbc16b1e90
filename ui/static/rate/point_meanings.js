// What the points of a scale mean: their ends beside the answers, and all of them where there is no pointer to hold over them.

import { el } from "../shared/dom.js";
import { remember, remembered } from "../shared/storage.js";
import { ABSTAIN, pointText } from "./answers.js";

/** @import { Criterion, Guideline, Item } from "../shared/types.d.ts" */

const MEANINGS_KEY = "capscope.meanings"; // whether the points' sentences stand under each question, where there is no pointer
const WITHOUT_POINTER = "(max-width: 860px), (hover: none)";

/** What can be answered about an item: where the picture is missing, also that it cannot be judged without it.
 * @param {Criterion} criterion @param {Pick<Item, "image_size">} item @returns {readonly Guideline[]} */
export function answersTo({ guidelines, unseen }, { image_size: size }) {
  return unseen && !size ? [...guidelines, unseen] : guidelines;
}

/** What the ends of a criterion's scale mean, in a few words: elements for the eye, as each radio bears its own.
 * @param {Criterion} criterion */
export function endsOfScale({ guidelines }) {
  const scale = guidelines.filter(({ point }) => point > ABSTAIN);
  return [scale[0], scale[scale.length - 1]].map(({ point, short }) =>
    short && el("span", { class: "end", "aria-hidden": "true" }, el("b", {}, point), ` ${short}`)
  );
}

/** What the ends of a criterion's scale mean, and abstaining, for the head of a row that several answers share.
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

/** The sentences of the points under each question; all of them are open, or none. */
export class PointMeanings {
  /** @param {Item} item @param {boolean} isNew the rater has finished no item yet: open them */
  constructor(item, isNew) {
    const chosen = remembered(MEANINGS_KEY);
    this.item = item;
    this.isOpen = chosen === null ? isNew : chosen === "yes";
    /** @type {HTMLDetailsElement[]} */
    this.boxes = [];
  }

  /** The sentences of a criterion's points; null where there is a pointer to hold over them. @param {Criterion} criterion */
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

  /** Open or close all of them, as the rater has done with one. @param {boolean} open */
  turn(open) {
    if (open === this.isOpen) return;
    this.isOpen = open;
    remember(MEANINGS_KEY, open ? "yes" : "no");
    for (const box of this.boxes) box.open = open;
  }
}
