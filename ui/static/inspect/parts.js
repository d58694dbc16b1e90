// The parts of the page around a sample's regions and scores: the picture without regions, where the sample comes from,
// the human judgement, and the menu of rarely used controls.

import { el } from "../shared/dom.js";
import { paragraph, quiet } from "../shared/elements.js";
import { halfUp } from "../shared/rounding.js";
import { fillLegend, framed, RegionPicture } from "../regions/picture.js";

/** @import { SampleJson } from "../shared/wire.d.ts" */
/** @import { Child } from "../shared/types.d.ts" */

/** Return the picture with the known outlines of regions, which need no model. Return null if the picture is missing.
 * @param {SampleJson} sample */
export function outlinedPicture({ image, image_name: name, image_size: size, outlines }) {
  if (!image || !size) return null;
  const [width, height] = size;
  const picture = new RegionPicture({
    image,
    alt: `Picture ${name}`,
    size: [height, width],
    regions: outlines,
  });
  outlines.forEach(({ name }, index) => picture.show(index, "waiting", name));
  const legend = el("p", { class: "legend" });
  fillLegend(legend, new Set(outlines.length ? ["waiting"] : []));
  return { picture, element: framed(picture, legend) };
}

/** Say that the sample's picture is missing. @param {SampleJson} sample */
export function missingPicture({ image_name: name }) {
  return el(
    "figure",
    { class: "sample-picture" },
    el(
      "div",
      { class: "notice" },
      paragraph("The picture is missing."),
      paragraph(
        `${name} was not found when the data set was imported. Import the data set again with --images and the folder ` +
          "that contains the picture.",
      ),
    ),
  );
}

/** Return the picture's source and licence, for people who share it. @param {SampleJson} sample */
export function sourceOf({ image_name: name, licence }) {
  return `Picture ${name}: ${licence ?? "its licence is unknown"}`;
}

/** Describe where the sample comes from. @param {SampleJson} sample */
export function originOf({ dataset, key, image_name: name, system }) {
  return quiet(`${dataset} · ${key} · ${name}`, system !== null && ` · caption by ${system}`);
}

/** Make the line above the scores that states the human rating. Return null if there is no rating.
 * The bars of the scores also contain a mark at this rating.
 * @param {SampleJson} sample @param {boolean} isEdited whether the scores are of another caption */
export function humanLine({ human, judgements }, isEdited) {
  if (human === null) return null;
  const place = `, marked at ${
    Number(halfUp(100 * human, 1))
  } % of each score’s bar. A full bar is the highest possible score. `;
  const single = judgements.length ? `Single judgements: ${judgements.join(", ")}.` : "";
  return el(
    "p",
    { class: "human-line" },
    !isEdited && el("i", { class: "human-tick", "aria-hidden": "true" }),
    "Human judgement ",
    el("strong", { class: "human-value", title: String(human) }, halfUp(human, 3)),
    el(
      "span",
      { class: "quiet" },
      " of 1",
      isEdited ? ". This is the rating of the sample’s own caption. " : place,
      single,
    ),
  );
}

/** Make a button that opens a menu of rarely used controls. Escape or a click elsewhere closes the menu.
 * @param {string} name @param {...Child} content */
export function menu(name, ...content) {
  const summary = el("summary", { "aria-label": name, title: name }, "⋯");
  const box = el("details", { class: "menu" }, summary, el("div", { class: "menu-panel" }, content));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    event.stopPropagation();
    box.open = false;
    summary.focus();
  });
  const close = (/** @type {Event} */ event) => {
    if (!box.contains(/** @type {Node} */ (event.target))) box.open = false;
  };
  box.addEventListener("toggle", () => {
    if (box.open) document.addEventListener("pointerdown", close);
    else document.removeEventListener("pointerdown", close);
  });
  return box;
}
