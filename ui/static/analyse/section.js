// A section of Analyse: a heading, controls, remarks, tables and figures. All sections look alike: the server says what
// is in them.

import { el, field } from "../shared/dom.js";
import { picker, quiet } from "../shared/elements.js";
import { problem, shownIfSlow } from "../shared/notices.js";
import { latest } from "../shared/api.js";
import { figureOf } from "./plotly.js";
import { pager, printed } from "./table.js";

/** @import { Control, Figure, ListedSection, Found } from "../shared/wire.d.ts" */
/** @import { Page } from "./page.js" */

export class SectionView {
  /** @param {ListedSection} listed @param {Page} page @param {boolean} isOpen whether it is shown before a click */
  constructor({ key, title }, page, isOpen) {
    this.key = key;
    this.page = page;
    this.turn = latest();
    this.isOpen = isOpen;
    /** @type {((changes?: object) => void)[]} functions that draw the figures again in the current colours */
    this.figures = [];
    this.body = el("div", { class: "section-body" });
    this.waiting = el("div");
    const head = el("h2", { id: key }, title);
    const fold = el(
      "details",
      { toggle: () => this.unfold(fold.open) },
      el("summary", {}, head),
      this.body,
      this.waiting,
    );
    this.node = el(
      "section",
      { class: "analyse-section", "aria-labelledby": key },
      isOpen ? [head, this.body, this.waiting] : fold,
    );
  }

  /** Show the section for the page's current choice, now or when it is unfolded. */
  async open() {
    this.isStale = true;
    if (this.isOpen) await this.load();
  }

  /** @param {boolean} isOpen */
  unfold(isOpen) {
    this.isOpen = isOpen;
    if (isOpen && this.isStale) this.load();
  }

  /** Fetch the section and show it. */
  async load() {
    const isLast = this.turn();
    this.isStale = false;
    try {
      const found = await shownIfSlow(this.waiting, `/api/analyse/section/${this.key}?${this.query()}`, "Computing");
      if (isLast()) this.draw(found);
    } catch (error) {
      if (isLast()) this.body.replaceChildren(problem(error, () => this.load()));
    }
  }

  query() {
    return new URLSearchParams([...this.page.query(), ...Object.entries(this.page.options(this.key))]);
  }

  /** @param {Found} found */
  draw(found) {
    const wasOpen = this.body.querySelector("details.options")?.hasAttribute("open");
    const name = `${this.page.state.dataset} ${this.page.state.slice}`.trim();
    const figures = found.figures.map((figure) => this.figure(figure, name, found));
    this.figures = figures.map(({ redraw }) => redraw);
    this.body.replaceChildren(
      controls(found.controls, (option, value) => this.choose({ [option]: value })),
      ...figures.map(({ node }) => node),
      ...this.tables(found, name),
      ...this.pages(found),
      ...found.notes.map((note) => quiet(note)),
    );
    if (wasOpen) this.body.querySelector("details.options")?.setAttribute("open", "");
  }

  /** @param {Figure} figure @param {string} name first part of saved files' names @param {Found} _found */
  figure(figure, name, _found) {
    return figureOf(figure, name);
  }

  /** @param {Found} found @param {string} name @returns {Node[]} */
  tables({ tables }, name) {
    const query = String(this.query());
    return tables.map((table, at) =>
      printed(table, {
        name,
        file: (kind) => `/api/analyse/section/${this.key}/${at}.${kind}?${query}`,
        show: (sample) => this.page.show(sample, this.node),
      })
    );
  }

  /** @param {Found} found */
  pages({ total, size }) {
    const last = Math.ceil(total / size), page = Number(this.page.options(this.key).page ?? 1);
    if (last < 2) return [];
    return [pager({ page, last, name: "Pages of the list", go: (to) => this.choose({ page: String(to) }, false) })];
  }

  /** Change options of the section, and show it again. @param {Record<string, string>} options
   * @param {boolean} [rewinds] whether the list starts again at its first page */
  choose(options, rewinds = true) {
    this.page.choose(this.key, rewinds ? { page: "", ...options } : options);
    return this.load();
  }

  redraw() {
    for (const draw of this.figures) draw();
  }
}

const MANY = 3; // more controls than this are folded

/** Build a section's controls. If there are many, they are folded.
 * @param {Control[]} found @param {(name: string, value: string) => void} changed */
function controls(found, changed) {
  const fields = found.map(({ name, label, value, choices }) => {
    const id = `option-${name}-${label.replaceAll(" ", "-")}`;
    return field(label, picker({ id }, choices, value, (chosen) => changed(name, chosen)));
  });
  const row = el("div", { class: "search" }, fields);
  return fields.length > MANY ? el("details", { class: "options" }, el("summary", {}, "Options"), row) : row;
}
