// An explanation taken apart: the picture under its regions, the caption with its phrases, and the links between them.

/** @import { DrawnRegionJson, LinksJson } from "../shared/wire.d.ts" */
/** @import { Target } from "./pointing.js" */
/** @import { Judged } from "./support.js" */
/** @typedef {object} Shown what is shown
 * @property {string} image @property {string} alt @property {string} caption
 * @property {string} [name] what a saved drawing is called
 * @property {string} [about] the signature of what judged
 * @property {string} [source] the picture's name and licence
 * @property {string} [lookedAt] what marks come from */
// Everything here happens in the browser; nothing is asked of the server.

import { all, el, rounded, say } from "../shared/dom.js";
import { markedCaption, showPieces } from "./caption.js";
import { RegionList } from "./list.js";
import { RegionPicture } from "./picture.js";
import { Pointing } from "./pointing.js";
import { counts, denialNote, judged, phraseWords, regionNames, regionWords, wordsFor } from "./support.js";
import { RegionTools } from "./tools.js";
import { areAlike, wholesOf } from "./within.js";
import { rove } from "../shared/roving_focus.js";

const TOUCH = matchMedia("(hover: none)");
const MIDDLE = 0.5; // of ranks: the cut to begin with

/** @typedef {{region: number | null, cut: number | null, scale: string | null}} Choice what is as usual is null */

/** One explanation over one picture. */
export class RegionView {
  // What explain and apply make, which the constructor calls:
  /** @type {readonly DrawnRegionJson[] | undefined} */
  measured;
  /** @type {number[][]} */
  wholes = [];
  /** @type {string[]} */
  names = [];
  /** @type {HTMLElement} */
  marked;
  /** @type {HTMLElement} */
  chips;
  /** @type {Judged} */
  state;

  /** @param {Shown} sample @param {LinksJson} links
   * @param {Partial<Choice> & {onChange?: (choice: Choice) => void, full?: boolean}} [options] region: one to pin from the
   * start; onChange is called when something else is chosen; full: with tools and a list */
  constructor(sample, links, { region = null, cut = null, scale = null, onChange = () => {}, full = true } = {}) {
    this.sample = sample;
    this.onChange = onChange;
    /** @type {"relative" | "absolute"} */
    this.scale = scale === "relative" ? "relative" : "absolute";
    this.cuts = { absolute: links.cut, relative: MIDDLE, ...(cut !== null && { [this.scale]: cut }) };
    /** @type {"all" | "mentioned" | "unmentioned" | "none"} */
    this.shown = "all";
    this.opacity = 1;
    this.picture = new RegionPicture({ ...sample, ...links });
    this.count = el("p", { class: "region-counts", role: "status" });
    this.tally = el("p", { class: "phrase-counts", role: "status" });
    this.note = el("p", { class: "quiet denial-note", hidden: true });
    this.readout = el("p", { class: "readout" });
    this.captionBox = el("div", { class: "region-caption" });
    this.list = full ? new RegionList() : null;
    this.tools = full ? this.toolbar() : null;
    // Three parts, which may stand apart: the picture, the words, and what changes how the picture looks.
    this.seen = el("div", { class: "regions-seen" }, this.picture.stage, this.legend = legend());
    this.said = el("div", { class: "regions-said" }, this.captionBox, this.count, this.tally, this.note, this.readout);
    this.more = el("div", { class: "regions-more" }, this.tools?.element, this.list?.element);
    this.parts = [this.seen, this.said, this.more];
    this.element = el("div", { class: "regions" }, this.parts);
    this.pointing = new Pointing({ light: () => this.light(), tell: () => this.tell() });
    for (const part of [this.picture.svg, this.list?.rows, this.captionBox]) if (part) this.pointing.listenTo(part);
    for (const part of this.parts) this.pointing.releaseIn(part);
    this.links = links;
    this.caption = sample.caption;
    this.explain(links, sample.caption, region);
  }

  /** Show another explanation of the same picture, as after an edit of its caption.
   * @param {LinksJson} links @param {string} caption */
  update(links, caption) {
    if (!sameOutlines(links.regions, this.links.regions)) this.pointing.listenTo(this.picture.redraw(links.regions));
    this.explain(links, caption);
  }

