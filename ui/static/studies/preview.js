// Preview of a study before it is made: the number of captions per stratum, and the first item.

import { command, quoted } from "../shared/command.js";
import { el, explanation, gauge, present } from "../shared/dom.js";
import { paragraph, quiet } from "../shared/elements.js";

/** @import { Answer } from "../shared/wire.d.ts" */

/** Write the number of captions in each stratum as one line.
 * @param {Record<string, number>} strata number of captions by stratum */
export function strataText(strata) {
  return Object.entries(strata).map(([name, count]) => `${name}: ${count}`).join(", ");
}

/** Warn that raters will not see some pictures, and say what to do.
 * @param {{without_picture: number, items: number}} study */
export function missingPictures({ without_picture: missing, items }) {
  return `The pictures of ${missing} of ${items} items are missing. Raters will see these items without a picture. ` +
    "To add the pictures, import the data set again with --images and the folder that contains them.";
}

/** State how many raters are needed. The text starts with a space. Return "" if every rater rates all items.
 * @param {{items: number, raters_per_item: number | null}} study @param {number | null} raters */
export function ratersNeeded({ items, raters_per_item: each }, raters) {
  if (raters === null || each === null) return "";
  return ` ${items} items × ${each} ${each === 1 ? "rater" : "raters"} = ${items * each} item ratings: ${raters} ${
    raters === 1 ? "rater is" : "raters are"
  } needed.`;
}

/** Build the preview of a planned study.
 * @param {Answer<"POST", "/api/studies/preview">} plan
 * @param {{overlay: boolean | null, dataset: string, raters_per_item: number | null}} draft overlay: whether raters
 * see regions over the picture */
export function previewOf(plan, { overlay, dataset, raters_per_item }) {
  const { items, captions, strata, seed, with_regions: regions, without_picture: missing, first, workload } = plan;
  return present(
    paragraph(
      el("strong", {}, `${captions} captions, ${items} items`),
      ` (${strataText(strata)}), seed ${seed}.${overlay ? ` Regions are there for ${regions} of ${items} items.` : ""}`,
    ),
    paragraph(
      `Each rater gets ${workload.words}.${ratersNeeded({ items, raters_per_item }, workload.raters)}`,
      " ",
      el(
        "span",
        { class: "quiet" },
        "Practice, gold and repeated items come in addition. You can choose them later under Quality.",
      ),
    ),
    el(
      "p",
      { class: "quiet", hidden: !overlay || regions === items },
      "To find regions for the other items, run: ",
      el("code", {}, command(`score HICE-S --dataset ${quoted(dataset)}`)),
    ),
    el("p", { class: "problem", hidden: missing === 0 }, missingPictures(plan)),
    first && paragraph("The first item:"),
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
