// Merge answers into an item, and check whether the item has all of them.

/** @import { Criterion, Item, Panel, QueuedItem, Save, Sentence, Study } from "../shared/types.d.ts" */

export const ABSTAIN = 0;
export const NO_PICTURE = -1; // point that means: the rater could not judge, because the item's picture is missing

/** Merge a rating into its panel. In a comparison of two panels, the first panel gets the reversed point.
 * @param {{panel: number, criterion: string, point: number}} save @param {Pick<Item, "panels">} item
 * @param {Criterion | undefined} criterion */
export function lay({ panel, criterion: key, point }, { panels }, criterion) {
  panels[panel - 1].answers[key] = point;
  if (!criterion?.compares) return;
  const best = criterion.guidelines.filter((guideline) => guideline.point > ABSTAIN).length;
  panels[0].answers[key] = point <= ABSTAIN ? point : best + 1 - point;
}

/** Merge a rater's answer into its item. Ignore an answer to a panel or sentence that the item does not have.
 * @param {Save} save @param {QueuedItem} item @param {Study} study */
export function apply(save, item, { criteria }) {
  const { kind, panel: number = 0, criterion, point, sentence: place = 0, said } = save;
  const panel = item.panels[number - 1], sentence = panel?.sentences?.[place - 1];
  if (kind === "reveal") item.revealed = true;
  if (kind === "note") item.note = save.text ?? "";
  if (kind === "report") item.report = /** @type {QueuedItem["report"]} */ (said ?? null);
  if (kind === "rating" && panel && criterion !== undefined && point !== undefined) {
    lay({ panel: number, criterion, point }, item, criteria.find(({ key }) => key === criterion));
  }
  if (kind === "whole" && panel) panel.remark = /** @type {Panel["remark"]} */ (said);
  if (kind === "sentence" && sentence) sentence.judgement = /** @type {Sentence["judgement"]} */ (said);
}

/** Whether a sentence's judgement is complete. An error also needs its kind and its severity. @param {Pick<Sentence,
 * "judgement">} sentence */
export function isSaid({ judgement }) {
  if (!judgement) return false;
  return judgement.verdict !== "wrong" || Boolean(judgement.kind && judgement.severity);
}

/** Return what a rater has not marked on a wrong sentence whose judgement is otherwise complete.
 * Without a picture, no place can be marked.
 * @param {Pick<Sentence, "judgement">} sentence @param {Pick<Item, "image">} item @returns {("words" | "place")[]} */
export function notMarked(sentence, { image }) {
  const { judgement } = sentence;
  if (judgement?.verdict !== "wrong" || !isSaid(sentence)) return [];
  return [
    ...(judgement.start === null ? /** @type {const} */ (["words"]) : []),
    ...(image && !judgement.place ? /** @type {const} */ (["place"]) : []),
  ];
}

/** Whether every question about every panel has an answer, and every sentence a complete judgement.
 * @param {Pick<Study, "criteria">} study @param {Pick<Item, "panels">} item */
export function isComplete({ criteria }, { panels }) {
  return panels.every(({ answers, sentences }) =>
    criteria.every(({ key }) => key in answers) && (sentences ?? []).every(isSaid)
  );
}

/** Whether a rater has finished an item, or skipped it. If practice must be right, only the server's feedback finishes a practice item.
 * @param {Pick<Study, "criteria" | "practice_until_right">} study
 * @param {Pick<Item, "panels" | "practice" | "finished" | "report">} item */
export function isDone(study, item) {
  if (item.report?.skip) return true;
  return item.practice && study.practice_until_right ? item.finished : isComplete(study, item);
}

/** Whether every question that is answered without the picture has an answer.
 * @param {Pick<Study, "criteria">} study @param {Pick<Item, "panels">} item */
export function isUnveiled({ criteria }, { panels }) {
  const blind = criteria.filter((criterion) => criterion.without_image);
  return panels.every(({ answers }) => blind.every(({ key }) => key in answers));
}

/** Whether a question is answered only after the picture is shown. @param {Criterion} criterion */
export function waitsForPicture({ without_image: without, needs_picture: needs }) {
  return needs && !without;
}

/** What raters see and press for a point: its digit, or N for a missing picture. @param {number} point */
export function pointText(point) {
  return point === NO_PICTURE ? "N" : String(point);
}
