// The Studies page: every study with its raters' progress; a new one in three steps; reports and exports.

import { get, post, Refused } from "./api.js";
import { dialog, el, explanation, gauge, rounded, say, table } from "./dom.js";

const REFRESH_MS = 3000;
const FORMS = { single: "Single: one explanation an item", side_by_side: "Side by side: all explanations of a sample" };
const STRATA = {
  none: ["Everything", "all samples, or as many as you say, drawn at random"],
  score: ["By score", "equally from [0, 0.33), [0.33, 0.66) and [0.66, 1]"],
  human: ["By human score", "equally from each level, among samples whose judges all agree"],
};

/** Fill the panel with the Studies page. */
export async function start(panel) {
  const page = new StudiesPage(panel);
  await page.open();
}

class StudiesPage {
  constructor(panel) {
    this.panel = panel;
    this.status = el("p", { role: "status", class: "quiet" });
  }

  async open() {
    this.list = el("div", { class: "study-list" });
    this.panel.replaceChildren(el("div", { class: "studies" },
      el("div", { class: "studies-head" }, el("h1", {}, "Studies"),
        el("button", { type: "button", class: "primary", click: () => this.wizard() }, "New study")),
      this.status, this.list));
    await this.refresh();
    setInterval(() => document.visibilityState === "visible" && this.list.isConnected && this.refresh(), REFRESH_MS);
  }

  async refresh() {
    try {
      const studies = await get("/api/studies");
      say(this.status, "");
      const shape = JSON.stringify(studies);
      if (shape === this.shape) return;
      this.shape = shape;
      this.show(studies);
    } catch (error) {
      say(this.status, error instanceof Refused ? error.message : "The server does not answer. This page tries again every three seconds.");
    }
  }

  show(studies) {
    if (!studies.length) {
      this.list.replaceChildren(el("div", { class: "column" },
        el("p", {}, "No study yet. A study is a set of explanations that raters judge: draw one from a data set."),
        el("p", {}, el("button", { type: "button", class: "primary", click: () => this.wizard() }, "Make the first study"))));
      return;
    }
    const open = new Set([...this.list.querySelectorAll("details[open]")].map((details) => details.dataset.study));
    this.list.replaceChildren(...studies.map((study) => this.card(study, open.has(String(study.id)))));
  }

  card(study, isOpen) {
    const link = `${location.origin}/?study=${study.id}`;
    const copy = el("button", { type: "button", class: "quiet-button", click: () => copied(copy, link) }, "copy the raters' link");
    const strata = Object.entries(study.strata).map(([name, count]) => `${name}: ${count}`).join(", ");
    return el("article", { class: "study-card" },
      el("header", {},
        el("h2", {}, study.name),
        el("span", { class: "chip" }, study.form === "single" ? "single" : "side by side"),
        el("span", { class: "chip" }, `${study.items} items`),
        el("span", { class: "chip" }, `data: ${study.dataset}`),
        !study.veil && el("span", { class: "chip" }, "picture shown from the start")),
      study.notice && el("p", { class: "notice-line" }, study.notice),
      raters(study),
      el("p", { class: "actions" },
        el("a", { href: `/?study=${study.id}`, class: "primary" }, "Rate"), copy,
        el("button", { type: "button", click: () => this.report(study) }, "Report"),
        ["csv", "jsonl", "parquet"].map((kind) => el("a", { href: `/api/studies/${study.id}/export.${kind}`, download: true, class: "button" }, `Export .${kind}`))),
      el("details", { "data-study": study.id, open: isOpen }, el("summary", {}, "How it was made"),
        el("dl", { class: "facts" },
          fact("Metrics", study.metrics.join(", ")), fact("Criteria", study.criteria.join(", ")),
          fact("Drawn", strata), fact("Seed", study.seed),
          fact("Raters per item", study.raters_per_item ?? "every rater rates every item"),
          fact("Picture", study.veil ? "veiled until Consistency is answered" : "shown from the start"),
          fact("Regions", study.overlay ? "those HICE-S looked at are shown" : "not shown"),
          fact("Made", new Date(study.created_at).toLocaleString()))));
  }

  async report(study) {
    let report;
    try {
      report = await get(`/api/studies/${study.id}/report`);
    } catch (error) {
      dialog("No report", el("p", {}, error.message));
      return;
    }
    if (!report.rows.length) {
      dialog(`Report: ${study.name}`, el("p", {}, "Nobody has rated yet. Send raters the study's link."));
      return;
    }
    const number = (value) => (value === null ? "–" : rounded(value));
    dialog(`Report: ${study.name}`,
      table(["metric", "criterion", "n", "mean", "sd", "95 % interval", "abstained"], report.rows.map((row) =>
        [row.metric, row.criterion, row.n, number(row.mean), number(row.sd), row.ci_low === null ? "–" : `${rounded(row.ci_low)} … ${rounded(row.ci_high)}`, `${(100 * row.abstain_rate).toFixed(1)} %`])),
      report.tests.length > 0 && [
        el("h3", {}, "Differences between metrics (Wilcoxon signed-rank on item means, Holm)"),
        table(["criterion", "metrics", "items", "difference", "p", "p (Holm)", ""], report.tests.map((test) =>
          [test.criterion, `${test.metric_a} − ${test.metric_b}`, test.n_items, number(test.mean_difference), number(test.p), number(test.p_holm), test.note]))],
      el("p", { class: "quiet" }, "Intervals are bootstrapped over items. Abstentions are counted, never averaged."));
  }

