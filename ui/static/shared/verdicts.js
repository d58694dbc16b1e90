// Names of verdicts, kinds of error and severities for sentences.

/** @import { Sentence } from "./types.d.ts" */
/** @typedef {NonNullable<Sentence["judgement"]>} Judgement */

/** @type {[Judgement["verdict"], string][]} in the order of their digits */
export const VERDICTS = [
  ["right", "right"],
  ["wrong", "wrong"],
  ["unclear", "cannot tell from the picture"],
  ["beside", "not about the picture"],
];
/** @type {[NonNullable<Judgement["kind"]>, string][]} in the order of their digits */
export const KINDS = [
  ["object", "object"],
  ["attribute", "attribute"],
  ["number", "number"],
  ["spatial_relation", "spatial relation"],
  ["text", "text"],
  ["named_entity", "named entity"],
];
/** @type {[NonNullable<Judgement["severity"]>, string][]} in the order of their digits */
export const SEVERITIES = [["minor", "minor"], ["major", "major"]];