  /** @param {LinksJson} links @param {string} caption @param {number | null} [region] */
  explain(links, caption, region = null) {
    if (!areAlike(this.measured, links.regions)) this.wholes = wholesOf(links.regions); // another caption moves none
    this.measured = links.regions;
    this.links = links;
    this.caption = caption;
    this.names = regionNames(links.regions);
    this.pointing.begin(region !== null && links.regions[region] ? { region } : null);
    this.marked = markedCaption(caption, links.phrases);
    this.chips = el(
      "div",
      { class: "phrases", role: "group", "aria-label": "Phrases of the caption" },
      links.phrases.map((phrase, index) =>
        el(
          "button",
          { type: "button", class: `phrase ${phrase.kind}`, "data-phrase": index, "aria-pressed": "false" },
          el("span", { class: "sign", "aria-hidden": "true" }),
          phraseWords(phrase),
          " ",
          el("span", { class: "number" }),
        )
      ),
    );
    this.captionBox.replaceChildren(this.marked, this.chips);
    this.note.textContent = denialNote(links.phrases);
    this.note.hidden = !this.note.textContent;
    rove(this.chips, ".phrase");
    this.picture.name(this.names);
    this.apply();
  }

  /** Show the names on the regions, or hide them. */
  toggleNames() {
    this.tools?.toggleNames();
  }

  toolbar() {
    const tools = new RegionTools({ shown: this.shown, relative: this.relative, opacity: this.opacity }, {
      show: (which) => this.set({ shown: /** @type {RegionView["shown"]} */ (which) }),
      rescale: (relative) => {
        this.set({ scale: relative ? "relative" : "absolute" });
        this.tell();
      },
      cut: (cut) => this.set({ cuts: { ...this.cuts, [this.scale]: cut } }),
      settle: () => this.tell(),
      fade: (opacity) => this.set({ opacity }),
      zoom: (steps) => this.picture.zoomBy(steps),
      save: (kind) => this.save(kind),
      names: (shown) => this.picture.showNames(shown),
    });
    this.picture.onZoom = (text) => tools.showZoom(text);
    return tools;
  }

  /** @param {Partial<Pick<RegionView, "shown" | "scale" | "cuts" | "opacity">>} changes */
  set(changes) {
    Object.assign(this, changes);
    this.apply();
  }

  get relative() {
    return this.scale === "relative";
  }

  get cut() {
    return this.cuts[this.scale];
  }

  get spoken() {
    return wordsFor(this.sample.lookedAt ?? "the picture", this.relative, this.cut === this.links.cut);
  }

  /** Say what of this a link to it must carry. */
  tell() {
    const usual = this.relative ? MIDDLE : this.links.cut;
    this.onChange({
      region: this.pointing.pinned?.region ?? null,
      cut: this.cut === usual ? null : this.cut,
      scale: this.relative ? "relative" : null,
    });
  }

  /** Draw everything as the cut and the tools now have it. */
  apply() {
    const { links, cut } = this;
    this.state = judged(links, cut, this.relative);
    this.applyToRegions();
    this.applyToPhrases();
    const supports = [...links.regions, ...links.phrases].map(({ support }) => support);
    this.tools?.showCut(cut, this.relative ? 1 : Math.max(1, ...supports));
    const [count, tally] = counts(this.state, cut, links.cut, this.spoken, this.relative);
    say(this.count, count);
    say(this.tally, tally);
    this.light();
  }

  applyToRegions() {
    const { links, names, spoken, state } = this;
    let parts = 0;
    for (const [index, { mentioned }] of state.regions) {
      const look = mentioned ? "mentioned" : "unmentioned";
      const isPart = this.wholes[index].some((whole) => state.regions.get(whole)?.mentioned);
      parts += Number(!mentioned && isPart);
      this.picture.show(index, {
        look: !mentioned && isPart ? "part" : look,
        name: regionWords(links, index, names[index], mentioned, spoken),
        shown: this.shown === "all" || this.shown === look,
      });
    }
    this.legend.lastElementChild?.classList.toggle("none", !parts);
    this.picture.svg.style.opacity = String(this.opacity);
    this.list?.show([...state.regions].map(([index, { value, mentioned }]) => ({
      index,
      mentioned,
      name: names[index],
      support: links.regions[index].support,
      number: this.number(value, state.regions.size),
      word: spoken.regions[mentioned ? 0 : 1],
    })));
    rove(this.picture.svg, "path.region");
  }

  applyToPhrases() {
    const { spoken, state } = this;
    for (const chip of all(this.chips, ".phrase")) {
      const at = Number(chip.dataset.phrase), { support } = this.links.phrases[at];
      const { value, mark } = state.phrases[at];
      const number = this.number(value, state.phrases.length);
      chip.classList.toggle("correct", mark === "correct");
      chip.classList.toggle("incorrect", mark === "incorrect");
      const [sign, figure] = all(chip, ".sign, .number");
      sign.textContent = spoken.signs[mark];
      figure.textContent = state.byNames ? "" : number; // names are there or not: how near they come moves no mark
      chip.setAttribute(
        "aria-label",
        `${phraseWords(this.links.phrases[at])}: ${spoken.phrases[mark]}, ${
          this.relative ? "rank" : "precision"
        } ${number}`,
      );
      chip.title = `precision ${support}`;
    }
  }

