// The Inspect page: find a sample, then see it with every score and explanation it has.

import { get } from "./api.js";
import { el, rounded, say } from "./dom.js";
import { SampleView } from "./inspect_sample.js";
import { empty, problem } from "./notices.js";
import { openOwn, pictureIn } from "./own.js";

const PAUSE_MS = 250; // after the last key before a search

/** Fill the panel with the Inspect page; the address says which search, page and sample. */
export async function start(panel) {
  const page = new InspectPage(panel);
  await page.open();
}

const STATE = { dataset: "", text: "", metric: "", lowest: "", highest: "", page: 1, sample: null, by: "", region: null, cut: null, scale: null };

class InspectPage {
  constructor(panel) {
    this.panel = panel;
    this.status = el("p", { role: "status", class: "quiet" });
    window.addEventListener("popstate", () => this.open());
    document.addEventListener("paste", (event) => this.pasted(event));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  async open() {
    const query = new URLSearchParams(location.search);
    this.state = Object.fromEntries(Object.entries(STATE).map(([name, usual]) => [name, query.get(name) ?? usual]));
    this.state.page = Math.max(1, Number(this.state.page) || 1);
    this.state.sample = Number(this.state.sample) || null;
    this.state.page = Math.round(this.state.page);
    for (const name of ["region", "cut"]) this.state[name] = Number.isFinite(parseFloat(this.state[name])) ? Number(this.state[name]) : null;
    const opened = (this.opened_ = {}); // the last call wins
    try {
      this.datasets = await get("/api/datasets");
    } catch (error) {
      return this.panel.replaceChildren(problem(error, () => this.open()));
    }
    if (opened !== this.opened_) return;
    this.shown?.leave();
    if (!this.datasets.length) return this.panel.replaceChildren(empty(() => this.bring()));
    this.layout();
    await this.search();
    if (this.state.sample) await this.show(this.state.sample);
    else if (this.samples?.length && innerWidth > 860) this.choose(this.samples[0].id, "replaceState");
  }

  layout() {
    const { state } = this;
    const choose = el("select", { id: "dataset", change: () => this.change({ dataset: choose.value, metric: "", page: 1 }).then(() => this.offerMetrics()) },
      el("option", { value: "" }, "all data sets"),
      this.datasets.map(({ name, samples }) =>
        el("option", { value: name, selected: name === state.dataset }, `${name} (${samples.toLocaleString()})`)));
    const text = this.typed("text", { type: "search", placeholder: "words of the caption, a picture's name …" });
    this.metric = el("select", { id: "metric", change: () => this.change({ metric: this.metric.value, page: 1 }).then(() => this.offerMetrics()) });
    this.bounds = ["lowest", "highest"].map((name) => this.typed(name, { type: "number", step: "any", "aria-label": `${name} score`, placeholder: name }));
    this.offerMetrics();
    this.list = el("ol", { class: "sample-list" });
    this.pager = el("nav", { class: "pager", "aria-label": "Pages of samples" });
    this.detail = el("section", { class: "sample", "aria-label": "Sample", tabindex: "-1" },
      el("p", { class: "quiet" }, "Choose a sample to see its scores and explanations."));
    this.panel.replaceChildren(el("div", { class: "inspect" },
      el("div", { class: "inspect-head" }, el("h1", {}, "Inspect"), el("button", { type: "button", click: () => this.bring() }, "Own picture …")),
      el("div", { class: "search" },
        el("p", { class: "field" }, el("label", { for: "dataset" }, "Data set"), choose),
        el("p", { class: "field" }, el("label", { for: "text" }, "Search"), text),
        el("p", { class: "field" }, el("label", { for: "metric" }, "Scored by"), this.metric, el("span", { class: "bounds" }, this.bounds[0], "to", this.bounds[1]))),
      el("div", { class: "inspect-columns" },
        el("div", { class: "results" }, this.status, this.list, this.pager),
        this.detail)));
  }

  /** A field whose value becomes part of the search a moment after the last key. */
  typed(name, attributes) {
    let timer = null;
    const input = el("input", { id: name, value: this.state[name], ...attributes, input: () => {
      clearTimeout(timer);
      timer = setTimeout(() => input.isConnected && this.change({ [name]: input.value, page: 1 }), PAUSE_MS);
    } });
    return input;
  }

  /** The metrics that have judged samples of the chosen data sets; a range of scores goes with one of them. */
  offerMetrics() {
    const { dataset, metric } = this.state;
    const counts = new Map();
    for (const { scores } of this.datasets.filter(({ name }) => !dataset || name === dataset)) {
      for (const [name, count] of Object.entries(scores)) counts.set(name, (counts.get(name) ?? 0) + count);
    }
    this.metric.replaceChildren(el("option", { value: "" }, "any metric or none"),
      ...[...counts].sort().map(([name, count]) => el("option", { value: name, selected: name === metric }, `${name} (${count.toLocaleString()})`)));
    for (const bound of this.bounds) bound.disabled = !metric;
  }

  /** Change the search and its address, without leaving the page. */
  async change(changes) {
    Object.assign(this.state, changes);
    if (!this.state.metric) Object.assign(this.state, { lowest: "", highest: "" });
    this.remember();
    await this.search();
  }

  /** The address as it is to be copied: only what differs from the page as it opens. */
  remember(how = "pushState") {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(this.state)) {
      if (value !== STATE[name] && value !== null) query.set(name, value);
    }
    history[how](null, "", `/inspect${query.size ? `?${query}` : ""}`);
  }

