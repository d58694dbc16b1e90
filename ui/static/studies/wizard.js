// A new study in three steps: its data, the form, and how its items are drawn.

import { post, wordsOf } from "../shared/api.js";
import { command } from "../shared/command.js";
import { all, dialog, el, field, say } from "../shared/dom.js";
import { actions, alertText, button, quiet } from "../shared/elements.js";
import { choice, group } from "./choices.js";
import { DrawStep } from "./draw_step.js";
import { FormStep } from "./form_step.js";

/** @import { Body, DatasetSummary } from "../shared/wire.d.ts" */
/** @import { Form } from "./form_step.js" */
/** @typedef {Required<Body<"POST", "/api/studies">>} Draft */

const STEPS = ["Data", "Form and criteria", "Draw"];

/** @type {Draft | null} */
let begun = null; // draft of the wizard that was closed last, so that pressing Escape loses nothing
/** @type {Form | null} */
let ownForm = null; // form (questions) from a file of the user, kept together with the draft

/** The dialog in which people make a new study step by step. */
export class StudyWizard {
  /** @param {DatasetSummary[]} datasets @param {Form[]} forms
   * @param {(id: number) => void} onMade is called with the id of the new study
   * @param {string | null} [dataset] the preselected data set */
  constructor(datasets, forms, onMade, dataset = null) {
    this.datasets = datasets;
    this.forms = forms;
    /** @type {FormStep | null} */
    this.formStep = null;
    this.onMade = onMade;
    /** @type {DrawStep | null} */
    this.drawStep = null;
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
      consent: null,
      criteria: forms[0].criteria.map(({ key }) => key),
      contact: "",
    };
    if (begun !== this.draft) ownForm = null;
    begun = this.draft;
    this.problem = alertText();
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
    return [
      this.problem,
      actions(button("Cancel", () => this.box.close()), back && button("Back", back), button(name, next, "primary")),
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
      ...this.buttons(() => this.step(this.data()), next),
    ].flat();
  }

  /** @param {Form} form */
  draw(form) {
    const { problem } = this;
    const seed = this.drawStep?.seed ?? null;
    const drawStep = new DrawStep(this.draft, form, this.dataset(), { problem, seed });
    this.drawStep = drawStep;
    const back = () => {
      drawStep.stop();
      this.step(this.form());
    };
    return [
      ...this.heading(3, "How are the items chosen?"),
      ...drawStep.nodes,
      ...this.buttons(back, () => this.make(drawStep), "Create study"),
    ].flat();
  }

  /** Make the study as shown. Do not make it if a number in a field is invalid or if the server refuses.
   * @param {DrawStep} drawStep */
  async make(drawStep) {
    drawStep.cancel();
    const wrong = all(this.body, "input").find((input) => !(/** @type {HTMLInputElement} */ (input).validity.valid));
    if (wrong) return /** @type {HTMLInputElement} */ (wrong).reportValidity();
    if (!(await drawStep.preview())) return;
    let made;
    try {
      made = await post("/api/studies", {
        ...this.draft,
        seed: this.draft.seed ?? drawStep.seed,
      });
    } catch (error) {
      say(this.problem, wordsOf(error));
      return;
    }
    begun = null;
    this.box.close();
    this.onMade(made.id);
  }
}
