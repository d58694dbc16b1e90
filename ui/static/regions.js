// An explanation taken apart: the picture under its regions, the caption with its phrases, and the links between them.
// Everything here happens in the browser; nothing is asked of the server.

import { el, rounded, say } from "./dom.js";
import { markedCaption, showPieces } from "./region_caption.js";
import { RegionPicture } from "./region_picture.js";
import { counts, judged, regionName, WORDS } from "./region_state.js";
import { rove } from "./rove.js";

const SHOWN = [["all", "all"], ["mentioned", "mentioned", "mentioned"], ["unmentioned", "not mentioned", "unmentioned"], ["none", "none"]];
const STEP = 0.01;

/** One explanation over one picture. onChange({region, cut, scale}) is called when one of them changes; what is as usual is null. */
export class RegionView {
  /** sample: {image, alt, caption}. links: as the server sends an explanation. region: one to pin from the start. */
  constructor(sample, links, { region = null, cut = null, scale = null, onChange = () => {}, full = true } = {}) {
    this.sample = sample;
    this.onChange = onChange;
    const relative = scale === "relative";
    this.cuts = { false: links.cut, true: 0.5, ...(cut !== null && { [relative]: cut }) };
    this.choice = { shown: "all", relative, cut: this.cuts[relative], opacity: 1 };
    this.pointed = null;
    this.picture = new RegionPicture({ ...sample, ...links });
    this.count = el("p", { class: "region-counts", role: "status" });
    this.readout = el("p", { class: "readout" });
    this.captionBox = el("div", { class: "region-caption" });
    this.list = el("ol", { class: "region-list", "aria-label": "Regions, the best mentioned first" });
    this.tools = full ? this.toolbar() : null;
    this.element = el("div", { class: "regions" }, this.picture.stage, this.count, this.readout, this.captionBox, this.tools,
      full && el("details", { class: "region-details", open: innerWidth > 860 }, el("summary", {}, "Regions by recall"), this.list));
    this.listen();
    this.update(links, sample.caption, region);
  }

  /** Show another explanation of the same picture, as after an edit of its caption. */
  update(links, caption, region = null) {
    const same = this.links && links.regions.length === this.links.regions.length
      && links.regions.every((one, at) => one.path === this.links.regions[at].path);
    this.links = links;
    if (this.links && !same && this.caption !== undefined) this.redraw(links);
    this.caption = caption;
    this.pointed = null;
    this.pinned = region !== null && links.regions[region] ? { region } : null;
    this.marked = markedCaption(caption, links.phrases);
    this.chips = el("div", { class: "phrases", role: "group", "aria-label": "Phrases of the caption" }, links.phrases.map((phrase, index) =>
      el("button", { type: "button", class: "phrase", "data-phrase": index, "aria-pressed": "false" },
        el("span", { class: "sign", "aria-hidden": "true" }), phrase.text, " ", el("span", { class: "number" }))));
    this.captionBox.replaceChildren(this.marked, this.chips);
    rove(this.chips, ".phrase");
    this.apply();
  }

  redraw(links) {
    const drawn = this.picture.drawing(links.regions);
    this.picture.svg.replaceWith(drawn);
    this.picture.svg = drawn;
    this.listenTo(drawn);
  }

