// The Analyse page shows where a metric and people disagree. The address of the page states what the page shows.

import { get, latest, taken } from "../shared/api.js";
import { begin, begun, shown } from "../shared/long_work.js";
import { asOptions, options } from "../shared/elements.js";
import { empty, problem } from "../shared/notices.js";
import { askEarly, metricsPath } from "./first_questions.js";
import { byDataset, PageParts } from "./page_parts.js";
import { readState, writeState } from "./page_state.js";

/** @import { KnownMetric, ScoredDataset } from "../shared/wire.d.ts" */
/** @import { PageState } from "./page_state.js" */

/** Start the requests for the data of the first plot before the page is built. */
export const prepare = askEarly;

/** Fill the panel with the Analyse page. The address names the data set, metrics, slice, plot and sample to show.
 * @param {HTMLElement} panel */
export async function start(panel) {
  const page = new AnalysePage(panel);
  await page.open();
}

class AnalysePage {
  /** @type {PageParts} created by open(), before anything is shown */
  parts;

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
    const recolour = new MutationObserver(() => this.recolour());
    recolour.observe(document.body, { attributes: true, attributeFilter: ["class"] });
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
    this.parts = new PageParts(scored, this.state.dataset, {
      change: (changes, newDataset) => this.change(changes, newDataset),
      opened: (sample) => this.remember({ sample }),
      turned: (plot) => this.turn(plot),
      sliced: (slice) => this.newSlice(slice),
    });
    this.panel.replaceChildren(this.parts.element);
    this.parts.notes.sayInstead(asked, this.state.dataset);
    this.parts.notes.offerPublished(scored);
    await this.choose();
    if (this.state.sample) await this.parts.beside.show([this.state.sample], 0, false);
  }

  /** Change the page's state and its address.
   * @param {Partial<PageState>} changes @param {boolean} [newDataset] whether the data set changes */
  async change(changes, newDataset = false) {
    this.remember(changes, "pushState"); // the browser's Back button restores the earlier state
    if (newDataset) {
      this.parts.notes.sayInstead("", this.state.dataset);
      await this.choose();
    } else if (this.isUnknown()) await this.choose(); // a chosen part of a metric's scores is not fetched yet
    else await this.refresh();
  }

  /** Return whether a chosen metric or part of scores has not been fetched yet. */
  isUnknown() {
    return this.state.metric.some((chosen) => this.known.every(({ name }) => name !== chosen));
  }

  /** @param {Partial<PageState>} changes @param {"pushState" | "replaceState"} [how] */
  remember(changes, how = "replaceState") {
    Object.assign(this.state, changes);
    writeState(this.state, how);
  }

  /** Offer the data set's metrics, and choose all if none is chosen. Show the plot before the other sections. */
  async choose() {
    const { state } = this, isLast = this.choosing();
    this.parts.notes.showNotice(this.dataset.notice);
    let known;
    try {
      this.parts.reading.replaceChildren();
      known = await shown(
        this.parts.reading,
        begun(metricsPath(state.dataset, state.metric)),
        "Reading samples and scores",
      );
    } catch (error) {
      return isLast() && this.parts.metrics.node.replaceChildren(problem(error, () => this.choose()));
    }
    if (!isLast()) return; // the user has chosen another data set meanwhile
    this.known = known;
    const names = this.known.map(({ name }) => name);
    state.metric = state.metric.filter((name) => names.includes(name));
    if (!state.metric.length) state.metric = names;
    this.offerMetrics();
    if (!this.showScored()) return this.parts.studies.open(state.dataset);
    if (state.slice) await this.offerSlices(); // chooses all samples if the slice in the address no longer exists
    if (!isLast()) return;
    await this.parts.plots.show(this.drawn());
    if (!isLast()) return;
    await Promise.all([
      this.offerSlices(),
      this.offerConventions(),
      this.showUnscored(),
      this.showErrors(),
      this.parts.studies.open(state.dataset),
    ]);
    if (!isLast()) return;
    this.showOthers();
    await this.showAgreement();
  }

  /** Show the parts of the page that need scores, or hide them if there are no scores.
   * If every score of the data set is an error instead of a value, say so. Return whether scores exist. */
  showScored() {
    const { known, state } = this, isScored = known.length > 0;
    for (
      const node of [this.parts.metrics.node, this.parts.agreement.section, this.parts.columns, this.parts.othersBelow]
    ) {
      node.hidden = !isScored;
    }
    this.parts.errors.results.section.hidden = !isScored;
    this.parts.slices.node.hidden = !isScored;
    this.parts.notes.sayScored(state.dataset, isScored);
    return isScored;
  }

  /** Name the metrics that are not offered, because each of their scores for the data set is an error. */
  async showUnscored() {
    const { dataset } = this.state;
    const names = await begin(`/api/analyse/unscored?${new URLSearchParams({ dataset })}`).answer.catch(() => []);
    if (dataset !== this.state.dataset) return;
    this.parts.notes.sayUnscored(names);
  }

  offerMetrics() {
    const { known, state: { dataset, metric } } = this;
    this.parts.metrics.offer(dataset, known, metric);
  }

  async offerConventions() {
    const names = await get("/api/analyse/benchmarks").catch(() => []);
    this.parts.benchmark.replaceChildren(
      ...options([byDataset(this.dataset), ...asOptions(names)], this.state.benchmark),
    );
  }

  /** Show everything for the current choice. The metrics' agreement with people takes longest, so it comes last. */
  async refresh() {
    const { dataset } = this.state;
    await Promise.all([this.parts.plots.show(this.drawn()), this.showErrors()]);
    if (dataset !== this.state.dataset) return; // the user has chosen another data set, and choose() shows it
    this.showOthers();
    await this.showAgreement();
  }

  /** The shown data set. If no sample of the chosen slice has a human judgement, `rated` and `judged` are false. */
  get dataset() {
    const found = this.scored.find(({ name }) => name === this.state.dataset) ?? this.scored[0];
    const hasNone = found.rated && this.parts?.slices.unrated.includes(this.state.slice);
    return hasNone ? { ...found, rated: false, judged: false } : found;
  }

  showErrors() {
    const { dataset } = this.state;
    const compared = this.compared();
    if (!this.dataset.rated || !compared.length) return this.parts.errors.missing(this.dataset.rated);
    return this.parts.errors.open(dataset, compared, this.narrowed());
  }

  /** Open the sections that need long computations. Each section is computed when it comes into view. */
  async showOthers() {
    const { dataset } = this.state;
    const { ErrorSections } = await import("./error_sections.js");
    if (dataset !== this.state.dataset) return;
    if (!this.parts.others) {
      this.parts.others = new ErrorSections({
        show: (id, section) => this.parts.beside.showBelow(id, section),
        made: (slice) => this.newSlice(slice),
      });
      this.parts.othersBelow.replaceChildren(...this.parts.others.nodes);
    }
    const { annotated, captioners, rated } = this.dataset;
    this.parts.others.open({
      dataset,
      metrics: this.compared(),
      chosen: this.chosen(),
      extra: this.narrowed(),
      annotated,
      captioners,
    }, rated);
  }

  /** Return the chosen metrics, in the order in which the address lists them. */
  chosen() {
    return this.state.metric.flatMap((chosen) => this.known.filter(({ name }) => name === chosen));
  }

  /** Return the chosen metrics, except those whose scores were given by people. */
  compared() {
    return this.chosen().filter(({ by_people: byPeople }) => !byPeople);
  }

  /** Return the page's state with the sample counts and metrics that the plots need. */
  drawn() {
    const { samples, rated } = this.dataset;
    return { ...this.state, samples, rated, known: this.chosen() };
  }

  /** Return the request parameters that limit results to the chosen slice. @returns {Record<string, string>} */
  narrowed() {
    return this.state.slice ? { slice: this.state.slice } : {};
  }

  showAgreement() {
    const { slice: chosenSlice, dataset: name } = this.state;
    if (!this.dataset.judged) return this.parts.agreement.missing(chosenSlice ? `the slice ${chosenSlice}` : name);
    const metrics = this.compared().map(({ name }) => name);
    if (!metrics.length) return this.parts.agreement.missing(this.state.dataset, true);
    const { dataset, slice, benchmark } = this.state;
    const chosen = { dataset, ...(slice && { slice }), ...(benchmark && { benchmark }) };
    return this.parts.agreement.show(
      metrics,
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
    await this.parts.plots.show(this.drawn());
  }

  /** Draw the figures again if the user has switched between light and dark colours. */
  recolour() {
    const dark = document.body.classList.contains("dark");
    if (dark === this.dark) return;
    this.dark = dark;
    if (this.parts?.plots.paint) this.parts.plots.draw();
    this.parts?.studies.redraw();
    this.parts?.others?.redraw();
  }

  /** Show the samples of a new slice, or all samples after a slice was removed.
   * @param {string} slice name of the new slice; "": a slice was removed */
  async newSlice(slice) {
    this.remember({ slice }, slice ? "pushState" : "replaceState"); // the Back button must not lead to a removed slice
    await this.offerSlices();
    await this.refresh();
  }

  async offerSlices() {
    await this.parts.slices.offer(this.state, this.known);
  }
}
