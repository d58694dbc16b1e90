// The third step of a new study: how its items are drawn, with a preview, and the settings before it starts.

import { latest, post, wordsOf } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { paragraph, quiet } from "../shared/elements.js";
import { beforeItems } from "./before_items.js";
import { choice, group, numberField } from "./choices.js";
import { previewOf } from "./preview.js";
import { TermsFields } from "./terms_form.js";

/** @import { DatasetSummary } from "../shared/wire.d.ts" */
/** @import { ForecastPart } from "./forecast.js" */
/** @import { Form } from "./form_step.js" */
/** @import { Draft } from "./wizard.js" */
/** @typedef {"size" | "raters_per_item" | "items_per_rater" | "seed"} NumberField */

const PAUSE_MS = 300; // ms after the last keypress, before the preview is made
const STRATA = {
  none: ["Everything", "all samples, or a number of samples chosen at random"],
  score: ["By score", "the same number of samples from each of [0, 0.33), [0.33, 0.66) and [0.66, 1]"],
  disagreement: [
    "Where metrics disagree",
    "samples that metrics rank differently are chosen more often, and the report weights them. Differences between metrics become " +
    "more exact, means of one metric less exact",
  ],
  human: [
    "By human score",
    "the same number of samples from each level, among samples whose human judgements all agree",
  ],
};

export class DrawStep {
  /** @param {Draft} draft is changed @param {Form} form @param {DatasetSummary} dataset
   * @param {{forecast: ForecastPart, problem: Element, seed: number | null}} of
   * problem: the element that shows errors; seed: the seed of an earlier
   * preview */
  constructor(draft, form, dataset, { forecast, problem, seed }) {
    this.draft = draft;
    this.form = form;
    this.dataset = dataset;
    this.forecast = forecast;
    this.problem = problem;
    this.seed = seed; // random seed of the preview, which the study also gets
    this.turn = latest();
    this.sight = el("div", { class: "preview", "aria-live": "polite" });
    this.nodes = this.build();
    this.preview();
  }

  build() {
    const { draft } = this;
    const offered = Object.entries(STRATA).filter(([key]) =>
      !["score", "disagreement"].includes(key) || this.form.rates === "explanation"
    );
    if (!offered.some(([key]) => key === draft.strata)) draft.strata = "none";
    const strata = offered.map(([key, [name, text]]) =>
      choice(
        "radio",
        "strata",
        key,
        name,
        text,
        draft.strata === key,
        () => {
          draft.strata = /** @type {Draft["strata"]} */ (key);
          this.preview();
        },
      )
    );
    /** @type {(id: string, label: string, hint: string, field: NumberField, lowest: number) => HTMLElement} */
    const number = (id, label, hint, field, lowest) =>
      numberField({ id, label, hint, lowest, value: draft[field] }, (value) => {
        draft[field] = value;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.preview(), PAUSE_MS);
      });
    const terms = new TermsFields(draft.terms, (typed) => {
      draft.terms = typed;
      this.forecast.pay(typed);
    });
    this.forecast.pay(draft.terms);
    this.sight.replaceChildren(quiet("Drawing …"));
    return [
      group("Strata", strata),
      el(
        "div",
        { class: "numbers" },
        number(
          "size",
          "Captions",
          "Each is rated for every metric. If empty: all, or 100 if there are strata.",
          "size",
          1,
        ),
        number("raters", "Raters per item", "If empty, every rater rates every item.", "raters_per_item", 1),
        number(
          "items-for-one",
          "Items per rater",
          "Used only with “Raters per item”. Practice, gold and repeated items are added. If empty, there is no limit.",
          "items_per_rater",
          1,
        ),
        number("seed", "Seed", "If empty, a new random seed is used and recorded.", "seed", 0),
      ),
      this.sight,
      group("Pay and contact", terms.nodes),
      beforeItems(draft, this.form, () => this.preview()),
      this.forecast.element,
      paragraph(choice(
        "checkbox",
        "start",
        "start",
        "Start now",
        "If not ticked, the study is a draft, and raters get no items until you start it.",
        draft.state === "running",
        (on) => (draft.state = on ? "running" : "draft"),
      )),
    ];
  }

  /** Cancel the preview that starts a moment after the last keypress. */
  cancel() {
    clearTimeout(this.timer);
  }

  /** Cancel the planned preview, and ignore later responses, because they must not appear on another step. */
  stop() {
    this.cancel();
    this.turn();
  }

  /** Show the preview. Only the response to the latest request is shown. Return whether the study can be made. */
  async preview() {
    const isLast = this.turn();
    try {
      const plan = await post("/api/studies/preview", { ...this.draft, seed: this.draft.seed ?? this.seed });
      if (!isLast()) return false;
      this.seed = plan.seed;
      this.sight.replaceChildren(...previewOf(plan, this.draft));
      this.forecast.show(this.sketch(plan));
      say(this.problem, "");
      return true;
    } catch (error) {
      if (!isLast()) return false;
      this.sight.replaceChildren();
      this.forecast.show(null);
      say(this.problem, wordsOf(error));
      return false;
    }
  }

  /** Return the data that the forecast needs from a preview.
   * If raters judge captions or compare explanations, `metrics` is 1, so that the forecast contains no test between
   * metrics.
   * @param {import("./forecast.js").Plan} plan @returns {import("./forecast.js").Sketch} */
  sketch(plan) {
    const { metrics, raters_per_item, items_per_rater, criteria } = this.draft;
    const explained = metrics.length || Object.keys(this.dataset.explained).length;
    return {
      plan,
      raters: raters_per_item ?? 1,
      isShared: raters_per_item !== null,
      perRater: raters_per_item === null ? null : items_per_rater,
      metrics: this.form.rates === "explanation" && !this.form.compares ? explained : 1,
      criteria: criteria.length,
    };
  }
}
