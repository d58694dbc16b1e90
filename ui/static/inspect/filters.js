// The form for the filters and the order of the list of samples.

import { get } from "../shared/api.js";
import { el, field } from "../shared/dom.js";
import { SORTS } from "./address.js";

/** @import { DatasetSummary, Filters } from "../shared/wire.d.ts" */
/** @import { Address } from "./address.js" */
/** @typedef {"dataset" | "metric" | "sort" | "other" | "picture" | "regions" | "explained" | "code" | "system" | "slice"} Chosen */

const PAUSE_MS = 250; // ms after the last keypress, before the search starts
/** Filters with three choices, for example: any sample, samples with a picture, samples without a picture. */
const YES_OR_NO = /** @type {const} */ ([
  ["picture", "Picture", ["any", "found", "missing"]],
  ["regions", "Regions", ["any", "annotated", "none annotated"]],
  ["explained", "Explanation", ["any", "in words", "not in words"]],
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
    this.bounds = /** @type {HTMLInputElement[]} */ ([]);
    this.against = el("p");
    this.element = this.fields();
    this.offerMetrics();
    this.offerOfDataset();
  }

  fields() {
    const { state } = this;
    const choose = this.chooser("dataset", async (dataset) => {
      await this.change({ dataset, metric: "", sort: "", other: "", code: "", system: "", slice: "" });
      this.offerMetrics();
      this.offerOfDataset();
    });
    fill(choose, [
      ["", "all data sets"],
      ...this.datasets.map(({ name, samples }) => [name, `${name} (${samples.toLocaleString()})`]),
    ], state.dataset);
    this.bounds = /** @type {const} */ (["lowest", "highest"]).map((name) =>
      this.typed(name, { type: "number", step: "any", "aria-label": `${name} score`, placeholder: name })
    );
    const metric = this.chooser("metric", (chosen) => this.choose({ metric: chosen }));
    const sort = this.chooser("sort", (chosen) => this.sortBy(chosen));
    fill(sort, Object.entries(SORTS).map(([value, { words }]) => [value, words]), state.sort);
    this.against = field("Compared with", this.chooser("other", (other) => this.choose({ other })));
    const more = [...YES_OR_NO.map(([name]) => state[name]), state.code, state.system, state.slice].some(Boolean);
    return el(
      "div",
      { class: "search" },
      field("Data set", choose),
      field(
        "Search",
        this.typed("text", {
          type: "search",
          placeholder: "words",
          title: "Words of the caption, or the picture’s name",
        }),
      ),
      field("Scored by", metric, el("span", { class: "bounds" }, this.bounds[0], "to", this.bounds[1])),
      field("Order", sort),
      this.against,
      el(
        "details",
        { class: "more-filters", open: more },
        el("summary", {}, "More filters"),
        YES_OR_NO.map(([name, label, words]) => field(label, this.threeWay(name, words))),
        field("Captioner", this.chooser("system", (system) => this.choose({ system }))),
        field("Error code", this.chooser("code", (code) => this.choose({ code }))),
        field("Slice", this.chooser("slice", (slice) => this.choose({ slice }))),
      ),
    );
  }

  /** @param {Chosen} name @param {(value: string) => void} take */
  chooser(name, take) {
    return this.selects[name] = el("select", { id: name, change: () => take(this.selects[name].value) });
  }

  /** @param {typeof YES_OR_NO[number][0]} name @param {readonly string[]} words */
  threeWay(name, words) {
    const select = this.chooser(name, (value) => this.choose({ [name]: value }));
    fill(select, ["", "true", "false"].map((value, at) => [value, words[at]]), this.state[name]);
    return select;
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

  /** @param {Partial<Address>} changes */
  async choose(changes) {
    await this.change(changes);
    this.offerMetrics();
  }

  /** Change the order of the list. An order by scores needs one metric; an order by disagreement needs two.
   * If a metric is not chosen, take the one with the most scores.
   * @param {string} sort */
  sortBy(sort) {
    const names = this.metrics().map(([name]) => name), metric = this.state.metric || (sort && names[0]) || "";
    const other = sort === "disagreement" ? this.state.other || names.find((name) => name !== metric) || "" : "";
    return this.choose({ sort: metric ? sort : "", metric, other });
  }

  /** Return the metrics that have scores in the chosen data sets, with the number of scores, largest first. */
  metrics() {
    const { dataset } = this.state, counts = new Map();
    for (const { scores } of this.datasets.filter(({ name }) => !dataset || name === dataset)) {
      for (const [name, count] of Object.entries(scores)) counts.set(name, (counts.get(name) ?? 0) + count);
    }
    return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  }

  /** Offer the metrics. Allow score bounds and orders by score only if a metric is chosen. */
  offerMetrics() {
    const { metric, sort, other } = this.state;
    const known = this.metrics(), gone = metric && !known.some(([name]) => name === metric) ? [[metric, 0]] : [];
    const names = [...known, ...gone].map(([name, count]) => [name, `${name} (${count.toLocaleString()})`]);
    fill(this.selects.metric, [["", "any metric, or no metric"], ...names], metric);
    fill(this.selects.other, names.filter(([name]) => name !== metric), other);
    this.selects.sort.value = metric ? sort : "";
    this.selects.sort.disabled = !names.length;
    this.against.hidden = sort !== "disagreement" || !metric;
    for (const bound of this.bounds) bound.disabled = !metric;
  }

  /** Offer the captioners, error codes and slices of the chosen data set. */
  async offerOfDataset() {
    const { dataset, code, system, slice } = this.state;
    const offer = (/** @type {Filters} */ { codes, systems, slices }) => {
      for (
        const [select, values, chosen] of /** @type {const} */ ([
          ["code", codes, code],
          ["system", systems, system],
          ["slice", slices, slice],
        ])
      ) {
        const none = values.length ? "any" : dataset ? "none in this data set" : "choose a data set first";
        fill(this.selects[select], [["", none], ...values.map((value) => [value, value])], chosen);
        this.selects[select].disabled = !values.length;
      }
    };
    offer({ codes: code ? [code] : [], systems: system ? [system] : [], slices: slice ? [slice] : [] });
    if (!dataset) return;
    const there = await get(`/api/filters?dataset=${encodeURIComponent(dataset)}`).catch(() => null);
    if (there && dataset === this.state.dataset) offer(there);
  }
}

/** Fill a menu with options.
 * @param {HTMLSelectElement} select @param {string[][]} options value and label of each option
 * @param {string} chosen value of the selected option */
function fill(select, options, chosen) {
  select.replaceChildren(
    ...options.map(([value, words]) => el("option", { value, selected: value === chosen }, words)),
  );
}
