// The list of the largest errors: a metric's scores that lie farthest from human judgement.

import { get } from "./api.js";
import { el, rounded } from "./dom.js";
import { problem } from "./inspect.js";

export class ErrorList {
  /** `show` is called with the id of a sample that was chosen. */
  constructor(show) {
    this.show = show;
    this.section = el("section", { class: "analyse-section", "aria-labelledby": "errors" });
    this.body = el("div");
  }

  /** List the errors of a data set's metric, the first of those chosen. */
  async open(dataset, metrics) {
    const metric = metrics.includes(this.metric) ? this.metric : metrics[0];
    Object.assign(this, { dataset, metric, page: 1 });
    const choose = el("select", { id: "error-metric", change: () => {
      Object.assign(this, { metric: choose.value, page: 1 });
      this.load();
    } }, metrics.map((name) => el("option", { value: name, selected: name === metric }, name)));
    this.section.replaceChildren(
      el("h2", { id: "errors" }, "Largest errors"),
      el("div", { class: "search" }, el("p", { class: "field" }, el("label", { for: "error-metric" }, "Metric"), choose)),
      el("p", { class: "quiet" }, "By |metric − human|, both rescaled to 0–1."),
      this.body);
    await this.load();
  }

  async load() {
    const { dataset, metric, page } = this;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    let found;
    try {
      found = await get(`/api/analyse/errors?${new URLSearchParams({ dataset, metric, page })}`);
    } catch (error) {
      return this.body.replaceChildren(problem(error, () => this.load()));
    }
    if (turn !== this.turn) return;
    this.found = found;
    this.draw();
  }

  draw() {
    const { found, page } = this;
    if (!found.total) return this.body.replaceChildren(el("p", {}, `No sample here has both a score by ${this.metric} and a human judgement.`));
    const last = Math.ceil(found.total / found.page_size);
    const go = (to, name) => el("button", { type: "button", disabled: to < 1 || to > last, click: () => {
      this.page = to;
      this.load();
    } }, name);
    this.rows = found.rows.map((row, number) => this.row(row, found.first + number));
    this.body.replaceChildren(
      el("div", { class: "table-box", tabindex: "0", role: "region", "aria-label": "Largest errors" }, el("table", { class: "figures error-list" },
        el("thead", {}, el("tr", {}, ["#", "caption", "human", this.metric, "Δ"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, this.rows))),
      el("nav", { class: "pager", "aria-label": "Pages of errors" }, go(page - 1, "Previous page"),
        el("span", {}, `${page.toLocaleString()} of ${last.toLocaleString()}`), go(page + 1, "Next page")));
  }

  row({ id, caption, human, value, error }, rank) {
    const number = (value) => el("td", { title: String(value) }, rounded(value));
    const open = el("button", { type: "button", class: "quiet-button error-caption", click: () => this.show(id) }, caption);
    return el("tr", { "data-id": id }, el("td", {}, rank), el("td", {}, open), number(human), number(value), number(error));
  }
}
