// Finding samples: a form with the list of what it finds, and this list as a row of small pictures below the sample.

import { get, latest } from "../shared/api.js";
import { all, el, say } from "../shared/dom.js";
import { button, statusText } from "../shared/elements.js";
import { problem } from "../shared/notices.js";
import { rove } from "../shared/roving_focus.js";
import { rounded } from "../shared/rounding.js";
import { listed } from "./address.js";
import { FilterForm } from "./filters.js";

/** @import { DatasetSummary, FoundSamples, SampleJson } from "../shared/wire.d.ts" */
/** @import { Address } from "./address.js" */

/** Thumbnails wait until the open sample's picture is loaded. */
const THUMBNAIL = { alt: "", width: 72, height: 54, loading: "lazy", fetchpriority: "low" };

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
    this.status = statusText();
    this.list = el("ol", { class: "sample-list" });
    this.pager = el("nav", { class: "pager", "aria-label": "Pages of samples" });
    this.tools = el("p", { class: "list-tools" });
    this.element = el(
      "aside",
      { id: "finder", class: "finder", "aria-label": "Samples" },
      new FilterForm(datasets, state, (changes) => change({ ...changes, page: 1 })).element,
      el("div", { class: "results" }, this.status, this.tools, this.list, this.pager),
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
    this.beside = { before, after };
    this.first = (page - 1) * size + 1;
    this.state.page = page;
    const href = `/api/samples.jsonl?${new URLSearchParams(listed(this.state))}`;
    this.tools.replaceChildren(el("a", { class: "button small takes-along", href, download: true }, "Save as JSONL"));
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
  row({ id, thumbnail, caption, human, scores }) {
    const picture = thumbnail
      ? el("img", { ...THUMBNAIL, src: thumbnail })
      : el("span", { class: "no-picture" }, "no picture");
    const chip = (/** @type {string} */ name, /** @type {string} */ value, look = "chip") =>
      el("span", { class: look }, name, " ", el("strong", {}, value));
    const chips = scores.map((score) => chip(score.metric, "value" in score ? rounded(score.value) : "error"));
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

/** The samples of the list in a row, with buttons to the samples before and after the open sample. */
export class Filmstrip {
  /** @param {(id: number) => void} choose is called with the id of the chosen sample
   * @param {HTMLElement} opener button that opens the whole list */
  constructor(choose, opener) {
    this.choose = choose;
    /** @type {readonly (number | null)[]} ids of the samples before and after the open sample */
    this.beside = [null, null];
    this.steps = [this.step(0, "◂", "Previous sample", "k"), this.step(1, "▸", "Next sample", "j")];
    this.frames = el("div", { class: "frames", role: "group", "aria-label": "Samples of the list" });
    // The steps are before the thumbnails, so that neither button moves when the thumbnails change.
    const parts = [opener, this.steps, this.frames];
    this.element = el("nav", { class: "filmstrip", "aria-label": "Samples, one after another" }, parts);
    /** @type {readonly SampleJson[]} */
    this.samples = [];
  }

  /** Make the button to the previous or next sample.
   * @param {0 | 1} side @param {string} sign sign on the button @param {string} name label of the button
   * @param {string} key keyboard key */
  step(side, sign, name, key) {
    const go = () => this.beside[side] !== null && this.choose(this.beside[side]);
    return button(sign, go, "small", { "aria-label": name, "aria-keyshortcuts": key, title: `${name} (${key})` });
  }

  /** @param {readonly SampleJson[]} samples a page of the list @param {number | null} open id of the open sample
   * @param {readonly (number | null)[]} beside ids of the samples before and after the open sample
   * @param {number} [first] number of the page's first sample in the whole list */
  show(samples, open, beside, first = 1) {
    this.beside = beside;
    this.steps.forEach((one, side) => one.disabled = beside[side] === null);
    if (samples !== this.samples) {
      this.samples = samples;
      this.frames.replaceChildren(...samples.map((sample, index) => this.frame(sample, first + index)));
    }
    for (const frame of /** @type {Iterable<HTMLElement>} */ (this.frames.children)) {
      const isOpen = Number(frame.dataset.id) === open;
      frame.setAttribute("aria-current", String(isOpen));
      if (isOpen) this.frames.scrollLeft = frame.offsetLeft - (this.frames.clientWidth - frame.offsetWidth) / 2;
    }
    rove(this.frames, ".frame");
  }

  /** @param {SampleJson} sample @param {number} number tells samples with the same picture apart */
  frame({ id, thumbnail, caption }, number) {
    const picture = thumbnail ? el("img", { ...THUMBNAIL, src: thumbnail }) : el("span", { class: "no-picture" }, "–");
    const mark = el("span", { class: "frame-number", "aria-hidden": "true" }, number);
    const labels = { "data-id": id, "aria-label": caption, title: caption };
    return button([picture, mark], () => this.choose(id), "frame", labels);
  }
}
