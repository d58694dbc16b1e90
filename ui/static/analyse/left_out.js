// Shows which regions of the pictures the captions leave out, according to metrics that use regions. The section needs
// no human judgements.

import { command, quoted } from "../shared/command.js";
import { copyFor, el, field, unseen } from "../shared/dom.js";
import { asOptions, button, paragraph, picker, quiet } from "../shared/elements.js";
import { begin, shownIfSlow } from "../shared/long_work.js";
import { records } from "../shared/tables.js";
import { saveButtons } from "./figure_files.js";
import { bring } from "./folding.js";
import { Section } from "./in_sight.js";
import { picturedRow, picturedTable } from "./pictured_rows.js";
import { layout, seriesColour, wholeTicks } from "./plot_looks.js";
import { drawn, savePlot } from "./plots.js";
import { halfUp, rounded } from "../shared/rounding.js";

/** @import { Histogram, ListedOmissions, OmissionRow } from "../shared/wire.d.ts" */
/** @import { PlotBox } from "../shared/types.d.ts" */
/** @import { Ask } from "./in_sight.js" */
/** @import { Looked } from "./error_sections.js" */
/** @import { Axes } from "./plots.js" */

const READING = "Reading what captions mention";

export class LeftOut {
  /** @param {(id: number) => void} show is called with the id of a sample that was chosen */
  constructor(show) {
    this.show = show;
    this.part = new Section("left-out", "What captions do not mention");
    this.section = this.part.node;
    this.dataset = "";
    /** @type {Record<string, string>} */
    this.extra = {};
    this.metric = "";
    this.page = 1;
    this.list = el("div");
    /** @type {(() => Promise<void>)[]} */
    this.figures = [];
  }

  /** @param {Pick<Looked, "dataset" | "extra" | "annotated">} looked */
  open({ dataset, extra, annotated }) {
    Object.assign(this, { dataset, extra, page: 1 });
    this.figures = [];
    this.part.fill(READING, async (ask) => {
      const metrics = await ask(`/api/analyse/left-out/metrics?${new URLSearchParams({ dataset })}`);
      if (!metrics.length) {
        this.missing(annotated);
        return null;
      }
      if (!metrics.includes(this.metric)) this.metric = metrics[0];
      return this.parts(metrics, ask);
    });
  }

  /** Say what is missing: picture regions, or scores of a metric that uses regions.
   * @param {number} annotated number of pictures that have regions */
  missing(annotated) {
    if (!annotated) return this.part.fold("No picture here has annotated regions.", bring("Import regions"));
    const typed = command(`score HICE-S --dataset ${quoted(this.dataset)}`);
    const copy = button("Copy", () => copyFor(copy, typed, "Copied", "Select the command and copy it"));
    this.part.fold(
      [
        "No metric has compared captions with the pictures’ regions yet. To do this with HICE-S: ",
        el("code", {}, typed),
      ],
      copy,
    );
  }

  redraw() {
    for (const draw of this.figures) draw();
  }

  /** @param {string[]} metrics @param {Ask} ask */
  async parts(metrics, ask) {
    const { dataset, metric, extra } = this;
    const asked = new URLSearchParams({ dataset, metric, ...extra });
    const [found] = await Promise.all([ask(`/api/analyse/left-out?${asked}`), this.load()]);
    const name = `${dataset} ${found.metric}`;
    const choose = picker({ id: "left-out-metric" }, asOptions(metrics), metric, (name) => {
      this.metric = name;
      this.open({ dataset, extra, annotated: 1 });
    });
    return [
      metrics.length > 1 ? el("div", { class: "search" }, field("Metric", choose)) : "",
      quiet(
        `${found.captions.toLocaleString()} captions of pictures with regions, by ${found.metric}. ` +
          "A label counts as not mentioned if the caption mentions none of the regions with this label.",
      ),
      found.shares.rows.length ? records(found.shares, { file: `${name} precision and recall` }) : "",
      el("div", { class: "study-figures" }, found.histograms.map((one) => this.figure(one, name))),
      el("div", { class: "long" }, records(found.labels, { file: `${name} left out` })),
      el("h3", {}, "Captions that omit the most"),
      this.list,
    ];
  }

  async load() {
    const { dataset, metric, extra, page } = this;
    const asked = new URLSearchParams({ dataset, metric, ...extra, page: String(page) });
    const found = await shownIfSlow(this.list, begin(`/api/analyse/left-out/captions?${asked}`), READING);
    this.list.replaceChildren(...this.rows(found));
  }

  /** @param {ListedOmissions} found */
  rows({ total, rows, page_size: size }) {
    if (!total) return [paragraph("Every caption here mentions all regions.")];
    const heads = [unseen("picture"), "caption", "labels not mentioned", "regions omitted", "precision", "recall"];
    return picturedTable({
      name: "Captions that omit the most",
      heads,
      rows: rows.map((row) => this.row(row)),
      pages: "Pages of captions",
      page: this.page,
      last: Math.ceil(total / size),
      go: (page) => {
        this.page = page;
        this.load();
      },
    });
  }

  /** @param {OmissionRow} row */
  row({ labels, regions, regions_left_out: omitted, precision, recall, ...sample }) {
    return picturedRow(
      sample,
      this.show,
      el("td", { class: "names" }, labels.join(", ") || "none: each label has a mentioned region"),
      el("td", {}, `${omitted} of ${regions}`),
      ...[precision, recall].map((value) => el("td", {}, value === null ? "–" : rounded(value))),
    );
  }

  /** @param {Histogram} histogram @param {string} name */
  figure({ name: what, edges, counts }, name) {
    const box = /** @type {PlotBox} */ (el("div", { class: "plot small-plot" }));
    const draw = (/** @type {PlotBox} */ paper) => {
      const width = edges[1] - edges[0];
      const bars = {
        type: "bar",
        x: counts.map((_, at) => edges[at] + width / 2),
        y: counts,
        width,
        customdata: counts.map((_, at) => `${halfUp(edges[at], 2)}–${halfUp(edges[at + 1], 2)}`),
        hovertemplate: "%{customdata}: %{y} captions<extra></extra>",
        marker: { color: seriesColour(what === "precision" ? 0 : 1) },
      };
      /** @type {Axes} */
      const axes = { x: { title: what, range: [edges[0], edges[edges.length - 1]] }, y: { title: "captions" } };
      const looks = layout(paper, axes);
      return drawn(
        paper,
        [bars],
        axes,
        `Distribution of ${what} over captions. The table has the mean and quartiles.`,
        { yaxis: { ...looks.yaxis, ...wholeTicks(Math.max(...counts)) } },
      );
    };
    const redraw = () => draw(box);
    this.figures.push(redraw);
    requestAnimationFrame(redraw);
    const title = `Distribution of ${what}`;
    return el(
      "figure",
      { class: "study-figure" },
      el("figcaption", {}, el("h3", {}, title)),
      box,
      saveButtons(title, (format) => savePlot(box, draw, format, `${name} ${what}`)),
    );
  }
}
