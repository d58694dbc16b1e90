// The plot of the Analyse page. The samples of the data set are fetched once. The browser then selects the samples of
// the chosen slice (a named subset of samples).

import { at } from "../shared/address.js";
import { latest, wordsOf } from "../shared/api.js";
import { el, field, present, say } from "../shared/dom.js";
import { options, statusText } from "../shared/elements.js";
import { begin, begun, shownIfSlow } from "../shared/long_work.js";
import { problem } from "../shared/notices.js";
import { fileName } from "../shared/tables.js";
import { rawOf } from "./column_names.js";
import { saveButtons } from "./figure_files.js";
import { bring, fold, unfold } from "./folding.js";
import { inSight, largeScatter, lassoed, MANY } from "./large_plot.js";
import { inside } from "./lasso.js";
import { PlotLasso } from "./plot_lasso.js";
import { plotFor, plotsFor, pointsPath, scoreWord } from "./plot_list.js";
import { savePlot, scatter } from "./plots.js";
import { unpacked, within } from "./points.js";

/** @import { Points, PlotBox } from "../shared/types.d.ts" */
/** @import { Drawn } from "./large_plot.js" */
/** @import { Corner } from "./lasso.js" */
/** @import { AnyMetric, Plot, PlotAxes, PlotState } from "./plot_list.js" */

export class PlotPanel {
  // show() sets the fields `state`, `whole` and `points` before anything is drawn.
  /** @type {PlotState} */
  state;
  /** @type {Points} samples of the whole data set; unset if they are so many that the server counts them */
  whole;
  /** @type {Points} samples of the slice; unset if they are so many that the server counts them */
  points;

  /** @param {(ids: number[]) => void} pick is called with the ids of the samples that were clicked
   * @param {(plot: string) => void} turned is called with the plot that was chosen
   * @param {(slice: string) => void} sliced is called with the name of a slice that was made with the lasso */
  constructor(pick, turned, sliced) {
    this.pick = pick;
    /** @type {PlotAxes | null} axes of the drawn plot; null if no line can be drawn in it */
    this.axes = null;
    /** @type {((box: PlotBox) => Promise<void>) | null} draws the latest plot again */
    this.paint = null;
    this.turn = latest();
    this.drawing = latest();
    this.laidOut = ""; // JSON of the data set, metrics and plot for which the controls were built last
    /** @type {string | null} */
    this.asked = null; // address from which `fetched` was requested
    /** @type {Promise<Points> | null} */
    this.fetched = null;
    this.section = el("section", { class: "analyse-plot", "aria-labelledby": "plots" });
    this.status = statusText();
    this.box = /** @type {PlotBox} */ (el("div", { class: "plot" }));
    this.lasso = new PlotLasso(this.box, {
      drawn: () => this.axes && { axes: this.axes, dataset: this.state.dataset },
      within: (axes, corners) => this.within(axes, corners),
      pick,
      sliced,
    });
    this.kind = el("select", { id: "plot", change: () => turned(this.kind.value) });
    this.first = el("select", { id: "first", change: () => this.draw() });
    this.second = el("select", { id: "second", change: () => this.draw() });
    this.csv = el("a", { class: "button" }, "CSV");
    this.saves = saveButtons("Plot", (format) => this.save(format), this.csv);
    this.head = el("h2", { id: "plots" }, "Plots");
    this.section.append(this.head);
  }

  /** Draw the plot for the page's state.
   * @param {PlotState} state @returns {Promise<void>} */
  async show(state) {
    const isLast = this.turn();
    this.state = state;
    if (!plotsFor(state).some(({ missing }) => !missing?.(state.known, state.known[0]))) {
      this.laidOut = "";
      return fold(
        this.section,
        this.head,
        "There is one score and no human judgement, so there is nothing to draw.",
        bring("Import data"),
      );
    }
    unfold(this.section);
    if (this.isLarge) {
      this.layout();
      return this.draw();
    }
    try {
      const { dataset, slice } = state;
      const [points, members] = await Promise.all([
        this.arrays(state),
        slice
          ? shownIfSlow(
            this.section,
            begin(`/api/analyse/members?${new URLSearchParams({ dataset, slice })}`),
            "Looking for the samples of the slice",
          )
          : null,
      ]);
      if (!isLast()) return;
      if (members && members.stamp !== points.stamp) return this.again(state); // replies from different data versions
      this.whole = points;
      this.points = members ? within(points, members.mask) : points;
    } catch (error) {
      this.laidOut = "";
      return this.section.replaceChildren(this.head, problem(error, () => this.show(state)));
    }
    this.layout();
    await this.draw();
  }

  /** Whether there are so many samples that the server sends counts of samples instead of each sample. */
  get isLarge() {
    return this.state.samples > MANY;
  }

  /** The metrics that are chosen on the page. @returns {AnyMetric[]} */
  get metrics() {
    return this.isLarge ? this.state.known : this.points.metrics;
  }

  /** The two metrics that the plot's own menus select. @returns {[AnyMetric, AnyMetric]} */
  get chosen() {
    const [first, second] = [this.first, this.second].map(({ value }) => this.metrics[Number(value)]);
    return [first, second];
  }

  get plot() {
    return plotFor(this.state, this.state.known);
  }

  /** @param {PlotState} state */
  again(state) {
    this.asked = null;
    return this.show(state);
  }

  /** Return the arrays with the chosen metrics' scores. Fetch them only if they are not loaded yet.
   * @param {PlotState} state @returns {Promise<Points>} */
  arrays(state) {
    const path = pointsPath(state);
    if (path === this.asked && this.fetched) return this.fetched;
    this.asked = path;
    const fetched = this.fetched = begun(path).answer.then(unpacked);
    fetched.catch(() => (this.asked = null));
    return fetched;
  }

