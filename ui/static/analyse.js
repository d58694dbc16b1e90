// The Analyse page: where a metric and people part. Tables, plots and lists of one data set and its metrics.

import { get, remove } from "./api.js";
import { el, rounded, say, table } from "./dom.js";
import { perLevel, savePlot, scatter, unpacked } from "./analyse_plots.js";
import { ErrorList } from "./coding.js";
import { empty, problem } from "./inspect.js";
import { detail } from "./inspect_sample.js";
import { sliceDialog } from "./slices.js";
import { StudyResults } from "./study_results.js";

const PLOTS = {
  human: "Score against human",
  level: "Distribution per human level",
  raw: "Raw against smoothed",
  metrics: "Metric against metric",
};
const HUMAN = "human judgement, rescaled to 0–1";

/** Fill the panel with the Analyse page; the address says which data set, metrics, plot and sample. */
export async function start(panel) {
  const page = new AnalysePage(panel);
  await page.open();
}

class AnalysePage {
  constructor(panel) {
    this.panel = panel;
    window.addEventListener("popstate", () => this.open());
    new MutationObserver(() => this.points && this.draw()).observe(document.body, { attributes: true, attributeFilter: ["class"] });
  }

  async open() {
    const query = new URLSearchParams(location.search);
    this.state = {
      dataset: query.get("dataset") ?? "", metric: query.getAll("metric"), benchmark: query.get("benchmark") ?? "", slice: query.get("slice") ?? "",
      plot: query.get("plot") in PLOTS ? query.get("plot") : "human", sample: Number(query.get("sample")) || null,
    };
    try {
      [this.datasets, this.benchmarks] = await Promise.all([get("/api/datasets"), get("/api/analyse/benchmarks")]);
    } catch (error) {
      return this.panel.replaceChildren(problem(error, () => this.open()));
    }
    const scored = this.datasets.filter(({ scores }) => Object.keys(scores).length);
    if (!scored.length) return this.panel.replaceChildren(empty());
    if (!scored.some(({ name }) => name === this.state.dataset)) this.state.dataset = scored[0].name;
    this.layout(scored);
    await this.choose();
    if (this.state.sample) await this.show([this.state.sample]);
  }

  layout(scored) {
    const { state } = this;
    const dataset = el("select", { id: "dataset", change: () => this.change({ dataset: dataset.value, metric: [], slice: "", sample: null }, true) },
      scored.map(({ name, samples }) => el("option", { value: name, selected: name === state.dataset }, `${name} (${samples.toLocaleString()})`)));
    const benchmark = el("select", { id: "benchmark", change: () => this.change({ benchmark: benchmark.value }) },
      el("option", { value: "" }, "by the data set"),
      this.benchmarks.map((name) => el("option", { value: name, selected: name === state.benchmark }, name)));
    this.slices = el("p", { class: "field" });
    this.studies = new StudyResults();
    this.metrics = el("fieldset", { class: "choices metric-choices" });
    this.agreement = el("section", { class: "analyse-section", "aria-labelledby": "agreement" });
    this.plot = el("section", { class: "analyse-plot", "aria-labelledby": "plots" });
    this.sample = el("section", { class: "sample", "aria-label": "Sample", tabindex: "-1" },
      el("p", { class: "quiet" }, "Click into the plot, or on a row of the list below, to see a sample with its scores and ratings."));
    this.errors = new ErrorList((id) => this.show([id], 0, false));
    this.panel.replaceChildren(el("div", { class: "analyse" },
      el("h1", {}, "Analyse"),
      el("div", { class: "search" },
        el("p", { class: "field" }, el("label", { for: "dataset" }, "Data set"), dataset),
        el("p", { class: "field" }, el("label", { for: "benchmark" }, "Convention"), benchmark), this.slices),
      this.metrics, this.agreement,
      el("div", { class: "analyse-columns" },
        el("div", { class: "analyse-main" }, this.plot, this.errors.section),
        this.sample),
      this.errors.results, this.studies.section));
  }

  /** Change what is looked at, and the address. */
  async change(changes, newDataset = false) {
    Object.assign(this.state, changes);
    this.remember();
    if (newDataset) await this.choose();
    else await this.refresh();
  }

