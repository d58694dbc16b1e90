// Tables of what raters said of sentences, for the Studies and the Analyse page.

import { quiet } from "./elements.js";
import { records } from "./tables.js";

/** @import { EvidenceResults } from "./wire.d.ts" */

/** How many judgements by how many raters. @param {EvidenceResults} found */
export function evidenceText({ judgements, raters }) {
  const by = `${raters} ${raters === 1 ? "rater" : "raters"}`;
  return `${judgements.toLocaleString()} judgements of sentences by ${by}. Intervals resample items.`;
}

/** What raters said, how far they agree, where they marked errors, how long they took.
 * @param {EvidenceResults} found @param {string} study its name, for the names of files */
export function evidenceTables(found, study) {
  return [
    quiet(evidenceText(found)),
    records(found.shares, { file: `${study} sentences` }),
    records(found.agreement, { file: `${study} agreement on evidence` }),
    found.places.rows.length > 0 && records(found.places, { file: `${study} marked places` }),
    records(found.rater_table, { file: `${study} raters of sentences` }),
  ].filter(Boolean);
}
