// The list of the sections about errors, in their order on the page. This module is loaded separately, so that the
// first plot does not wait for it.

import { CalibrationSection } from "./calibration.js";
import { CaptionerSection } from "./captioners.js";
import { Categories } from "./categories.js";
import { bringJudgements, bringScores, NO_METRIC } from "./folding.js";
import { LeftOut } from "./left_out.js";
import { Partings } from "./score_differences.js";
import { People } from "./people.js";
import { Relations } from "./relations.js";
import { SeveralDatasets } from "./several_datasets.js";

/** @import { KnownMetric } from "../shared/wire.d.ts" */
/** @import { Section } from "./in_sight.js" */
/** @typedef {{dataset: string, metrics: KnownMetric[], chosen: KnownMetric[], extra: Record<string, string>,
 *   annotated: number, captioners?: boolean}} Looked the samples and metrics that the page shows now
 * extra: request parameters that filter the samples; annotated: number of pictures that have regions;
 * captioners: whether the data set names two or more captioners */
/** @typedef {{part: Section, section: HTMLElement, open: (looked: Looked) => void, redraw?: () => void}} ErrorSection
 * redraw: draws the section's figures again, in the current colours */
/** @typedef {object} Page
 * @property {(id: number, section: Element) => void} show is called with the id of a sample that was chosen, and the
 * section in which it was chosen
 * @property {(slice: string) => void} made is called with the name of a new slice (a named subset of samples) */
/** @typedef {Pick<Page, "made"> & {show: (id: number) => void}} Maker show: shows a sample below the section */
/** @typedef {{make: (page: Maker) => ErrorSection, needsHuman?: boolean, needsMetric?: boolean}} Row
 * needsHuman: the section is folded if people have judged no individual captions; needsMetric: the section is folded if
 * no metric has scored captions */

/** @type {Row[]} */
const SECTIONS = [
  { make: ({ show, made }) => new Partings(show, made) },
  { make: ({ show }) => new LeftOut(show) },
  { make: () => new People(), needsHuman: true, needsMetric: false },
  { make: () => new Relations() },
  { make: () => new CalibrationSection(), needsHuman: true },
  { make: () => new Categories(), needsHuman: true },
  { make: () => new CaptionerSection() },
  { make: () => new SeveralDatasets() },
];

export class ErrorSections {
  /** @param {Page} page */
  constructor({ show, made: sliced }) {
    this.rows = SECTIONS.map(({ make, needsHuman = false, needsMetric = needsHuman }) => {
      /** @type {ErrorSection} */
      const made = make({ made: sliced, show: (id) => show(id, made.section) });
      return { made, needsHuman, needsMetric };
    });
    this.nodes = this.rows.map(({ made }) => made.section);
  }

  /** Open each section, or fold it if the judgements or scores that it needs are missing.
   * @param {Looked} looked @param {boolean} isRated whether people have judged individual captions */
  open(looked, isRated) {
    for (const { made, needsHuman, needsMetric } of this.rows) {
      if (needsHuman && !isRated) made.part.fold("People have not judged single captions here.", bringJudgements());
      else if (needsMetric && !looked.metrics.length) made.part.fold(NO_METRIC, bringScores());
      else made.open(looked);
    }
  }

  redraw() {
    for (const { made } of this.rows) made.redraw?.();
  }
}
