// The regions of a picture as a list. Mentioned regions come first. For each region, the list shows its recall, and the
// phrase that mentions it or why it counts as mentioned or not.

import { all, el } from "../shared/dom.js";
import { halfUp } from "../shared/rounding.js";
import { rove } from "../shared/roving_focus.js";
import { NOT_COMPARED } from "./outlines.js";
import { meanWords, numberNodes } from "./phrases.js";

/** @import { RegionJson } from "../shared/wire.d.ts" */

export class RegionList {
  constructor() {
    this.rows = el("ol", { class: "region-list", "aria-label": "Regions, mentioned regions first" });
    this.mean = el("p", { class: "quiet mean-of-regions" });
    this.element = el("div", {}, this.mean, this.rows);
  }

  /** @param {readonly RegionJson[]} regions @param {boolean} isCompared whether a caption was compared with them
   * @param {number} highest the value of a full bar */
  show(regions, isCompared, highest) {
    const whole = regions.find(({ is_full: isFull }) => isFull);
    const of = whole ? `regions, with the whole picture (${halfUp(whole.recall ?? 0, 3)})` : "regions";
    this.mean.textContent = isCompared ? meanWords("recall", regions.map(({ recall }) => recall), of) : "";
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement && this.rows.contains(activeElement) &&
      activeElement.dataset.region;
    const parts = regions.map((region, index) => ({ region, index })).filter(({ region }) => !region.is_full);
    parts.sort(({ region: a }, { region: b }) =>
      Number(b.mentioned) - Number(a.mentioned) || (b.recall ?? 0) - (a.recall ?? 0)
    );
    this.rows.replaceChildren(...parts.map(({ region, index }) => row(region, index, isCompared, highest)));
    rove(this.rows, ".region-row");
    if (focused) all(this.rows, `[data-region="${focused}"]`)[0]?.focus();
  }
}

/** @param {RegionJson} region @param {number} index @param {boolean} isCompared @param {number} highest */
function row({ name, words, recall, mentioned }, index, isCompared, highest) {
  const look = !isCompared ? "waiting" : mentioned ? "mentioned" : "unmentioned";
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", class: `region-row ${look}`, "data-region": index, "aria-pressed": "false" },
      el("span", { class: "swatch", "aria-hidden": "true" }),
      el("span", { class: "name" }, name),
      el("span", { class: "number" }, isCompared && numberNodes(recall, highest)),
      el("span", { class: "quiet" }, isCompared ? words : NOT_COMPARED),
    ),
  );
}
