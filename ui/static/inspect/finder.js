// Finding samples: a form, and a page of what it finds.

import { get, latest } from "../shared/api.js";
import { all, el, say } from "../shared/dom.js";
import { button, statusText } from "../shared/elements.js";
import { problem } from "../shared/notices.js";
import { rounded } from "../shared/rounding.js";
import { listed } from "./address.js";
import { FilterForm } from "./filters.js";
import { openExport } from "./list_export.js";

/** @import { DatasetSummary, FoundSamples, SampleJson } from "../shared/wire.d.ts" */
/** @import { Address } from "./address.js" */

/** The search form for samples, with the list of results. */
export class Finder {
  /** @param {DatasetSummary[]} datasets @param {Address} state filters and order of the list
   * @param {{change: (changes: Partial<Address>) => Promise<void>, choose: (id: number) => void}} does change: called
   * with the filters that changed; choose: called with the id of a chosen sample */
  constructor(datasets, state, { change, choose }) {
    this.state = state;
    this.change = change;
    this.choose = choose;
    this.turn = latest();
    /** @type {SampleJson[]} the samples on the current page of results */
    this.samples = [];
    /** @type {{before: number | null, after: number | null}} ids of the samples before and after the current page */
    this.beside = { before: null, after: null };
    this.first = 1; // number of the page's first sample in the whole list
    this.total = 0;
    this.status = statusText();
    this.list = el("ol", { class: "sample-list" });
    this.pager = el("nav", { class: "pager", "aria-label": "Pages of samples" });
    const save = button("Export …", () => openExport(state, this.total), "small takes-along");
    this.element = el(
      "aside",
      { id: "finder", class: "finder", "aria-label": "Samples" },
      new FilterForm(datasets, state, (changes) => change({ ...changes, page: 1 })).element,
      el("div", { class: "results" }, this.status, el("p", { class: "list-tools" }, save), this.list, this.pager),
    );
  }

  /** Fetch the list for the current filters and show it. Only the latest call shows its result.
   * @param {number | null} [around] id of a sample; if the list contains it, the page of the list with it is opened
   * @returns {Promise<boolean>} whether this call has shown its result */
  async search(around = null) {
    const query = new URLSearchParams({ ...listed(this.state), page: String(this.state.page) });
    if (around) query.set("around", String(around));
    const isLast = this.turn();
    let found;
    try {
      found = await get(`/api/samples?${query}`);
    } catch (error) {
      if (isLast()) this.list.replaceChildren(problem(error, () => this.search(around)));
      return isLast();
    }
    if (!isLast()) return false;
    await this.show(found);
    return true;
  }

  /** @param {FoundSamples} found */
  async show({ samples, total, page_size: size, page, before, after }) {
    const last = Math.max(1, Math.ceil(total / size));
    if (page > last) return this.change({ page: last });
    this.samples = samples;
    this.total = total;
    this.beside = { before, after };
    this.first = (page - 1) * size + 1;
    this.state.page = page;
    say(this.status, total === 1 ? "1 sample" : `${total.toLocaleString()} samples`);
    this.list.replaceChildren(...samples.map((sample) => this.row(sample)));
    if (!total) {
      this.list.append(el("li", { class: "quiet" }, "Nothing was found. Remove a filter, or search for fewer words."));
    }
    const go = (/** @type {number} */ to, /** @type {string} */ name) =>
      button(name, () => this.change({ page: to }), "small", {
        "aria-label": `${name} page`,
        disabled: to < 1 || to > last,
      });
    const place = el("span", {}, `${page.toLocaleString()} of ${last.toLocaleString()}`);
    this.pager.hidden = last === 1;
    this.pager.replaceChildren(go(page - 1, "Previous"), place, go(page + 1, "Next"));
  }

  /** @param {SampleJson} sample */
  row({ id, thumbnail, caption, human, scores, older }) {
    const picture = thumbnail
      ? el("img", { src: thumbnail, alt: "", loading: "lazy", width: 72, height: 54 })
      : el("span", { class: "no-picture" }, "no picture");
    const chip = (/** @type {string} */ name, /** @type {string} */ value, look = "chip") =>
      el("span", { class: look }, name, " ", el("strong", {}, value));
    const chips = scores.filter(({ signature }) => !older.includes(signature)).map((score) =>
      chip(score.metric, "value" in score ? rounded(score.value) : "error")
    );
    const words = el(
      "span",
      { class: "row-text" },
      el("span", { class: "row-caption" }, caption),
      el("span", { class: "chips" }, human !== null && chip("human", rounded(human), "chip human"), chips),
    );
    const isOpen = String(id === this.state.sample);
    const open = button([picture, words], () => this.choose(id), "row", { "aria-pressed": isOpen });
    return el("li", { "data-id": id }, open);
  }

  /** Mark the open sample in the list. */
  mark() {
    for (const entry of all(this.list, "[data-id]")) {
      const isOpen = Number(entry.dataset.id) === this.state.sample;
      entry.querySelector("button.row")?.setAttribute("aria-pressed", String(isOpen));
    }
  }

  /** Return whether a sample is on this page of the list. @param {number | null} id */
  has(id) {
    return this.samples.some((sample) => sample.id === id);
  }

  /** Return the ids of the samples before and after a given sample in the list; null where there is none.
   * @param {number | null} id */
  neighbours(id) {
    const at = this.samples.findIndex((sample) => sample.id === id);
    if (at < 0) return [null, null];
    return [this.samples[at - 1]?.id ?? this.beside.before, this.samples[at + 1]?.id ?? this.beside.after];
  }
}
