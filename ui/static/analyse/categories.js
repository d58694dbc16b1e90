// Errors of the chosen scores, and their agreement with people, in categories of samples. The categories are levels of
// human judgement, caption lengths, kinds of words in captions, and error codes.

import { quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";
import { Section } from "./in_sight.js";

/** @import { Looked } from "./error_sections.js" */

export class Categories {
  constructor() {
    this.part = new Section("categories", "By category");
    this.section = this.part.node;
  }

  /** @param {Looked} looked */
  open({ dataset, metrics, extra }) {
    this.part.fill("Computing categories", async (ask) => {
      const tables = await ask(
        `/api/analyse/categories?${new URLSearchParams([
          ["dataset", dataset],
          ...metrics.map(({ name }) => ["metric", name]),
          ...Object.entries(extra),
        ])}`,
      );
      if (!tables.length) return this.part.fold("No sample here has a score and a human judgement."), null;
      const name = [dataset, extra.slice].filter(Boolean).join(" ");
      return [
        quiet(
          "A caption can have several kinds of words. " +
            "Within a single level of human judgement, τ has little meaning, because the judgements hardly differ.",
        ),
        ...tables.map((table) => records(table, { file: `${name} ${table.title}` })),
      ];
    });
  }
}
