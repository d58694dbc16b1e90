// Finding samples: by data set, words and the range of a metric's scores; a page of results at a time.

import { get } from "../shared/api.js";
import { el, rounded, say } from "../shared/dom.js";
import { problem } from "../shared/notices.js";

const PAUSE_MS = 250; // after the last key before a search

/** The form and the results. state: what is looked for, as the address has it; change(changes) is called with what is to
 * be looked for instead, choose(id) with a sample that was chosen. */
export class SampleFinder {
  constructor(datasets, state, { change, choose }) {
    Object.assign(this, { datasets, state, change, choose, samples: [] });
    this.status = el("p", { role: "status", class: "quiet" });
    this.list = el("ol", { class: "sample-list" });
    this.pager = el("nav", { class: "pager", "aria-label": "Pages of samples" });
    this.form = this.fields();
    this.results = el("div", { class: "results" }, this.status, this.list, this.pager);
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
    this.bounds = ["lowest", "highest"].map((name) =>
      this.typed(name, { type: "number", step: "any", "aria-label": `${name} score`, placeholder: name })
    );
    return el(
      "div",
      { class: "search" },
      el("p", { class: "field" }, el("label", { for: "dataset" }, "Data set"), dataset),
      el("p", { class: "field" }, el("label", { for: "text" }, "Search"), text),
      el(
        "p",
        { class: "field" },
        el("label", { for: "metric" }, "Scored by"),
        this.metric,
        el("span", { class: "bounds" }, this.bounds[0], "to", this.bounds[1]),
      ),
    );
  }

  /** A field whose value becomes part of the search a moment after the last key. */
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
    const wanted = { text, page, dataset, metric, ...(metric && { lowest, highest }) };
    const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ""));
    const turn = (this.turn = (this.turn ?? 0) + 1); // the last search wins
    let found;
    try {
      found = await get(`/api/samples?${query}`);
    } catch (error) {
      return turn === this.turn && this.list.replaceChildren(problem(error, () => this.search()));
    }
    if (turn === this.turn) await this.show(found);
  }

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

  row({ id, image, caption, human, scores }) {
    const picture = image
      ? el("img", { src: `${image}/small`, alt: "", loading: "lazy", width: 72, height: 54 })
      : el("span", { class: "no-picture" }, "no picture");
    const chip = (name, value, look = "chip") => el("span", { class: look }, name, " ", el("strong", {}, value));
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
            scores.map((score) => chip(score.metric, score.error ? "error" : rounded(score.value))),
          ),
        ),
      ),
    );
  }

  /** Mark the sample that is open. */
  mark() {
    for (const row of this.list.querySelectorAll("button.row")) {
      row.setAttribute("aria-pressed", String(Number(row.parentElement.dataset.id) === this.state.sample));
    }
  }

  /** The ids of the samples before and after one, within the page of results; null where there is none. */
  neighbours(id) {
    const at = this.samples.findIndex((sample) => sample.id === id);
    return at < 0 ? [null, null] : [this.samples[at - 1]?.id ?? null, this.samples[at + 1]?.id ?? null];
  }
}
