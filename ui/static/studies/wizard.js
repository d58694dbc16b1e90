// A new study in three steps: its data, the form, and how its items are drawn.

import { latest, post, wordsOf } from "../shared/api.js";
import { command } from "../shared/command.js";
import { all, dialog, el, field, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, picker, quiet } from "../shared/elements.js";
import { beforeItems } from "./before_items.js";
import { choice, group, numberField } from "./choices.js";
import { ForecastPart } from "./forecast.js";
import { FormStep } from "./form_step.js";
import { rememberPractice } from "./planned_practice.js";
import { previewOf } from "./preview.js";
import { TermsFields } from "./terms_form.js";

/** @import { Body, DatasetSummary, LanguageJson } from "../shared/wire.d.ts" */
/** @import { Form } from "./form_step.js" */
/** @import { Terms } from "./terms_form.js" */
/** @typedef {Required<Body<"POST", "/api/studies">> & {terms: Terms}} Draft */
/** @typedef {"size" | "raters_per_item" | "items_per_rater" | "seed"} NumberField */

const STEPS = ["Data", "Form and criteria", "Draw"];
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
const FEWEST_BETWEEN_GOLD = 2;
const PAUSE_MS = 300; // ms after the last keypress, before the preview is made

/** @type {Draft | null} */
let begun = null; // draft of the wizard that was closed last, so that pressing Escape loses nothing
/** @type {Form | null} */
let ownForm = null; // form (questions) that the user has added, for the draft of a study

/** The dialog in which people make a new study step by step. */
export class StudyWizard {
  /** @param {DatasetSummary[]} datasets @param {Form[]} forms
   * @param {LanguageJson[]} languages languages of raters' pages
   * @param {(id: number) => void} onMade is called with the id of the new study
   * @param {string | null} [dataset] the preselected data set */
  constructor(datasets, forms, languages, onMade, dataset = null) {
    this.datasets = datasets;
    this.forms = forms;
    this.languages = languages;
    /** @type {FormStep | null} */
    this.formStep = null;
    this.onMade = onMade;
    this.turn = latest();
    /** @type {number | null} */
    this.seed = null; // random seed of the preview, which the study also gets
    const names = datasets.map(({ name }) => name);
    const first = [dataset, begun?.dataset].find((name) => name && names.includes(name)) ?? names[0];
    /** @type {Draft} */
    this.draft = begun?.dataset === first ? begun : {
      name: "",
      dataset: first,
      form: forms[0].key,
      form_text: null,
      metrics: [],
      size: null,
      strata: "none",
      seed: null,
      raters_per_item: null,
      items_per_rater: null,
      state: "draft",
      veil: null,
      overlay: null,
      uniform: false,
      language: "en",
      consent: null,
      ready_check: false,
      criteria: forms[0].criteria.map(({ key }) => key),
      terms: { currency: "", hourly_rate: "", reward: "", contact: "" },
      gold_every: null,
    };
    if (begun !== this.draft) ownForm = null;
    begun = this.draft;
    this.problem = alertText();
    this.sight = el("div", { class: "preview", "aria-live": "polite" });
    this.forecast = new ForecastPart();
    this.body = el("div", { class: "wizard" });
    this.box = dialog("New study", this.body);
    this.box.classList.add("wide", "capscope");
    this.box.querySelector(".box-close")?.remove(); // no button Close, because each step has a button Cancel
    this.step(this.data());
  }

  /** @param {Node[]} content */
  step(content) {
    this.body.replaceChildren(...content);
    all(this.body, "input, select, button")[0]?.focus();
  }

  /** @param {number} number @param {string} text */
  heading(number, text) {
    return [
      el(
        "ol",
        { class: "steps" },
        STEPS.map((name, index) => el("li", { "aria-current": index + 1 === number ? "step" : null }, name)),
      ),
      el("h3", {}, text),
    ];
  }

  /** Build the buttons of a step.
   * @param {(() => void) | null} back goes to the previous step; null: there is none
   * @param {() => void} next @param {string} [name] label of the last button */
  buttons(back, next, name = "Continue") {
    say(this.problem, "");
    const goBack = () => {
      clearTimeout(this.timer);
      this.turn(); // so that late responses for this step do not appear on another step
      back?.();
    };
    return [
      this.problem,
      actions(button("Cancel", () => this.box.close()), back && button("Back", goBack), button(name, next, "primary")),
    ];
  }

  dataset() {
    return this.datasets.find(({ name }) => name === this.draft.dataset) ?? this.datasets[0];
  }

