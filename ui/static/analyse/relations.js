// How scores and human judgements are distributed, and how metrics correlate with each other.

import { colour, present } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";
import { Section } from "./in_sight.js";
import { seriesColour } from "./plot_looks.js";
import { drawn } from "./plots.js";
import { sectionFigure } from "./section_figure.js";

/** @import { Bars } from "../shared/wire.d.ts" */
/** @import { PlotBox } from "../shared/types.d.ts" */
/** @import { Looked } from "./error_sections.js" */

const PEOPLE = "people"; // label of the human judgements in figures; the other labels are names of metrics
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"]; // these distinguish lines without colour

export class Relations {
  constructor() {
    this.part = new Section("relations", "How scores are distributed and related");
    this.section = this.part.node;
    /** @type {(() => Promise<void>)[]} functions that redraw the section's figures in the current colours */
    this.figures = [];
  }

  /** @param {Looked} looked */
  open({ dataset, chosen, extra }) {
    this.figures = [];
    this.part.fill("Counting scores", async (ask) => {
      const found = await ask(
        `/api/analyse/relations?${new URLSearchParams([
          ["dataset", dataset],
          ...chosen.map(({ name }) => ["metric", name]),
          ...Object.entries(extra),
        ])}`,
      );
      const name = present(dataset, extra.slice).join(" ");
      const { node, redraw } = sectionFigure(
        "Distributions",
        `${name} distributions`,
        (box) => drawBars(box, found.bars),
      );
      this.figures.push(redraw);
      return present(
        node,
        records(found.distributions, { file: `${name} distributions` }),
        found.related.rows.length > 0 && records(found.related, { file: `${name} metrics` }),
        found.related.rows.length > 0 && quiet("Each pair of scores is compared on the samples that have both."),
      );
    });
  }

  redraw() {
    for (const draw of this.figures) draw();
  }
}

/** @param {PlotBox} box @param {readonly Bars[]} bars */
function drawBars(box, bars) {
  const traces = bars.map(({ label, shares }, number) => ({
    type: "scatter",
    mode: "lines",
    name: label,
    x: [...shares.map((_, bin) => bin / shares.length), 1],
    y: [...shares, shares.at(-1)],
    hovertemplate: "from %{x:.2f}: %{y:.1f} %",
    line: {
      shape: "hv",
      ...(label === PEOPLE
        ? { width: 4, color: colour("--ink", box) }
        : { width: 2, color: seriesColour(number), dash: DASHES[number % DASHES.length] }),
    },
  }));
  const withPeople = bars.some(({ label }) => label === PEOPLE);
  const highest = Math.max(...bars.flatMap(({ shares }) => shares));
  return drawn(
    box,
    traces,
    {
      x: { title: `${withPeople ? "score or human judgement" : "score"}, rescaled to 0–1`, range: [0, 1] },
      y: { title: "captions, %", range: [0, highest] },
    },
    `Share of captions by score${withPeople ? " and by human judgement" : ""}. ` +
      "The table of distributions has the mean and quartiles.",
    {
      showlegend: true,
      legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
      margin: { l: 56, r: 12, t: 40, b: 48 },
    },
  );
}