  /** A value as shown: a support, or the place among as many as there are.
   * @param {number} value @param {number} count */
  number(value, count) {
    return this.relative ? `${Math.round((1 - value) * (count - 1)) + 1} of ${count}` : rounded(value);
  }

  /** Light what is pointed at, with its partner on the other side. */
  light() {
    const { links } = this, { at, pinned } = this.pointing;
    const { region: atRegion, phrase: atPhrase } = at ?? {};
    const region = atRegion ?? (atPhrase === undefined ? null : this.partner(links.phrases[atPhrase], "region"));
    const phrase = atPhrase ?? (atRegion === undefined ? null : this.partner(links.regions[atRegion], "phrase"));
    this.picture.light(region);
    const every = (/** @type {string} */ selector) => this.parts.flatMap((part) => all(part, selector));
    for (const node of every(".phrase, .region-row")) {
      const lit = isOf(node, { region, phrase });
      node.classList.toggle("lit", at !== null && lit);
      node.classList.toggle("dim", at !== null && !lit);
    }
    for (const node of every("[data-region][aria-pressed], [data-phrase][aria-pressed]")) {
      node.setAttribute("aria-pressed", String(isOf(node, pinned)));
    }
    showPieces(this.marked, this.state.phrases.map(({ mark }) => mark), phrase);
    say(this.readout, this.words(at, region));
  }

  /** The other end of a link, or null where it is so weak that it says nothing.
   * @param {{support: number, region?: number | null, phrase?: number | null}} end @param {"region" | "phrase"} side */
  partner(end, side) {
    return this.relative || end.support >= this.links.cut ? end[side] ?? null : null;
  }

  /** @param {Target | null} at @param {number | null} nearest region to a phrase that is pointed at */
  words(at, nearest) {
    const { links, names, spoken, state } = this, { region, phrase } = at ?? {};
    if (region !== undefined) {
      const mentioned = state.regions.get(region)?.mentioned ?? links.regions[region].mentioned;
      return regionWords(links, region, names[region], mentioned, spoken);
    }
    if (phrase === undefined) {
      return TOUCH.matches ? "Tap a phrase or a region." : "Point at a phrase or a region; click to keep it lit.";
    }
    const { support, things } = links.phrases[phrase];
    const marks = state.asTold && things?.length
      ? ` (${things.map((one) => spoken.signs[one.mark] + one.text).join(", ")})`
      : "";
    const link = nearest === null ? "no region stands for it" : `its nearest region is ${names[nearest]}`;
    return `“${phraseWords(links.phrases[phrase])}”: ${spoken.phrases[state.phrases[phrase].mark]}${marks}; ${link} (${
      rounded(support)
    })`;
  }

  /** @param {"svg" | "png"} kind */
  async save(kind) {
    const { saveDrawing } = await import("./save.js");
    const said = `${[this.count, this.tally].map(({ textContent: text }) => text).filter(Boolean).join(". ")}. Cut ${
      this.cut.toFixed(2)
    }${this.relative ? ", ranks within the image" : ""}.`;
    await saveDrawing(this.picture, kind, {
      title: this.caption,
      about: said,
      signature: this.sample.about,
      source: this.sample.source,
      marked: this.marked,
      phrases: this.links.phrases.map((one, at) => ({ text: phraseWords(one), mark: this.state.phrases[at].mark })),
      legend: all(this.seen, ".legend span"),
      name: this.sample.name ?? "capscope-regions",
    });
  }
}

/** Whether an element stands for this region or phrase. @param {HTMLElement} element
 * @param {{region?: number | null, phrase?: number | null} | null} target */
function isOf({ dataset }, target) {
  if (dataset.phrase === undefined) return Number(dataset.region) === target?.region;
  return Number(dataset.phrase) === target?.phrase;
}

/** What edges and hatching mean. */
function legend() {
  return el(
    "p",
    { class: "legend" },
    [["mentioned", "mentioned"], ["unmentioned", "left out"], ["part", "left out, within something mentioned"]].map((
      [look, words],
    ) => el("span", { class: look }, el("i", { class: "swatch", "aria-hidden": "true" }), words)),
  );
}

/** @param {DrawnRegionJson[]} regions @param {DrawnRegionJson[]} others */
function sameOutlines(regions, others) {
  return regions.length === others.length && regions.every(({ path }, at) => path === others[at].path);
}
