// The Analyse page shows where a metric and people disagree. The address of the page states what the page shows.

import { at } from "../shared/address.js";
import { early, get, latest, send, taken, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { button, picker, quiet } from "../shared/elements.js";
import { empty, problem, shownIfSlow, working } from "../shared/notices.js";
import { download, fileName } from "../shared/downloads.js";
import { ErrorSection } from "./errors.js";
import { MetricChoice } from "./metric_choice.js";
import { PlotSection } from "./plot.js";
import { plotly } from "./plotly.js";
import { SampleBeside } from "./sample_beside.js";
import { SectionView } from "./section.js";
import { SliceChoice } from "./slices.js";

/** @import { KnownMetric, ListedSection, ScoredDataset } from "../shared/wire.d.ts" */
/** @typedef {object} State what the page shows, stored in its address
 * @property {string} dataset @property {string[]} metric @property {string} slice @property {number | null} sample
 * @property {Record<string, Record<string, string>>} options key: section, then option */

const REPORT_MS = 600_000; // maximum time for writing the report
const BESIDE = ["plot", "errors"]; // sections beside which a sample is shown
const OPEN = ["agreement", "plot", "errors"]; // sections that are shown before a click
const PLACE = "."; // separates section and option in the address

/** Start the requests of the page before it is built. */
export async function prepare() {
  plotly().catch(() => {}); // the plot reports a failed load
  await early("/api/analyse/datasets");
}

/** Fill the panel with the Analyse page. @param {HTMLElement} panel */
export async function start(panel) {
  await new Page(panel).open();
}

export class Page {
  /** @type {SampleBeside} */
  beside;

  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    this.state = readState();
    /** @type {ScoredDataset[]} */
    this.scored = [];
    /** @type {KnownMetric[]} */
    this.known = [];
    /** @type {Map<string, SectionView>} */
    this.sections = new Map();
    this.turn = latest();
    this.dark = document.body.classList.contains("dark");
    addEventListener("popstate", () => this.open());
    new MutationObserver(() => this.recolour()).observe(document.body, {
      attributes: true,
      attributeFilter: ["class"],
    });
  }

  async open() {
    this.state = readState();
    try {
      this.scored = await taken("/api/analyse/datasets");
    } catch (error) {
      return this.panel.replaceChildren(problem(error, () => this.open()));
    }
    if (!this.scored.length) return this.panel.replaceChildren(empty());
    const asked = this.state.dataset;
    if (!this.scored.some(({ name }) => name === asked)) this.state.dataset = this.scored[0].name;
    this.build(asked);
    await this.choose_();
    if (this.state.sample) await this.showAll([this.state.sample], false);
  }

  /** Build the page's parts. @param {string} asked the data set that the address names */
  build(asked) {
    const { state, scored } = this;
    /** @type {[string, string][]} */
    const counted = scored.map(({ name, samples }) => [name, `${name} (${samples.toLocaleString()})`]);
    const dataset = picker({ id: "dataset" }, counted, state.dataset, (name) => {
      this.change({ dataset: name, metric: [], slice: "", sample: null, options: {} });
    });
    this.slices = new SliceChoice((slice) => this.change({ slice }), (slice) => this.sliced(slice));
    this.metrics = new MetricChoice((changes) => this.change(changes));
    this.beside = new SampleBeside((sample) => this.remember({ sample }));
    this.reading = el("div");
    this.main = el("div", { class: "analyse-main" });
    this.columns = el("div", { class: "analyse-columns" }, this.main, this.beside.section);
    this.top = el("div");
    this.below = el("div");
    this.lacking = quiet();
    this.notice = el("p", { class: "notice-line", hidden: true });
    const instead = quiet(
      `There is no data set “${asked}” with scores here. This page shows ${state.dataset} instead.`,
    );
    instead.hidden = !asked || asked === state.dataset;
    const page = el(
      "div",
      { class: "analyse" },
      el("div", { class: "analyse-head" }, el("h1", {}, "Analyse"), this.report()),
      el("div", { class: "search" }, field("Data set", dataset), this.slices.node),
      instead,
      this.notice,
      this.metrics.node,
      this.reading,
      this.top,
      this.columns,
      this.below,
      this.lacking,
    );
    this.panel.replaceChildren(page);
  }

  report() {
    const message = el("span", { class: "quiet", role: "status" });
    const write = async () => {
      const { dataset } = this.state, query = new URLSearchParams({ dataset });
      save.disabled = true;
      message.replaceChildren(working("Writing the report of all samples and slices"));
      try {
        const signal = AbortSignal.timeout(REPORT_MS);
        const answer = await send("GET", `/api/analyse/report.html?${query}`, undefined, { signal });
        download(await answer.blob(), `${fileName(`${dataset} report`)}.html`);
        say(message, "The report is in your downloads. It is one file that every browser opens.");
      } catch (error) {
        say(message, wordsOf(error));
      }
      save.disabled = false;
    };
    const save = button("Report", write);
    return el("div", { class: "actions" }, message, save);
  }

  /** Change the page's state and its address, and show everything again.
   * @param {Partial<State>} changes @param {"pushState" | "replaceState"} [how] */
  async change(changes, how = "pushState") {
    const { dataset } = this.state;
    this.remember(changes, how);
    if (
      dataset !== this.state.dataset || this.state.metric.some((one) => this.known.every(({ name }) => name !== one))
    ) {
      await this.choose_();
    } else await this.refresh();
  }

  /** @param {Partial<State>} changes @param {"pushState" | "replaceState"} [how] */
  remember(changes, how = "replaceState") {
    Object.assign(this.state, changes);
    writeState(this.state, how);
  }

  /** Fetch the data set's metrics, then show everything. */
  async choose_() {
    const { state } = this, isLast = this.turn();
    const { dataset } = state, { notice } = this.scored.find(({ name }) => name === dataset) ?? this.scored[0];
    say(/** @type {Element} */ (this.notice), notice);
    /** @type {HTMLElement} */ (this.notice).hidden = !notice;
    const parts = state.metric.filter((name) => name.includes("#")).map((part) => ["part", part]);
    try {
      const path =
        /** @type {const} */ (`/api/analyse/metrics?${new URLSearchParams([["dataset", dataset], ...parts])}`);
      this.known = [
        ...await shownIfSlow(/** @type {HTMLElement} */ (this.reading), path, "Reading samples and scores"),
      ];
    } catch (error) {
      return isLast() && this.metrics?.node.replaceChildren(problem(error, () => this.choose_()));
    }
    if (!isLast()) return;
    const names = this.known.map(({ name }) => name);
    state.metric = state.metric.filter((name) => names.includes(name));
    await this.refresh();
    await this.slices?.offer(state, this.known);
  }

  /** Show the sections for the current choice. */
  async refresh() {
    const { state } = this, isLast = this.turn();
    this.metrics?.offer(
      state.dataset,
      this.known,
      state.metric.length ? state.metric : this.known.map(({ name }) => name),
    );
    const query = new URLSearchParams({ dataset: state.dataset, ...(state.slice && { slice: state.slice }) });
    let listed;
    try {
      listed = await get(`/api/analyse/sections?${query}`);
    } catch (error) {
      return isLast() && this.below?.replaceChildren(problem(error, () => this.refresh()));
    }
    if (!isLast()) return;
    const there = listed.filter(({ lacks }) => !lacks), lacking = listed.filter(({ lacks }) => lacks);
    for (const one of there) if (!this.sections.has(one.key)) this.sections.set(one.key, viewOf(one, this));
    const views = there.map(({ key }) => /** @type {SectionView} */ (this.sections.get(key)));
    const placeOf = (/** @type {SectionView} */ { key }) =>
      key === "agreement" ? this.top : BESIDE.includes(key) ? this.main : this.below;
    for (const place of [this.top, this.main, this.below]) {
      place?.replaceChildren(...views.filter((view) => placeOf(view) === place).map(({ node }) => node));
    }
    /** @type {HTMLElement} */ (this.columns).hidden = !this.main?.childElementCount;
    const named = lacking.map(({ title, lacks }) => `${title} (needs ${lacks})`).join(", ");
    say(/** @type {Element} */ (this.lacking), named && `Not shown: ${named}.`);
    await Promise.all(views.filter((view) => placeOf(view) === this.main).map((view) => view.open()));
    await Promise.all(views.filter((view) => placeOf(view) !== this.main).map((view) => view.open()));
  }

  /** Return the request parameters for the current choice. @returns {string[][]} */
  query() {
    const { dataset, metric, slice } = this.state;
    const chosen = metric.length ? metric : this.known.map(({ name }) => name);
    return [["dataset", dataset], ...chosen.map((name) => ["metric", name]), ...(slice ? [["slice", slice]] : [])];
  }

  /** Return the chosen options of a section. @param {string} key */
  options(key) {
    return this.state.options[key] ?? {};
  }

  /** Remember options of a section; "" removes an option. @param {string} key @param {Record<string, string>} options */
  choose(key, options) {
    const chosen = Object.entries({ ...this.options(key), ...options }).filter(([, value]) => value);
    this.remember({ options: { ...this.state.options, [key]: Object.fromEntries(chosen) } });
  }

  /** Show a sample beside the list, or below the section in which it was chosen.
   * @param {number} id @param {Element} section @param {boolean} [takesFocus] */
  async show(id, section, takesFocus = true) {
    if (this.main?.contains(section)) return this.showAll([id], takesFocus);
    section.after(this.beside.section);
    await this.beside.load([id], 0, false);
    this.beside.section.scrollIntoView({ block: "start" });
  }

  /** Show the first of some samples beside the plot. @param {number[]} ids @param {boolean} [takesFocus] */
  async showAll(ids, takesFocus = true) {
    if (!ids.length) return;
    if (!this.columns?.contains(this.beside.section)) this.columns?.append(this.beside.section);
    await this.beside.load(ids, 0, takesFocus);
  }

  /** Show the samples of a new slice, or all samples after a slice was removed. @param {string} slice */
  async sliced(slice) {
    this.remember({ slice }, slice ? "pushState" : "replaceState");
    await Promise.all([this.slices?.offer(this.state, this.known), this.refresh()]);
  }

  /** Draw the figures again if the user has switched between light and dark colours. */
  recolour() {
    const dark = document.body.classList.contains("dark");
    if (dark === this.dark) return;
    this.dark = dark;
    for (const view of this.sections.values()) view.redraw();
  }
}