  // ---- a new study in three steps

  async wizard() {
    try {
      [this.datasets, this.criteria] = await Promise.all([get("/api/datasets"), get("/api/studies/criteria")]);
    } catch (error) {
      dialog("Cannot make a study just now", el("p", {}, error.message));
      return;
    }
    const usable = this.datasets.filter(({ explained }) => Object.keys(explained).length);
    if (!usable.length) {
      dialog("No explanations yet", el("p", {}, "A study needs a data set whose scores have explanations. Import one:"), el("pre", {}, "python app.py import FORMAT FILE --images FOLDER"));
      return;
    }
    new Wizard(usable, this.criteria, () => this.refresh());
  }
}

class Wizard {
  constructor(datasets, criteria, onMade) {
    this.datasets = datasets;
    this.criteria = criteria;
    this.onMade = onMade;
    this.draft = {
      name: "", dataset: datasets[0].name, form: "single", metrics: [], size: null, strata: "none", seed: null,
      raters_per_item: null, veil: true, overlay: false, criteria: criteria.map(({ key }) => key),
    };
    this.body = el("div", { class: "wizard" });
    this.box = dialog("New study", this.body);
    this.box.classList.add("wide", "capscope");
    this.box.lastElementChild.remove(); // the steps have buttons of their own
    this.step(this.data());
  }

  step(content) {
    this.body.replaceChildren(...content);
    this.body.querySelector("input, select, button")?.focus();
  }

  heading(number, text) {
    const names = ["Data", "Form and criteria", "Draw"];
    return [
      el("ol", { class: "steps" }, names.map((name, index) => el("li", { "aria-current": index + 1 === number ? "step" : null }, name))),
      el("h3", {}, text),
    ];
  }

  buttons(back, next, name = "Go on") {
    this.problem = el("p", { class: "problem", role: "alert" });
    return [this.problem, el("p", { class: "actions" },
      el("button", { type: "button", click: () => this.box.close() }, "Cancel"),
      back && el("button", { type: "button", click: back }, "Back"),
      el("button", { type: "button", class: "primary", click: next }, name))];
  }

  dataset() {
    return this.datasets.find(({ name }) => name === this.draft.dataset);
  }

  data() {
    const { draft } = this;
    const name = el("input", { id: "study-name", value: draft.name, maxlength: 80, required: true });
    const choices = this.datasets.map((dataset) => {
      const explained = Object.entries(dataset.explained).map(([metric, count]) => `${metric} ${count.toLocaleString()}`).join(", ");
      return choice("radio", "dataset", dataset.name, dataset.name, `${dataset.samples.toLocaleString()} samples; explanations: ${explained}`, draft.dataset === dataset.name, () => {
        draft.dataset = dataset.name;
        draft.metrics = [];
      });
    });
    const next = () => {
      draft.name = name.value.trim();
      if (!draft.name) return say(this.problem, "Give the study a name.");
      this.step(this.form());
    };
    return [...this.heading(1, "Which data set, and what is the study called?"),
      el("p", { class: "field" }, el("label", { for: "study-name" }, "Name"), name),
      group("Data set", choices), ...this.buttons(null, next)].flat();
  }

  form() {
    const { draft } = this;
    const forms = Object.entries(FORMS).map(([key, text]) => choice("radio", "form", key, text, "", draft.form === key, () => (draft.form = key)));
    const metrics = Object.entries(this.dataset().explained).map(([metric, count]) =>
      choice("checkbox", "metric", metric, metric, `${count.toLocaleString()} explanations`, draft.metrics.includes(metric), (on) => toggle(draft.metrics, metric, on)));
    const criteria = this.criteria.map(({ key, name, question }) =>
      choice("checkbox", "criterion", key, name, question, draft.criteria.includes(key), (on) => toggle(draft.criteria, key, on)));
    const veil = choice("checkbox", "veil", "veil", "Veil the picture until Consistency is answered", "The rubric asks to judge it without the picture.", draft.veil, (on) => (draft.veil = on));
    const overlay = choice("checkbox", "overlay", "overlay", "Show the regions that HICE-S looked at", "The papers’ protocol shows none. Samples without a HICE-S score show the plain picture.", draft.overlay, (on) => (draft.overlay = on));
    const next = () => (draft.criteria.length ? this.step(this.draw()) : say(this.problem, "Choose at least one criterion."));
    return [...this.heading(2, "What do raters see, and what are they asked?"),
      group("Form", forms), group("Metrics (none chosen: all)", metrics), group("Criteria", criteria), group("Picture", [veil, overlay]),
      ...this.buttons(() => this.step(this.data()), next)].flat();
  }

