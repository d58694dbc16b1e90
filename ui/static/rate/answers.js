// Puts a rater's answers into their item, and checks whether the item has all necessary answers.

/** @import { Criterion, Item, QueuedItem, Save, Study } from "../shared/types.d.ts" */

export const ABSTAIN = 0;
export const NO_PICTURE = -1; // stored instead of a point if the rater cannot judge, because the picture is missing

/** Store a rating in its panel (the part of an item that shows one explanation or caption).
 * If the question compares two panels, also store the mirrored point in the first panel. It is at the same distance
 * from the other end of the scale.
 * @param {{panel: number, criterion: string, point: number}} save @param {Pick<Item, "panels">} item
 * @param {Criterion | undefined} criterion */
export function lay({ panel, criterion: key, point }, { panels }, criterion) {
  panels[panel - 1].answers[key] = point;
  if (!criterion?.compares) return;
  const best = criterion.guidelines.filter((guideline) => guideline.point > ABSTAIN).length;
  panels[0].answers[key] = point <= ABSTAIN ? point : best + 1 - point;
}

/** Store a rater's answer in its item. Ignore an answer to a panel that the item does not have.
 * @param {Save} save @param {QueuedItem} item @param {Study} study */
export function apply(save, item, { criteria }) {
  const { kind, panel: number = 0, criterion, point, said } = save;
  const panel = item.panels[number - 1];
  if (kind === "reveal") item.revealed = true;
  if (kind === "note") item.note = save.text ?? "";
  if (kind === "report") item.report = /** @type {QueuedItem["report"]} */ (said ?? null);
  if (kind === "rating" && panel && criterion !== undefined && point !== undefined) {
    lay({ panel: number, criterion, point }, item, criteria.find(({ key }) => key === criterion));
  }
}

/** Return whether a rater has skipped an item, or has answered every question about every panel.
 * @param {Pick<Study, "criteria">} study @param {Pick<Item, "panels" | "report">} item */
export function isDone({ criteria }, { panels, report }) {
  return report?.skip || panels.every(({ answers }) => criteria.every(({ key }) => key in answers));
}

/** Return whether every question that must be answered before the picture is shown has an answer.
 * @param {Pick<Study, "criteria">} study @param {Pick<Item, "panels">} item */
export function isUnveiled({ criteria }, { panels }) {
  const blind = criteria.filter((criterion) => criterion.without_image);
  return panels.every(({ answers }) => blind.every(({ key }) => key in answers));
}

/** Return whether a question can be answered only after the picture is shown. @param {Criterion} criterion */
export function waitsForPicture({ without_image: without, needs_picture: needs }) {
  return needs && !without;
}

/** Return the sign that raters see and press for a point of the scale: its digit, or N for a missing picture.
 * @param {number} point */
export function pointText(point) {
  return point === NO_PICTURE ? "N" : String(point);
}