  remember() {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(this.state)) {
      if (Array.isArray(value)) value.forEach((one) => query.append(name, one));
      else if (value && !(name === "plot" && value === "human")) query.set(name, value);
    }
    history.replaceState(null, "", `/analyse?${query}`);
  }

  /** Offer the metrics of the data set; without a choice all count. */
  async choose() {
    const { state } = this;
    try {
      this.known = await get(`/api/analyse/metrics?${new URLSearchParams({ dataset: state.dataset })}`);
    } catch (error) {
      return this.agreement.replaceChildren(problem(error, () => this.choose()));
    }
    const names = this.known.map(({ name }) => name);
    state.metric = state.metric.filter((name) => names.includes(name));
    if (!state.metric.length) state.metric = names;
    this.metrics.replaceChildren(el("legend", {}, "Metrics"), ...names.map((name) => {
      const box = el("input", { type: "checkbox", checked: state.metric.includes(name), change: () => {
        const chosen = names.filter((other) => (other === name ? box.checked : state.metric.includes(other)));
        if (!chosen.length) box.checked = true;
        else this.change({ metric: chosen });
      } });
      return el("label", { class: "choice" }, box, name);
    }));
    await this.offerSlices();
    await Promise.all([this.refresh(), this.studies.open(state.dataset)]);
  }

  async refresh() {
    const { dataset, metric, slice } = this.state;
    await Promise.all([this.showAgreement(), this.loadPoints(), this.errors.open(dataset, metric, slice && { slice })]);
  }

  /** Offer the data set's slices, a new one, and to remove the one that is chosen. */
  async offerSlices() {
    const { state } = this;
    const found = await get(`/api/analyse/slices?${new URLSearchParams({ dataset: state.dataset })}`);
    if (!found.slices.some(({ name }) => name === state.slice)) state.slice = "";
    const choose = el("select", { id: "slice", change: () => this.changeSlice(choose.value) },
      el("option", { value: "" }, "all samples"),
      found.slices.map(({ name, samples }) => el("option", { value: name, selected: name === state.slice }, `${name} (${samples.toLocaleString()})`)));
    const codes = [...new Set((await get("/api/coding/codebooks")).flatMap((book) => book.codes.map(({ key }) => key)))];
    const fresh = () => sliceDialog({ ...found, dataset: state.dataset, metrics: this.known.map(({ name }) => name), codes, done: (name) => this.changeSlice(name) });
    const drop = async () => {
      await remove(`/api/analyse/slices?${new URLSearchParams({ dataset: state.dataset, name: state.slice })}`);
      await this.changeSlice("");
    };
    this.slices.replaceChildren(...[el("label", { for: "slice" }, "Slice"), choose,
      el("button", { type: "button", click: fresh }, "New slice"),
      state.slice && el("button", { type: "button", class: "quiet-button", click: drop }, "Remove slice")].filter(Boolean));
  }

  async changeSlice(slice) {
    this.state.slice = slice;
    await this.offerSlices();
    await this.change({});
  }

  query(extra = {}) {
    const query = new URLSearchParams({ dataset: this.state.dataset, ...(this.state.slice && { slice: this.state.slice }), ...extra });
    this.state.metric.forEach((name) => query.append("metric", name));
    return query;
  }

  // ---- agreement

  async showAgreement() {
    const turn = (this.agreementTurn = (this.agreementTurn ?? 0) + 1);
    const head = el("h2", { id: "agreement" }, "Agreement with human judgement");
    this.agreement.replaceChildren(head, el("p", { class: "quiet", role: "status" }, "Computing, with 1,000 bootstrap draws …"));
    let found;
    try {
      found = await get(`/api/analyse/correlations?${this.query(this.state.benchmark && { benchmark: this.state.benchmark })}`);
    } catch (error) {
      if (turn === this.agreementTurn) this.agreement.replaceChildren(head, problem(error, () => this.showAgreement()));
      return;
    }
    if (turn === this.agreementTurn) this.agreement.replaceChildren(head, ...agreementTables(found));
  }

  // ---- plots

  async loadPoints() {
    const turn = (this.pointsTurn = (this.pointsTurn ?? 0) + 1);
    try {
      const points = unpacked(await get(`/api/analyse/points?${this.query({ raw: this.state.plot === "raw" })}`));
      if (turn !== this.pointsTurn) return;
      this.points = points;
    } catch (error) {
      return this.plot.replaceChildren(problem(error, () => this.loadPoints()));
    }
    this.plotLayout();
    await this.draw();
  }

  plotLayout() {
    const { state } = this;
    const kind = el("select", { id: "plot", change: () => this.changePlot(kind.value) },
      Object.entries(PLOTS).map(([key, name]) => el("option", { value: key, selected: key === state.plot }, name)));
    const choose = (id, start) => el("select", { id, change: () => this.draw() },
      this.points.metrics.map(({ name }, number) => el("option", { value: number, selected: number === start }, name)));
    this.first = choose("first", 0);
    this.second = choose("second", Math.min(1, this.points.metrics.length - 1));
    const field = (label, control, shown) => shown && el("p", { class: "field" }, el("label", { for: control.id }, label), control);
    this.box = el("div", { class: "plot", role: "img", "aria-label": PLOTS[state.plot] });
    this.plotStatus = el("p", { class: "quiet", role: "status" });
    const data = `/api/analyse/data.csv?${this.query()}`;
    const save = (format) => el("button", { type: "button", click: () => savePlot(this.box, format, `${state.dataset}-${state.plot}`) }, format.toUpperCase());
    this.plot.replaceChildren(...[
      el("h2", { id: "plots" }, "Plots"),
      el("div", { class: "search" }, field("Plot", kind, true),
        field("Metric", this.first, state.plot !== "level" && this.points.metrics.length > 1),
        field("against", this.second, state.plot === "metrics")),
      this.box, this.plotStatus,
      el("p", { class: "actions" }, save("png"), save("svg"), el("a", { href: data, class: "button", download: true }, "CSV")),
    ].filter(Boolean));
  }

  async changePlot(plot) {
    this.state.plot = plot;
    this.remember();
    await this.loadPoints();
  }

  async draw() {
    const { ids, human, levels, metrics } = this.points;
    const [first, second] = [metrics[Number(this.first.value)], metrics[Number(this.second.value)]];
    const pick = (found) => this.show([...found]);
    const of = (metric) => ({ values: metric.value, range: metric.scale, title: metric.name });
    say(this.plotStatus, "");
    try {
      if (this.state.plot === "human") await scatter(this.box, ids, of(first), { values: human, range: [0, 1], title: HUMAN }, pick);
      else if (this.state.plot === "level") await perLevel(this.box, human, levels, metrics);
      else if (this.state.plot === "metrics") await this.drawMetrics(ids, of(first), of(second), pick);
      else if (first.raw) await scatter(this.box, ids, { values: first.raw, range: first.scale, title: `${first.name} before smoothing` }, of(first), pick);
      else say(this.plotStatus, `${first.name} has no scores before smoothing: only metrics that smooth theirs have them.`);
    } catch (error) {
      say(this.plotStatus, error.message);
    }
  }

  async drawMetrics(ids, first, second, pick) {
    if (this.points.metrics.length > 1) return scatter(this.box, ids, first, second, pick);
    say(this.plotStatus, "There is one metric only. Import or choose another one to set them against each other.");
  }

  // ---- the sample beside

  /** Show the first of some samples, with a way through the others. */
  async show(ids, at = 0, takeFocus = true) {
    const id = ids[at];
    this.state.sample = id;
    this.remember();
    try {
      const [sample, ratings] = await Promise.all([get(`/api/samples/${id}`), get(`/api/analyse/samples/${id}/ratings`)]);
      if (this.state.sample !== id) return;
      const step = (to, name) => el("button", { type: "button", disabled: to < 0 || to >= ids.length, click: () => this.show(ids, to, false) }, name);
      const way = ids.length > 1 && el("nav", { class: "pager", "aria-label": "Samples at this place" },
        step(at - 1, "Previous"), el("span", {}, `${at + 1} of ${ids.length} at this place`), step(at + 1, "Next"));
      this.sample.replaceChildren(...[way, ...detail(sample), ratingsOf(ratings)].filter(Boolean));
      if (takeFocus && innerWidth <= 860) this.sample.focus();
    } catch (error) {
      this.sample.replaceChildren(problem(error, () => this.show(ids, at)));
    }
  }
}

