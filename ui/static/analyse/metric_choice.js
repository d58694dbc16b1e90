// The choice of metrics, and of components of their scores, that the Analyse page shows. At least one always stays
// chosen.

import { latest } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { problem, shownIfSlow } from "../shared/notices.js";

/** @import { KnownMetric } from "../shared/wire.d.ts" */

const OF_PEOPLE = "Scores given by people";

export class MetricChoice {
  /** @param {(changes: {metric: string[]}) => void} change is called with the names of the checked columns */
  constructor(change) {
    this.change = change;
    this.node = el("fieldset", { class: "choices metric-choices" });
    this.dataset = "";
    this.turn = latest();
    this.isOpen = false; // whether the fold of the components is open
    /** @type {Map<string, readonly KnownMetric[]>} maps a metric to its components, once they were fetched */
    this.parts = new Map();
  }

  /** Show checkboxes for metrics and for the chosen components of their scores.
   * @param {string} dataset @param {KnownMetric[]} known each metric is followed by its chosen components
   * @param {readonly string[]} chosen names of the checked columns */
  offer(dataset, known, chosen) {
    if (dataset !== this.dataset) this.parts.clear();
    this.dataset = dataset;
    const boxesOf = (/** @type {boolean} */ byPeople) =>
      known.filter((metric) => metric.by_people === byPeople)
        .map(({ name, label }) => this.box(name, label, chosen.includes(name)));
    const ofMetrics = boxesOf(false), ofPeople = boxesOf(true);
    const list = el("div");
    const fold = el(
      "details",
      { class: "all-parts", open: this.isOpen, toggle: () => this.unfold(fold.open, list, known) },
      el("summary", {}, "Components of scores"),
      list,
    );
    this.node.replaceChildren(
      el("legend", {}, known.length && !ofMetrics.length ? OF_PEOPLE : "Metrics"),
      ...ofMetrics,
      ...(ofMetrics.length && ofPeople.length ? [quiet(`${OF_PEOPLE}:`)] : []),
      ...ofPeople,
      ...(ofMetrics.length ? [fold] : []),
    );
  }

  /** Make a checkbox with a label.
   * @param {string} name @param {string} label @param {boolean} isChosen @param {string} [title] tooltip */
  box(name, label, isChosen, title = "") {
    const box = el("input", {
      type: "checkbox",
      value: name,
      checked: isChosen,
      change: () => {
        const checked = /** @type {NodeListOf<HTMLInputElement>} */ (this.node.querySelectorAll("input:checked"));
        if (checked.length) this.change({ metric: [...checked].map(({ value }) => value) });
        else box.checked = true;
      },
    });
    return el("label", { class: "choice", ...(title && { title }) }, box, label);
  }

  /** Show the components of all metrics when the fold is opened.
   * @param {boolean} isOpen @param {HTMLElement} list @param {KnownMetric[]} known */
  async unfold(isOpen, list, known) {
    const isLast = this.turn(), { dataset } = this;
    this.isOpen = isOpen;
    list.replaceChildren();
    if (!isOpen) return;
    try {
      for (const { name, label } of known.filter(({ part, by_people: byPeople }) => !part && !byPeople)) {
        const query = new URLSearchParams({ dataset, metric: name });
        const parts = this.parts.get(name) ??
          await shownIfSlow(list, `/api/analyse/parts?${query}`, `Looking for components of ${label}`);
        if (!isLast() || !list.isConnected) return;
        this.parts.set(name, parts);
        const boxes = parts.filter((part) => known.every((one) => one.name !== part.name))
          .map((part) => this.box(part.name, part.part, false, part.meaning));
        const why = parts.length ? "All components are chosen." : "These scores have no components.";
        list.append(
          el("div", { class: "metric-offer", role: "group", "aria-label": `Components of ${label}` }, [
            el("span", {}, `${label}:`),
            boxes.length ? boxes : why,
          ]),
        );
      }
    } catch (error) {
      list.append(problem(error, () => this.unfold(true, list, known)));
    }
  }
}
