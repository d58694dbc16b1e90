// The section that compares values printed in papers with the same values, computed from the data in this app.

import { el } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";
import { Section } from "./in_sight.js";

/** @import { Looked } from "./error_sections.js" */

export class Reproduction {
  constructor() {
    this.part = new Section("reproduction", "Printed figures of papers, computed again");
    this.section = this.part.node;
    this.dataset = "";
  }

  /** Show values that papers printed, beside the same values computed from the data in this app.
   * The values cover all data sets, and do not depend on the chosen slice (named filter) or metric. They are fetched
   * again only if the user has chosen another data set.
   * @param {Looked} looked */
  open({ dataset }) {
    if (dataset === this.dataset) return;
    this.dataset = dataset;
    this.part.fill("Comparing figures with printed figures", async (ask) => {
      const { computed, missing, remarks } = await ask("/api/analyse/reproduction");
      const others = missing.reduce((sum, { rows }) => sum + rows.length, 0);
      return [
        ...remarks.map((remark) => quiet(remark)),
        ...computed.map((table) => records(table, { file: table.title })),
        el(
          "details",
          {},
          el(
            "summary",
            {},
            `${others.toLocaleString()} printed figures whose data are missing here, and how to get these data`,
          ),
          ...missing.map((table) => records(table, { file: table.title })),
        ),
      ];
    });
  }
}
