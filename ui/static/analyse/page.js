// The Analyse page: where a metric and people part. What is looked at stands in the address.

import { early, get, latest, taken } from "../shared/api.js";
import { beginEarly, begun, shown } from "../shared/long_work.js";
import { Agreement } from "./correlations.js";
import { CROWDED, plotly } from "./plots.js";
import { ErrorList } from "./error_list.js";
import { el, field } from "../shared/dom.js";
import { asOptions, options, picker } from "../shared/elements.js";
import { empty, problem } from "../shared/notices.js";
import { DatasetNotes } from "./dataset_notes.js";
import { readState, writeState } from "./page_state.js";
import { firstPath, plotOf } from "./plot_list.js";
import { PlotPanel } from "./plot_panel.js";
import { reportButton } from "./report_button.js";
import { SampleBeside } from "./sample_beside.js";
import { SliceChoice } from "./slices.js";
import { StudyResults } from "./study_results.js";

/** @import { KnownMetric, ScoredDataset } from "../shared/wire.d.ts" */
/** @import { ErrorSections } from "./error_sections.js" */
/** @import { PageState } from "./page_state.js" */

/** Ask for what the first plot needs. */
export async function prepare() {
  const query = new URLSearchParams(location.search);
  const scored = await early("/api/analyse/datasets");
  const { name: dataset, samples } = scored.find(({ name }) => name === query.get("dataset")) ?? scored[0] ?? {};
  if (dataset === undefined) return;
  if (samples <= CROWDED) plotly().catch(() => {}); // who draws says what went wrong; where there are more, a first picture needs the time
  const known = await beginEarly(metricsPath(dataset)); // the first visit after a start reads all scores
  if (!known.length) return; // all its scores are errors
  const names = known.map(({ name }) => name), chosen = query.getAll("metric").filter((name) => names.includes(name));
  const metric = chosen.length ? chosen : names, slice = query.get("slice");
  const looked = known.filter(({ name }) => metric.includes(name));
  const plot = plotOf(query.get("plot")).key;
  early(firstPath({ dataset, samples, known: looked, metric, plot, ...(slice && { slice }) }));
}

/** Fill the panel with the Analyse page; the address says which data set, metrics, slice, plot and sample.
 * @param {HTMLElement} panel */
export async function start(panel) {
  const page = new AnalysePage(panel);
  await page.open();
}

/** @type {[string, string]} */
const BY_DATASET = ["", "by the data set"];

/** @param {string} dataset @returns {`/api/analyse/metrics?${string}`} */
const metricsPath = (dataset) => `/api/analyse/metrics?${new URLSearchParams({ dataset })}`;

