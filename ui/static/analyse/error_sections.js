// The sections about errors, which the first plot need not wait for: they come as one, once it is drawn.

import { CalibrationSection } from "./calibration.js";
import { Categories } from "./categories.js";
import { LeftOut } from "./left_out.js";
import { Partings } from "./partings.js";
import { People } from "./people.js";

/** @import { KnownMetric } from "../shared/wire.d.ts" */

export class ErrorSections {
  /** @param {(id: number) => void} open is called with the id of a sample that was chosen
   * @param {(slice: string) => void} made is called with a slice that was made */
  constructor(open, made) {
    this.partings = new Partings(open, made);
    this.leftOut = new LeftOut(open);
    this.calibration = new CalibrationSection();
    this.categories = new Categories();
    this.beside = [this.partings.section, this.leftOut.section]; // where a chosen sample is seen
    this.people = new People();
    this.below = [this.people.section, this.calibration.section, this.categories.section];
  }

  /** @param {string} dataset @param {KnownMetric[]} metrics @param {Record<string, string>} extra what narrows it down
   * @param {boolean} isJudged whether people have judged any of it */
  open(dataset, metrics, extra, isJudged) {
    const names = metrics.map(({ name }) => name);
    this.partings.open(dataset, metrics, extra);
    this.leftOut.open(dataset, extra);
    for (const section of this.below) section.hidden = !isJudged;
    if (!isJudged) return;
    this.people.open(dataset, extra);
    this.calibration.open(dataset, names, extra);
    this.categories.open(dataset, names, extra);
  }

  redraw() {
    this.calibration.redraw();
    this.leftOut.redraw();
  }
}
