// The section "Captioners": which captioner writes better captions by each score, and whether metrics rank captioners
// as people do.

import { present } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";
import { bring } from "./folding.js";
import { Section } from "./in_sight.js";

/** @import { CaptionerComparison } from "../shared/wire.d.ts" */
/** @import { Looked } from "./error_sections.js" */

export class CaptionerSection {
  constructor() {
    this.part = new Section("captioners", "Captioners");
    this.section = this.part.node;
  }

  /** @param {Looked} looked */
  open({ dataset, chosen, extra, captioners }) {
    if (!captioners) return this.part.fold("This data set does not have two captioners.", bring("Import captioners"));
    this.part.fill("Comparing captioners", async (ask) => {
      const found = await ask(
        `/api/analyse/captioners?${new URLSearchParams([
          ["dataset", dataset],
          ...chosen.map(({ name }) => ["metric", name]),
          ...Object.entries(extra),
        ])}`,
      );
      return this.parts(found, present(dataset, extra.slice).join(" "));
    });
  }

  /** Return the parts of the section: remarks and tables.
   * @param {CaptionerComparison} found @param {string} name first part of the file names of saved tables */
  parts({ captioners, agreement, remarks }, name) {
    return present(
      quiet(
        "Each cell: rank, mean, 95 % interval. Intervals are bootstrapped over images, with the same images for all captioners.",
      ),
      records(captioners, { file: `${name} captioners` }),
      ...remarks.map((remark) => quiet(remark)),
      agreement.rows.length > 0 && records(agreement, { file: `${name} rankings` }),
    );
  }
}
