// The picture of an item. In some studies, raters answer questions before they see it: it stays hidden until these
// answers are stored. It is then shown, with regions if the study shows them. The server sends no picture earlier, so
// the picture stays hidden even if somebody changes this page.

import { get } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { button, paragraph, quiet } from "../shared/elements.js";
import { countDown } from "../shared/waiting.js";
import { RegionPicture } from "../regions/picture.js";
import { isUnveiled } from "./answers.js";
import { loadPicture } from "./items.js";
import { openZoom } from "./zoom.js";

/** @import { Item, Study } from "../shared/types.d.ts" */
/** @import { RegionView } from "../regions/view.js" */

const FIRST_PAUSE_S = 3, LONGEST_PAUSE_S = 60; // s; first and longest pause before another attempt to load a picture

export class ItemPicture {
  /** @param {Study} study @param {Item} item @param {HTMLElement} caption
   * @param {() => void} onReveal is called when a hidden picture is shown */
  constructor(study, item, caption, onReveal) {
    this.study = study;
    this.item = item;
    this.caption = caption;
    this.onReveal = onReveal;
    this.isOffline = false;
    this.failures = 0; // number of failed attempts to load this item's picture
    /** @type {RegionView | null} view of the regions over the picture */
    this.regions = null;
    /** @type {(() => RegionView) | null} */
    this.view = null; // function that makes another view of the regions, for the enlarged picture
    this.figure = el("figure", { class: "picture" });
  }

  /** Return whether the study hides the picture now. It hides the picture until the rater has answered the questions
   * that come before the picture. */
  isVeiled() {
    return Boolean(this.item.image) && !this.item.open && !isUnveiled(this.study, this.item);
  }

  /** Return whether the study allows the picture now, but the server does not answer and so has not sent it. */
  isAway() {
    return Boolean(this.item.image) && !this.item.open && !this.isVeiled() && this.isOffline;
  }

  /** Return whether the picture has not been shown yet. Questions about it cannot be answered until then. */
  isHidden() {
    return this.study.veil && Boolean(this.item.image) && !this.wasSeen();
  }

  /** Return whether the picture comes as soon as the server has sent it. Answers about it wait until then. */
  isAwaited() {
    return this.isHidden() && isUnveiled(this.study, this.item);
  }

  /** Return whether the picture has been shown on the page. */
  wasSeen() {
    const { item } = this;
    return Boolean(item.image) && (item.revealed || item.seen || (this.isShown() && Boolean(item.picture?.complete)));
  }

  isShown() {
    const { picture } = this.item;
    return this.figure.isConnected && picture !== undefined && this.figure.contains(picture) &&
      picture.naturalWidth > 0;
  }

  /** Whether regions are shown over the picture now. */
  showsRegions() {
    return Boolean(this.regions?.element.isConnected);
  }

  /** Return the names of the questions that raters answer before the picture is shown. */
  firstNames() {
    return this.study.criteria.filter((criterion) => criterion.without_image).map(({ name }) => name).join(", ");
  }

  /** Return why a question that needs the picture cannot be answered now, or "" if it can.
   * @param {string} name name of the question */
  whyNot(name) {
    if (!this.isHidden() || this.isAwaited()) return "";
    return `${name} needs the picture. Answer ${this.firstNames()} first: the picture is shown then.`;
  }

  /** Show the picture, or a text that says why it is not shown. */
  show() {
    const { item, figure } = this, { picture } = item;
    if (!item.image || !item.image_size || !picture) return this.say(...this.missingWords());
    const [width, height] = item.image_size;
    figure.style.setProperty("--ratio", `${width} / ${height}`);
    if (!item.open) return this.say(...this.hiddenWords());
    if (item.loading && picture.complete && !picture.naturalWidth) item.loading = undefined; // the picture failed to load
    picture.onerror = () => this.sayBroken();
    picture.onload = () => this.isShown() && this.reveal();
    loadPicture(item).then(() => this.isShown() && this.reveal());
    const looks = { title: "Enlarge (z)", "aria-label": "Enlarge the picture" };
    figure.replaceChildren(button(picture, () => this.zoom(), "zoom", looks));
    if (item.regions) this.showRegions();
  }