class AnalysePage {
  // What layout makes, before anything is shown:
  notes = new DatasetNotes();
  /** @type {HTMLSelectElement} */
  benchmark;
  /** @type {SliceChoice} */
  slices;
  /** @type {HTMLElement} while samples and scores are read */
  reading;
  /** @type {HTMLFieldSetElement} */
  metrics;
  /** @type {SampleBeside} */
  beside;
  /** @type {PlotPanel} */
  plots;
  /** @type {Agreement} */
  agreement;
  /** @type {ErrorList} */
  errors;
  /** @type {ErrorSections | null} */
  others = null;
  /** @type {HTMLElement} */
  othersBeside;
  /** @type {HTMLElement} */
  othersBelow;
  /** @type {StudyResults} */
  studies;
  /** @type {HTMLElement} */
  columns;

  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.state = readState();
    /** @type {KnownMetric[]} */
    this.known = [];
    /** @type {ScoredDataset[]} */
    this.scored = [];
    this.panel = panel;
    this.choosing = latest(); // data sets
    this.dark = document.body.classList.contains("dark");
    window.addEventListener("popstate", () => this.open());
    new MutationObserver(() => this.recolour()).observe(document.body, {
      attributes: true,
      attributeFilter: ["class"],
    });
  }

  async open() {
    this.state = readState();
    let scored;
    try {
      scored = await taken("/api/analyse/datasets");
    } catch (error) {
      return this.panel.replaceChildren(problem(error, () => this.open()));
    }
    if (!scored.length) return this.panel.replaceChildren(empty());
    const asked = this.state.dataset;
    if (!scored.some(({ name }) => name === asked)) this.state.dataset = scored[0].name;
    this.scored = scored;
    this.layout(scored);
    this.notes.sayInstead(asked, this.state.dataset);
    await this.choose();
    if (this.state.sample) await this.beside.show([this.state.sample], 0, false);
  }

  /** @param {ScoredDataset[]} scored */
  layout(scored) {
    const { state } = this;
    /** @type {[string, string][]} */
    const counted = scored.map(({ name, samples }) => [name, `${name} (${samples.toLocaleString()})`]);
    const dataset = picker({ id: "dataset" }, counted, state.dataset, (name) => {
      this.change({ dataset: name, metric: [], slice: "", sample: null }, true);
    });
    this.benchmark = picker({ id: "benchmark" }, [BY_DATASET], "", (benchmark) => this.change({ benchmark }));
    this.slices = new SliceChoice((slice) => this.change({ slice }), (slice) => this.newSlice(slice));
    this.notes = new DatasetNotes();
    this.reading = el("div");
    this.metrics = el("fieldset", { class: "choices metric-choices" });
    this.beside = new SampleBeside((sample) => this.remember({ sample }));
    const show = (/** @type {number} */ id, byPointer = false) => this.beside.show([id], 0, byPointer);
    this.plots = new PlotPanel(
      (ids) => this.beside.show([...ids]),
      (plot) => this.turn(plot),
      (slice) => this.newSlice(slice),
    );
    this.agreement = new Agreement();
    this.errors = new ErrorList(show);
    this.others = null;
    this.othersBeside = el("div");
    this.othersBelow = el("div");
    this.studies = new StudyResults();
    this.columns = el(
      "div",
      { class: "analyse-columns" },
      el("div", { class: "analyse-main" }, this.plots.section, this.errors.section, this.othersBeside),
      this.beside.section,
    );
    this.panel.replaceChildren(
      el(
        "div",
        { class: "analyse" },
        el("div", { class: "analyse-head" }, el("h1", {}, "Analyse"), reportButton(() => this.state.dataset)),
        el(
          "div",
          { class: "search" },
          field("Data set", dataset),
          field("Convention", this.benchmark),
          this.slices.node,
        ),
        this.notes.instead,
        this.notes.notice,
        this.reading,
        this.metrics,
        this.notes.unjudged,
        this.notes.unscored,
        this.agreement.section,
        this.columns,
        this.othersBelow,
        this.errors.results.section,
        this.studies.section,
      ),
    );
  }

  /** Change what is looked at, and the address.
   * @param {Partial<PageState>} changes @param {boolean} [newDataset] */
  async change(changes, newDataset = false) {
    this.remember(changes, "pushState"); // Back leads to what was looked at before
    if (newDataset) {
      this.notes.sayInstead("", this.state.dataset);
      await this.choose();
    } else await this.refresh();
  }

  /** @param {Partial<PageState>} changes @param {"pushState" | "replaceState"} [how] */
  remember(changes, how = "replaceState") {
    Object.assign(this.state, changes);
    writeState(this.state, how);
  }

  /** Offer the metrics of the data set; without a choice all count. The plot comes first, what can wait comes after. */
  async choose() {
    const { state } = this, isLast = this.choosing();
    this.notes.showNotice(this.dataset.notice);
    let known;
    try {
      this.reading.replaceChildren();
      known = await shown(this.reading, begun(metricsPath(state.dataset)), "Reading samples and scores");
    } catch (error) {
      return isLast() && this.metrics.replaceChildren(problem(error, () => this.choose()));
    }
    if (!isLast()) return; // another data set was chosen meanwhile
    this.known = known;
    const names = this.known.map(({ name }) => name);
    state.metric = state.metric.filter((name) => names.includes(name));
    if (!state.metric.length) state.metric = names;
    this.offerMetrics();
    if (!this.showScored()) return this.studies.open(state.dataset);
    if (state.slice) await this.offerSlices(); // it may have been removed
    if (!isLast()) return;
    await this.plots.show(this.drawn());
    if (!isLast()) return;
    await Promise.all([
      this.offerSlices(),
      this.offerConventions(),
      this.showUnscored(),
      this.showErrors(),
      this.studies.open(state.dataset),
    ]);
    if (!isLast()) return;
    this.showOthers();
    await this.showAgreement();
  }

  /** Show what needs scores, or say that there are none but errors; returns whether there are. */
  showScored() {
    const { known, state } = this, isScored = known.length > 0;
    for (const node of [this.metrics, this.agreement.section, this.columns, this.othersBelow]) node.hidden = !isScored;
    this.errors.results.section.hidden = !isScored;
    this.slices.node.hidden = !isScored;
    this.notes.sayScored(state.dataset, isScored);
    return isScored;
  }

  /** Say which metrics are not offered, since all that they said of the data set are errors. */
  async showUnscored() {
    const { dataset } = this.state;
    const names = await get(`/api/analyse/unscored?${new URLSearchParams({ dataset })}`).catch(() => []);
    if (dataset !== this.state.dataset) return;
    this.notes.sayUnscored(names);
  }

  offerMetrics() {
    this.metrics.replaceChildren(
      el("legend", {}, "Metrics"),
      ...this.known.map(({ name, label }) => {
        const box = el("input", {
          type: "checkbox",
          checked: this.state.metric.includes(name),
          change: () => {
            const chosen = this.known.map((other) => other.name).filter((
              other,
            ) => (other === name ? box.checked : this.state.metric.includes(other)));
            if (!chosen.length) box.checked = true;
            else this.change({ metric: chosen });
          },
        });
        return el("label", { class: "choice" }, box, label);
      }),
    );
  }

  async offerConventions() {
    const names = await get("/api/analyse/benchmarks").catch(() => []);
    this.benchmark.replaceChildren(
      ...options([BY_DATASET, ...asOptions(names)], this.state.benchmark),
    );
  }

  /** Show everything for what is chosen; agreement, which takes longest, last. */
  async refresh() {
    const { dataset } = this.state;
    await Promise.all([this.plots.show(this.drawn()), this.showErrors()]);
    if (dataset !== this.state.dataset) return; // its own metrics come first
    this.showOthers();
    await this.showAgreement();
  }

  /** The data set that is shown. */
  get dataset() {
    return this.scored.find(({ name }) => name === this.state.dataset) ?? this.scored[0];
  }

  /** Whether people have judged any of the data set's captions; what needs that says so in one line otherwise. */
  get isJudged() {
    return this.dataset.judged;
  }

  showErrors() {
    const isJudged = this.isJudged;
    for (const { section } of [this.errors, this.errors.results]) {
      section.hidden = !isJudged;
    }
    this.notes.sayJudged(this.state.dataset, isJudged);
    if (!isJudged) return;
    return this.errors.open(this.state.dataset, this.chosen(), this.narrowed());
  }

  /** What takes a while, and waits until it is seen. */
  async showOthers() {
    const { dataset } = this.state;
    const { ErrorSections } = await import("./error_sections.js");
    if (dataset !== this.state.dataset) return;
    if (!this.others) {
      this.others = new ErrorSections({
        show: (id) => this.beside.show([id]),
        made: (slice) => this.newSlice(slice),
      });
      this.othersBeside.replaceChildren(...this.others.beside);
      this.othersBelow.replaceChildren(...this.others.below);
    }
    this.others.open({ dataset, metrics: this.chosen(), extra: this.narrowed() }, this.isJudged);
  }

  /** The metrics that are looked at. */
  chosen() {
    return this.known.filter(({ name }) => this.state.metric.includes(name));
  }

  /** What the plots are to show. */
  drawn() {
    return { ...this.state, samples: this.dataset.samples, known: this.chosen() };
  }

  /** What narrows down the samples that are looked at. @returns {Record<string, string>} */
  narrowed() {
    return this.state.slice ? { slice: this.state.slice } : {};
  }

  showAgreement() {
    this.agreement.section.hidden = !this.isJudged;
    if (!this.isJudged) return;
    const { dataset, slice, benchmark, metric } = this.state;
    const chosen = { dataset, ...(slice && { slice }), ...(benchmark && { benchmark }) };
    return this.agreement.show(
      [...metric],
      (metrics, more) =>
        new URLSearchParams(
          Object.entries({ ...chosen, ...more, metric: metrics }).flatMap(([name, value]) =>
            [value].flat().map((one) => [name, String(one)])
          ),
        ),
    );
  }

  /** @param {string} plot */
  async turn(plot) {
    this.remember({ plot });
    await this.plots.show(this.drawn());
  }

  /** Draw again where the page went from light to dark or back. */
  recolour() {
    const dark = document.body.classList.contains("dark");
    if (dark === this.dark) return;
    this.dark = dark;
    if (this.plots?.paint) this.plots.draw();
    this.studies?.redraw();
    this.others?.redraw();
  }

  /** Go to a slice that has just been made, or to all samples after one was removed.
   * @param {string} slice */
  async newSlice(slice) {
    this.remember({ slice }, slice ? "pushState" : "replaceState"); // nothing leads back to one that was removed
    await Promise.all([this.offerSlices(), this.refresh()]);
  }

  async offerSlices() {
    await this.slices.offer(this.state, this.known);
  }
}
