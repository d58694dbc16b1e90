// An explanation taken apart: the picture under its regions, the caption with its phrases, and the links between them.

/** @import { DrawnRegionJson, LinksJson } from "../shared/wire.d.ts" */
/** @import { Target } from "./pointing.js" */
/** @typedef {{image: string, alt: string, caption: string, name?: string, about?: string}} Shown
 * what is shown: a picture, its caption, and what a saved drawing is called and says */
// Everything here happens in the browser; nothing is asked of the server.

import { all, el, rounded, say } from "../shared/dom.js";
import { markedCaption, showPieces } from "./caption.js";
import { RegionList } from "./list.js";
import { RegionPicture } from "./picture.js";
import { Pointing } from "./pointing.js";
import { counts, judged, regionNames, regionWords, WORDS } from "./support.js";
import { RegionTools } from "./tools.js";
import { rove } from "../shared/roving_focus.js";

const MIDDLE = 0.5; // of ranks: the cut to begin with

/** @typedef {{region: number | null, cut: number | null, scale: string | null}} Choice what is as usual is null */

/** One explanation over one picture. */
export class RegionView {
  /** @param {Shown} sample @param {LinksJson} links
   * @param {Partial<Choice> & {onChange?: (choice: Choice) => void, full?: boolean}} [options] region: one to pin from the
   * start; onChange is called when something else is chosen; full: with tools and a list */
  constructor(sample, links, { region = null, cut = null, scale = null, onChange = () => {}, full = true } = {}) {
    this.sample = sample;
    this.onChange = onChange;
    this.scale = scale === "relative" ? "relative" : "absolute";
    this.cuts = { absolute: links.cut, relative: MIDDLE, ...(cut !== null && { [this.scale]: cut }) };
    /** @type {"all" | "mentioned" | "unmentioned" | "none"} */
    this.shown = "all";
    this.opacity = 1;
    this.picture = new RegionPicture({ ...sample, ...links });
    this.count = el("p", { class: "region-counts", role: "status" });
    this.readout = el("p", { class: "readout" });
    this.captionBox = el("div", { class: "region-caption" });
    this.list = full ? new RegionList() : null;
    this.tools = full ? this.toolbar() : null;
    this.element = el(
      "div",
      { class: "regions" },
      this.picture.stage,
      this.count,
      this.readout,
      this.captionBox,
      this.tools?.element,
      this.list?.element,
    );
    this.pointing = new Pointing({ light: () => this.light(), tell: () => this.tell() });
    for (const part of [this.picture.svg, this.list?.rows, this.captionBox]) if (part) this.pointing.listenTo(part);
    this.pointing.releaseIn(this.element);
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
          { type: "button", class: "phrase", "data-phrase": index, "aria-pressed": "false" },
          el("span", { class: "sign", "aria-hidden": "true" }),
          phrase.text,
          " ",
          el("span", { class: "number" }),
        )
      ),
    );
    this.captionBox.replaceChildren(this.marked, this.chips);
    rove(this.chips, ".phrase");
    this.apply();
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
    return WORDS[this.scale];
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
    say(this.count, counts(this.state, cut, links.cut, this.relative));
    this.light();
  }

  applyToRegions() {
    const { links, names, spoken, state } = this;
    for (const [index, { mentioned }] of state.regions) {
      const look = mentioned ? "mentioned" : "unmentioned";
      this.picture.show(index, {
        look,
        name: regionWords(links, index, names[index], mentioned, spoken),
        shown: this.shown === "all" || this.shown === look,
      });
    }
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
      const at = Number(chip.dataset.phrase), { text, support } = this.links.phrases[at];
      const { value, correct } = state.phrases[at];
      const number = this.number(value, state.phrases.length);
      chip.classList.toggle("correct", correct);
      chip.querySelector(".sign").textContent = spoken.signs[correct ? 0 : 1];
      chip.querySelector(".number").textContent = number;
      chip.setAttribute(
        "aria-label",
        `${text}: ${spoken.phrases[correct ? 0 : 1]}, ${this.relative ? "rank" : "precision"} ${number}`,
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
    const region = at ? at.region ?? links.phrases[at.phrase].region : null;
    const phrase = at ? at.phrase ?? links.regions[at.region].phrase : null;
    const isOf = (
      { dataset },
      what,
    ) => (dataset.phrase === undefined
      ? Number(dataset.region) === what?.region
      : Number(dataset.phrase) === what?.phrase);
    this.picture.light(region);
    for (const node of all(this.element, ".phrase, .region-row")) {
      const lit = isOf(node, { region, phrase });
      node.classList.toggle("lit", at !== null && lit);
      node.classList.toggle("dim", at !== null && !lit);
    }
    for (const node of all(this.element, "[aria-pressed]")) {
      node.setAttribute("aria-pressed", String(isOf(node, pinned)));
    }
    showPieces(this.marked, this.state.phrases.map(({ correct }) => correct), phrase);
    say(this.readout, this.words(at, region, phrase));
  }

  /** @param {Target | null} at @param {number | null} region @param {number | null} phrase */
  words(at, region, phrase) {
    if (!at) return "Point at a phrase or a region; click to keep it lit.";
    const { links, names, spoken, state } = this;
    if (at.phrase === undefined) {
      const mentioned = state.regions.get(region)?.mentioned ?? links.regions[region].support >= links.cut;
      return regionWords(links, region, names[region], mentioned, spoken);
    }
    const { text, support } = links.phrases[phrase];
    const nearest = region === null ? "no region" : names[region];
    return `“${text}”: ${spoken.phrases[state.phrases[phrase].correct ? 0 : 1]}; its nearest region is ${nearest} (${
      rounded(support)
    })`;
  }

  /** @param {"svg" | "png"} kind */
  async save(kind) {
    const { saveDrawing } = await import("./save.js");
    const said = `${this.count.textContent}. Cut ${this.cut.toFixed(2)}${
      this.relative ? ", ranks within the image" : ""
    }. ${this.sample.about ?? ""}`;
    await saveDrawing(this.picture, kind, {
      title: this.caption,
      about: said,
      name: this.sample.name ?? "capscope-regions",
    });
  }
}

/** @param {DrawnRegionJson[]} regions @param {DrawnRegionJson[]} others */
function sameOutlines(regions, others) {
  return regions.length === others.length && regions.every(({ path }, at) => path === others[at].path);
}
