// Tables of raters' judgements of sentences, for the pages Studies and Analyse.

import { quiet } from "./elements.js";
import { records } from "./tables.js";

/** @import { EvidenceResults } from "./wire.d.ts" */

/** State the number of judgements and raters. @param {EvidenceResults} found */
function evidenceText({ judgements, raters }) {
  const by = `${raters} ${raters === 1 ? "rater" : "raters"}`;
  return `${judgements.toLocaleString()} judgements of sentences by ${by}. Intervals are bootstrapped over items.`;
}

/** Build the tables: verdicts, agreement, positions that raters marked as wrong, and raters' times.
 * @param {EvidenceResults} found @param {string} study name of the study, used in file names */
export function evidenceTables(found, study) {
  return [
    quiet(evidenceText(found)),
    records(found.shares, { file: `${study} sentences` }),
    records(found.agreement, { file: `${study} agreement on evidence` }),
    found.places.rows.length > 0 && records(found.places, { file: `${study} marked places` }),
    records(found.rater_table, { file: `${study} raters of sentences` }),
  ].filter(Boolean);
}
