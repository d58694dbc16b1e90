// The view of an explanation: the picture with its regions, the caption with its phrases, and the links between them.

/** @import { DrawnRegionJson, LinksJson, PhraseJson } from "../shared/wire.d.ts" */
/** @import { Look } from "./picture.js" */
/** @import { Judged } from "./support.js" */
/** @typedef {object} Shown the sample that is shown
 * @property {string} image
 * @property {string} alt
 * @property {string} caption
 * @property {string} [name] name of a saved drawing
 * @property {string} [about] the signature of the score
 * @property {string} [source] the picture's name and licence
 * @property {string} [lookedAt] what the score compared the caption with */
// Everything here runs in the browser, without requests to the server.

import { all, el, say } from "../shared/dom.js";
import { markedCaption, showPieces } from "./caption.js";
import { Legend, NOT_COMPARED } from "./legend.js";
import { RegionList } from "./list.js";
import { markChip, phraseChips, phraseRows } from "./phrase_chips.js";
import { PhraseLines } from "./phrase_lines.js";
import { framed, RegionPicture } from "./picture.js";
import { Pointing } from "./pointing.js";
import { counts, judged, meanWords, readingNote, regionNames, regionsOf, regionWords, wordsFor } from "./support.js";
import { targetWords } from "./target_words.js";
import { RegionTools } from "./tools.js";
import { rove } from "../shared/roving_focus.js";
import { halfUp } from "../shared/rounding.js";

/** @typedef {{region: number | null, cut: number | null}} Choice the user's choices; null: the
 * default */
/** @typedef {object} Field a field in which the user edits the caption
 * @property {(caption: string, phrases: readonly PhraseJson[]) => HTMLElement} mark returns the caption with marked
 * phrases
 * @property {(phrase: number | null) => void} pointed called with the phrase under the pointer; null: no phrase */

/** The view of one score's explanation: its caption and the regions over its picture. */
export class RegionView {
  // explain() and apply(), which the constructor calls, set the following fields:
  /** @type {string[]} */
  names = [];
  /** @type {HTMLElement} */
  marked;
  /** @type {HTMLElement[]} */
  chips = [];
  /** @type {Judged} */
  state;
  highest = 1; // the precision or recall of a full bar

  /** @param {Shown} sample @param {LinksJson} links
   * @param {Partial<Choice> & {onChange?: (choice: Choice) => void, onMarks?: () => void, field?: Field | null}}
   * [options]
   * region: the region to pin at the start; onChange: called after the user changes a choice; onMarks: called after the
   * marks are drawn; field: an editable caption, with tools and a list of regions; without a field, the caption is
   * read-only */
  constructor(
    sample,
    links,
    { region = null, cut = null, onChange = () => {}, onMarks = () => {}, field = null } = {},
  ) {
    this.sample = sample;
    this.onChange = onChange;
    this.onMarks = onMarks;
    this.field = field;
    this.cut = cut ?? links.cut;
    /** @type {"all" | "mentioned" | "unmentioned" | "none"} */
    this.shown = "all";
    this.byRecall = false; // whether the outline of a region with a larger recall is stronger
    this.isBlank = false; // whether nothing is compared, because there is no caption or it is not English
    this.picture = new RegionPicture({ ...sample, ...links });
    this.legend = new Legend();
    this.count = el("p", { class: "region-counts", role: field ? null : "status" });
    this.tally = el("p", { class: "phrase-counts", role: field ? null : "status" });
    this.note = el("p", { class: "quiet reading-note", hidden: true });
    this.readout = el("p", { class: "readout" });
    this.captionBox = el("div", { class: "region-caption" });
    this.lines = field ? new PhraseLines() : null;
    this.list = field ? new RegionList() : null;
    this.tools = field ? this.toolbar() : null;
    // The view has three parts: the picture, the words, and the numbers. A page may put each part in another place.
    this.seen = el("div", { class: "regions-seen" }, framed(this.picture, this.legend.element, field && this.readout));
    this.said = el("div", { class: "regions-said" }, this.captionBox, !field && [this.count, this.tally], this.note);
    if (!field) this.said.append(this.readout);
    this.more = el("div", { class: "regions-more" }, field && [this.count, this.tally], this.list?.element);
    this.parts = [this.seen, this.said, this.more];
    this.element = el("div", { class: "regions" }, this.parts);
    this.pointing = new Pointing({ light: () => this.light(), tell: () => this.tell() });
    for (const part of [this.picture.svg, this.list?.rows, this.captionBox]) if (part) this.pointing.listenTo(part);
    for (const part of this.parts) this.pointing.releaseIn(part);
    if (field) field.pointed = (phrase) => this.pointing.point(phrase === null ? null : { phrase });
    this.links = links;
    this.caption = sample.caption;
    this.explain(links, sample.caption, region);
  }