  toolbar() {
    const { choice } = this;
    const radios = (name, legend, options, chosen, change) => el("fieldset", { class: "segments" }, el("legend", { class: "visually-hidden" }, legend),
      options.map(([value, text, look]) => el("label", { class: look }, el("input", { type: "radio", name: `${name}-${this.id()}`, value, checked: value === chosen, change: () => change(value) }),
        el("span", {}, look && el("i", { class: "swatch", "aria-hidden": "true" }), text))));
    this.cutInput = el("input", { type: "range", min: 0, max: 1, step: STEP, input: () => this.set({ cut: Number(this.cutInput.value) }), change: () => this.tell() });
    this.cutText = el("output", { class: "number" });
    const opacity = el("input", { type: "range", min: 0, max: 1, step: 0.05, value: choice.opacity, input: () => this.set({ opacity: Number(opacity.value) }) });
    const zoom = el("output", { class: "number" }, "100 %");
    this.picture.onZoom = (text) => say(zoom, text);
    const button = (text, label, click) => el("button", { type: "button", class: "small", "aria-label": label, click }, text);
    return el("div", { class: "region-tools" },
      radios("shown", "Regions shown", SHOWN, choice.shown, (shown) => this.set({ shown })),
      radios("scale", "How supports are read", [["absolute", "absolute"], ["relative", "within image"]], choice.relative ? "relative" : "absolute", (value) => this.rescale(value === "relative")),
      el("label", { class: "slider" }, el("span", {}, "cut"), this.cutInput, this.cutText),
      el("label", { class: "slider" }, el("span", {}, "opacity"), opacity),
      el("span", { class: "zoom" }, button("−", "Zoom out", () => this.picture.zoomBy(-1)), zoom, button("+", "Zoom in", () => this.picture.zoomBy(1))),
      el("span", { class: "save" }, button("Save PNG", "Save the picture with its regions as PNG", () => this.save("png")),
        button("Save SVG", "Save the picture with its regions as SVG", () => this.save("svg"))));
  }

  id() {
    return (this.number ??= (RegionView.made = (RegionView.made ?? 0) + 1));
  }

  set(changes) {
    Object.assign(this.choice, changes);
    this.cuts[this.choice.relative] = this.choice.cut;
    this.apply();
  }

  rescale(relative) {
    Object.assign(this.choice, { relative, cut: this.cuts[relative] });
    this.apply();
    this.tell();
  }

  /** Say what of this a link to it must carry. */
  tell() {
    const { relative, cut } = this.choice;
    this.onChange({ region: this.pinned?.region ?? null, cut: cut === (relative ? 0.5 : this.links.cut) ? null : cut, scale: relative ? "relative" : null });
  }

  get spoken() {
    return WORDS[this.choice.relative ? "relative" : "absolute"];
  }

  apply() {
    const { links, choice, spoken } = this;
    const state = (this.state = judged(links, choice.cut, choice.relative));
    for (const [index, { mentioned }] of state.regions) {
      const shown = choice.shown === "all" || choice.shown === (mentioned ? "mentioned" : "unmentioned");
      this.picture.show(index, { look: mentioned ? "mentioned" : "unmentioned", name: regionName(links, index, mentioned, spoken), shown });
    }
    this.picture.svg.style.opacity = choice.opacity;
    this.listRegions(state);
    for (const chip of this.chips.children) {
      const { value, correct } = state.phrases[chip.dataset.phrase];
      chip.classList.toggle("correct", correct);
      chip.querySelector(".sign").textContent = spoken.signs[correct ? 0 : 1];
      chip.querySelector(".number").textContent = this.shownNumber(value, "phrases");
      chip.setAttribute("aria-label", `${links.phrases[chip.dataset.phrase].text}: ${spoken.phrases[correct ? 0 : 1]}, ${choice.relative ? "rank" : "precision"} ${this.shownNumber(value, "phrases")}`);
      chip.title = `precision ${links.phrases[chip.dataset.phrase].support}`;
    }
    if (this.tools) {
      this.cutInput.max = choice.relative ? 1 : Math.max(1, ...links.regions.map(({ support }) => support), ...links.phrases.map(({ support }) => support));
      this.cutInput.value = choice.cut;
      this.cutText.textContent = choice.cut.toFixed(2);
    }
    say(this.count, counts(state, choice.cut, links.cut, choice.relative));
    rove(this.picture.svg, "path.region");
    this.light();
  }

  shownNumber(value, of) {
    if (!this.choice.relative) return rounded(value);
    const count = of === "phrases" ? this.state.phrases.length : this.state.regions.size;
    return `${Math.round((1 - value) * (count - 1)) + 1} of ${count}`;
  }

