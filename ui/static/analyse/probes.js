// Shows how scores react to edits of captions. The program edits captions in fixed ways. The chosen metrics, which must
// be able to run here, score the edited captions.

import { el, field, present } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { begin, shown } from "../shared/long_work.js";
import { problem } from "../shared/notices.js";
import { records } from "../shared/tables.js";
import { Section } from "./in_sight.js";
import { metricBoxes } from "./metric_boxes.js";
import { rounded } from "../shared/rounding.js";

/** @import { ProbeExample, ProbeReport } from "../shared/wire.d.ts" */
/** @import { Looked } from "./error_sections.js" */

const CAPTIONS = 50, MOST = 500;
const MOST_CHOSEN = 5;

export class Probes {
  /** @param {(id: number) => void} show is called with the id of a sample that was chosen */
  constructor(show) {
    this.show = show;
    this.part = new Section("probe", "How scores react to edits");
    this.section = this.part.node;
    this.result = el("div");
    /** @type {string[]} */
    this.chosen = [];
  }

  /** @param {Pick<Looked, "dataset" | "extra">} looked */
  open({ dataset, extra }) {
    this.result = el("div");
    this.part.fill("Looking for metrics that can run here", async (ask) => {
      const ready = await ask(`/api/analyse/probe/metrics?${new URLSearchParams({ dataset })}`);
      if (!ready.length) return this.part.fold("No metric can score these captions now."), null;
      this.chosen = ready.slice(0, 1);
      const boxes = metricBoxes(ready.map((name) => ({ name, label: name })), this.chosen, (names) => {
        this.chosen = names;
      });
      const number = el("input", { id: "probe-captions", type: "number", min: 1, max: MOST, value: CAPTIONS });
      const run = button("Edit and score captions", () => this.run(dataset, extra, Number(number.value)), "primary");
      return [
        quiet(
          "Captions are edited in eight ways. An object is replaced, omitted or added; a colour, number or relation is " +
            "changed; the words are shuffled; or a meaningless sentence is added. The table shows how often each metric’s score falls.",
        ),
        el("fieldset", { class: "metric-choices" }, boxes),
        field("Number of captions, chosen at random", number),
        el("p", { class: "actions" }, run),
        this.result,
      ];
    });
  }

  /** @param {string} dataset @param {Record<string, string>} extra @param {number} limit */
  async run(dataset, extra, limit) {
    const asked = new URLSearchParams([
      ["dataset", dataset],
      ...this.chosen.slice(0, MOST_CHOSEN).map((name) => ["metric", name]),
      ["limit", String(Math.min(MOST, Math.max(1, Math.round(limit) || CAPTIONS)))],
      ...Object.entries(extra),
    ]);
    const { result } = this;
    result.replaceChildren();
    try {
      const found = await shown(result, begin(`/api/analyse/probe?${asked}`), "Editing captions");
      result.replaceChildren(...this.parts(found));
    } catch (error) {
      result.replaceChildren(problem(error, () => this.run(dataset, extra, limit)));
    }
  }

  /** @param {ProbeReport} found */
  parts({ dataset, falls, examples, captions }) {
    const rows = examples.rows.map((row) => this.row(row));
    const heads = ["metric", "edit", "caption and edited caption", "score", "score of the edited caption"];
    return present(
      quiet(`${captions.toLocaleString()} captions were edited.`),
      records(falls, { file: `${dataset} probe` }),
      rows.length > 0 && el("h3", {}, examples.title),
      rows.length > 0 && el(
        "div",
        { class: "table-box long", tabindex: "0", role: "region", "aria-label": examples.title },
        el(
          "table",
          { class: "figures" },
          el("thead", {}, el("tr", {}, heads.map((words) => el("th", { scope: "col" }, words)))),
          el("tbody", {}, rows),
        ),
      ),
    );
  }

  /** @param {ProbeExample} example */
  row({ id, metric, kind, caption, edited, before_spans: before, after_spans: after, score, edited_score: now }) {
    const open = button(lit(caption, before, "del"), () => this.show(id), "quiet-button error-caption");
    return el(
      "tr",
      { "data-id": id },
      el("td", {}, metric),
      el("td", {}, kind),
      el("td", {}, el("div", { class: "prose" }, open, el("p", {}, lit(edited, after, "ins")))),
      el("td", {}, rounded(score)),
      el("td", {}, rounded(now)),
    );
  }
}

/** Put the changed parts of a text into <del> (deleted) or <ins> (inserted) elements.
 * @param {string} text
 * @param {readonly (readonly [number, number])[]} spans start and end of each changed part, in characters
 * @param {"del" | "ins"} tag */
function lit(text, spans, tag) {
  const letters = [...text]; // split into characters as the server counts them; JavaScript's indices count UTF-16 units
  const parts = [];
  let read = 0;
  for (const [start, end] of spans) {
    parts.push(letters.slice(read, start).join(""));
    if (end > start) parts.push(el(tag, {}, letters.slice(start, end).join("")));
    read = end;
  }
  return [...parts, letters.slice(read).join("")];
}
