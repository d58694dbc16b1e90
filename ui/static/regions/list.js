// The regions of a picture as a list, the best mentioned first.

import { el } from "../shared/dom.js";
import { rove } from "../shared/roving_focus.js";

export class RegionList {
  constructor() {
    this.rows = el("ol", { class: "region-list", "aria-label": "Regions, the best mentioned first" });
    this.element = el(
      "details",
      { class: "region-details", open: innerWidth > 860 },
      el("summary", {}, "Regions by recall"),
      this.rows,
    );
  }

  /** Show regions: {index, name, support, number: support or rank as text, mentioned, word: what that is called}. */
  show(regions) {
    const focused = this.rows.contains(document.activeElement) ? document.activeElement.dataset.region : null;
    this.rows.replaceChildren(...regions.sort((a, b) => b.support - a.support).map(row));
    rove(this.rows, ".region-row");
    if (focused !== null) this.rows.querySelector(`[data-region="${focused}"]`)?.focus();
  }
}

function row({ index, name, number, mentioned, word }) {
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: `region-row ${mentioned ? "mentioned" : "unmentioned"}`,
        "data-region": index,
        "aria-pressed": "false",
      },
      el("span", { class: "swatch", "aria-hidden": "true" }),
      el("span", {}, name),
      el("span", { class: "number" }, number),
      el("span", { class: "quiet" }, word),
    ),
  );
}