  /** Build the plot's menus and buttons again if the data set, the metrics or the kind of plot changed. */
  layout() {
    const { state, metrics, plot } = this;
    this.csv.setAttribute("href", at(this.csvAddress()));
    const wanted = JSON.stringify([state.dataset, state.metric, plot.key]);
    if (wanted === this.laidOut) return;
    this.laidOut = wanted;
    const offer = (/** @type {HTMLSelectElement} */ select, /** @type {number} */ start) =>
      select.replaceChildren(...options(metrics.map(({ label }, number) => [number, label]), start));
    offer(this.first, 0);
    offer(this.second, Math.min(1, metrics.length - 1));
    const word = scoreWord(state);
    const nameOf = (/** @type {Plot} */ { name, nameOfScores }) => word === "Score" ? nameOfScores ?? name : name;
    this.kind.replaceChildren(...options(plotsFor(state).map((one) => [one.key, nameOf(one)]), plot.key));
    this.section.replaceChildren(
      this.head,
      el(
        "div",
        { class: "search" },
        field("Plot", this.kind),
        plot.metrics > 0 && metrics.length > 1 && field(word, this.first),
        plot.metrics > 1 && metrics.length > 1 && field("against", this.second),
        el("p", { class: "field" }, this.lasso.button),
      ),
      this.box,
      this.lasso.caught,
      this.status,
      this.saves,
    );
  }

  csvAddress() {
    const { dataset, metric, slice } = this.state;
    return `/api/analyse/data.csv?${new URLSearchParams([
      ["dataset", dataset],
      ...metric.map((name) => ["metric", name]),
      ...(slice ? [["slice", slice]] : []),
    ])}`;
  }

  /** Return the plot's file name, made of the data set, the slice and what the plot shows. */
  fileName() {
    const { dataset, slice } = this.state, [first, second] = this.chosen;
    const shown = this.plot.fileName(this.metrics.map(({ label }) => label), first.label, second.label);
    return present(dataset, slice, shown).join(" ");
  }

  /** @param {"png" | "svg" | "pdf"} format */
  async save(format) {
    if (this.paint) await savePlot(this.box, this.paint, format, this.fileName());
  }

  /** Return the ids of the samples inside a line drawn on the plot.
   * @param {PlotAxes} axes @param {Corner[]} corners @returns {Promise<Int32Array | number[]>} */
  async within({ x, y }, corners) {
    const { points, state } = this;
    if (this.isLarge) return await lassoed({ ...state, x, y }, corners);
    return inside(this.along(x), this.along(y), corners).map((place) => points.ids[place]);
  }

  // ---- drawing

  async draw() {
    const isLast = this.drawing(); // returns whether this is the latest call of draw(); an older call shows no messages
    this.lasso.turn(false); // remove the lasso's line, which belongs to the earlier plot
    const { plot } = this, [first, second] = this.chosen;
    const missing = this.missing(first);
    say(this.status, missing);
    this.box.hidden = this.saves.hidden = this.lasso.button.hidden = Boolean(missing);
    if (missing) {
      this.box.dataset.samples = "0";
      this.box.drawn = null;
      return;
    }
    this.csv.setAttribute("download", `${fileName(this.fileName())}.csv`);
    this.axes = plot.axes?.(first, second) ?? null;
    this.lasso.button.hidden = !this.axes;
    try {
      const paint = this.paint = this.painter(this.axes);
      await paint(this.box);
      if (!isLast()) return;
      const none = this.box.dataset.samples === "0";
      this.saves.hidden = none;
      if (none) say(this.status, "No sample here has both values that the plot needs, so there is nothing to draw.");
    } catch (error) {
      if (isLast()) say(this.status, wordsOf(error));
    }
  }

  /** Return a function that draws the plot.
   * If the server sends counts instead of each sample, the file that users save shows only the visible part of the
   * plot.
   * @param {PlotAxes | null} axes @returns {(box: PlotBox) => Promise<void>} */
  painter(axes) {
    const { isLarge, plot: { draw }, points, state } = this;
    if (axes && isLarge) {
      const drawn = { ...state, ...axes };
      return (box) => largeScatter(box, drawn, this.pick, box === this.box ? null : inSight(this.box));
    }
    if (axes) {
      const [x, y] = [axes.x, axes.y].map((axis) => ({ ...axis, values: this.along(axis) }));
      return (box) => scatter(box, points.ids, x, y, this.pick);
    }
    return async (box) => await (isLarge ? draw?.many(box, state) : draw?.here(box, points));
  }

  /** Return the loaded values for an axis. If the axis's column of scores is not loaded, every value is NaN.
   * @param {Drawn["x"]} axis @returns {Float32Array} */
  along({ of }) {
    if (of === null) return this.points.human;
    const { metrics, samples } = this.points;
    const values = metrics.find(({ name }) => name === of)?.value ??
      metrics.find(({ name }) => rawOf(name) === of)?.raw;
    return values ?? new Float32Array(samples).fill(NaN);
  }

  /** Return why the current plot cannot be drawn, or "" if it can. @param {AnyMetric} first the first chosen metric */
  missing(first) {
    return this.missingHere() || (this.plot.missing?.(this.metrics, first) ?? "");
  }

  /** Return why the loaded samples cannot be drawn, or "" if they can. */
  missingHere() {
    if (this.isLarge) return "";
    if (!this.points.samples) return "The slice has no samples. Choose another slice, or make its conditions wider.";
    return "";
  }
}
