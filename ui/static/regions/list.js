// The regions of a picture as a list. Mentioned regions come first. For each region, the list shows how well a phrase
// describes it, or why it counts as mentioned or not.

import { all, el } from "../shared/dom.js";
import { rove } from "../shared/roving_focus.js";
import { precisionNodes } from "./phrase_chips.js";

/** @typedef {object} ListedRegion a region as the list shows it
 * @property {number} index
 * @property {string} name
 * @property {number} recall similarity of the region and its best phrase
 * @property {boolean} isCompared whether the caption was compared with the regions
 * @property {boolean} mentioned
 * @property {"mentioned" | "unmentioned" | "waiting"} look
 * @property {string} word the page's name for the look
 * @property {string} reason why the region counts as mentioned or not, if labels decided this; "": unknown */

export class RegionList {
  constructor() {
    this.rows = el("ol", { class: "region-list", "aria-label": "Regions, mentioned regions first" });
    this.mean = el("p", { class: "quiet mean-of-regions" });
    this.element = el("div", {}, this.mean, this.rows);
  }

  /** @param {ListedRegion[]} regions @param {string} mean how the regions' numbers make the score's recall
   * @param {number} highest the value of a full bar */
  show(regions, mean, highest) {
    this.mean.textContent = mean;
    const focused = this.rows.contains(document.activeElement) ? focusedRegion() : null;
    this.rows.replaceChildren(
      ...regions.sort((a, b) => Number(b.mentioned) - Number(a.mentioned) || b.recall - a.recall).map((one) =>
        row(one, highest)
      ),
    );
    rove(this.rows, ".region-row");
    if (focused !== null) all(this.rows, `[data-region="${focused}"]`)[0]?.focus();
  }
}

/** @param {ListedRegion} region @param {number} highest */
function row({ index, name, recall, isCompared, look, word, reason }, highest) {
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: `region-row ${look}`,
        "data-region": index,
        "aria-pressed": "false",
      },
      el("span", { class: "swatch", "aria-hidden": "true" }),
      el("span", { class: "name" }, name),
      el("span", { class: "number" }, isCompared && precisionNodes(recall, highest)),
      el("span", { class: "quiet" }, word, reason && `: ${reason}`),
    ),
  );
}

function focusedRegion() {
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset.region ?? null : null;
}
