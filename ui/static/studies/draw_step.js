// The third step of a new study: how its items are drawn, with a preview, and the settings before it starts.

import { latest, post, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { paragraph, quiet } from "../shared/elements.js";
import { beforeItems } from "./before_items.js";
import { choice, group, numberField } from "./choices.js";
import { previewOf } from "./preview.js";

/** @import { DatasetSummary } from "../shared/wire.d.ts" */
/** @import { Form } from "./form_step.js" */
/** @import { Draft } from "./wizard.js" */
/** @typedef {"size" | "raters_per_item" | "items_per_rater" | "seed"} NumberField */

const PAUSE_MS = 300; // ms after the last keypress, before the preview is made
const STRATA = {
  none: ["Everything", "all samples, or a number of samples chosen at random"],
  score: ["By score", "the same number of samples from each of [0, 0.33), [0.33, 0.66) and [0.66, 1]"],
  human: [
    "By human score",
    "the same number of samples from each level, among samples whose human judgements all agree",
  ],
};

export class DrawStep {
  /** @param {Draft} draft is changed @param {Form} form @param {DatasetSummary} dataset
   * @param {{problem: Element, seed: number | null}} of
   * problem: the element that shows errors; seed: the seed of an earlier preview */
  constructor(draft, form, dataset, { problem, seed }) {
    this.draft = draft;
    this.form = form;
    this.dataset = dataset;
    this.problem = problem;
    this.seed = seed; // random seed of the preview, which the study also gets
    this.turn = latest();
    this.sight = el("div", { class: "preview", "aria-live": "polite" });
    this.nodes = this.build();
    this.preview();
  }

  build() {
    const { draft } = this;
    const offered = Object.entries(STRATA).filter(([key]) => key !== "score" || this.form.rates === "explanation");
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
    const contact = el("input", {
      id: "contact",
      maxlength: 200,
      autocomplete: "off",
      value: draft.contact,
      input: () => (draft.contact = contact.value),
    });
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
      field("Contact for raters", contact, quiet("One line, such as an e-mail address.")),
      beforeItems(draft, this.form),
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
      say(this.problem, "");
      return true;
    } catch (error) {
      if (!isLast()) return false;
      this.sight.replaceChildren();
      say(this.problem, wordsOf(error));
      return false;
    }
  }
}