  listRegions(state) {
    const sorted = [...state.regions].sort((a, b) => this.links.regions[b[0]].support - this.links.regions[a[0]].support);
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.region : null;
    this.list.replaceChildren(...sorted.map(([index, { value, mentioned }]) => el("li", {},
      el("button", { type: "button", class: `region-row ${mentioned ? "mentioned" : "unmentioned"}`, "data-region": index, "aria-pressed": "false" },
        el("span", { class: "swatch", "aria-hidden": "true" }), el("span", {}, this.links.regions[index].label ?? `region ${index + 1}`),
        el("span", { class: "number" }, this.shownNumber(value, "regions")), el("span", { class: "quiet" }, this.spoken.regions[mentioned ? 0 : 1])))));
    rove(this.list, ".region-row");
    if (focused !== null) this.list.querySelector(`[data-region="${focused}"]`)?.focus();
  }

  // Pointing: what is pointed at for the moment goes before what was pinned by a click.
  listen() {
    this.listenTo(this.picture.svg);
    this.listenTo(this.list);
    this.listenTo(this.captionBox);
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !(this.pinned || this.pointed)) return;
      event.stopPropagation();
      this.pointed = null;
      this.pin(null);
    });
  }

  listenTo(part) {
    const target = (event) => {
      const node = event.target.closest?.("[data-region], [data-phrase], [data-phrases]");
      if (!node) return null;
      const { region, phrase, phrases } = node.dataset;
      return region !== undefined ? { region: Number(region) } : { phrase: Number(phrase ?? phrases.split(" ")[0]) };
    };
    const point = (event) => {
      this.pointed = target(event);
      this.light();
    };
    part.addEventListener("pointerover", (event) => event.pointerType !== "touch" && point(event));
    part.addEventListener("pointerleave", () => point({ target: document }));
    part.addEventListener("focusin", point);
    part.addEventListener("focusout", () => point({ target: document }));
    part.addEventListener("click", (event) => this.pin(target(event)));
    part.addEventListener("keydown", (event) => {
      if (event.target instanceof SVGElement && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        this.pin(target(event));
      }
    });
  }

  /** Keep something lit; the same thing again lets it go. */
  pin(what) {
    const same = what && this.pinned && what.region === this.pinned.region && what.phrase === this.pinned.phrase;
    this.pinned = same ? null : what;
    if (same) this.pointed = null;
    this.light();
    this.tell();
  }

  light() {
    const { links } = this;
    const at = this.pointed ?? this.pinned;
    const region = at ? at.region ?? links.phrases[at.phrase].region : null;
    const phrase = at ? at.phrase ?? links.regions[at.region].phrase : null;
    this.picture.light(region);
    for (const node of [...this.chips.children, ...this.list.querySelectorAll(".region-row")]) {
      const lit = node.dataset.phrase === undefined ? Number(node.dataset.region) === region : Number(node.dataset.phrase) === phrase;
      node.classList.toggle("lit", at !== null && lit);
      node.classList.toggle("dim", at !== null && !lit);
    }
    for (const node of this.element.querySelectorAll("[aria-pressed]")) {
      const pressed = this.pinned && (node.dataset.phrase === undefined ? Number(node.dataset.region) === this.pinned.region : Number(node.dataset.phrase) === this.pinned.phrase);
      node.setAttribute("aria-pressed", String(Boolean(pressed)));
    }
    showPieces(this.marked, this.state.phrases.map(({ correct }) => correct), phrase);
    say(this.readout, this.words(at, region, phrase));
  }

  words(at, region, phrase) {
    if (!at) return "Point at a phrase or a region; click to keep it lit.";
    const { links, state } = this;
    if (at.phrase === undefined) return regionName(links, region, state.regions.get(region)?.mentioned ?? links.regions[region].support >= links.cut, this.spoken);
    const { text, support } = links.phrases[phrase];
    const best = region === null ? "no region" : links.regions[region].is_full ? "the whole picture" : links.regions[region].label ?? `region ${region + 1}`;
    return `“${text}”: ${this.spoken.phrases[state.phrases[phrase].correct ? 0 : 1]}; its nearest region is ${best} (${rounded(support)})`;
  }

  async save(kind) {
    const { saveDrawing } = await import("./region_file.js");
    const { cut, relative } = this.choice;
    const said = `${this.count.textContent}. Cut ${cut.toFixed(2)}${relative ? ", ranks within the image" : ""}. ${this.sample.about ?? ""}`;
    await saveDrawing(this.picture, kind, { title: this.caption, about: said, name: this.sample.name ?? "capscope-regions" });
  }
}
