// The plot of the Analyse page: arrays are fetched once and then cut to the slice that is chosen, in the browser.

import { at } from "../shared/address.js";
import { get, latest, taken, wordsOf } from "../shared/api.js";
import { saveButtons } from "./figure_files.js";
import { inSight, largePerLevel, largeScatter, lassoed, MANY } from "./large_plot.js";
import { inside, Lasso } from "./lasso.js";
import { axesOf, PLOTS, pointsPath } from "./plot_axes.js";
import { perLevel, savePlot, scatter } from "./plots.js";
import { el, field, say } from "../shared/dom.js";
import { button, statusText } from "../shared/elements.js";
import { problem } from "../shared/notices.js";
import { unpacked, within } from "./points.js";
import { fileName } from "../shared/tables.js";

/** @import { Axis, Points, Metric, PlotBox } from "../shared/types.d.ts" */
/** @import { KnownMetric } from "../shared/wire.d.ts" */
/** @import { Drawn } from "./large_plot.js" */
/** @import { Corner } from "./lasso.js" */
/** @import { PlotState } from "./plot_axes.js" */

export class PlotPanel {
  /** @param {(ids: number[]) => void} pick is called with ids of samples that were clicked
   * @param {(plot: string) => void} turned is called with the plot that was chosen
   * @param {(slice: string) => void} sliced is called with the slice that was made of a lasso */
  constructor(pick, turned, sliced) {
    this.pick = pick;
    this.turned = turned;
    this.sliced = sliced;
    /** @type {Pick<Drawn, "x" | "y"> | null} what is drawn, where a line can be drawn in it */
    this.axes = null;
    /** @type {(box: PlotBox) => Promise<void>} draws what was drawn last */
    this.paint = null;
    this.turn = latest();
    this.drawing = latest();
    this.laidOut = ""; // for what the choices were laid out
    /** @type {string | null} */
    this.asked = null; // where the arrays that are here, or on their way, were asked for
    this.section = el("section", { class: "analyse-plot", "aria-labelledby": "plots" });
    this.status = statusText();
    this.box = /** @type {PlotBox} */ (el("div", { class: "plot" }));
    this.lasso = new Lasso(this.box, () => rangesOf(this.box), (corners) => this.lassoed(corners));
    this.caught = el("p", { class: "actions lassoed", role: "status" });
    this.section.append(el("h2", { id: "plots" }, "Plots"));
  }

  /** Draw what the page's state asks for.
   * @param {PlotState} state @returns {Promise<void>} */
  async show(state) {
    const isLast = this.turn();
    this.state = state;
    if (this.isLarge) {
      this.layout();
      return this.draw();
    }
    try {
      const [points, members] = await Promise.all([
        this.arrays(state),
        state.slice &&
        get(`/api/analyse/members?${new URLSearchParams({ dataset: state.dataset, slice: state.slice })}`),
      ]);
      if (!isLast()) return;
      if (members && members.stamp !== points.stamp) return this.again(state); // data came in between
      this.whole = points;
      this.points = members ? within(points, members.mask) : points;
    } catch (error) {
      this.laidOut = "";
      return this.section.replaceChildren(el("h2", { id: "plots" }, "Plots"), problem(error, () => this.show(state)));
    }
    this.layout();
    await this.draw();
  }

  /** Whether the server counts the samples, since there are so many. */
  get isLarge() {
    return this.state.samples > MANY;
  }

  /** The metrics that are looked at. @returns {(Metric | KnownMetric)[]} */
  get metrics() {
    return this.isLarge ? this.state.known : this.points.metrics;
  }

  /** @param {PlotState} state */
  again(state) {
    this.asked = null;
    return this.show(state);
  }

  /** The arrays of the chosen metrics, asked for only when they are not here yet.
   * @param {PlotState} state @returns {Promise<Points>} */
  arrays(state) {
    const path = pointsPath(state);
    if (path !== this.asked) {
      this.asked = path;
      this.fetched = taken(path).then(unpacked);
      this.fetched.catch(() => (this.asked = null));
    }
    return this.fetched;
  }

