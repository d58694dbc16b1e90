// Names of verdicts, kinds of error and severities for sentences. Raters see them translated. The Studies page shows
// them in English.

/** @import { Sentence } from "./types.d.ts" */
/** @typedef {NonNullable<Sentence["judgement"]>} Judgement */

/** @type {[Judgement["verdict"], string][]} key and label of each verdict, in the order of the digits that give it */
export const VERDICTS = [
  ["right", "right"],
  ["wrong", "wrong"],
  ["unclear", "cannot tell from the picture"],
  ["beside", "not about the picture"],
];
/** @type {[NonNullable<Judgement["kind"]>, string][]} key and label of each kind of error, in the order of digits */
export const KINDS = [
  ["object", "object"],
  ["attribute", "attribute"],
  ["number", "number"],
  ["spatial_relation", "spatial relation"],
  ["text", "text"],
  ["named_entity", "named entity"],
];
/** @type {[NonNullable<Judgement["severity"]>, string][]} key and label of each severity, in the order of digits */
export const SEVERITIES = [["minor", "minor"], ["major", "major"]];
