// What raters should know about a study before they start.

import { isTouched } from "../shared/keys.js";
import { sentences } from "../shared/text.js";
import { termsOf } from "./terms.js";

/** @import { Study } from "../shared/types.d.ts" */

/** Build the description of a study for raters. @param {Study} study */
export function factsOf(study) {
  const { form, items, practice, is_most: isMost, veil, criteria, notice, shows_score: showsScore } = study;
  const sideBySide = form === "side_by_side";
  const names = criteria.filter((criterion) => criterion.without_image).map(({ name }) => name).join(", ");
  const score = hasNone(study)
    ? "A score says how good a caption is."
    : "A score says how well a caption fits its picture.";
  return [
    // if the study has a notice, the notice says who wrote the explanations
    showsScore &&
    sentences(score, notice ? "" : "Computer programs gave the scores and wrote the explanations."),
    ...termsOf(study),
    practice > 0 && "Practice comes before the items that count.",
    isMost &&
    (items === 1
      ? "Other raters share the items with you, so you may get none."
      : `Other raters share the items with you, so you may get fewer than ${items}.`),
    veil && names &&
    (sideBySide
      ? `The picture appears when you have answered ${names} for every evaluator, which is judged by the text and the score alone.`
      : `The picture appears when you have answered ${names}, which is judged by the text and the score alone.`),
    study.missing,
    criteria.length > 0 &&
    (isTouched()
      ? "Tap an answer to choose it. “What the points mean” above the answers shows the meaning of each point."
      : "The meaning of each point is shown next to the answers. Press a number to answer and Enter to continue."),
  ].filter(Boolean);
}

/** @param {Study} study */
function hasNone({ without_picture: missing, of_items: all }) {
  return missing === all;
}
