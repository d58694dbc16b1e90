// A table of samples with their pictures, and buttons to the other pages of the table.

import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { pager, thumbnail } from "./in_sight.js";

/** @import { Child } from "../shared/types.d.ts" */

/** Make a table whose rows begin with a picture and a caption, and buttons to the table's other pages.
 * The first two entries of `heads` are the heads of the columns with pictures and captions.
 * @param {{name: string, heads: Child[], rows: HTMLElement[], pages: string, page: number, last: number,
 *   go: (page: number) => void}} of
 * name: label of the table; pages: label of the buttons; last: number of the last page */
export function picturedTable({ name, heads, rows, pages, page, last, go }) {
  const head = el("tr", {}, heads.map((words) => el("th", { scope: "col" }, words)));
  const table = el("table", { class: "figures pictured" }, el("thead", {}, head), el("tbody", {}, rows));
  return [
    el("div", { class: "table-box", tabindex: "0", role: "region", "aria-label": name }, table),
    pager({ page, last, name: pages, go }),
  ];
}

/** Make a row with picture, caption and more cells about the sample.
 * @param {{id: number, image: string | null, caption: string}} sample
 * @param {(id: number) => void} show is called when the caption is chosen @param {...Child} cells */
export function picturedRow({ id, image, caption }, show, ...cells) {
  const open = button(caption, () => show(id), "quiet-button error-caption");
  return el("tr", { "data-id": id }, el("td", {}, thumbnail(image)), el("td", {}, open), cells);
}
