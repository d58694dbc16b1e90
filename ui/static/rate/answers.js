// Answers laid over an item, and whether it has all of them.

/** @import { Criterion, Item, Panel, Save, Sentence, Study } from "../shared/types.d.ts" */

const ABSTAIN = 0;

/** Lay a rating over its panel; where two are compared, the first one gets the mirrored point.
 * @param {Pick<Save, "panel" | "criterion" | "point">} save @param {Pick<Item, "panels">} item
 * @param {Criterion | undefined} criterion */
export function lay({ panel, criterion: key, point }, { panels }, criterion) {
  panels[panel - 1].answers[key] = point;
  if (!criterion?.compares) return;
  const best = criterion.guidelines.filter((guideline) => guideline.point !== ABSTAIN).length;
  panels[0].answers[key] = point === ABSTAIN ? ABSTAIN : best + 1 - point;
}

/** Lay what is said of a sentence, or of the whole explanation, over its panel.
 * @param {Pick<Save, "panel" | "sentence" | "said">} save @param {Pick<Item, "panels">} item */
export function layEvidence({ panel: place, sentence, said }, { panels }) {
  const panel = panels[place - 1];
  if (sentence === undefined) panel.remark = /** @type {Panel["remark"]} */ (said);
  else panel.sentences[sentence - 1].judgement = /** @type {Sentence["judgement"]} */ (said);
}

/** Lay what a rater did over its item. @param {Save} save @param {Item} item @param {Study} study */
export function apply(save, item, { criteria }) {
  if (save.kind === "rating") lay(save, item, criteria.find(({ key }) => key === save.criterion));
  if (save.kind === "sentence" || save.kind === "whole") layEvidence(save, item);
  if (save.kind === "reveal") item.revealed = true;
  if (save.kind === "note") item.note = save.text;
}

/** Whether all is said of a sentence: of an error its kind and how bad it is, too. @param {Pick<Sentence, "judgement">} sentence */
export function isSaid({ judgement }) {
  return Boolean(judgement) && (judgement.verdict !== "wrong" || Boolean(judgement.kind && judgement.severity));
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