/** @param {ListedSection} listed @param {Page} page */
function viewOf(listed, page) {
  if (listed.key === "plot") return new PlotSection(listed, page);
  if (listed.key === "errors") return new ErrorSection(listed, page);
  return new SectionView(listed, page, OPEN.includes(listed.key));
}

/** Read the page's state from its address. @returns {State} */
export function readState() {
  const query = new URLSearchParams(location.search);
  /** @type {Record<string, Record<string, string>>} */
  const options = {};
  for (const [name, value] of query) {
    const [key, option] = name.split(PLACE);
    if (option) options[key] = { ...options[key], [option]: value };
  }
  return {
    dataset: query.get("dataset") ?? "",
    metric: query.getAll("metric"),
    slice: query.get("slice") ?? "",
    sample: Number(query.get("sample")) || null,
    options,
  };
}

/** Write the page's state to its address. @param {State} state @param {"pushState" | "replaceState"} how */
function writeState({ dataset, metric, slice, sample, options }, how) {
  const query = new URLSearchParams({ dataset });
  for (const name of metric) query.append("metric", name);
  if (slice) query.set("slice", slice);
  if (sample) query.set("sample", String(sample));
  for (const [key, chosen] of Object.entries(options)) {
    for (const [name, value] of Object.entries(chosen)) query.set(`${key}${PLACE}${name}`, value);
  }
  history[how](null, "", at(`/analyse?${query}`));
}