  draw() {
    const { draft } = this;
    const unanimous = this.dataset().unanimous;
    const strata = Object.entries(STRATA).map(([key, [name, text]]) =>
      choice("radio", "strata", key, name, key === "human" ? `${text} (${unanimous.toLocaleString()} here)` : text, draft.strata === key, () => {
        draft.strata = key;
        this.preview();
      }));
    const number = (id, label, hint, field, low) => {
      const input = el("input", { id, type: "number", min: low, step: 1, value: draft[field] ?? "", input: () => {
        draft[field] = input.value === "" ? null : Number(input.value);
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.preview(), 300);
      } });
      return el("p", { class: "field" }, el("label", { for: id }, label), input, el("span", { class: "quiet" }, hint));
    };
    this.sight = el("div", { class: "preview", "aria-live": "polite" }, el("p", { class: "quiet" }, "Drawing …"));
    const content = [...this.heading(3, "How are the items drawn?"),
      group("Strata", strata),
      number("size", "Items", "empty: all, or 100 with strata", "size", 1),
      number("raters", "Raters per item", "empty: every rater rates every item", "raters_per_item", 1),
      number("seed", "Seed", "empty: a fresh one, recorded", "seed", 0),
      this.sight, ...this.buttons(() => this.step(this.form()), () => this.make(), "Make the study")].flat();
    this.preview();
    return content;
  }

  async preview() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const plan = await post("/api/studies/preview", this.draft);
      if (turn === this.turn) {
        this.seed = plan.seed;
        this.sight.replaceChildren(...this.previewOf(plan));
        say(this.problem, "");
      }
    } catch (error) {
      if (turn !== this.turn) return;
      this.sight.replaceChildren();
      say(this.problem, error.message);
    }
  }

  previewOf(plan) {
    const { first } = plan;
    const strata = Object.entries(plan.strata).map(([name, count]) => `${name}: ${count}`).join(", ");
    return [
      el("p", {}, el("strong", {}, `${plan.items} items`), ` (${strata}), seed ${plan.seed}.${this.draft.overlay ? ` Regions are there for ${plan.with_regions} of ${plan.items} items.` : ""} The first one:`),
      el("div", { class: "preview-item" },
        first.image ? el("img", { src: `${first.image}/small`, alt: "Picture of the first item" }) : el("p", { class: "quiet" }, "Its picture is missing."),
        el("div", {}, el("p", { class: "caption" }, `“${first.caption}”`), first.scores.map((score) => [gauge(score.value, score.scale), explanation(score.rationales)]))),
    ];
  }

  async make() {
    try {
      await post("/api/studies", { ...this.draft, seed: this.draft.seed ?? this.seed ?? null });
    } catch (error) {
      say(this.problem, error.message);
      return;
    }
    this.box.close();
    this.onMade();
  }
}

function raters(study) {
  if (!study.raters.length) return el("p", { class: "quiet" }, "Nobody has started yet. Send raters the link.");
  return el("table", { class: "raters" },
    el("thead", {}, el("tr", {}, ["Rater", "Progress", "", "Minutes", "Last answer", "Return key"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, study.raters.map((rater) => el("tr", {},
      el("th", { scope: "row" }, rater.code),
      el("td", {}, el("progress", { max: rater.total, value: rater.done, "aria-label": `Progress of ${rater.code}` })),
      el("td", {}, `${rater.done} of ${rater.total}`),
      el("td", {}, rater.minutes.toFixed(1)),
      el("td", {}, rater.last_seen ? new Date(rater.last_seen).toLocaleString() : "–"),
      el("td", {}, el("details", {}, el("summary", {}, "show"), el("code", {}, rater.return_key)))))));
}

function fact(name, value) {
  return [el("dt", {}, name), el("dd", {}, String(value))];
}

function group(name, choices) {
  return el("fieldset", { class: "choices" }, el("legend", {}, name), choices);
}

function choice(type, name, value, text, hint, checked, onChange) {
  const input = el("input", { type, name, value, checked, change: () => onChange(input.checked) });
  return el("label", { class: "choice" }, input, el("span", {}, text, hint && el("span", { class: "quiet" }, ` ${hint}`)));
}

function toggle(list, value, on) {
  const at = list.indexOf(value);
  if (on && at < 0) list.push(value);
  if (!on && at >= 0) list.splice(at, 1);
}

async function copied(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    button.textContent = text;
  }
}
