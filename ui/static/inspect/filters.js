// The form for the filters and the order of the list of samples.

import { get } from "../shared/api.js";
import { el, field } from "../shared/dom.js";
import { asOptions, options } from "../shared/elements.js";
import { SORTS } from "./address.js";

/** @import { DatasetSummary, Filters } from "../shared/wire.d.ts" */
/** @import { Address } from "./address.js" */
/** @typedef {"dataset" | "metric" | "sort" | "code" | "system" | "slice"} Chosen */

const PAUSE_MS = 250; // ms after the last keypress, before the search starts
/** Filters whose values depend on the data set. */
const OF_DATASET = /** @type {const} */ ([
  ["system", "Captioner", "systems"],
  ["code", "Error code", "codes"],
  ["slice", "Slice", "slices"],
]);

export class FilterForm {
  /** @param {DatasetSummary[]} datasets @param {Address} state filters and order of the list
   * @param {(changes: Partial<Address>) => Promise<void>} change is called with the filters that changed */
  constructor(datasets, state, change) {
    this.datasets = datasets;
    this.state = state;
    this.change = change;
    /** @type {Record<Chosen, HTMLSelectElement>} */
    this.selects = /** @type {any} */ ({});
    /** @type {Partial<Filters>} values of the chosen data set by which the list can be filtered */
    this.values = {};
    this.bounds = /** @type {const} */ (["lowest", "highest"]).map((name) =>
      this.typed(name, { type: "number", step: "any", "aria-label": `${name} score`, placeholder: name })
    );
    const title = "Words of the caption, or the picture’s name";
    this.element = el(
      "div",
      { class: "search" },
      field("Data set", this.select("dataset")),
      field("Search", this.typed("text", { type: "search", placeholder: "words", title })),
      field("Scored by", this.select("metric"), el("span", { class: "bounds" }, this.bounds[0], "to", this.bounds[1])),
      field("Order", this.select("sort")),
      el(
        "details",
        { class: "more-filters", open: OF_DATASET.some(([name]) => state[name]) },
        el("summary", {}, "More filters"),
        OF_DATASET.map(([name, label]) => field(label, this.select(name))),
      ),
    );
    this.fill();
    this.ask();
  }

  /** @param {Chosen} name */
  select(name) {
    return this.selects[name] = el("select", { id: name, change: () => this.choose(name, this.selects[name].value) });
  }

  /** Make a text field that changes the search shortly after the last keypress.
   * @param {"text" | "lowest" | "highest"} name @param {Record<string, any>} attributes */
  typed(name, attributes) {
    /** @type {number | undefined} */
    let timer;
    const input = el("input", {
      id: name,
      value: this.state[name],
      ...attributes,
      input: () => {
        clearTimeout(timer);
        timer = setTimeout(() => input.isConnected && this.change({ [name]: input.value }), PAUSE_MS);
      },
    });
    return input;
  }

  /** Change a filter or the order. An order by scores needs a metric; without one, take that with the most scores.
   * @param {Chosen} name @param {string} value */
  async choose(name, value) {
    /** @type {Partial<Address>} */
    let changes = { [name]: value };
    if (name === "dataset") changes = { dataset: value, metric: "", sort: "", code: "", system: "", slice: "" };
    if (name === "sort" && value) changes.metric = this.state.metric || this.metrics()[0][0];
    await this.change(changes);
    this.fill();
    if (name === "dataset") await this.ask();
  }

  /** Return the metrics that have scores in the chosen data sets, with the number of scores, largest first.
   * @returns {[string, number][]} */
  metrics() {
    const { dataset } = this.state, counts = new Map();
    for (const { scores } of this.datasets.filter(({ name }) => !dataset || name === dataset)) {
      for (const [name, count] of Object.entries(scores)) counts.set(name, (counts.get(name) ?? 0) + count);
    }
    return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  }

  /** Fill all menus. Allow score bounds and orders by score only if a metric is chosen or can be. */
  fill() {
    const { state } = this, { dataset, metric } = state, known = this.metrics();
    const put = (/** @type {Chosen} */ name, /** @type {[string, string][]} */ choices) =>
      this.selects[name].replaceChildren(...options(choices, state[name]));
    /** @param {[string, number][]} pairs @returns {[string, string][]} */
    const counts = (pairs) => pairs.map(([name, count]) => [name, `${name} (${count.toLocaleString()})`]);
    put("dataset", [["", "all data sets"], ...counts(this.datasets.map(({ name, samples }) => [name, samples]))]);
    if (metric && !known.some(([name]) => name === metric)) known.push([metric, 0]);
    put("metric", [["", "any metric, or no metric"], ...counts(known)]);
    put("sort", Object.entries(SORTS).map(([value, { words }]) => [value, words]));
    for (const [name, , kind] of OF_DATASET) {
      const values = this.values[kind] ?? (state[name] ? [state[name]] : []);
      const none = values.length ? "any" : dataset ? "none in this data set" : "choose a data set first";
      put(name, [["", none], ...asOptions(values)]);
      this.selects[name].disabled = !values.length;
    }
    this.selects.sort.disabled = !known.length;
    for (const bound of this.bounds) bound.disabled = !metric;
  }

  /** Fetch the captioners, error codes and slices of the chosen data set. */
  async ask() {
    const { dataset } = this.state;
    this.values = {};
    const there = dataset && await get(`/api/filters?dataset=${encodeURIComponent(dataset)}`).catch(() => null);
    if (dataset !== this.state.dataset) return;
    this.values = there || {};
    this.fill();
  }
}
