// A new study in three steps: its data, what raters see and are asked, how the items are drawn.

import { latest, post, wordsOf } from "../shared/api.js";
import { all, dialog, el, field, say } from "../shared/dom.js";
import { previewOf } from "./preview.js";

/** @import { Answer, Body, DatasetSummary } from "../shared/wire.d.ts" */
/** @typedef {Required<Body<"POST", "/api/studies">>} Draft */
/** @typedef {Answer<"GET", "/api/studies/criteria">[number]} Criterion */

const STEPS = ["Data", "Form and criteria", "Draw"];
const FORMS = { single: "Single: one explanation an item", side_by_side: "Side by side: all explanations of a sample" };
const STRATA = {
  none: ["Everything", "all samples, or as many as you say, drawn at random"],
  score: ["By score", "equally from [0, 0.33), [0.33, 0.66) and [0.66, 1]"],
  human: ["By human score", "equally from each level, among samples whose judges all agree"],
};
const PAUSE_MS = 300; // after the last key before the draw is shown

/** @type {Draft | null} */
let begun = null; // what was asked for when the wizard was left without making it: Escape throws nothing away

/** Asks for a study. */
export class StudyWizard {
  /** @param {DatasetSummary[]} datasets @param {Criterion[]} criteria @param {() => void} onMade is called once it is made
   * @param {string | null} [dataset] to draw from, to begin with */
  constructor(datasets, criteria, onMade, dataset = null) {
    this.datasets = datasets;
    this.criteria = criteria;
    this.onMade = onMade;
    this.turn = latest();
    const names = datasets.map(({ name }) => name);
    const first = [dataset, begun?.dataset].find((name) => names.includes(name)) ?? names[0];
    /** @type {Draft} */
    this.draft = begun?.dataset === first ? begun : {
      name: "",
      dataset: first,
      form: "single",
      metrics: [],
      size: null,
      strata: "none",
      seed: null,
      raters_per_item: null,
      items_per_rater: null,
      state: "running",
      veil: true,
      overlay: false,
      uniform: false,
      criteria: criteria.filter((one) => one.in_protocol).map(({ key }) => key),
    };
    begun = this.draft;
    this.body = el("div", { class: "wizard" });
    this.box = dialog("New study", this.body);
    this.box.classList.add("wide", "capscope");
    this.box.querySelector(".box-close").remove(); // the steps have buttons of their own
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

  /** @param {(() => void) | null} back @param {() => void} next @param {string} [name] */
  buttons(back, next, name = "Go on") {
    this.problem = el("p", { class: "problem", role: "alert" });
    return [
      this.problem,
      el(
        "p",
        { class: "actions" },
        el("button", { type: "button", click: () => this.box.close() }, "Cancel"),
        back && el("button", { type: "button", click: back }, "Back"),
        el("button", { type: "button", class: "primary", click: next }, name),
      ),
    ];
  }

  dataset() {
    return this.datasets.find(({ name }) => name === this.draft.dataset);
  }

  data() {
    const { draft } = this;
    const name = el("input", { id: "study-name", value: draft.name, maxlength: 80, required: true });
    const choices = this.datasets.map((dataset) => {
      const explained = Object.entries(dataset.explained).map(([metric, count]) =>
        `${metric} ${count.toLocaleString()}`
      ).join(", ");
      return choice(
        "radio",
        "dataset",
        dataset.name,
        dataset.name,
        `${dataset.samples.toLocaleString()} samples; explanations: ${explained}`,
        draft.dataset === dataset.name,
        () => {
          draft.dataset = dataset.name;
          draft.metrics = [];
        },
      );
    });
    const next = () => {
      draft.name = name.value.trim();
      if (!draft.name) return say(this.problem, "Give the study a name.");
      this.step(this.form());
    };
    return [
      ...this.heading(1, "Which data set, and what is the study called?"),
      field("Name", name),
      group("Data set", choices),
      ...this.buttons(null, next),
    ].flat();
  }

  form() {
    const { draft } = this;
    const forms = Object.entries(FORMS).map(([key, text]) =>
      choice(
        "radio",
        "form",
        key,
        text,
        "",
        draft.form === key,
        () => (draft.form = /** @type {Draft["form"]} */ (key)),
      )
    );
    const metrics = Object.entries(this.dataset().explained).map(([metric, count]) =>
      choice(
        "checkbox",
        "metric",
        metric,
        metric,
        `${count.toLocaleString()} explanations`,
        draft.metrics.includes(metric),
        (on) => toggle(draft.metrics, metric, on),
      )
    );
    const criteria = this.criteria.map(({ key, name, question }) =>
      choice(
        "checkbox",
        "criterion",
        key,
        name,
        question,
        draft.criteria.includes(key),
        (on) => toggle(draft.criteria, key, on),
      )
    );
    const unseen = this.criteria.filter((one) => one.without_image).map(({ name }) => name).join(" and ");
    const veil = choice(
      "checkbox",
      "veil",
      "veil",
      `Veil the picture until ${unseen} is answered`,
      "The rubric asks to judge it without the picture.",
      draft.veil,
      (on) => (draft.veil = on),
    );
    const overlay = choice(
      "checkbox",
      "overlay",
      "overlay",
      "Show the regions that HICE-S looked at",
      "The papers’ protocol shows none. Samples without a HICE-S score show the plain picture.",
      draft.overlay,
      (on) => (draft.overlay = on),
    );
    const uniform = choice(
      "checkbox",
      "uniform",
      "uniform",
      "Show all of them in one layout, scores and numbers with two decimals",
      "Layout and decimals tell metrics apart. The papers’ protocol shows explanations as they are.",
      draft.uniform,
      (on) => (draft.uniform = on),
    );
    const next =
      () => (draft.criteria.length ? this.step(this.draw()) : say(this.problem, "Choose at least one criterion."));
    return [
      ...this.heading(2, "What do raters see, and what are they asked?"),
      group("Form", forms),
      group("Metrics (none chosen: all)", metrics),
      group("Criteria", criteria),
      group("Picture", [veil, overlay]),
      group("Explanations", [uniform]),
      ...this.buttons(() => this.step(this.data()), next),
    ].flat();
  }

  draw() {
    const { draft } = this;
    const unanimous = this.dataset().unanimous.toLocaleString();
    const strata = Object.entries(STRATA).map(([key, [name, text]]) =>
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
    const number = (id, label, hint, field, lowest) =>
      numberField({ id, label, hint, lowest, value: draft[field] }, (value) => {
        draft[field] = value;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.preview(), PAUSE_MS);
      });
    this.sight = el("div", { class: "preview", "aria-live": "polite" }, el("p", { class: "quiet" }, "Drawing …"));
    const content = [
      ...this.heading(3, "How are the items drawn?"),
      group("Strata", strata),
      number("size", "Items", "empty: all, or 100 with strata", "size", 1),
      number("raters", "Raters per item", "empty: every rater rates every item", "raters_per_item", 1),
      number(
        "items-for-one",
        "Items per rater",
        "of use with raters per item; empty: as many as there are",
        "items_per_rater",
        1,
      ),
      number("seed", "Seed", "empty: a fresh one, recorded", "seed", 0),
      this.sight,
      el(
        "p",
        {},
        choice(
          "checkbox",
          "draft",
          "draft",
          "Make it a draft",
          "Raters get nothing before you start it.",
          draft.state === "draft",
          (on) => (draft.state = on ? "draft" : "running"),
        ),
      ),
      ...this.buttons(() => this.step(this.form()), () => this.make(), "Make the study"),
    ].flat();
    this.preview();
    return content;
  }

  /** Show what the draw gives; the last question asked wins. */
  async preview() {
    const isLast = this.turn();
    try {
      const plan = await post("/api/studies/preview", this.draft);
      if (!isLast()) return;
      this.seed = plan.seed;
      this.sight.replaceChildren(...previewOf(plan, this.draft));
      say(this.problem, "");
    } catch (error) {
      if (!isLast()) return;
      this.sight.replaceChildren();
      say(this.problem, wordsOf(error));
    }
  }

  async make() {
    try {
      await post("/api/studies", { ...this.draft, seed: this.draft.seed ?? this.seed ?? null });
    } catch (error) {
      say(this.problem, wordsOf(error));
      return;
    }
    begun = null;
    this.box.close();
    this.onMade();
  }
}

/** Choices under a name.
 * @param {string} name @param {HTMLElement[]} choices */
function group(name, choices) {
  return el("fieldset", { class: "choices" }, el("legend", {}, name), choices);
}

/** A radio button or a checkbox with its words.
 * @param {"radio" | "checkbox"} type @param {string} name @param {string} value @param {string} text @param {string} hint
 * @param {boolean} checked @param {(checked: boolean) => void} onChange */
function choice(type, name, value, text, hint, checked, onChange) {
  const input = el("input", { type, name, value, checked, change: () => onChange(input.checked) });
  return el(
    "label",
    { class: "choice" },
    input,
    el("span", {}, text, hint && el("span", { class: "quiet" }, ` ${hint}`)),
  );
}

/** A whole number; null where the field is empty.
 * @param {{id: string, label: string, hint: string, lowest: number, value: number | null}} about
 * @param {(value: number | null) => void} onInput */
function numberField({ id, label, hint, lowest, value }, onInput) {
  const input = el("input", {
    id,
    type: "number",
    min: lowest,
    step: 1,
    value: value ?? "",
    input: () => onInput(input.value === "" ? null : Number(input.value)),
  });
  return field(label, input, el("span", { class: "quiet" }, hint));
}

/** Put a value into a list, or take it out.
 * @template Value @param {Value[]} list @param {Value} value @param {boolean} on */
function toggle(list, value, on) {
  const at = list.indexOf(value);
  if (on && at < 0) list.push(value);
  if (!on && at >= 0) list.splice(at, 1);
}
