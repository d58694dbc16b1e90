// The Inspect page: users find a sample and then see it with all its scores and explanations.

import { at } from "../shared/address.js";
import { get } from "../shared/api.js";
import { all, copyFor, el, present } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { empty, problem } from "../shared/notices.js";
import { remember, remembered } from "../shared/storage.js";
import { fitsAddress, isFiltered, readAddress, writeAddress } from "./address.js";
import { openOwn, pictureIn } from "./dialogs.js";
import { Filmstrip, Finder } from "./finder.js";
import { SampleView } from "./sample.js";

/** @import { DatasetSummary, SampleJson } from "../shared/wire.d.ts" */
/** @import { Address } from "./address.js" */

const DRAWER_KEY = "capscope.inspect.finder"; // the browser stores under this name whether the list of samples is open
const PAUSE_MS = 300; // ms after the last keypress, before the edited caption is written to the address
const WIDE_PX = 860; // px; in windows wider than this, the sample stands beside the results

/** Fill the panel with the Inspect page. The address gives the search, the page of its results, and the sample.
 * @param {HTMLElement} panel */
export async function start(panel) {
  const page = new InspectPage(panel);
  await page.open();
}

class InspectPage {
  // layout() sets these fields before anything is shown.
  /** @type {readonly DatasetSummary[]} */
  datasets = [];
  /** @type {Finder} */
  finder;
  /** @type {Filmstrip} */
  strip;
  /** @type {HTMLElement} */
  opener;
  /** @type {HTMLElement} */
  columns;

  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    this.state = readAddress();
    /** @type {SampleView | null} the sample that is shown */
    this.shown = null;
    /** @type {number | undefined} a timer that writes the edited caption to the address */
    this.due = undefined;
    this.own = button("Add picture …", () => this.bring(), "small makes");
    this.sentence = el("div", {});
    this.tools = el("span", { class: "inspect-tools" });
    this.detail = el("section", { class: "sample", "aria-label": "Sample", tabindex: "-1" });
    window.addEventListener("popstate", () => this.open());
    document.addEventListener("paste", (event) => this.pasted(event));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  async open() {
    const state = (this.state = readAddress()); // a new object, by which later code sees whether open() ran again
    let datasets;
    try {
      datasets = await get("/api/datasets");
    } catch (error) {
      return this.panel.replaceChildren(problem(error, () => this.open()));
    }
    if (state !== this.state) return;
    this.shown?.leave();
    if (!datasets.length) return this.panel.replaceChildren(empty(() => this.bring()));
    this.layout(datasets);
    await this.finder.search(this.state.sample);
    if (this.state.sample) await this.show(this.state.sample, false); // do not move the focus, which would scroll
    else this.chooseFirst();
  }

  /** @param {DatasetSummary[]} datasets */
  layout(datasets) {
    this.datasets = datasets;
    this.finder = new Finder(datasets, this.state, {
      change: (changes) => this.change(changes),
      choose: (id) => this.choose(id),
    });
    this.opener = button("☰", () => this.openDrawer(Boolean(this.finder.element.hidden)), "small", {
      "aria-controls": "finder",
      "aria-label": "Find samples",
      title: "Find samples: list, filters, order",
    });
    this.strip = new Filmstrip((id) => this.choose(id), this.opener);
    this.detail.replaceChildren(quiet("Choose a sample to see its scores and explanations."));
    this.tell(null);
    this.columns = el("div", { class: "inspect-columns" }, this.finder.element, this.detail);
    const title = el("h1", {}, "See what a caption leaves out, and what it makes up.");
    const head = el("div", { class: "inspect-head" }, this.tools, el("div", {}, title, this.sentence));
    this.panel.replaceChildren(el("div", { class: "inspect" }, head, this.columns));
    this.openDrawer(isFiltered(this.state) || remembered(DRAWER_KEY) === "open", false);
  }

  /** Show a sample's menu, and the sentence about what its caption says, in the head of the page.
   * @param {SampleView | null} shown */
  tell(shown) {
    this.sentence.replaceChildren(...present(shown?.sentence));
    this.tools.replaceChildren(...present(shown?.menu, this.own));
  }

  /** Show or hide the list of samples with its search, beside the open sample. @param {boolean} open */
  openDrawer(open, byHand = true) {
    this.finder.element.hidden = !open;
    this.columns.classList.toggle("with-finder", open);
    this.opener.setAttribute("aria-expanded", String(open));
    if (byHand) remember(DRAWER_KEY, open ? "open" : "closed");
  }

