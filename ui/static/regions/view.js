// The view of an explanation: the picture with its regions, the caption with its phrases, and the links between them.
// Everything here runs in the browser, without requests to the server.

import { all, el, say } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { halfUp } from "../shared/rounding.js";
import { rove } from "../shared/roving_focus.js";
import { fillMarked, lightPieces } from "./caption.js";
import { PhraseLines, RegionList } from "./lists.js";
import { fillLegend, framed, NOT_COMPARED, RegionPicture } from "./picture.js";
import { Pointing } from "./pointing.js";

/** @import { LinksJson, PhraseJson } from "../shared/wire.d.ts" */
/** @import { Target } from "./pointing.js" */
/** @typedef {object} Shown the sample that is shown
 * @property {string} image
 * @property {string} alt
 * @property {string} caption
 * @property {string} [name] name of a saved drawing
 * @property {string} [about] the signature of the score
 * @property {string} [source] the picture's name and licence */
/** @typedef {object} Field a field in which the user edits the caption
 * @property {(caption: string, phrases: readonly PhraseJson[]) => HTMLElement} mark returns the caption with marked
 * phrases
 * @property {(phrase: number | null) => void} pointed called with the phrase under the pointer; null: no phrase */

/** The view of one score's explanation: its caption and the regions over its picture. */
export class RegionView {
  /** @param {Shown} sample @param {LinksJson} links
   * @param {{region?: number | null, onChange?: () => void, field?: Field | null}} [options]
   * region: the region to pin at the start; onChange: called after the user has pinned a region or a phrase; field: an
   * editable caption, with tools, numbers and a list of regions; without a field, the caption is read-only */
  constructor(sample, links, { region = null, onChange = () => {}, field = null } = {}) {
    this.sample = sample;
    this.field = field;
    this.isBlank = false; // whether nothing is compared, because there is no caption or it is not English
    this.picture = new RegionPicture({ ...sample, ...links });
    this.legend = el("p", { class: "legend" });
    this.counts = el("p", { class: "region-counts", role: field ? null : "status" });
    this.note = el("p", { class: "quiet reading-note" });
    this.readout = el("p", { class: "readout" });
    /** @type {HTMLElement} */
    this.marked = el("p", { class: "marked-caption" });
    this.phrases = new PhraseLines(field !== null);
    this.list = field ? new RegionList() : null;
    // The view has three parts: the picture, the words, and the numbers. A page may put each part in another place.
    this.seen = el("div", { class: "regions-seen" }, framed(this.picture, this.legend, field && this.readout));
    this.said = el(
      "div",
      { class: "regions-said" },
      !field && this.marked,
      this.phrases.element,
      !field && this.counts,
      this.note,
      !field && this.readout,
    );
    this.more = el("div", { class: "regions-more" }, field && this.counts, this.list?.element);
    this.parts = [this.seen, this.said, this.more];
    this.element = el("div", { class: "regions" }, this.parts);
    this.pointing = new Pointing({ light: () => this.light(), tell: onChange });
    for (const part of [this.picture.svg, this.list?.rows, this.said]) if (part) this.pointing.listenTo(part);
    for (const part of this.parts) this.pointing.releaseIn(part);
    if (field) field.pointed = (phrase) => this.pointing.point(phrase === null ? null : { phrase });
    this.links = links;
    this.caption = sample.caption;
    this.explain(links, sample.caption, region);
  }

  /** Show another explanation of the same picture, for example after an edit of its caption.
   * @param {LinksJson} links @param {string} caption */
  update(links, caption) {
    const paths = (/** @type {LinksJson} */ { regions }) => regions.map(({ path }) => path).join();
    if (paths(links) !== paths(this.links)) this.picture.draw(links.regions);
    this.explain(links, caption);
  }

  /** Store an explanation of the picture, and show it.
   * @param {LinksJson} links @param {string} caption @param {number | null} [region] the region to pin */
  explain(links, caption, region = null) {
    this.links = links;
    this.caption = caption;
    this.isBlank = Boolean(links.notice);
    this.pointing.begin(region !== null && links.regions[region] ? { region } : null);
    this.phrases.show(links.phrases, caption, this.highest);
    if (this.field) this.marked = this.field.mark(caption, links.phrases);
    else fillMarked(this.marked, caption, links.phrases);
    say(this.note, this.field ? links.note : links.notice); // Inspect shows the notice in another place
    say(this.counts, links.counts);
    this.drawRegions();
    this.light();
  }

  /** Remove all marks, because there is no caption to compare. */
  blank() {
    this.isBlank = true;
    this.phrases.show([], "", 1);
    for (const text of [this.note, this.counts]) say(text, "");
    this.pointing.begin();
    this.drawRegions();
    this.light();
  }