function ratingsOf(ratings) {
  if (!ratings.length) return el("p", { class: "quiet" }, "No rater has judged its explanations yet.");
  return el("section", {}, el("h3", {}, "Ratings"),
    table(["study", "metric", "rater", "criterion", "point"], ratings.map((one) =>
      [one.study, one.metric, one.rater, one.criterion, one.point === 0 ? "0 (abstained)" : one.point]), "Ratings of this sample"));
}

// ---- the tables of agreement

function agreementTables({ benchmark, taus, accuracies, differences, remarks }) {
  return [
    taus.length > 0 && tauTable(taus),
    taus.length > 0 && el("p", { class: "quiet" }, `${benchmark}: Kendall’s τ × 100; the interval is that of τ-${taus[0].convention}, bootstrapped over images. Published figures are the papers’, not recomputed.`),
    ...smoothingRemarks(taus),
    accuracies.length > 0 && accuracyTable(accuracies),
    differences.length > 0 && differenceTable(differences),
    ...[...taus.filter(({ note }) => note).map((row) => `${row.metric}, ${row.variant}: ${row.note}.`), ...remarks].map((text) => el("p", { class: "notice-line" }, text)),
  ].filter(Boolean);
}

function tauTable(rows) {
  return table(["metric", "variant", "n", "τ-b", "τ-c", "95 % interval", "tied pairs", "published"], rows.map((row) =>
    [row.metric, row.variant, row.n.toLocaleString(), percent(row.tau_b, row.convention === "b"), percent(row.tau_c, row.convention === "c"),
      interval(row), row.ties.toLocaleString(), published(row.published)]), "Agreement: ours beside the published");
}