  async search() {
    const { dataset, text, page, metric, lowest, highest } = this.state;
    const wanted = { text, page, dataset, metric, ...(metric && { lowest, highest }) };
    const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ""));
    const turn = (this.turn = (this.turn ?? 0) + 1);
    let found;
    try {
      found = await get(`/api/samples?${query}`);
    } catch (error) {
      return turn === this.turn && this.list.replaceChildren(problem(error, () => this.search()));
    }
    if (turn !== this.turn) return;
    this.samples = found.samples;
    const last = Math.max(1, Math.ceil(found.total / found.page_size));
    if (page > last) return this.change({ page: last });
    say(this.status, found.total === 1 ? "1 sample" : `${found.total.toLocaleString()} samples`);
    this.list.replaceChildren(...found.samples.map((sample) => this.row(sample)));
    if (!found.total) this.list.append(el("li", { class: "quiet" }, "Nothing found. Try fewer words, a wider range of scores or all data sets."));
    const go = (to, name) => el("button", { type: "button", class: "small", "aria-label": `${name} page`, disabled: to < 1 || to > last, click: () => this.change({ page: to }) }, name);
    this.pager.hidden = last === 1;
    this.pager.replaceChildren(go(page - 1, "Previous"), el("span", {}, `${page.toLocaleString()} of ${last.toLocaleString()}`), go(page + 1, "Next"));
  }

  row(sample) {
    const picture = sample.image
      ? el("img", { src: `${sample.image}/small`, alt: "", loading: "lazy", width: 72, height: 54 })
      : el("span", { class: "no-picture" }, "no picture");
    const scores = sample.scores.map((score) =>
      el("span", { class: "chip" }, score.metric, " ", el("strong", {}, score.error ? "error" : rounded(score.value))));
    return el("li", { "data-id": sample.id },
      el("button", { type: "button", class: "row", click: () => this.choose(sample.id), "aria-pressed": String(sample.id === this.state.sample) }, picture,
        el("span", { class: "row-text" }, el("span", { class: "row-caption" }, sample.caption),
          el("span", { class: "chips" }, sample.human !== null && el("span", { class: "chip human" }, "human ", el("strong", {}, rounded(sample.human))), scores))));
  }

  mark() {
    for (const row of this.list.querySelectorAll("button.row")) {
      row.setAttribute("aria-pressed", String(Number(row.parentElement.dataset.id) === this.state.sample));
    }
  }

  choose(id, how = "pushState") {
    Object.assign(this.state, { sample: id, by: "", region: null, cut: null, scale: null });
    this.remember(how);
    this.mark();
    return this.show(id, how === "pushState");
  }

  async show(id, focus = true) {
    try {
      const sample = await get(`/api/samples/${id}`);
      if (this.state.sample !== id) return;
      this.shown?.leave();
      this.shown = new SampleView(sample, {
        chosen: { metric: this.state.by, region: this.state.region, cut: this.state.cut, scale: this.state.scale },
        onChoice: ({ metric, region, cut, scale }) => {
          Object.assign(this.state, { by: metric ?? "", region, cut, scale });
          this.remember("replaceState");
        },
        onSaved: () => this.search(),
      });
      const copy = el("button", { type: "button", class: "small", click: () => this.copyLink(copy) }, "Copy link");
      this.detail.replaceChildren(el("div", { class: "sample-head" }, this.steps(id), copy), this.shown.element);
      if (focus) this.detail.focus({ preventScroll: innerWidth > 860 });
    } catch (error) {
      if (this.state.sample === id) this.detail.replaceChildren(problem(error, () => this.show(id)));
    }
  }

  /** To the sample before and after, within the page of results. */
  steps(id) {
    const at = this.samples?.findIndex((sample) => sample.id === id) ?? -1;
    const go = (to, name, key) => el("button", { type: "button", class: "small", disabled: at < 0 || !this.samples[to], "aria-keyshortcuts": key,
      click: () => this.choose(this.samples[to].id) }, name);
    return el("span", { class: "steps-between" }, go(at - 1, "◂ Previous", "k"), go(at + 1, "Next ▸", "j"));
  }

  key(event) {
    if (event.target.closest?.("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const name = { j: "j", k: "k" }[event.key];
    if (name) this.detail?.querySelector(`[aria-keyshortcuts="${name}"]`)?.click();
  }

  async copyLink(button) {
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Link copied";
    } catch {
      button.textContent = "Copy the address above";
    }
  }

  bring(picture = null) {
    openOwn((id) => this.opened(id), picture);
  }

  /** A new sample is there: look for it among all, and open it. */
  async opened(id) {
    history.pushState(null, "", `/inspect?dataset=own+pictures&sample=${id}`);
    await this.open();
  }

  pasted(event) {
    const picture = pictureIn(event.clipboardData);
    if (!picture || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.bring(picture);
  }
}