  /** The precision or recall of a full bar. */
  get highest() {
    const { phrases, regions } = this.links;
    return Math.max(1, ...phrases.map(({ precision }) => precision ?? 0), ...regions.map(({ recall }) => recall ?? 0));
  }

  /** Make the tools for the picture: whether regions are shown, whether outlines show recalls, zoom, and saving. */
  tools() {
    const { picture } = this, level = el("output", { class: "number" }, "100 %");
    picture.onZoom = (text) => say(level, text);
    const isShown = el("input", {
      type: "checkbox",
      checked: true,
      change: () => picture.svg.style.visibility = isShown.checked ? "" : "hidden",
    });
    const byRecall = el("input", {
      type: "checkbox",
      change: () => picture.svg.classList.toggle("by-recall", byRecall.checked),
    });
    const zoom = (/** @type {string} */ sign, /** @type {number} */ steps, /** @type {string} */ name) =>
      button(sign, () => picture.zoomBy(steps), "small", { "aria-label": name });
    const save = (/** @type {"png" | "svg"} */ kind, name = kind.toUpperCase()) =>
      button(`Save ${name}`, () => this.save(kind), "small", {
        "aria-label": `Save the picture with its regions as ${name}`,
      });
    return el(
      "div",
      { class: "region-tools" },
      el("label", {}, isShown, " Show regions"),
      el("label", {}, byRecall, " Stronger outlines for larger recalls"),
      el("span", { class: "zoom" }, zoom("−", -1, "Zoom out"), level, zoom("+", 1, "Zoom in")),
      el("span", { class: "save" }, save("png"), save("svg")),
    );
  }

  drawRegions() {
    const { isBlank, highest, links: { regions } } = this;
    const looks = regions.map(({ look }) => isBlank ? "waiting" : look);
    for (const [index, { recall }] of regions.entries()) {
      this.picture.show(index, looks[index], this.wordsOfRegion(index), isBlank ? 1 : (recall ?? 0) / highest);
    }
    fillLegend(this.legend, new Set(looks.filter((_, index) => !regions[index].is_full)));
    this.list?.show(regions, !isBlank, highest);
    rove(this.picture.svg, "path.region");
  }

  /** Highlight what is pointed at or pinned: a region together with its best phrase, or a phrase together with all its
   * regions. */
  light() {
    const { at, pinned } = this.pointing, { links } = this, { region } = at ?? {};
    const phrase = at?.phrase ?? (region === undefined ? null : links.regions[region].phrase);
    const regions = region !== undefined ? [region] : at?.phrase === undefined ? [] : links.phrases[at.phrase].regions;
    this.picture.light(regions);
    const every = (/** @type {string} */ selector) => this.parts.flatMap((part) => all(part, selector));
    for (const node of every(".phrase, .region-row")) {
      const lit = node.dataset.phrase === undefined
        ? regions.includes(Number(node.dataset.region))
        : Number(node.dataset.phrase) === phrase;
      node.classList.toggle("lit", at !== null && lit);
      node.classList.toggle("dim", at !== null && !lit);
    }
    for (const node of every("[data-region][aria-pressed], [data-phrase][aria-pressed]")) {
      node.setAttribute("aria-pressed", String(isOf(node, pinned)));
    }
    lightPieces(this.marked, phrase);
    say(this.readout, this.wordsOf(at));
    this.readout.classList.toggle("idle", !at);
  }

  /** Return the text about a target; without a target, say how to point at one. @param {Target | null} target */
  wordsOf(target) {
    if (target?.region !== undefined) return this.wordsOfRegion(target.region);
    if (target?.phrase !== undefined) return this.links.phrases[target.phrase].words;
    return matchMedia("(hover: none)").matches
      ? "Tap a phrase or a region."
      : "Point at a phrase or a region to highlight it. Click to keep the highlight.";
  }

  /** @param {number} index */
  wordsOfRegion(index) {
    const { name, words, recall } = this.links.regions[index];
    if (this.isBlank) return `${name}: ${NOT_COMPARED}`;
    return `${name}: ${words}${recall === null ? "" : ` · recall ${halfUp(recall, 3)}`}`;
  }

  /** @param {"svg" | "png"} kind */
  async save(kind) {
    const { listedIn, saveDrawing } = await import("./save.js");
    const { caption, links: { counts }, legend } = this, lines = listedIn(this.phrases.element, this.more);
    await saveDrawing(this.picture, kind, { name: "capscope-regions", ...this.sample, caption, counts, lines, legend });
  }
}

/** Return whether an element belongs to the given region or phrase.
 * @param {HTMLElement} element @param {Target | null} target */
function isOf({ dataset }, target) {
  if (dataset.phrase === undefined) return Number(dataset.region) === target?.region;
  return Number(dataset.phrase) === target?.phrase;
}
