// The choice of what the Analyse page looks at: metrics, and under each metric the parts of its scores. One stays chosen.

import { el } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { begin, shownIfSlow } from "../shared/long_work.js";
import { problem } from "../shared/notices.js";

/** @import { KnownMetric, KnownPart } from "../shared/wire.d.ts" */
/** @import { PageState } from "./page_state.js" */

export class MetricChoice {
  /** @param {(changes: Partial<PageState>) => void} change */
  constructor(change) {
    this.change = change;
    this.node = el("fieldset", { class: "choices metric-choices" });
    this.dataset = "";
    /** @type {HTMLInputElement[]} */
    this.boxes = [];
    /** @type {Set<string>} metrics whose parts are in sight */
    this.opened = new Set();
    /** @type {Map<string, KnownPart[]>} parts by metric, once they were read */
    this.parts = new Map();
  }

  /** Offer columns. @param {string} dataset @param {KnownMetric[]} known @param {readonly string[]} chosen names */
  offer(dataset, known, chosen) {
    if (dataset !== this.dataset) {
      this.opened.clear();
      this.parts.clear();
    }
    this.dataset = dataset;
    this.boxes = [];
    this.node.replaceChildren(
      el("legend", {}, "Metrics"),
      ...known.filter(({ part }) => !part).map((metric) =>
        el("span", { class: "metric-offer" }, this.ofMetric(metric, known, chosen))
      ),
    );
  }

  /** A metric's box, its chosen parts, and what opens the list of its parts.
   * @param {KnownMetric} metric @param {KnownMetric[]} known @param {readonly string[]} chosen */
  ofMetric(metric, known, chosen) {
    const { name, label, by_people: byPeople, beside_people: beside } = metric;
    const chosenParts = known.filter(({ own, part }) => part && own === name);
    const boxes = [metric, ...chosenParts].map((one) => this.box(one.name, one.label, chosen.includes(one.name)));
    if (byPeople) return boxes;
    const list = el("span", { class: "metric-parts" });
    const fold = el(
      "details",
      { open: this.opened.has(name), toggle: () => this.toggled(fold, metric, list, chosenParts) },
      el("summary", { "aria-label": `Parts of ${label}` }, "parts"),
      list,
    );
    const sideBySide = beside.length > 0 &&
      button("Parts beside people’s", () => this.change({ metric: [...beside], plot: "metrics" }), "quiet-button", {
        title: `${label}: plot each part against people’s judgements of the same name`,
      });
    return [...boxes, fold, ...(sideBySide ? [sideBySide] : [])];
  }

  /** @param {string} name @param {string} label @param {boolean} isChosen @param {string} [title] */
  box(name, label, isChosen, title = "") {
    const box = el("input", {
      type: "checkbox",
      value: name,
      checked: isChosen,
      change: () => {
        const names = this.boxes.filter(({ checked }) => checked).map(({ value }) => value);
        if (names.length) this.change({ metric: names });
        else box.checked = true;
      },
    });
    this.boxes.push(box);
    return el("label", { class: "choice", ...(title && { title }) }, box, label);
  }

  /** Read a metric's parts when its list is opened. @param {HTMLDetailsElement} fold @param {KnownMetric} metric
   * @param {HTMLElement} list @param {KnownMetric[]} chosen parts that have boxes already */
  async toggled(fold, metric, list, chosen) {
    const { name } = metric, { dataset } = this;
    if (!fold.open) return this.opened.delete(name);
    this.opened.add(name);
    if (list.childElementCount) return;
    try {
      const query = new URLSearchParams({ dataset, metric: name });
      const parts = this.parts.get(name) ??
        await shownIfSlow(list, begin(`/api/analyse/parts?${query}`), `Looking for parts of ${metric.label}`);
      if (dataset !== this.dataset || !list.isConnected) return;
      this.parts.set(name, [...parts]);
      const others = parts.filter((part) => chosen.every((one) => one.name !== part.name));
      list.replaceChildren(
        ...(others.length
          ? others.map(({ name, part, meaning }) => this.box(name, part, false, meaning))
          : [quiet(parts.length ? "All parts are chosen." : "These scores have no parts.")]),
      );
    } catch (error) {
      list.replaceChildren(problem(error, () => {
        list.replaceChildren();
        this.toggled(fold, metric, list, chosen);
      }));
    }
  }
}
