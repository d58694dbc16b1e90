// Names of verdicts, kinds of error and severities for sentences. Raters see them translated. The Studies page shows
// them in English.

import { later } from "./text.js";

/** @import { Sentence } from "./types.d.ts" */
/** @typedef {NonNullable<Sentence["judgement"]>} Judgement */

/** @type {[Judgement["verdict"], string][]} key and label of each verdict, in the order of the digits that give it */
export const VERDICTS = [
  ["right", later("right")],
  ["wrong", later("wrong")],
  ["unclear", later("cannot tell from the picture")],
  ["beside", later("not about the picture")],
];
/** @type {[NonNullable<Judgement["kind"]>, string][]} key and label of each kind of error, in the order of digits */
export const KINDS = [
  ["object", later("object")],
  ["attribute", later("attribute")],
  ["number", later("number")],
  ["spatial_relation", later("spatial relation")],
  ["text", later("text")],
  ["named_entity", later("named entity")],
];
/** @type {[NonNullable<Judgement["severity"]>, string][]} key and label of each severity, in the order of digits */
export const SEVERITIES = [["minor", later("minor")], ["major", later("major")]];
