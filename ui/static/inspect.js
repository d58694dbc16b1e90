// The Inspect page: find a sample, then see it with every score and explanation it has.

import { get, Refused } from "./api.js";
import { el, explanation, rounded, say } from "./dom.js";

const PAUSE_MS = 250; // after the last key before a search

/** Fill the panel with the Inspect page; the address says which search, page and sample. */
export async function start(panel) {
  const page = new InspectPage(panel);
  await page.open();
}

class InspectPage {
  constructor(panel) {
    this.panel = panel;
    this.status = el("p", { role: "status", class: "quiet" });
    window.addEventListener("popstate", () => this.open());
  }

  async open() {
    const query = new URLSearchParams(location.search);
    this.state = {
      dataset: query.get("dataset") ?? "", text: query.get("text") ?? "",
      page: Math.max(1, Number(query.get("page")) || 1), sample: Number(query.get("sample")) || null,
    };
    try {
      this.datasets = await get("/api/datasets");
    } catch (error) {
      return this.panel.replaceChildren(problem(error, () => this.open()));
    }
    if (!this.datasets.length) return this.panel.replaceChildren(empty());
    this.layout();
    await this.search();
    if (this.state.sample) await this.show(this.state.sample);
  }

  layout() {
    const { state } = this;
    const choose = el("select", { id: "dataset", change: () => this.change({ dataset: choose.value, page: 1 }) },
      el("option", { value: "" }, "all data sets"),
      this.datasets.map(({ name, samples }) =>
        el("option", { value: name, selected: name === state.dataset }, `${name} (${samples.toLocaleString()})`)));
    const text = el("input", {
      id: "text", type: "search", value: state.text, placeholder: "words of the caption, a picture's name …",
      input: () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.change({ text: text.value, page: 1 }), PAUSE_MS);
      },
    });
    this.list = el("ol", { class: "sample-list" });
    this.pager = el("nav", { class: "pager", "aria-label": "Pages of samples" });
    this.detail = el("section", { class: "sample", "aria-label": "Sample", tabindex: "-1" },
      el("p", { class: "quiet" }, "Choose a sample on the left to see its scores and explanations."));
    this.panel.replaceChildren(el("div", { class: "inspect" },
      el("h1", {}, "Inspect"),
      el("div", { class: "search" },
        el("p", { class: "field" }, el("label", { for: "dataset" }, "Data set"), choose),
        el("p", { class: "field" }, el("label", { for: "text" }, "Search"), text)),
      el("div", { class: "inspect-columns" },
        el("div", { class: "results" }, this.status, this.list, this.pager),
        this.detail)));
  }

  /** Change the search and its address, without leaving the page. */
  async change(changes) {
    Object.assign(this.state, changes);
    this.remember();
    await this.search();
  }

  remember() {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(this.state)) {
      if (value && !(name === "page" && value === 1)) query.set(name, value);
    }
    history.pushState(null, "", `/inspect${query.size ? `?${query}` : ""}`);
  }

  async search() {
    const { dataset, text, page } = this.state;
    const query = new URLSearchParams({ text, page, ...(dataset && { dataset }) });
    const turn = (this.turn = (this.turn ?? 0) + 1);
    let found;
    try {
      found = await get(`/api/samples?${query}`);
    } catch (error) {
      return this.list.replaceChildren(problem(error, () => this.search()));
    }
    if (turn !== this.turn) return;
    const last = Math.max(1, Math.ceil(found.total / found.page_size));
    say(this.status, found.total === 1 ? "1 sample" : `${found.total.toLocaleString()} samples`);
    this.list.replaceChildren(...found.samples.map((sample) => this.row(sample)));
    if (!found.total) this.list.append(el("li", { class: "quiet" }, "Nothing found. Try fewer words or all data sets."));
    const go = (to, name) => el("button", { type: "button", disabled: to < 1 || to > last, click: () => this.change({ page: to }) }, name);
    this.pager.replaceChildren(go(page - 1, "Previous page"), el("span", {}, `${page.toLocaleString()} of ${last.toLocaleString()}`), go(page + 1, "Next page"));
  }

  row(sample) {
    const open = () => {
      this.state.sample = sample.id;
      this.remember();
      this.show(sample.id);
      this.mark();
    };
    const picture = sample.image
      ? el("img", { src: `${sample.image}/small`, alt: "", loading: "lazy", width: 72, height: 54 })
      : el("span", { class: "no-picture" }, "no picture");
    const scores = sample.scores.map((score) =>
      el("span", { class: "chip" }, score.metric, " ", el("strong", {}, score.error ? "error" : rounded(score.value))));
    return el("li", { "data-id": sample.id },
      el("button", { type: "button", class: "row", click: open, "aria-pressed": String(sample.id === this.state.sample) }, picture,
        el("span", { class: "row-text" }, el("span", { class: "row-caption" }, sample.caption),
          el("span", { class: "chips" }, sample.human !== null && el("span", { class: "chip human" }, "human ", el("strong", {}, rounded(sample.human))), scores))));
  }

  mark() {
    for (const row of this.list.querySelectorAll("button.row")) {
      row.setAttribute("aria-pressed", String(Number(row.parentElement.dataset.id) === this.state.sample));
    }
  }

  async show(id) {
    try {
      const sample = await get(`/api/samples/${id}`);
      if (this.state.sample === id) this.detail.replaceChildren(...detail(sample));
      this.detail.focus({ preventScroll: innerWidth > 860 });
    } catch (error) {
      this.detail.replaceChildren(problem(error, () => this.show(id)));
    }
  }
}

