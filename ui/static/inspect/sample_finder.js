// Finding samples: by data set, words and the range of a metric's scores; a page of results at a time.

import { get, latest } from "../shared/api.js";
import { all, el, field, rounded, say } from "../shared/dom.js";
import { problem } from "../shared/notices.js";

/** @import { DatasetSummary, FoundSamples, SampleJson } from "../shared/wire.d.ts" */
/** @import { Address } from "./address.js" */

const PAUSE_MS = 250; // after the last key before a search

/** The form and the results. */
export class SampleFinder {
  /** @param {DatasetSummary[]} datasets @param {Address} state what is looked for
   * @param {{change: (changes: Partial<Address>) => Promise<void>, choose: (id: number) => void}} does change is called with what
   * is to be looked for instead, choose with a sample that was chosen */
  constructor(datasets, state, { change, choose }) {
    this.datasets = datasets;
    this.state = state;
    this.change = change;
    this.choose = choose;
    this.turn = latest();
    /** @type {SampleJson[]} the page of results */
    this.samples = [];
    this.status = el("p", { role: "status", class: "quiet" });
    this.note = el("p", { role: "status", class: "quiet" });
    this.list = el("ol", { class: "sample-list" });
    this.pager = el("nav", { class: "pager", "aria-label": "Pages of samples" });
    this.form = this.fields();
    this.results = el("div", { class: "results" }, this.status, this.note, this.list, this.pager);
    this.offerMetrics();
  }

  fields() {
    const { state } = this;
    const dataset = el(
      "select",
      {
        id: "dataset",
        change: () => this.change({ dataset: dataset.value, metric: "", page: 1 }).then(() => this.offerMetrics()),
      },
      el("option", { value: "" }, "all data sets"),
      this.datasets.map(({ name, samples }) =>
        el("option", { value: name, selected: name === state.dataset }, `${name} (${samples.toLocaleString()})`)
      ),
    );
    const text = this.typed("text", { type: "search", placeholder: "words of the caption, a picture's name …" });
    this.metric = el("select", {
      id: "metric",
      change: () => this.change({ metric: this.metric.value, page: 1 }).then(() => this.offerMetrics()),
    });
    this.bounds = /** @type {const} */ (["lowest", "highest"]).map((name) =>
      this.typed(name, { type: "number", step: "any", "aria-label": `${name} score`, placeholder: name })
    );
    return el(
      "div",
      { class: "search" },
      field("Data set", dataset),
      field("Search", text),
      field("Scored by", this.metric, el("span", { class: "bounds" }, this.bounds[0], "to", this.bounds[1])),
    );
  }

  /** A field whose value becomes part of the search a moment after the last key.
   * @param {"text" | "lowest" | "highest"} name @param {Record<string, any>} attributes */
  typed(name, attributes) {
    let timer = null;
    const input = el("input", {
      id: name,
      value: this.state[name],
      ...attributes,
      input: () => {
        clearTimeout(timer);
        timer = setTimeout(() => input.isConnected && this.change({ [name]: input.value, page: 1 }), PAUSE_MS);
      },
    });
    return input;
  }

  /** The metrics that have judged samples of the chosen data sets; a range of scores goes with one of them. */
  offerMetrics() {
    const { dataset, metric } = this.state;
    const counts = new Map();
    for (const { scores } of this.datasets.filter(({ name }) => !dataset || name === dataset)) {
      for (const [name, count] of Object.entries(scores)) counts.set(name, (counts.get(name) ?? 0) + count);
    }
    this.metric.replaceChildren(
      el("option", { value: "" }, "any metric or none"),
      ...[...counts].sort().map(([name, count]) =>
        el("option", { value: name, selected: name === metric }, `${name} (${count.toLocaleString()})`)
      ),
    );
    for (const bound of this.bounds) bound.disabled = !metric;
  }

  /** Look for what the state says, and show it. */
  async search() {
    const { dataset, text, page, metric, lowest, highest } = this.state;
    const wanted = { text, page: String(page), dataset, metric, ...(metric && { lowest, highest }) };
    const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ""));
    const isLast = this.turn();
    let found;
    try {
      found = await get(`/api/samples?${query}`);
    } catch (error) {
      return isLast() && this.list.replaceChildren(problem(error, () => this.search()));
    }
    if (isLast()) await this.show(found);
  }

  /** Say something of the list. @param {string} text */
  tell(text) {
    say(this.note, text);
  }

  /** @param {FoundSamples} found */
  async show({ samples, total, page_size: size }) {
    const { page } = this.state;
    this.samples = samples;
    const last = Math.max(1, Math.ceil(total / size));
    if (page > last) return this.change({ page: last });
    say(this.status, total === 1 ? "1 sample" : `${total.toLocaleString()} samples`);
    this.list.replaceChildren(...samples.map((sample) => this.row(sample)));
    if (!total) {
      this.list.append(
        el("li", { class: "quiet" }, "Nothing found. Try fewer words, a wider range of scores or all data sets."),
      );
    }
    const go = (to, name) =>
      el("button", {
        type: "button",
        class: "small",
        "aria-label": `${name} page`,
        disabled: to < 1 || to > last,
        click: () => this.change({ page: to }),
      }, name);
    this.pager.hidden = last === 1;
    this.pager.replaceChildren(
      go(page - 1, "Previous"),
      el("span", {}, `${page.toLocaleString()} of ${last.toLocaleString()}`),
      go(page + 1, "Next"),
    );
  }

  /** @param {SampleJson} sample */
  row({ id, image, caption, human, scores }) {
    const picture = image
      ? el("img", { src: `${image}/small`, alt: "", loading: "lazy", width: 72, height: 54 })
      : el("span", { class: "no-picture" }, "no picture");
    const chip = (/** @type {string} */ name, /** @type {string} */ value, look = "chip") =>
      el("span", { class: look }, name, " ", el("strong", {}, value));
    return el(
      "li",
      { "data-id": id },
      el(
        "button",
        {
          type: "button",
          class: "row",
          click: () => this.choose(id),
          "aria-pressed": String(id === this.state.sample),
        },
        picture,
        el(
          "span",
          { class: "row-text" },
          el("span", { class: "row-caption" }, caption),
          el(
            "span",
            { class: "chips" },
            human !== null && chip("human", rounded(human), "chip human"),
            scores.map((score) => chip(score.metric, "value" in score ? rounded(score.value) : "error")),
          ),
        ),
      ),
    );
  }

  /** Mark the sample that is open. */
  mark() {
    for (const row of all(this.list, "button.row")) {
      row.setAttribute("aria-pressed", String(Number(row.parentElement.dataset.id) === this.state.sample));
    }
  }

  /** The ids of the samples before and after one, within the page of results; null where there is none.
   * @param {number} id */
  neighbours(id) {
    const at = this.samples.findIndex((sample) => sample.id === id);
    return at < 0 ? [null, null] : [this.samples[at - 1]?.id ?? null, this.samples[at + 1]?.id ?? null];
  }
}
