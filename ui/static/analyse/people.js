// Shows how well people agree with one another about the captions. This agreement is the standard for a metric's
// agreement with people.

import { quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";
import { bringJudgements } from "./folding.js";
import { Section } from "./in_sight.js";

/** @import { Looked } from "./error_sections.js" */

export class People {
  constructor() {
    this.part = new Section("people", "How well people agree with one another");
    this.section = this.part.node;
  }

  /** @param {Looked} looked */
  open({ dataset, extra }) {
    this.part.fill("Comparing people’s judgements", async (ask) => {
      const { coefficients, taus, remarks } = await ask(
        `/api/analyse/people?${new URLSearchParams({ dataset, ...extra })}`,
      );
      if (!taus.rows.length) {
        this.part.fold("No caption here has two judgements, so there is nothing to compare.", bringJudgements());
        return null;
      }
      const name = [dataset, extra.slice].filter(Boolean).join(" ");
      return [
        records(taus, { file: `${name} people as a metric` }),
        records(coefficients, { file: `${name} people` }),
        ...remarks.map((remark) => quiet(remark)),
      ];
    });
  }
}