  data() {
    const { draft } = this;
    const name = el("input", {
      id: "study-name",
      value: draft.name,
      maxlength: 80,
      required: true,
      input: () => (draft.name = name.value),
    });
    const choices = this.datasets.map((dataset) => {
      const explained = Object.entries(dataset.explained).map(([metric, count]) =>
        `${metric} ${count.toLocaleString()}`
      ).join(", ");
      return choice(
        "radio",
        "dataset",
        dataset.name,
        dataset.name,
        `${dataset.samples.toLocaleString()} samples; explanations: ${explained || "none"}`,
        draft.dataset === dataset.name,
        () => {
          draft.dataset = dataset.name;
          draft.metrics = [];
        },
      );
    });
    const next = () => {
      draft.name = name.value.trim();
      if (!draft.name) return say(this.problem, "Enter a name for the study.");
      this.step(this.form());
    };
    return [
      ...this.heading(1, "Which data set does the study use, and what is its name?"),
      field("Name", name),
      group("Data set", choices),
      quiet(
        "Import your own data with “Import data” on this page. Or import with a command, also while this page is open: ",
        el("code", {}, command("import FORMAT FILE --images FOLDER")),
      ),
      ...this.buttons(null, next),
    ].flat();
  }

  form() {
    const { draft } = this;
    const formStep = new FormStep(this.forms, ownForm, draft, this.dataset().explained, (form) => (ownForm = form));
    this.formStep = formStep;
    const next = async () => {
      await formStep.reading;
      if (formStep !== this.formStep) return; // the user pressed Back meanwhile
      const { form } = formStep;
      if (!form) return say(this.problem, "Your file has an error. Choose another file, or one of the forms above.");
      if (form.criteria.length && !draft.criteria.length) return say(this.problem, "Choose at least one criterion.");
      this.step(this.draw(form));
    };
    return [
      ...this.heading(2, "What do raters see and answer?"),
      ...formStep.nodes,
      this.language(),
      ...this.buttons(() => this.step(this.data()), next),
    ].flat();
  }

  /** Build the choice of a language for raters' pages. */
  language() {
    const { draft } = this;
    const named = this.languages.map((
      { code, name, review },
    ) => /** @type {[string, string]} */ ([code, review ? `${name} (${review})` : name]));
    const select = picker({ id: "study-language" }, named, draft.language, (code) => (draft.language = code));
    const hint = "Language of the text around the form. The form’s own texts are not translated.";
    return field("Language", select, el("span", { class: "quiet" }, hint));
  }

  /** @param {Form} form */
  draw(form) {
    const { draft } = this;
    const unanimous = this.dataset().unanimous.toLocaleString();
    const offered = Object.entries(STRATA).filter(([key]) =>
      !["score", "disagreement"].includes(key) || form.rates === "explanation"
    );
    if (!offered.some(([key]) => key === draft.strata)) draft.strata = "none";
    const strata = offered.map(([key, [name, text]]) =>
      choice(
        "radio",
        "strata",
        key,
        name,
        key === "human" ? `${text} (${unanimous} here)` : text,
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
    const content = [
      ...this.heading(3, "How are the items chosen?"),
      group("Strata", strata),
      el(
        "div",
        { class: "numbers" },
        number("size", "Items", "If empty, all samples are used, or 100 with strata.", "size", 1),
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
      beforeItems(draft, form, this.languages, () => this.preview()),
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
      ...this.buttons(() => this.step(this.form()), () => this.make(), "Create study"),
    ].flat();
    this.preview();
    return content;
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
   * For pairs of captions and for comparisons, the forecast has no test between metrics.
   * @param {import("./forecast.js").Plan} plan @returns {import("./forecast.js").Sketch} */
  sketch(plan) {
    const { metrics, raters_per_item, items_per_rater, criteria } = this.draft;
    const form = this.formStep?.form;
    const explained = metrics.length || Object.keys(this.dataset().explained).length;
    return {
      plan,
      raters: raters_per_item ?? 1,
      isShared: raters_per_item !== null,
      perRater: raters_per_item === null ? null : items_per_rater,
      metrics: form?.rates === "explanation" && !form.compares ? explained : 1,
      criteria: criteria.length,
    };
  }

  /** Make the study as the preview shows it. Stop if a number is invalid or the server refuses. */
  async make() {
    clearTimeout(this.timer);
    const wrong = all(this.body, "input").find((input) => !(/** @type {HTMLInputElement} */ (input).validity.valid));
    if (wrong) return /** @type {HTMLInputElement} */ (wrong).reportValidity();
    if (!(await this.preview())) return;
    let made;
    try {
      const every = this.forecast.number("gold_every") ?? 0;
      made = await post("/api/studies", {
        ...this.draft,
        seed: this.draft.seed ?? this.seed,
        gold_every: every >= FEWEST_BETWEEN_GOLD ? every : null,
      });
    } catch (error) {
      say(this.problem, wordsOf(error));
      return;
    }
    rememberPractice(made.id, this.forecast.number("practice"));
    begun = null;
    this.box.close();
    this.onMade(made.id);
  }
}
