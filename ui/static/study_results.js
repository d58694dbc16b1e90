// A study's results on the Analyse page: means and tests, agreement between raters, ratings beside score errors.

import { get } from "./api.js";
import { el, rounded, table } from "./dom.js";
import { problem } from "./inspect.js";

export class StudyResults {
  constructor() {
    this.section = el("section", { class: "analyse-section", "aria-labelledby": "study-results" });
    this.body = el("div");
  }

  /** Offer the studies of a data set, its newest first. */
  async open(dataset) {
    const head = el("h2", { id: "study-results" }, "Study results");
    let studies;
    try {
      studies = (await get("/api/studies")).filter((study) => study.dataset === dataset);
    } catch (error) {
      return this.section.replaceChildren(head, problem(error, () => this.open(dataset)));
    }
    if (!studies.length) {
      return this.section.replaceChildren(head, el("p", {}, "No study of this data set yet. ", el("a", { href: "/studies" }, "Make one"), " to have its explanations rated."));
    }
    const choose = el("select", { id: "study", change: () => this.load(Number(choose.value)) }, studies.map(({ id, name }) => el("option", { value: id }, name)));
    this.section.replaceChildren(head, el("p", { class: "field" }, el("label", { for: "study" }, "Study"), choose), this.body);
    await this.load(studies[0].id);
  }

  async load(id) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.body.replaceChildren(el("p", { class: "quiet", role: "status" }, "Computing …"));
    try {
      const found = await get(`/api/analyse/studies/${id}`);
      if (turn === this.turn) this.body.replaceChildren(...tables(found));
    } catch (error) {
      this.body.replaceChildren(problem(error, () => this.load(id)));
    }
  }
}

function tables(found) {
  if (!found.ratings) return [el("p", {}, "Nobody has rated yet. Send raters the study’s link.")];
  return [
    found.notice && el("p", { class: "notice-line" }, found.notice),
    el("p", { class: "quiet" }, `${found.ratings.toLocaleString()} ratings by ${found.raters} raters. Intervals are bootstrapped over items; abstentions are counted, never averaged.`),
    withCsv("Ratings", ["metric", "criterion", "n", "mean", "sd", "95 % interval", "abstained", "published mean (sd)"], found.rows.map((row) =>
      [row.metric, row.criterion, row.n, number(row.mean), number(row.sd), interval(row), `${(100 * row.abstain_rate).toFixed(1)} %`, published(found.published, row.criterion)])),
    found.tests.length > 0 && withCsv("Differences between metrics (Wilcoxon signed-rank on item means, Holm)", ["criterion", "metrics", "items", "difference", "p", "p (Holm)", "note"], found.tests.map((test) =>
      [test.criterion, `${test.metric_a} − ${test.metric_b}`, test.n_items, number(test.mean_difference), number(test.p), number(test.p_holm), test.note])),
    ...agreementTables(found.agreement),
    found.rating_errors.length > 0
      ? withCsv(`Ratings beside score errors (${found.rating_errors_test})`, ["metric", "criterion", "n", "low ratings", "their error", "error of others", "τ-b", "p", "p (Holm)", "note"], found.rating_errors.map((row) =>
        [row.metric, row.criterion, row.n, row.n_low, number(row.error_low), number(row.error_other), number(row.tau_b), number(row.p), number(row.p_holm), row.note]))
      : el("p", { class: "quiet" }, "Ratings cannot be set beside score errors: no rated sample has a human judgement of its caption."),
  ].filter(Boolean);
}

function agreementTables(agreements) {
  if (!agreements.length) return [];
  const rows = agreements.flatMap((one) => one.coefficients.map((c) =>
    [one.criterion, one.metric ?? "all", c.name, number(c.value), interval(c), number(c.chance), `${one.raters} / ${one.shared_units}`, c.note]));
  return [
    withCsv("Agreement between raters", ["criterion", "metric", "coefficient", "value", "95 % interval", "by chance alone", "raters / shared items", "note"], rows),
    el("p", { class: "quiet" }, "“By chance alone” is what independent raters with these marginals would reach: top-heavy ratings agree often without agreeing about anything."),
  ];
}

/** A table under its heading, with its figures as a file. */
function withCsv(title, heads, rows) {
  const save = el("button", { type: "button", class: "quiet-button", click: () => download(title, [heads, ...rows]) }, "CSV");
  return el("div", {}, el("h3", {}, title, " ", save), table(heads, rows, title));
}

function download(title, rows) {
  const text = (cell) => (cell instanceof Node ? cell.title || cell.textContent : String(cell));
  const quoted = (cell) => `"${text(cell).replace(/^([=+@\t\r]|-(?![\d.]))/, "'$1").replaceAll('"', '""')}"`;
  const link = el("a", { href: URL.createObjectURL(new Blob([rows.map((row) => row.map(quoted).join(",")).join("\n") + "\n"], { type: "text/csv" })), download: `${title.split(" (")[0].toLowerCase().replaceAll(" ", "-")}.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function number(value) {
  return value === null ? "–" : el("span", { title: String(value) }, rounded(value));
}

function interval({ ci_low: low, ci_high: high }) {
  return low === null ? "–" : el("span", { title: `${low} … ${high}` }, `${rounded(low)} … ${rounded(high)}`);
}

function published(numbers, criterion) {
  const found = numbers.find((one) => one.criterion === criterion);
  return found ? `${found.mean.toFixed(2)} (${found.sd.toFixed(2)})` : "–";
}
