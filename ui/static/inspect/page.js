// The Inspect page: users find a sample and then see it with all its scores and explanations.

import { at } from "../shared/address.js";
import { get } from "../shared/api.js";
import { all, copyFor, el, present } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { fitsAddress, isFiltered, readAddress, writeAddress } from "./address.js";
import { Filmstrip } from "./filmstrip.js";
import { SampleView } from "./sample.js";
import { KeptOpen } from "../shared/kept_open.js";
import { empty, problem } from "../shared/notices.js";
import { remember, remembered } from "../shared/storage.js";
import { openOwn, pictureIn } from "./upload_dialog.js";
import { SampleFinder } from "./sample_finder.js";

/** @import { DatasetSummary, SampleJson } from "../shared/wire.d.ts" */
/** @import { Address } from "./address.js" */

const LEFT_OUT = "The sample that was open is not in this list, so the first sample is shown.";
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
  // layout() sets the fields from `datasets` to `columns` before anything is shown.
  /** @type {readonly DatasetSummary[]} */
  datasets = [];
  /** @type {SampleFinder} */
  finder;
  /** @type {Filmstrip} */
  strip;
  /** @type {HTMLElement} */
  sentence;
  /** @type {HTMLElement} */
  tools;
  /** @type {HTMLElement} */
  detail;
  /** @type {HTMLElement} */
  drawer;
  /** @type {HTMLElement} */
  opener;
  /** @type {HTMLElement} */
  columns;

  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.state = readAddress();
    /** @type {SampleView | null} the sample that is shown */
    this.shown = null;
    /** @type {HTMLElement | null} the button with which users add a picture of their own */
    this.own = null;
    this.opened = new KeptOpen();
    /** @type {number | undefined} a timer that writes the edited caption to the address */
    this.due = undefined;
    this.panel = panel;
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
    this.finder = new SampleFinder(datasets, this.state, {
      change: (changes) => this.change(changes),
      choose: (id) => this.choose(id),
    });
    this.detail = el(
      "section",
      { class: "sample", "aria-label": "Sample", tabindex: "-1" },
      quiet("Choose a sample to see its scores and explanations."),
    );
    this.drawer = el(
      "aside",
      { id: "finder", class: "finder", "aria-label": "Samples" },
      this.finder.form,
      this.finder.results,
    );
    this.opener = button("☰", () => this.openDrawer(Boolean(this.drawer.hidden)), "small", {
      "aria-controls": "finder",
      "aria-label": "Find samples",
      title: "Find samples: list, filters, order",
    });
    this.strip = new Filmstrip((id) => this.choose(id), this.opener);
    this.sentence = el("div", {});
    this.tools = el("span", { class: "inspect-tools" });
    this.tell(null);
    this.columns = el("div", { class: "inspect-columns" }, this.drawer, this.detail);
    this.panel.replaceChildren(
      el(
        "div",
        { class: "inspect" },
        el(
          "div",
          { class: "inspect-head" },
          this.tools,
          el("div", {}, el("h1", {}, "See what a caption leaves out, and what it makes up."), this.sentence),
        ),
        this.columns,
      ),
    );
    this.widen();
    this.openDrawer(isFiltered(this.state) || remembered(DRAWER_KEY) === "open", false);
  }

  /** Show a sample's menu, and the sentence about what its caption says, in the head of the page.
   * @param {SampleView | null} shown */
  tell(shown) {
    this.sentence.replaceChildren(...present(shown?.sentence));
    this.tools.replaceChildren(
      ...present(shown?.menu, this.own ??= button("Add picture …", () => this.bring(), "small makes")),
    );
  }

  /** Show or hide the list of samples with its search, beside the open sample. @param {boolean} open */
  openDrawer(open, byHand = true) {
    this.drawer.hidden = !open;
    this.columns.classList.toggle("with-finder", open);
    this.opener.setAttribute("aria-expanded", String(open));
    if (byHand) remember(DRAWER_KEY, open ? "open" : "closed");
  }

  /** Open the first sample with a picture; without pictures, the first sample. */
  chooseFirst() {
    const { samples } = this.finder;
    const first = samples.find(({ image }) => image) ?? samples[0];
    if (first) this.choose(first.id, "replaceState");
  }

  /** Change the search and its address without leaving the page.
   * @param {Partial<Address>} changes */
  async change(changes) {
    Object.assign(this.state, changes);
    if (!this.state.metric) Object.assign(this.state, { lowest: "", highest: "", sort: "", other: "" });
    writeAddress(this.state, "pushState");
    this.widen();
    if ("view" in changes) {
      await this.finder.search();
      return;
    }
    const turned = "page" in changes && Object.keys(changes).length === 1; // true: only the page of the list changes
    if (!(await this.finder.search(turned ? null : this.state.sample))) return; // stop: a newer search is running
    const { samples } = this.finder, { sample } = this.state;
    this.finder.tell(turned || !samples.length || (sample && this.finder.has(sample)) ? "" : LEFT_OUT);
    if (this.finder.note.textContent) this.chooseFirst();
    else this.lead();
  }

  /** Update the filmstrip (previous and next samples) to the current list. */
  lead() {
    const { sample } = this.state;
    this.strip.show(
      this.finder.samples,
      sample,
      sample ? this.finder.neighbours(sample) : [null, null],
      this.finder.first,
    );
  }

  /** Make the list wider if it shows pictures. */
  widen() {
    this.columns.classList.toggle("with-pictures", this.state.view === "grid");
  }

  /** @param {number} id @param {"pushState" | "replaceState"} [how] */
  choose(id, how = "pushState") {
    Object.assign(this.state, { sample: id, caption: "", by: "", region: null, cut: null });
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
    const { caption } = this.state;
    if (caption) shown.put(caption);
    this.lead();
    if (focus) this.lookAt();
    this.fillStrip(shown);
  }

  /** Move the focus to the sample. On a phone, also scroll to the sentence about the caption above the picture. */
  lookAt() {
    this.detail.focus({ preventScroll: true });
    if (innerWidth <= WIDE_PX) this.sentence.scrollIntoView({ block: "nearest" });
  }

  /** Load the filmstrip's thumbnails after the large picture has been painted. @param {SampleView} shown */
  async fillStrip(shown) {
    await pictureOf(shown.element);
    await painted();
    this.strip.load();
  }

  /** @param {SampleJson} sample */
  viewOf(sample) {
    const { by: metric, region, cut } = this.state;
    const notice = this.datasets.find(({ name }) => name === sample.dataset)?.notice;
    const copy = button("Copy link", () => {
      this.writeCaption();
      const copied = this.shown?.judgements.edited && !this.state.caption
        ? "Link copied without the edited caption"
        : "Link copied";
      copyFor(copy, location.href, copied, "Copy the address of this page by hand");
    }, "small");
    return new SampleView(sample, {
      notice,
      head: false,
      below: this.strip.element,
      offered: [copy],
      opened: this.opened,
      chosen: { metric, region, cut },
      onChoice: (chosen) => {
        Object.assign(this.state, {
          by: chosen.metric ?? "",
          region: chosen.region,
          cut: chosen.cut,
        });
        writeAddress(this.state, "replaceState");
      },
      onCaption: (caption) => {
        this.state.caption = caption.trim() !== sample.caption.trim() && fitsAddress(caption) ? caption : "";
        clearTimeout(this.due);
        this.due = setTimeout(() => this.writeCaption(), PAUSE_MS); // wait, because browsers limit changes of addresses
      },
      onSaved: () => this.finder.search(),
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

  /** @param {File | null} [picture] */
  bring(picture = null) {
    openOwn((id) => this.openOwnSample(id), picture);
  }

  /** Open a sample that the user has just added to the data set "own pictures", with the list of this data set.
   * @param {number} id */
  async openOwnSample(id) {
    history.pushState(null, "", at(`/inspect?dataset=own+pictures&sample=${id}`));
    await this.open();
  }

  /** @param {ClipboardEvent} event */
  pasted(event) {
    const picture = pictureIn(event.clipboardData);
    if (!picture || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.bring(picture);
  }
}

/** Wait until the picture in a part of the page has loaded or failed to load. @param {HTMLElement} part */
async function pictureOf(part) {
  const image = part.querySelector("img");
  if (!image || image.complete) return;
  await new Promise((done) => ["load", "error"].forEach((name) => image.addEventListener(name, done, { once: true })));
}

/** Wait until the page's current content is painted. */
async function painted() {
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
}
