// The plot of the Analyse page: arrays are fetched once and then cut to the slice that is chosen, in the browser.

import { at } from "../shared/address.js";
import { get, latest, taken, wordsOf } from "../shared/api.js";
import { saveButtons } from "./figure_files.js";
import { inside, Lasso } from "./lasso.js";
import { perLevel, savePlot, scatter } from "./plots.js";
import { el, field, say } from "../shared/dom.js";
import { problem } from "../shared/notices.js";
import { unpacked, within } from "./points.js";
import { fileName } from "../shared/tables.js";

/** @import { Axis, Points, Metric, PlotBox } from "../shared/types.d.ts" */
/** @import { Corner } from "./lasso.js" */
/** @typedef {{metric: string, raw: boolean} | null} Score whose scores lie along an axis; null: people's */
/** @typedef {{dataset: string, metric: string[], slice?: string, plot: string}} PlotState what is looked at */

export const PLOTS = {
  human: "Score against human",
  level: "Distribution per human level",
  raw: "Raw against smoothed",
  metrics: "Metric against metric",
};
const HUMAN = "human judgement, rescaled to 0–1";

/** Where the arrays of the chosen metrics are.
 * @param {PlotState} state @returns {`/api/analyse/points?${string}`} */
export function pointsPath({ dataset, metric, plot }) {
  const raw = plot === "raw" ? [["raw", "true"]] : [];
  return `/api/analyse/points?${new URLSearchParams([
    ["dataset", dataset],
    ...metric.map((name) => ["metric", name]),
    ...raw,
  ])}`;
}

export class PlotPanel {
  /** @param {(ids: number[]) => void} pick is called with ids of samples that were clicked
   * @param {(plot: string) => void} turned is called with the plot that was chosen
   * @param {(slice: string) => void} sliced is called with the slice that was made of a lasso */
  constructor(pick, turned, sliced) {
    this.pick = pick;
    this.turned = turned;
    this.sliced = sliced;
    /** @type {{x: Axis, y: Axis, of: {x: Score, y: Score}} | null} what is drawn, where a line can be drawn in it */
    this.axes = null;
    /** @type {(box: PlotBox) => Promise<void>} draws what was drawn last */
    this.paint = null;
    this.turn = latest();
    this.drawing = latest();
    this.laidOut = ""; // for what the choices were laid out
    /** @type {string | null} */
    this.asked = null; // where the arrays that are here, or on their way, were asked for
    this.section = el("section", { class: "analyse-plot", "aria-labelledby": "plots" });
    this.status = el("p", { class: "quiet", role: "status" });
    this.box = /** @type {PlotBox} */ (el("div", { class: "plot" }));
    this.lasso = new Lasso(this.box, () => rangesOf(this.box), (corners) => this.lassoed(corners));
    this.caught = el("p", { class: "actions lassoed", role: "status" });
    this.section.append(
      el("h2", { id: "plots" }, "Plots"),
      el("p", { class: "quiet", role: "status" }, "Reading scores …"),
    );
  }

  /** Draw what the page's state asks for.
   * @param {PlotState} state @returns {Promise<void>} */
  async show(state) {
    const isLast = this.turn();
    this.state = state;
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
    const { state, points } = this;
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
        points.metrics.map(({ label }, number) => el("option", { value: number, selected: number === start }, label)),
      );
    this.first = choose("first", 0);
    this.second = choose("second", Math.min(1, points.metrics.length - 1));
    this.csv = el("a", { href: this.csvAddress(), class: "button" }, "CSV");
    this.draws = el(
      "button",
      {
        type: "button",
        "aria-pressed": "false",
        title: "draw a line around a part of the plot",
        click: () => this.turnLasso(!this.lasso.isOn),
      },
      "Lasso",
    );
    this.section.replaceChildren(
      el("h2", { id: "plots" }, "Plots"),
      el(
        "div",
        { class: "search" },
        field("Plot", kind),
        state.plot !== "level" && points.metrics.length > 1 && field("Metric", this.first),
        state.plot === "metrics" && points.metrics.length > 1 && field("against", this.second),
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
    const { dataset, slice, plot } = this.state, { metrics } = this.points;
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
  lassoed(corners) {
    const { x, y, of } = this.axes, { dataset } = this.state;
    const ids = inside(x.values, y.values, corners).map((place) => this.points.ids[place]);
    this.box.dataset.lassoed = String(ids.length);
    this.caught.replaceChildren(
      el("span", {}, `${ids.length.toLocaleString()} ${ids.length === 1 ? "sample" : "samples"} in the line `),
      ...(ids.length
        ? [
          el("button", { type: "button", click: () => this.pick(ids) }, "Look through them"),
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
    const { ids, human, groups, metrics } = this.points;
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
    const of = (metric) => ({ values: metric.value, range: metric.scale, title: metric.label });
    const own = (metric) => ({ metric: metric.name, raw: false });
    const x = this.state.plot === "raw"
      ? { values: first.raw, range: first.scale, title: `${first.label} before smoothing` }
      : of(first);
    const y =
      { human: { values: human, range: [0, 1], title: HUMAN }, raw: of(first), metrics: of(second) }[this.state.plot];
    const { plot } = this.state;
    const upwards = { human: null, raw: own(first), metrics: own(second) }[plot];
    this.axes = plot === "level" ? null : { x, y, of: { x: { ...own(first), raw: plot === "raw" }, y: upwards } };
    this.draws.hidden = !this.axes;
    try {
      this.paint = (box) => plot === "level" ? perLevel(box, groups, metrics) : scatter(box, ids, x, y, this.pick);
      await this.paint(this.box);
      if (!isLast()) return;
      const none = this.box.dataset.samples === "0";
      this.saves.hidden = none;
      if (none) say(this.status, "No sample here has both: there is nothing to draw.");
    } catch (error) {
      if (isLast()) say(this.status, wordsOf(error));
    }
  }

  /** Why there is nothing to draw, or nothing.
   * @param {Metric} first */
  missing(first) {
    const { plot } = this.state;
    if (!this.points.samples) return "The slice holds no sample. Choose another one, or make it wider.";
    if ((plot === "human" || plot === "level") && !this.whole.human.some(Number.isFinite)) {
      return `${this.state.dataset} has no human judgements of single captions: there is nothing to set scores against.`;
    }
    if (plot === "metrics" && this.points.metrics.length < 2) {
      return "There is one metric only. Import or choose another one to set them against each other.";
    }
    if (plot === "raw" && !first.raw) {
      return `${first.label} has no scores before smoothing: only metrics that smooth theirs have them.`;
    }
    return "";
  }
}

/** What the axes of a drawn plot show now. @param {PlotBox} box @returns {{across: Corner, up: Corner}} */
function rangesOf(box) {
  const { xaxis, yaxis } = /** @type {any} */ (box).layout; // plotly keeps it up to date while people zoom
  return { across: xaxis.range, up: yaxis.range };
}
