// The regions of a picture as a list. Mentioned regions come first. For each region, the list shows how well a phrase
// describes it, or why it counts as mentioned or not.

import { all, el } from "../shared/dom.js";
import { rove } from "../shared/roving_focus.js";
import { similarityWords } from "./support.js";

/** @typedef {object} ListedRegion a region as the list shows it
 * @property {number} index
 * @property {string} name
 * @property {number} support similarity of the region and its best phrase
 * @property {string} number the region's support or its rank, as text
 * @property {boolean} mentioned
 * @property {"mentioned" | "unmentioned" | "waiting"} look
 * @property {string} word the page's name for the look
 * @property {string} reason why the region counts as mentioned or not, if labels decided this. Without a reason (""),
 * the list shows the number. */

export class RegionList {
  constructor() {
    this.rows = el("ol", { class: "region-list", "aria-label": "Regions, mentioned regions first" });
    this.element = this.rows;
  }

  /** @param {ListedRegion[]} regions */
  show(regions) {
    const focused = this.rows.contains(document.activeElement) ? focusedRegion() : null;
    this.rows.replaceChildren(
      ...regions.sort((a, b) => Number(b.mentioned) - Number(a.mentioned) || b.support - a.support).map(row),
    );
    rove(this.rows, ".region-row");
    if (focused !== null) all(this.rows, `[data-region="${focused}"]`)[0]?.focus();
  }
}

/** @param {ListedRegion} region */
function row({ index, name, support, number, look, word, reason }) {
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
        title: similarityWords(support),
      },
      el("span", { class: "swatch", "aria-hidden": "true" }),
      el("span", { class: "name" }, name),
      el("span", { class: "number" }, !reason && number),
      el("span", { class: "quiet" }, word, reason && `: ${reason}`),
    ),
  );
}

function focusedRegion() {
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset.region ?? null : null;
}
