// The choice of metrics, and of parts of their scores, that the Analyse page shows. At least one always stays chosen.

import { el } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { problem, shownIfSlow } from "../shared/notices.js";

/** @import { KnownMetric } from "../shared/wire.d.ts" */

const OF_PEOPLE = "Scores given by people";

export class MetricChoice {
  /** @param {(changes: {metric: string[], options?: Record<string, Record<string, string>>}) => void} change */
  constructor(change) {
    this.change = change;
    this.node = el("fieldset", { class: "choices metric-choices" });
    this.dataset = "";
    /** @type {HTMLInputElement[]} */
    this.boxes = [];
    this.partsShown = false; // whether the fold-out list "Parts of scores" is open
    /** @type {Set<string>} names of the metrics whose list of parts (such as recall) is open */
    this.opened = new Set();
    /** @type {Map<string, KnownMetric[]>} maps a metric to its parts, once they were fetched */
    this.parts = new Map();
  }

  /** Show checkboxes for metrics and parts of metrics. @param {string} dataset @param {KnownMetric[]} known
   * @param {readonly string[]} chosen names of the checked ones */
  offer(dataset, known, chosen) {
    if (dataset !== this.dataset) {
      this.opened.clear();
      this.parts.clear();
    }
    this.dataset = dataset;
    this.boxes = [];
    const metrics = known.filter(({ part }) => !part);
    const partsOf = (/** @type {KnownMetric} */ metric) => known.filter(({ own, part }) => part && own === metric.name);
    const boxesOf = (/** @type {boolean} */ byPeople) =>
      metrics.filter((metric) => metric.by_people === byPeople).flatMap((metric) => [metric, ...partsOf(metric)])
        .map(({ name, label }) => this.box(name, label, chosen.includes(name)));
    const ofMetrics = boxesOf(false), ofPeople = boxesOf(true);
    const offers = metrics.filter(({ by_people: byPeople }) => !byPeople)
      .map((metric) => el("span", { class: "metric-offer" }, this.offerParts(metric, partsOf(metric))));
    const parts = el(
      "details",
      { class: "all-parts", open: this.partsShown, toggle: () => this.partsShown = parts.open },
      el("summary", {}, "Components of scores"),
      offers,
    );
    this.node.replaceChildren(
      el("legend", {}, metrics.length && !ofMetrics.length ? OF_PEOPLE : "Metrics"),
      ...ofMetrics,
      ...(ofMetrics.length && ofPeople.length ? [quiet(`${OF_PEOPLE}:`)] : []),
      ...ofPeople,
      ...(offers.length ? [parts] : []),
    );
  }

  /** Make the list of a metric's parts.
   * @param {KnownMetric} metric @param {KnownMetric[]} chosenParts parts that already have check boxes */
  offerParts(metric, chosenParts) {
    const { name, label } = metric;
    const list = el("span", { class: "metric-parts" });
    const fold = el(
      "details",
      { open: this.opened.has(name), toggle: () => this.toggled(fold, metric, list, chosenParts) },
      el("summary", { "aria-label": `Components of ${label}` }, label),
      list,
    );
    return fold;
  }

  /** Make a checkbox with a label.
   * @param {string} name @param {string} label @param {boolean} isChosen @param {string} [title] tooltip */
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

  /** Fetch a metric's parts when the list of its parts is opened. @param {HTMLDetailsElement} fold
   * @param {KnownMetric} metric @param {HTMLElement} list
   * @param {KnownMetric[]} chosen parts that already have check boxes */
  async toggled(fold, metric, list, chosen) {
    const { name } = metric, { dataset } = this;
    if (!fold.open) return this.opened.delete(name);
    this.opened.add(name);
    if (list.childElementCount) return;
    try {
      const query = new URLSearchParams({ dataset, metric: name });
      const parts = this.parts.get(name) ??
        await shownIfSlow(list, `/api/analyse/parts?${query}`, `Looking for components of ${metric.label}`);
      if (dataset !== this.dataset || !list.isConnected) return;
      this.parts.set(name, [...parts]);
      const others = parts.filter((part) => chosen.every((one) => one.name !== part.name));
      list.replaceChildren(
        ...(others.length
          ? others.map(({ name, part, meaning }) => this.box(name, part, false, meaning))
          : [quiet(parts.length ? "All components are chosen." : "These scores have no components.")]),
      );
    } catch (error) {
      list.replaceChildren(problem(error, () => {
        list.replaceChildren();
        this.toggled(fold, metric, list, chosen);
      }));
    }
  }
}
