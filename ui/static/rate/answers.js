// Answers laid over an item, and whether it has all of them.

/** @import { Criterion, Item, Panel, Save, Sentence, Study } from "../shared/types.d.ts" */

export const ABSTAIN = 0;
export const NO_PICTURE = -1; // not judged, because the item's picture is missing

/** Lay a rating over its panel; where two are compared, the first one gets the mirrored point.
 * @param {Pick<Save, "panel" | "criterion" | "point">} save @param {Pick<Item, "panels">} item
 * @param {Criterion | undefined} criterion */
export function lay({ panel, criterion: key, point }, { panels }, criterion) {
  panels[panel - 1].answers[key] = point;
  if (!criterion?.compares) return;
  const best = criterion.guidelines.filter((guideline) => guideline.point > ABSTAIN).length;
  panels[0].answers[key] = point <= ABSTAIN ? point : best + 1 - point;
}

/** Lay what is said of a sentence, or of the whole explanation, over its panel.
 * @param {Pick<Save, "panel" | "sentence" | "said">} save @param {Pick<Item, "panels">} item */
export function layEvidence({ panel: place, sentence, said }, { panels }) {
  const panel = panels[place - 1];
  if (sentence === undefined) panel.remark = /** @type {Panel["remark"]} */ (said);
  else panel.sentences[sentence - 1].judgement = /** @type {Sentence["judgement"]} */ (said);
}

/** Lay what a rater did over its item; nothing where the item has no such panel or sentence.
 * @param {Save} save @param {Item} item @param {Study} study */
export function apply(save, item, { criteria }) {
  const panel = item.panels[save.panel - 1], isOf = save.kind !== "reveal" && save.kind !== "note";
  if (isOf && (!panel || (save.kind === "sentence" && !panel.sentences?.[save.sentence - 1]))) return;
  if (save.kind === "rating") lay(save, item, criteria.find(({ key }) => key === save.criterion));
  if (save.kind === "sentence" || save.kind === "whole") layEvidence(save, item);
  if (save.kind === "reveal") item.revealed = true;
  if (save.kind === "note") item.note = save.text;
}

/** Whether all is said of a sentence: of an error its kind and how bad it is, too. @param {Pick<Sentence, "judgement">} sentence */
export function isSaid({ judgement }) {
  return Boolean(judgement) && (judgement.verdict !== "wrong" || Boolean(judgement.kind && judgement.severity));
}

/** What a rater has not marked of a wrong sentence although all else is said; without a picture there is no place to mark.
 * @param {Pick<Sentence, "judgement">} sentence @param {Pick<Item, "image">} item @returns {("words" | "place")[]} */
export function notMarked(sentence, { image }) {
  const { judgement } = sentence;
  if (judgement?.verdict !== "wrong" || !isSaid(sentence)) return [];
  return [
    ...(judgement.start === null ? /** @type {const} */ (["words"]) : []),
    ...(image && !judgement.place ? /** @type {const} */ (["place"]) : []),
  ];
}

/** Whether every question about every panel of an item has an answer, and all is said of every sentence.
 * @param {Pick<Study, "criteria">} study @param {Pick<Item, "panels">} item */
export function isComplete({ criteria }, { panels }) {
  return panels.every(({ answers, sentences }) =>
    criteria.every(({ key }) => key in answers) && (sentences ?? []).every(isSaid)
  );
}

/** Whether every question that is judged without the picture has an answer.
 * @param {Pick<Study, "criteria">} study @param {Pick<Item, "panels">} item */
export function isUnveiled({ criteria }, { panels }) {
  const blind = criteria.filter((criterion) => criterion.without_image);
  return panels.every(({ answers }) => blind.every(({ key }) => key in answers));
}

/** Whether a question is answered only once the picture is shown. @param {Criterion} criterion */
export function waitsForPicture({ without_image: without, needs_picture: needs }) {
  return needs && !without;
}

/** What raters see and press for a point: its digit, or N for a missing picture. @param {number} point */
export function pointText(point) {
  return point === NO_PICTURE ? "N" : String(point);
}
