// The second step of a new study: choose a form (a list of questions), its criteria, and what raters see. The form is
// part of Capscope or comes from a file of the user.

import { post, wordsOf } from "../shared/api.js";
import { el, present, say } from "../shared/dom.js";
import { alertText, quiet } from "../shared/elements.js";
import { choice, group, toggle } from "./choices.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Draft } from "./wizard.js" */
/** @typedef {Answer<"GET", "/api/studies/forms">[number]} Form */

const LARGEST = 100_000; // maximum size in bytes of a file that contains a form (the questions of a study)
const REFUSED = ""; // key of the chosen form (questions), if the user's latest file was refused

export class FormStep {
  /** @param {Form[]} forms forms that Capscope contains @param {Form | null} own form that the user has added
   * @param {Draft} draft @param {Record<string, number>} explained number of explanations, by metric
   * @param {(form: Form) => void} onOwn is called with a form that the user adds */
  constructor(forms, own, draft, explained, onOwn) {
    this.hasWords = Object.keys(explained).length > 0;
    this.forms = forms.filter(({ rates }) => this.hasWords || rates === "caption");
    this.own = own;
    this.draft = draft;
    this.explained = explained;
    this.onOwn = onOwn;
    this.ownText = draft.form_text;
    this.problem = alertText();
    this.asked = el("div", {});
    this.choices = el("div", {});
    this.nodes = [this.choices, this.problem, this.asked];
    this.reading = Promise.resolve(); // promise that resolves when the user's file has been read
    if (!this.form && draft.form !== REFUSED) this.choose(this.forms[0], null);
    this.show();
  }

  /** The chosen form (the study's questions); undefined if the latest file was refused. @returns {Form | undefined} */
  get form() {
    const isOwn = this.draft.form_text !== null;
    return (isOwn ? this.own : this.forms.find(({ key }) => key === this.draft.form)) ?? undefined;
  }

  show() {
    const { own, form } = this;
    const offered = this.forms.map((one) =>
      choice("radio", "form", one.key, one.title, one.source, one === form, () => this.choose(one, null))
    );
    if (own) {
      const take = () => this.choose(own, this.ownText);
      offered.push(choice("radio", "form", "own", own.title, "your own file", own === form, take));
    }
    const why = !this.hasWords &&
      quiet("No score of this data set has an explanation, so raters judge the captions.");
    this.choices.replaceChildren(group("Form", present(why, ...offered, this.file())));
    this.ask();
  }

  file() {
    const input = el("input", {
      id: "form-file",
      type: "file",
      accept: ".toml",
      change: () => (this.reading = this.read(input.files?.[0])),
    });
    return el("p", { class: "field" }, el("label", { for: "form-file" }, "A form of your own (.toml)"), input);
  }

  /** Choose a form (the questions of the study), and reset the choices that depend on it.
   * @param {Form} form @param {string | null} text text of the user's file; null: a form of Capscope */
  choose(form, text) {
    const { draft } = this;
    say(this.problem, "");
    const consent = draft.consent && draft.consent !== this.form?.consent ? draft.consent : null; // keep edited text
    Object.assign(draft, { form: form.key, form_text: text, veil: null, overlay: null, consent });
    draft.criteria = form.criteria.map(({ key }) => key);
    if (form.rates === "caption") draft.metrics = [];
    this.ask();
  }

  /** @param {File | undefined} file */
  async read(file) {
    if (!file) return;
    say(this.problem, "");
    if (file.size > LARGEST) return this.refuse(`A form may have at most ${LARGEST.toLocaleString()} bytes.`);
    try {
      const text = await file.text();
      const own = this.own = await post("/api/studies/forms", { text, name: file.name });
      this.ownText = text;
      this.onOwn(own);
      this.choose(own, text);
      this.show();
    } catch (error) {
      this.refuse(wordsOf(error));
    }
  }

  /** Show why a file was refused, and choose no form, so that no study is made with the wrong form.
   * @param {string} why */
  refuse(why) {
    Object.assign(this.draft, { form: REFUSED, form_text: null });
    for (const input of this.choices.querySelectorAll("input[type=radio]")) {
      /** @type {HTMLInputElement} */ (input).checked = false;
    }
    this.ask();
    say(this.problem, `Your file has an error. ${why}`);
  }

  /** Build the choices that the chosen form offers. */
  ask() {
    const { draft, form } = this;
    if (!form) return this.asked.replaceChildren();
    this.asked.replaceChildren(
      ...present(
        form.rates === "explanation" && group("Metrics (none chosen: all)", this.metrics()),
        form.criteria.length > 1 && group("Criteria", this.criteria(form)),
        group("Picture", this.picture(form)),
        form.rates === "explanation" && group("Explanations", [this.uniform()]),
        gates(form) && quiet(`${gates(form)}.`),
      ),
    );
    if (form.rates !== "explanation") draft.uniform = false;
  }

  metrics() {
    const { draft } = this;
    return Object.entries(this.explained).map(([metric, count]) =>
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
  }

  /** @param {Form} form */
  criteria(form) {
    const { draft } = this;
    return form.criteria.map(({ key, name, question }) =>
      choice("checkbox", "criterion", key, name, question, draft.criteria.includes(key), (on) => {
        toggle(draft.criteria, key, on);
      })
    );
  }

  /** @param {Form} form */
  picture(form) {
    const { draft } = this;
    const unseen = form.criteria.filter((one) => one.without_image).map(({ name }) => name).join(" and ");
    const veil = unseen && choice(
      "checkbox",
      "veil",
      "veil",
      `Hide the picture until ${unseen} is answered`,
      "The guideline asks raters to answer without the picture.",
      draft.veil ?? form.veil,
      (on) => (draft.veil = on),
    );
    const overlay = choice(
      "checkbox",
      "overlay",
      "overlay",
      "Show the regions that HICE-S used",
      "The published studies did not show regions. Samples without a HICE-S score show only the picture.",
      draft.overlay ?? form.regions,
      (on) => (draft.overlay = on),
    );
    return present(veil, overlay);
  }

  uniform() {
    const { draft } = this;
    return choice(
      "checkbox",
      "uniform",
      "uniform",
      "Show all explanations in the same layout, with two decimals",
      "Layout and decimals can reveal the metric. The published studies showed explanations unchanged.",
      draft.uniform,
      (on) => (draft.uniform = on),
    );
  }
}

/** List what raters read, answer and practise before the items. Return "" if the form requires none of these.
 * @param {Form} form */
function gates({ practice_until_right: untilRight }) {
  const texts = [
    untilRight && "practice items that must be answered right once",
  ].filter(Boolean).join(", ");
  return texts && `Before the items: ${texts}`;
}
