// One table for several data sets, like the first table of papers: a row for each metric, a column for each data set.

import { el } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { begin, shown } from "../shared/long_work.js";
import { problem } from "../shared/notices.js";
import { records } from "../shared/tables.js";
import { Section } from "./in_sight.js";
import { datasetBoxes } from "./metric_boxes.js";

/** @import { Looked } from "./error_sections.js" */

const MOST = 12; // maximum number of data sets in one table
const QUICK = 50_000; // a data set with more samples than this is not chosen by default

export class SeveralDatasets {
  constructor() {
    this.part = new Section("several-datasets", "Agreement on several benchmarks");
    this.section = this.part.node;
    this.result = el("div");
    this.dataset = "";
  }

  /** Offer the judged data sets. The table does not depend on the chosen slice or metrics.
   * @param {Pick<Looked, "dataset">} looked */
  open({ dataset }) {
    if (dataset === this.dataset) return;
    this.dataset = dataset;
    this.part.fill("Looking for human judgements", async (ask) => {
      const judged = (await ask("/api/analyse/datasets")).filter((one) => one.judged).slice(0, MOST);
      if (judged.length < 2) {
        this.part.fold("Fewer than two data sets have scores and human judgements.");
        return null;
      }
      const chosen = judged.filter(({ name, samples }) => name === dataset || samples <= QUICK).map(({ name }) => name);
      const boxes = datasetBoxes(judged.map(({ name }) => name), chosen, (names) => this.show(names));
      this.result = el("div");
      this.show(chosen);
      return [
        quiet(
          "Each column is one data set, with the measure of agreement that its benchmark reports. " +
            "Each number covers all samples that the metric scored.",
        ),
        el("fieldset", { class: "metric-choices" }, boxes),
        this.result,
      ];
    });
  }

  /** @param {string[]} names */
  async show(names) {
    const result = this.result, asked = new URLSearchParams(names.map((name) => ["dataset", name]));
    this.asked = String(asked);
    result.replaceChildren();
    try {
      const path = /** @type {const} */ (`/api/analyse/several?${asked}`);
      const { table, remarks } = await shown(result, begin(path), "Computing the table");
      if (this.asked !== String(asked)) return; // the user has chosen other data sets meanwhile
      result.replaceChildren(records(table, { file: "several data sets" }), ...remarks.map((remark) => quiet(remark)));
    } catch (error) {
      if (this.asked === String(asked)) result.replaceChildren(problem(error, () => this.show(names)));
    }
  }
}