  /** Record that the page shows the picture. If the study hides pictures at first, call onReveal once. */
  reveal() {
    this.item.seen = true;
    if (!this.study.veil || this.item.revealed) return;
    this.item.revealed = true;
    this.onReveal();
  }

  /** Show text in the picture's place.
   * @param {...string} lines */
  say(...lines) {
    this.figure.replaceChildren(el("div", { class: "notice" }, lines.map((line) => paragraph(line))));
  }

  missingWords() {
    const hint = "Answer what you can. If a question needs the picture, choose N: the picture is missing.";
    const isOffered = this.study.criteria.some(({ unseen }) => unseen);
    return ["The picture of this item is missing.", ...(isOffered ? [hint] : [])];
  }

  /** Say when a picture is shown that the server has not sent yet. */
  hiddenWords() {
    const { study, item: { panels } } = this;
    if (this.isVeiled()) {
      const all = study.form !== "side_by_side"
        ? ""
        : panels.length === 1
        ? " for the evaluator"
        : " for all evaluators";
      const words = `The picture is shown after you answer ${this.firstNames()}${all}.`;
      return [words, "Judge by the text and the score alone."];
    }
    if (!this.isOffline) return ["Loading the picture …"];
    return [
      "The picture appears when the server has your answer.",
      "The server does not answer now. “Next” goes on at once. This item stays open, and you return to it later.",
    ];
  }

  /** Handle a picture that did not load, perhaps because the server is busy. Load it again after a pause, or when the
   * rater asks for it. */
  async sayBroken() {
    this.failures += 1;
    const place = el("p", { role: "status" });
    this.figure.replaceChildren(
      el("div", { class: "notice" }, place, button("Try now", () => this.show(), "small")),
    );
    const seconds = Math.min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (this.failures - 1)) * (1 + Math.random() / 2);
    const words = "The picture did not load. Your answers are kept.";
    if (await countDown(place, words, seconds)) this.show();
  }

  /** @param {boolean} isOffline */
  tellConnection(isOffline) {
    if (this.isOffline === isOffline) return;
    this.isOffline = isOffline;
    if (!this.item.open) this.show();
  }

  /** Draw the regions over the picture if the study shows regions. The view of the regions includes the caption. */
  async showRegions() {
    const { item: { image, picture, caption, regions }, figure } = this;
    if (!image || !picture || !regions) return;
    const { RegionView } = await import("../regions/view.js"); // the module is loaded here, because few studies need it
    this.view = () => new RegionView({ image, alt: picture.alt, caption }, regions);
    this.regions ??= this.view();
    figure.replaceChildren(
      this.regions.element,
      paragraph(button("Enlarge the picture", () => this.zoom(), "small", { title: "Enlarge (z)" })),
    );
    this.caption.hidden = true;
    this.reveal();
  }

  /** Fetch the picture's regions. The server sends them only after the picture may be shown. */
  async fetchRegions() {
    const { item, study } = this;
    if (!study.overlay || item.regions || item.asked || !item.image || !item.open) return;
    item.asked = true;
    try {
      const { items } = await get(`/api/rate/studies/${study.id}/items?start=${item.place}&count=1`);
      item.regions = items[0]?.regions;
      if (item.regions) this.show();
      else this.figure.append(quiet("There are no regions for this picture."));
    } catch {
      item.asked = false; // the regions are requested again after the next stored answer
    }
  }

  zoom() {
    const { image, picture, image_size: size, open } = this.item;
    if (!image || !picture || !size || !open) return;
    const [width, height] = size, { alt } = picture;
    const plain = () => new RegionPicture({ image, alt, size: [height, width], regions: [] });
    openZoom(this.view ? this.view() : { picture: plain() });
  }
}
