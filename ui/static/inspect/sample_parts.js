// The parts of the page around a sample's regions and scores: the picture without regions, where the sample comes from,
// the human judgement, and what metrics need before they can judge.

import { el } from "../shared/dom.js";
import { paragraph, quiet } from "../shared/elements.js";
import { halfUp } from "../shared/rounding.js";

/** @import { Readiness, SampleJson } from "../shared/wire.d.ts" */

const COMMAND = /^(python|pip|capscope) /;

/** Make an element with the sample's picture, without regions.
 * @param {SampleJson} sample */
export function plainPicture(sample) {
  const [width, height] = sample.image_size ?? [0, 0];
  const picture = sample.image
    ? el("img", {
      src: sample.image,
      alt: `Picture ${sample.image_name}`,
      width: width || null,
      height: height || null,
      style: width && `--ratio: ${width / height}`,
    })
    : el(
      "div",
      { class: "notice" },
      paragraph("The picture is missing."),
      paragraph(
        `${sample.image_name} was not found when the data set was imported. Import the data set again with --images and the folder that contains the picture.`,
      ),
    );
  return el("figure", { class: "sample-picture" }, picture);
}

/** Return the picture's source and licence, for people who share it. @param {SampleJson} sample */
export function sourceOf({ image_name: name, licence }) {
  return `Picture ${name}: ${licence ?? "its licence is unknown"}`;
}

/** Describe where the sample comes from. @param {SampleJson} sample */
export function originOf({ dataset, key, image_name: name, system, regions }) {
  return quiet(
    `${dataset} · ${key} · ${name}`,
    system !== null && ` · caption by ${system}`,
    regions > 0 && ` · ${regions} annotated ${regions === 1 ? "region" : "regions"}`,
  );
}

/** Make the line above the scores that states the human rating. Return null if there is no rating.
 * The bars of the scores also contain a mark at this rating.
 * @param {SampleJson} sample */
export function humanLine({ human, judgements }) {
  if (human === null) return null;
  const share = `${Number(halfUp(100 * human, 1))} %`;
  const single = judgements.length ? `Single judgements: ${judgements.join(", ")}.` : "";
  return el(
    "p",
    { class: "human-line" },
    el("i", { class: "human-tick", "aria-hidden": "true" }),
    "Human judgement ",
    el("strong", { class: "human-value", title: String(human) }, halfUp(human, 3)),
    el("span", { class: "quiet" }, " of 1"),
    el(
      "span",
      { class: "quiet of-bars" },
      `, marked at ${share} of each score’s bar. A full bar is the highest possible score`,
    ),
    el("span", { class: "quiet" }, `. ${single}`),
    el("span", { class: "quiet of-own" }, " This is the rating of the sample’s own caption."),
  );
}

/** List what metrics still need before they can judge. Return null if no metric needs anything.
 * @param {Readiness[]} metrics */
export function needsOf(metrics) {
  if (!metrics.length) return null;
  return el(
    "section",
    { class: "needs" },
    el("h3", {}, `${metrics.length} ${metrics.length === 1 ? "metric needs" : "metrics need"} something first`),
    el(
      "dl",
      {},
      metrics.map(({ metric, needs }) => [
        el("dt", {}, metric),
        el(
          "dd",
          {},
          el("ul", {}, needs.map((what) => el("li", {}, COMMAND.test(what) ? el("code", {}, what) : what))),
        ),
      ]),
    ),
  );
}