function accuracyTable(rows) {
  return table(["category", "metric", "variant", "pairs", "accuracy", "ties", "half credit for ties", "published"], rows.map((row) =>
    [row.category, row.metric, row.variant, row.n.toLocaleString(), percent(row.accuracy, true), row.ties.toLocaleString(), percent(row.accuracy_half_credit), published(row.published)]), "Pairwise accuracy × 100");
}

function differenceTable(rows) {
  return el("div", {}, el("h3", {}, "Which metric agrees better (paired bootstrap)"),
    table(["metrics", "n", "difference", "95 % interval", "p", ""], rows.map((row) =>
      [`${row.first} − ${row.second} (τ-${row.tau})`, row.n.toLocaleString(), percent(row.difference), interval(row), row.p === null ? "–" : rounded(row.p), row.note]), "Differences between metrics"));
}

/** Say what smoothing did, because the two taus may tell opposite stories. */
function smoothingRemarks(rows) {
  return rows.filter(({ variant }) => variant === "smoothed").flatMap((smoothed) => {
    const raw = rows.find(({ metric, variant }) => metric === smoothed.metric && variant === "raw");
    if (!raw || raw.tau_b === null || smoothed.tau_b === null) return [];
    const [c, b] = [smoothed.tau_c - raw.tau_c, smoothed.tau_b - raw.tau_b];
    const reverses = c * b < 0 ? " The two disagree because τ-c counts tied scores as not ordered, τ-b leaves them out." : "";
    return [el("p", {}, `Smoothing moves ${smoothed.metric} by ${signed(c)} in τ-c and by ${signed(b)} in τ-b.${reverses}`)];
  });
}

function percent(value, isConvention = false) {
  if (value === null) return "–";
  return el(isConvention ? "strong" : "span", { title: String(value) }, value.toFixed(2));
}

function interval({ ci_low: low, ci_high: high }) {
  return low === null ? "–" : el("span", { title: `${low} … ${high}` }, `${low.toFixed(2)} … ${high.toFixed(2)}`);
}

function published(numbers) {
  if (!numbers.length) return "–";
  const names = { tau_b: "τ-b ", tau_c: "τ-c ", accuracy: "" };
  return el("span", {}, numbers.map(({ quantity, value, paper, table: source }) =>
    el("span", { class: "chip", title: source }, names[quantity], el("strong", {}, value.toFixed(1)), ` · ${paper}`)));
}

function signed(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
}