  /** Show another explanation of the same picture, for example after an edit of its caption.
   * @param {LinksJson} links @param {string} caption */
  update(links, caption) {
    if (!areAlike(links.regions, this.links.regions)) this.pointing.listenTo(this.picture.redraw(links.regions));
    this.explain(links, caption);
  }

  /** Store a new explanation of the same picture, and show it.
   * @param {LinksJson} links @param {string} caption @param {number | null} [region] the region to pin */
  explain(links, caption, region = null) {
    this.links = links;
    this.caption = caption;
    this.isBlank = Boolean(links.notice);
    this.names = regionNames(links.regions);
    this.pointing.begin(region !== null && links.regions[region] ? { region } : null);
    this.chips = phraseChips(links.phrases);
    if (this.lines) this.captionBox.replaceChildren(this.lines.element);
    else {
      const chips = el("div", { class: "phrases", role: "group", "aria-label": "Phrases of the caption" }, this.chips);
      this.captionBox.replaceChildren(this.marked = markedCaption(caption, links.phrases), chips);
      rove(chips, ".phrase");
    }
    if (this.field) this.marked = this.field.mark(caption, links.phrases);
    const note = links.notice && this.field ? "" : readingNote(links); // the page shows the notice in another place
    this.note.textContent = note;
    this.note.hidden = !note;
    this.apply();
  }

  /** Remove all marks, because there is no caption to compare. */
  blank() {
    this.isBlank = true;
    this.chips = [];
    this.lines?.show([], [], this.spoken, "");
    this.pointing.begin();
    this.applyToRegions();
    this.light();
  }

  toolbar() {
    const tools = new RegionTools(this.shown, {
      show: (which) => this.set({ shown: /** @type {RegionView["shown"]} */ (which) }),
      strengthen: (byRecall) => this.set({ byRecall }),
      cut: (cut) => this.set({ cut }),
      settle: () => this.tell(),
      zoom: (steps) => this.picture.zoomBy(steps),
      save: (kind) => this.save(kind),
    });
    this.picture.onZoom = (text) => tools.showZoom(text);
    return tools;
  }

  /** @param {Partial<Pick<RegionView, "shown" | "cut" | "byRecall">>} changes */
  set(changes) {
    Object.assign(this, changes);
    this.apply();
  }

  /** Whether the page shows precisions and recalls. Raters judge the marks without them. */
  get numbered() {
    return this.field !== null;
  }

  get spoken() {
    return wordsFor(this.sample.lookedAt ?? "the picture", this.cut === this.links.cut, this.cut);
  }

  /** Report the choices that a link to this view must contain. */
  tell() {
    this.onChange({
      region: this.pointing.pinned?.region ?? null,
      cut: this.cut === this.links.cut ? null : this.cut,
    });
  }

  /** Draw everything again for the current cut (threshold) and the settings of the toolbar. */
  apply() {
    const { links, cut } = this;
    this.state = judged(links, cut);
    const supports = [...links.regions, ...links.phrases].map(({ support }) => support);
    this.highest = Math.max(1, ...supports);
    this.applyToRegions();
    this.applyToPhrases();
    this.tools?.showCut(cut, this.highest);
    this.tools?.showWords(this.spoken.regions);
    const [count, tally] = counts(this.state, cut, links.cut, this.spoken);
    say(this.count, count);
    say(this.tally, tally);
    this.light();
    this.onMarks();
  }

  applyToRegions() {
    const { links, names, spoken, state } = this;
    /** @type {Set<Look>} */
    const kinds = new Set();
    for (const [index, { mentioned }] of state.regions) {
      const look = mentioned ? "mentioned" : "unmentioned";
      const isPart = !mentioned && links.regions[index].wholes.some((whole) => state.regions.get(whole)?.mentioned);
      const shown = this.shown === "all" || this.shown === look;
      const drawn = this.isBlank ? "waiting" : isPart ? "part" : look;
      if (shown) kinds.add(drawn);
      const name = this.isBlank
        ? names[index]
        : regionWords(links, index, names[index], mentioned, spoken, state.byNames, this.numbered);
      this.picture.show(index, { look: drawn, name, shown });
    }
    this.legend.show(kinds, spoken);
    const recalls = links.regions.map(({ recall }) => recall);
    this.picture.strengthen(this.byRecall && !this.isBlank ? recalls.map((one) => one / this.highest) : []);
    const mean = this.isBlank ? "" : meanWords("recall", recalls, wholeWords(links.regions));
    this.list?.show(
      [...state.regions].map(([index, { mentioned }]) => ({
        index,
        mentioned,
        name: names[index],
        recall: recalls[index],
        isCompared: !this.isBlank,
        look: this.isBlank ? "waiting" : mentioned ? "mentioned" : "unmentioned",
        word: this.isBlank ? NOT_COMPARED : spoken.regions[mentioned ? 0 : 1],
        reason: state.byNames && !this.isBlank ? links.regions[index].reason : "",
      })),
      mean,
      this.highest,
    );
    rove(this.picture.svg, "path.region");
  }