/** A sample with its picture, judgements and every score, as elements. */
export function detail(sample) {
  const picture = sample.image
    ? el("img", { src: sample.image, alt: `Picture ${sample.image_name}`, width: sample.image_size[0], height: sample.image_size[1] })
    : el("div", { class: "notice" }, el("p", {}, "The picture is missing."), el("p", {}, `${sample.image_name} was not found when the data set was imported. Import it again with --images and the folder that holds it.`));
  return [
    el("figure", { class: "sample-picture" }, picture),
    el("h2", { class: "sample-caption" }, `“${sample.caption}”`),
    el("p", { class: "quiet" }, `${sample.dataset} · ${sample.key} · ${sample.image_name}`),
    human(sample),
    sample.references.length > 0 && el("details", {}, el("summary", {}, `${sample.references.length} references`), el("ul", {}, sample.references.map((text) => el("li", {}, text)))),
    sample.scores.length ? sample.scores.map(score) : el("p", { class: "quiet" }, "No metric has scored this sample yet."),
  ].flat().filter(Boolean);
}

function human({ human: mean, judgements }) {
  if (mean === null) return null;
  const single = judgements.length ? ` (single judgements: ${judgements.join(", ")})` : "";
  return el("p", {}, "Human judgement ", el("strong", { title: String(mean) }, rounded(mean)), single);
}

function score({ metric, signature, value, scale, components, rationales, error }) {
  const copy = el("button", { type: "button", class: "quiet-button", click: () => copied(copy, signature) }, "copy signature");
  return el("article", { class: "score-card" },
    el("header", {}, el("h3", {}, metric), error
      ? el("span", { class: "problem" }, `no score: ${error.message}`)
      : el("strong", { class: "score-value", title: String(value) }, rounded(value)),
      !error && el("span", { class: "quiet" }, `${scale[0]} … ${scale[1]}`), copy),
    components && Object.keys(components).length > 0 && el("p", { class: "chips" }, Object.entries(components)
      .filter(([, number]) => typeof number === "number")
      .map(([name, number]) => el("span", { class: "chip" }, name, " ", el("strong", { title: String(number) }, rounded(number))))),
    rationales?.length > 0 && explanation(rationales),
    el("p", { class: "signature" }, signature));
}

async function copied(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    button.textContent = "select it below";
  }
}

/** What to do while there is no data set. */
export function empty() {
  return el("div", { class: "column" }, el("h1", {}, "No data yet"),
    el("p", {}, "Import samples, scores and explanations, then look at them here:"),
    el("pre", {}, "python app.py import FORMAT FILE --images FOLDER"),
    el("p", {}, "What FORMAT can be is listed by ", el("code", {}, "python app.py formats"), "."));
}

/** What went wrong, with a button that tries again. */
export function problem(error, again) {
  const text = error instanceof Refused ? error.message : "The server does not answer.";
  return el("p", { class: "problem", role: "alert" }, text, " ", el("button", { type: "button", click: again }, "Try again"));
}
