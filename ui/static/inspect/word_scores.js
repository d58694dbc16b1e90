// Metrics that compare words with the references. One line shows their scores and can be unfolded into their cards. If
// there are no such scores, only the references are listed.

import { arrange, el } from "../shared/dom.js";
import { rounded } from "../shared/rounding.js";

/** @import { ErrorJson, ScoreJson } from "../shared/wire.d.ts" */

export class WordScores {
  /** @param {readonly string[]} references the sample's references */
  constructor(references) {
    this.references = references;
    this.list = el("ul", {}, references.map((text) => el("li", {}, text)));
    this.summary = el("summary", {});
    this.cards = el("div", {});
    this.element = el("details", { class: "folded word-scores" }, this.summary, this.cards);
    this.isOffered = false; // true after the page has opened the list by itself, as it does without other cards
  }

  /** @param {HTMLElement[]} cards cards of metrics that compare words; if there are none, the references are listed
   * @param {(ScoreJson | ErrorJson)[]} outcomes known outcomes for the current caption
   * @param {boolean} isAlone whether there are no other cards */
  draw(cards, outcomes, isAlone) {
    const { length } = this.references;
    arrange(this.cards, cards.length ? cards : [this.list]);
    const values = outcomes.flatMap((one) =>
      "value" in one ? el("span", { class: "unbroken" }, `${one.metric} ${rounded(one.value)}`) : []
    );
    const many = length === 1 ? "1 reference" : `${length} references`;
    const listed = values.map((value, at) => [at > 0 && ", ", value]);
    this.summary.replaceChildren(el("span", {}, values.length ? [`Compared with ${many}: `, listed] : many));
    this.element.hidden = !cards.length && !length;
    if (!isAlone || !cards.length || this.isOffered) return;
    this.isOffered = this.element.open = true;
  }
}