  /** Lay out the choices anew where other metrics or another kind of plot are to be chosen from. */
  layout() {
    const { state, metrics } = this;
    this.csv?.setAttribute("href", at(this.csvAddress()));
    const wanted = JSON.stringify([state.dataset, state.metric, state.plot]);
    if (wanted === this.laidOut) return;
    this.laidOut = wanted;
    const kind = el(
      "select",
      { id: "plot", change: () => this.turned(kind.value) },
      Object.entries(PLOTS).map(([key, name]) => el("option", { value: key, selected: key === state.plot }, name)),
    );
    const choose = (id, start) =>
      el(
        "select",
        { id, change: () => this.draw() },
        metrics.map(({ label }, number) => el("option", { value: number, selected: number === start }, label)),
      );
    this.first = choose("first", 0);
    this.second = choose("second", Math.min(1, metrics.length - 1));
    this.csv = el("a", { href: this.csvAddress(), class: "button" }, "CSV");
    this.draws = button("Lasso", () => this.turnLasso(!this.lasso.isOn), "", {
      "aria-pressed": "false",
      title: "draw a line around a part of the plot",
    });
    this.section.replaceChildren(
      el("h2", { id: "plots" }, "Plots"),
      el(
        "div",
        { class: "search" },
        field("Plot", kind),
        state.plot !== "level" && metrics.length > 1 && field("Metric", this.first),
        state.plot === "metrics" && metrics.length > 1 && field("against", this.second),
        el("p", { class: "field" }, this.draws),
      ),
      this.box,
      this.caught,
      this.status,
      this.saves = saveButtons("Plot", (format) => savePlot(this.box, this.paint, format, this.fileName()), this.csv),
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

  /** What a file of the plot is called: data set, slice, what is drawn. */
  fileName() {
    const { dataset, slice, plot } = this.state, { metrics } = this;
    const [first, second] = [this.first, this.second].map(({ value }) => metrics[Number(value)].label);
    const drawn = {
      human: `${first} against human`,
      level: `${metrics.map(({ label }) => label).join(" ")} per human level`,
      raw: `${first} raw against smoothed`,
      metrics: `${second} against ${first}`,
    };
    return [dataset, slice, drawn[plot]].filter(Boolean).join(" ");
  }

  // ---- the lasso

  /** @param {boolean} on */
  turnLasso(on) {
    this.lasso.turn(on);
    this.draws.setAttribute("aria-pressed", String(on));
    this.caught.replaceChildren(on ? el("span", { class: "quiet" }, "Draw a line around some samples.") : "");
  }

  /** Say what lies within a line, and what can be done with it. @param {Corner[]} corners */
  async lassoed(corners) {
    const { axes, state: { dataset } } = this, { x, y } = axes, of = { x: x.of, y: y.of };
    let ids;
    try {
      ids = this.isLarge
        ? await lassoed({ ...this.state, ...axes }, corners)
        : inside(this.along(x), this.along(y), corners).map((place) => this.points.ids[place]);
    } catch (error) {
      return this.caught.replaceChildren(el("span", { class: "problem" }, wordsOf(error)));
    }
    if (axes !== this.axes || !this.lasso.isOn) return; // something else is drawn meanwhile
    this.box.dataset.lassoed = String(ids.length);
    this.caught.replaceChildren(
      el("span", {}, `${ids.length.toLocaleString()} ${ids.length === 1 ? "sample" : "samples"} in the line `),
      ...(ids.length
        ? [
          button("Look through them", () => this.pick([...ids])),
          el("button", {
            type: "button",
            class: "makes",
            click: async () => {
              const { lassoSlice } = await import("./lasso_slice.js"); // seldom used
              lassoSlice({ dataset, lasso: { ...of, corners }, done: this.sliced });
            },
          }, "Make a slice …"),
        ]
        : []),
    );
  }

  async draw() {
    const isLast = this.drawing(); // the latest one alone says how it went
    this.turnLasso(false); // the line was around what was drawn before
    const { metrics } = this;
    const [first, second] = [metrics[Number(this.first.value)], metrics[Number(this.second.value)]];
    const missing = this.missing(first);
    say(this.status, missing);
    this.box.hidden = this.saves.hidden = this.draws.hidden = Boolean(missing);
    if (missing) {
      this.box.dataset.samples = "0";
      this.box.drawn = null;
      return;
    }
    this.csv.setAttribute("download", `${fileName(this.fileName())}.csv`);
    const { plot } = this.state;
    this.axes = plot === "level" ? null : axesOf(plot, first, second);
    this.draws.hidden = !this.axes;
    try {
      this.paint = this.isLarge ? this.painterOfMany() : this.painter();
      await this.paint(this.box);
      if (!isLast()) return;
      const none = this.box.dataset.samples === "0";
      this.saves.hidden = none;
      if (none) say(this.status, "No sample here has both: there is nothing to draw.");
    } catch (error) {
      if (isLast()) say(this.status, wordsOf(error));
    }
  }

  /** What draws the arrays that are here. @returns {(box: PlotBox) => Promise<void>} */
  painter() {
    const { axes, points: { ids, groups, metrics } } = this;
    if (!axes) return (box) => perLevel(box, groups, metrics);
    const [x, y] = [axes.x, axes.y].map((axis) => ({ ...axis, values: this.along(axis) }));
    return (box) => scatter(box, ids, x, y, this.pick);
  }

  /** What draws what the server counts; a file shows the part that is in sight. @returns {(box: PlotBox) => Promise<void>} */
  painterOfMany() {
    const { axes, state } = this;
    if (!axes) return (box) => largePerLevel(box, state);
    const drawn = { ...state, ...axes };
    return (box) => largeScatter(box, drawn, this.pick, box === this.box ? null : inSight(this.box));
  }

  /** The values along an axis, where they are here. @param {Drawn["x"]} axis */
  along({ of }) {
    const metric = of && this.points.metrics.find(({ name }) => name === of.metric);
    return metric ? metric[of.raw ? "raw" : "value"] : this.points.human;
  }

  /** Why there is nothing to draw, or nothing.
   * @param {Metric | KnownMetric} first */
  missing(first) {
    const { plot } = this.state, { metrics } = this;
    const nothing = this.isLarge ? "" : this.missingHere();
    if (nothing) return nothing;
    if (plot === "metrics" && metrics.length < 2) {
      return "There is one metric only. Import or choose another one to set them against each other.";
    }
    if (plot === "raw" && !first.has_raw) {
      return `${first.label} has no scores before smoothing: only metrics that smooth theirs have them.`;
    }
    return "";
  }

  /** Why the arrays that are here hold nothing to draw, or nothing. */
  missingHere() {
    const { plot } = this.state;
    if (!this.points.samples) return "The slice holds no sample. Choose another one, or make it wider.";
    if ((plot === "human" || plot === "level") && !this.whole.human.some(Number.isFinite)) {
      return `${this.state.dataset} has no human judgements of single captions: there is nothing to set scores against.`;
    }
    return "";
  }
}

/** What the axes of a drawn plot show now. @param {PlotBox} box @returns {{across: Corner, up: Corner}} */
function rangesOf(box) {
  const { xaxis, yaxis } = /** @type {any} */ (box).layout; // plotly keeps it up to date while people zoom
  return { across: xaxis.range, up: yaxis.range };
}
