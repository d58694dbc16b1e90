// What the Analyse page says about a data set: its notice (a warning), and which data are missing.

import { el } from "../shared/dom.js";
import { publishedOffer } from "../shared/notices.js";

/** @import { ScoredDataset } from "../shared/wire.d.ts" */

export class DatasetNotes {
  constructor() {
    this.instead = el("p", { class: "notice-line", role: "status", hidden: true });
    this.notice = el("p", { class: "notice-line", hidden: true });
    this.offer = publishedOffer(
      "There are no other data sets with scores yet. Get a benchmark with published scores: ",
    );
    this.offer.hidden = true;
    this.unscored = el("p", { hidden: true });
  }

  /** Tell readers that the page shows another data set than the address names.
   * Otherwise readers would believe that the numbers belong to the data set in the address.
   * @param {string} asked data set that the address names, or "" @param {string} dataset the shown data set */
  sayInstead(asked, dataset) {
    this.instead.hidden = !asked || asked === dataset;
    this.instead.textContent = `There is no data set “${asked}” with scores here. This page shows ${dataset} instead.`;
  }

  /** @param {string} notice text for everyone who reads the data set's results; "" hides the notice */
  showNotice(notice) {
    this.notice.textContent = notice;
    this.notice.hidden = !notice;
  }

  /** Offer to import published data if the demo is the only data set. The demo is recognised by its notice (a remark
   * about the data set), which no other data set has.
   * @param {ScoredDataset[]} scored */
  offerPublished(scored) {
    this.offer.hidden = scored.some(({ notice }) => !notice);
  }

  /** Say that no caption of a data set has a score, or hide this message.
   * @param {string} dataset @param {boolean} isScored whether any caption has a score */
  sayScored(dataset, isScored) {
    this.unscored.hidden = isScored;
    this.unscored.textContent = `No caption of ${dataset} has a score, because the metrics returned only errors. ` +
      "The page Inspect shows each error.";
  }

  /** @param {readonly string[]} metrics labels of the metrics that have no score in this data set */
  sayUnscored(metrics) {
    const names = metrics.join(", ");
    this.unscored.hidden = !metrics.length;
    this.unscored.textContent = `These metrics returned only errors here: ${names}. The page Inspect shows the errors.`;
  }
}