  /** Open the first sample with a picture; without pictures, the first sample. */
  chooseFirst() {
    const { samples } = this.finder, first = samples.find(({ image }) => image) ?? samples[0];
    if (first) this.choose(first.id, "replaceState");
  }

  /** Change the search and its address without leaving the page. If the open sample is not in the new list, open the
   * list's first sample.
   * @param {Partial<Address>} changes */
  async change(changes) {
    Object.assign(this.state, changes);
    if (!this.state.metric) Object.assign(this.state, { lowest: "", highest: "", sort: "" });
    writeAddress(this.state, "pushState");
    const isTurned = "page" in changes && Object.keys(changes).length === 1; // true: only the page of the list changes
    if (!(await this.finder.search(isTurned ? null : this.state.sample))) return; // stop: a newer search is running
    if (isTurned || !this.finder.samples.length || this.finder.has(this.state.sample)) this.lead();
    else this.chooseFirst();
  }

  /** Update the filmstrip (previous and next samples) to the current list. */
  lead() {
    const { finder, state: { sample } } = this;
    this.strip.show(finder.samples, sample, finder.neighbours(sample), finder.first);
  }

  /** @param {number} id @param {"pushState" | "replaceState"} [how] */
  choose(id, how = "pushState") {
    Object.assign(this.state, { sample: id, caption: "", by: "", region: null });
    writeAddress(this.state, how);
    this.finder.mark();
    const shown = this.show(id, how === "pushState");
    return this.finder.has(id) ? shown : Promise.all([this.finder.search(id).then(() => this.lead()), shown]);
  }

  /** @param {number} id @param {boolean} [focus] */
  async show(id, focus = true) {
    let sample;
    try {
      sample = await get(`/api/samples/${id}`);
    } catch (error) {
      return this.state.sample === id && this.detail.replaceChildren(problem(error, () => this.show(id)));
    }
    if (this.state.sample !== id) return;
    this.shown?.leave();
    const shown = this.shown = this.viewOf(sample);
    this.tell(shown);
    this.detail.replaceChildren(shown.element);
    if (this.state.caption) shown.put(this.state.caption);
    this.lead();
    if (!focus) return;
    this.detail.focus({ preventScroll: true });
    if (innerWidth <= WIDE_PX) this.sentence.scrollIntoView({ block: "nearest" });
  }

  /** @param {SampleJson} sample */
  viewOf(sample) {
    const { by: metric, region } = this.state;
    const copy = button("Copy link", () => {
      this.writeCaption();
      const isLong = this.shown?.judgements.edited && !this.state.caption;
      const copied = isLong ? "Link copied without the edited caption" : "Link copied";
      copyFor(copy, location.href, copied, "Copy the address of this page by hand");
    }, "small");
    return new SampleView(sample, {
      notice: this.datasets.find(({ name }) => name === sample.dataset)?.notice,
      head: false,
      below: this.strip.element,
      offered: [copy],
      chosen: { metric, region },
      onChoice: (chosen) => {
        Object.assign(this.state, { by: chosen.metric ?? "", region: chosen.region });
        writeAddress(this.state, "replaceState");
      },
      onCaption: (caption) => {
        this.state.caption = caption.trim() !== sample.caption.trim() && fitsAddress(caption) ? caption : "";
        clearTimeout(this.due);
        this.due = setTimeout(() => this.writeCaption(), PAUSE_MS); // wait, because browsers limit changes of addresses
      },
      onDrawn: async (caption, goesOn) => {
        await this.show(sample.id, false);
        const { shown } = this;
        if (shown?.sample.id !== sample.id) return;
        if (shown.judgements.caption !== caption) shown.put(caption); // lost by show() if too long for the address
        if (goesOn) shown.own?.draw();
      },
    });
  }

  /** Write an edited caption to the address now, so that a reload and a copied link show it. */
  writeCaption() {
    if (this.due === undefined) return;
    clearTimeout(this.due);
    this.due = undefined;
    writeAddress(this.state, "replaceState");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j" || event.key === "k") all(this.panel, `[aria-keyshortcuts="${event.key}"]`)[0]?.click();
  }

  /** Open the dialog for a picture of the user's own. Then open the new sample, with the list of the data set "own
   * pictures".
   * @param {File | null} [picture] */
  bring(picture = null) {
    openOwn((id) => {
      history.pushState(null, "", at(`/inspect?dataset=own+pictures&sample=${id}`));
      this.open();
    }, picture);
  }

  /** @param {ClipboardEvent} event */
  pasted(event) {
    const picture = pictureIn(event.clipboardData);
    if (!picture || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.bring(picture);
  }
}
