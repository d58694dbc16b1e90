// What a study would be, before it is made: how many items of which strata, and the first of them.

import { command } from "../shared/command.js";
import { el, explanation, gauge, present } from "../shared/dom.js";
import { paragraph, quiet } from "../shared/elements.js";

/** @import { Answer } from "../shared/wire.d.ts" */

/** The strata of a draw as a line.
 * @param {Record<string, number>} strata */
export function strataText(strata) {
  return Object.entries(strata).map(([name, count]) => `${name}: ${count}`).join(", ");
}

/** That raters will not see some pictures, and what to do.
 * @param {{without_picture: number, items: number}} study */
export function missingPictures({ without_picture: missing, items }) {
  return `The pictures of ${missing} of ${items} items are missing; raters will not see them. Import the data set again with --images and the folder that holds them.`;
}

/** How many raters finish a study who each get as many items, with a space before; "" where every rater rates all.
 * @param {{items: number, raters_per_item: number | null}} study @param {number | null} raters */
export function ratersNeeded({ items, raters_per_item: each }, raters) {
  if (raters === null || each === null) return "";
  return ` ${items} items × ${each} ${each === 1 ? "rater" : "raters"} = ${items * each} item ratings: ${raters} ${
    raters === 1 ? "rater is" : "raters are"
  } needed.`;
}

/** A plan as the server sends it.
 * @param {Answer<"POST", "/api/studies/preview">} plan
 * @param {{overlay: boolean | null, dataset: string, raters_per_item: number | null}} draft overlay: whether raters are to see
 * regions */
export function previewOf(plan, { overlay, dataset, raters_per_item }) {
  const { items, strata, seed, with_regions: regions, without_picture: missing, first, workload } = plan;
  return present(
    paragraph(
      el("strong", {}, `${items} items`),
      ` (${strataText(strata)}), seed ${seed}.${overlay ? ` Regions are there for ${regions} of ${items} items.` : ""}`,
    ),
    paragraph(
      `Each rater gets ${workload.words}.${ratersNeeded({ items, raters_per_item }, workload.raters)}`,
      " ",
      el("span", { class: "quiet" }, "Practice, gold and repeats come on top; choose them later, under Quality."),
    ),
    el(
      "p",
      { class: "quiet", hidden: !overlay || regions === items },
      "HICE-S finds those of the others: ",
      el("code", {}, command(`score HICE-S --dataset ${dataset}`)),
    ),
    el("p", { class: "problem", hidden: missing === 0 }, missingPictures(plan)),
    first && paragraph("The first one:"),
    first && el(
      "div",
      { class: "preview-item" },
      first.thumbnail
        ? el("img", { src: first.thumbnail, alt: "Picture of the first item" })
        : quiet("Its picture is missing."),
      el(
        "div",
        {},
        el("p", { class: "caption" }, `“${first.caption}”`),
        first.scores.map((score) =>
          "value" in score && [gauge(score.value, score.scale), explanation(score.rationales)]
        ),
      ),
    ),
  );
}