  applyToPhrases() {
    const { links, spoken, state, highest, numbered } = this;
    this.chips.forEach((chip, at) => {
      const { mark } = state.phrases[at];
      markChip(chip, links.phrases[at], { mark, spoken, cut: links.cut, highest, numbered });
    });
    const rows = this.phraseRows(), precisions = links.phrases.map(({ precision }) => precision);
    const mean = meanWords("precision", precisions, precisions.length === 1 ? "phrase" : "phrases");
    this.lines?.show(rows.map(({ chip }) => chip), rows.map(({ mark }) => mark), spoken, mean);
  }

  phraseRows() {
    if (!this.chips.length) return []; // nothing is compared
    return phraseRows(this.links.phrases, this.caption, this.chips, this.state, this.spoken);
  }

  /** Highlight what is pointed at or pinned: a region together with its best phrase, or a phrase together with all its
   * regions. */
  light() {
    const { at, pinned } = this.pointing;
    const { region, phrase: atPhrase } = at ?? {};
    const regions = region !== undefined ? [region] : atPhrase === undefined ? [] : this.regionsOf(atPhrase);
    const phrase = atPhrase ?? (region === undefined ? null : this.phraseOf(region));
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
    if (!this.isBlank) showPieces(this.marked, this.toldMarks, phrase);
    say(this.readout, targetWords(at, regions, this));
    this.readout.classList.toggle("idle", !at);
  }

  /** Marks of the phrases in the caption; null if the caption shows none, because another cut is set than that of the
   * things' own marks. */
  get toldMarks() {
    const { asTold, phrases } = this.state;
    if (!asTold && this.links.phrases.some(({ things }) => things?.length)) return null;
    return phrases.map(({ mark }) => mark);
  }

  /** Return the regions of a phrase. @param {number} phrase */
  regionsOf(phrase) {
    return regionsOf(this.links.phrases[phrase], this.links.cut);
  }

  /** Return a region's best phrase; null if the link is too weak to mean anything. @param {number} region */
  phraseOf(region) {
    const { support, phrase } = this.links.regions[region];
    return support >= this.links.cut ? phrase : null;
  }

  /** @param {"svg" | "png"} kind */
  async save(kind) {
    const { saveDrawing } = await import("./save.js");
    const said = `${
      [this.count, this.tally].map(({ textContent: text }) => text).filter(Boolean).join(". ")
    }. Threshold ${halfUp(this.cut, 2)}.`;
    await saveDrawing(this.picture, kind, {
      title: this.caption,
      about: said,
      signature: this.sample.about,
      source: this.sample.source,
      marked: this.marked,
      phrases: this.phraseRows(),
      heads: this.spoken.heads,
      legend: all(this.seen, ".legend span"),
      name: this.sample.name ?? "capscope-regions",
    });
  }
}

/** Say how many regions a mean counts, and whether the whole picture is one of them.
 * @param {readonly DrawnRegionJson[]} regions */
function wholeWords(regions) {
  const whole = regions.find(({ is_full: isFull }) => isFull);
  return whole ? `regions, with the whole picture (${halfUp(whole.recall, 3)})` : "regions";
}

/** Return whether regions have the same outlines, in the same order.
 * @param {readonly {path: string}[]} some @param {readonly {path: string}[]} others */
function areAlike(some, others) {
  return some.length === others.length && others.every(({ path }, place) => some[place].path === path);
}

/** Return whether an element belongs to the given region or phrase. @param {HTMLElement} element
 * @param {{region?: number | null, phrase?: number | null} | null} target */
function isOf({ dataset }, target) {
  if (dataset.phrase === undefined) return Number(dataset.region) === target?.region;
  return Number(dataset.phrase) === target?.phrase;
}
