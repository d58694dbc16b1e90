// Builds the parts of the Analyse page and arranges them on the page.

import { el, field } from "../shared/dom.js";
import { picker } from "../shared/elements.js";
import { contents } from "./contents.js";
import { Agreement } from "./correlations.js";
import { DatasetNotes } from "./dataset_notes.js";
import { ErrorList } from "./error_list.js";
import { MetricChoice } from "./metric_choice.js";
import { PlotPanel } from "./plot_panel.js";
import { reportButton } from "./report_button.js";
import { SampleBeside } from "./sample_beside.js";
import { SliceChoice } from "./slices.js";
import { StudyResults } from "./study_results.js";

/** @import { ScoredDataset } from "../shared/wire.d.ts" */
/** @import { ErrorSections } from "./error_sections.js" */
/** @import { PageState } from "./page_state.js" */
/** @typedef {object} Does callbacks for the parts of the page
 * @property {(changes: Partial<PageState>, newDataset?: boolean) => void} change changes the page's state
 * @property {(sample: number) => void} opened is called with the id of a sample when it is shown
 * @property {(plot: string) => void} turned is called with the name of a plot when it is chosen
 * @property {(slice: string) => void} sliced is called with the name of a new slice (a named subset of samples), or
 * with "" after a slice was removed */

/** Return the default option of the menu for the evaluation convention: the data set's own rule.
 * The option's text names the benchmark from whose files the data set was imported. It omits the benchmark if the data
 * set has the same name.
 * @param {Pick<ScoredDataset, "name" | "benchmark">} of @returns {[string, string]} */
export function byDataset({ name, benchmark }) {
  return ["", `by the data set’s rule${benchmark && benchmark !== name ? ` (${benchmark})` : ""}`];
}

export class PageParts {
  /** @param {ScoredDataset[]} scored @param {string} chosen name of the shown data set @param {Does} does */
  constructor(scored, chosen, does) {
    /** @type {[string, string][]} */
    const counted = scored.map(({ name, samples }) => [name, `${name} (${samples.toLocaleString()})`]);
    const dataset = picker({ id: "dataset" }, counted, chosen, (name) => {
      does.change({ dataset: name, metric: [], slice: "", sample: null }, true);
    });
    this.benchmark = picker(
      { id: "benchmark" },
      [byDataset({ name: "", benchmark: null })],
      "",
      (benchmark) => does.change({ benchmark }),
    );
    this.slices = new SliceChoice((slice) => does.change({ slice }), does.sliced);
    this.notes = new DatasetNotes();
    this.reading = el("div");
    this.metrics = new MetricChoice((changes) => does.change(changes));
    this.beside = new SampleBeside(does.opened);
    const show = (/** @type {number} */ id, byPointer = false) => this.beside.show([id], 0, byPointer);
    this.plots = new PlotPanel(
      (ids) => this.beside.show([...ids]),
      does.turned,
      does.sliced,
    );
    this.agreement = new Agreement();
    this.errors = new ErrorList(show);
    /** @type {ErrorSections | null} sections that are created only after the plot is drawn */
    this.others = null;
    this.othersBelow = el("div");
    this.studies = new StudyResults();
    this.columns = el(
      "div",
      { class: "analyse-columns" },
      el("div", { class: "analyse-main" }, this.plots.section, this.errors.section),
      this.beside.section,
    );
    const page = el(
      "div",
      { class: "analyse-page-parts" },
      el("div", { class: "analyse-head" }, el("h1", {}, "Analyse"), reportButton(() => dataset.value)),
      el(
        "div",
        { class: "search" },
        field("Data set", dataset),
        field("Convention", this.benchmark),
        this.slices.node,
      ),
      this.notes.instead,
      this.notes.notice,
      this.notes.offer,
      this.reading,
      this.metrics.node,
      this.notes.unscored,
      this.agreement.section,
      this.columns,
      this.othersBelow,
      this.errors.results.section,
      this.studies.section,
    );
    this.element = el("div", { class: "analyse" }, contents(page), page);
  }
}
