// The picture of an item: veiled until what is judged without it is answered, then plain or under its regions.

import { at } from "../shared/address.js";
import { get } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { openRegionZoom, openZoom } from "../shared/zoom.js";

/** @import { Item, Study } from "../shared/types.d.ts" */
/** @import { RegionView } from "../regions/view.js" */

export class ItemPicture {
  /** @param {Study} study @param {Item} item @param {HTMLElement} caption
   * @param {{waitsForAnswers: () => boolean, onReveal: () => void}} does waitsForAnswers says whether a question is open that is
   * judged without the picture; onReveal is told that the veil is off */
  constructor(study, item, caption, { waitsForAnswers, onReveal }) {
    this.study = study;
    this.item = item;
    this.caption = caption;
    this.waitsForAnswers = waitsForAnswers;
    this.onReveal = onReveal;
    /** @type {RegionView} what lies over the picture */
    this.regions = null;
    /** @type {() => RegionView} */
    this.view = null; // makes another one
    this.figure = el("figure", { class: "picture" });
  }

  isVeiled() {
    return this.study.veil && !this.item.revealed && this.waitsForAnswers();
  }

  /** Lift the veil where there is one and nothing keeps it. */
  unveil() {
    const { study, item } = this;
    if (!study.veil || !item.image || item.revealed || this.isVeiled()) return;
    item.revealed = true;
    this.onReveal();
    this.show();
  }

  show() {
    const { item, figure } = this;
    if (!item.image) {
      return this.say(
        "The picture of this item is missing.",
        "You can still rate what does not need it, and leave a note.",
      );
    }
    const [width, height] = item.image_size;
    figure.style.setProperty("--ratio", `${width} / ${height}`);
    if (this.isVeiled()) return this.say(this.veilText(), "It is judged by the text and the score alone.");
    item.picture.onerror = () =>
      this.say("The picture cannot be loaded just now.", "Your answers are kept. Reload the page to try again.");
    if (item.picture.complete && !item.picture.naturalWidth) item.picture.src = at(item.image); // it failed while fetched ahead
    figure.replaceChildren(
      el("button", {
        type: "button",
        class: "zoom",
        title: "Enlarge (z)",
        "aria-label": "Enlarge the picture",
        click: () => this.zoom(),
      }, item.picture),
    );
    if (item.regions) this.showRegions();
  }

  /** Whether regions lie over the picture now. */
  showsRegions() {
    return Boolean(this.regions?.element.isConnected);
  }

  /** Say something in the picture's place.
   * @param {...string} lines */
  say(...lines) {
    this.figure.replaceChildren(el("div", { class: "notice" }, lines.map((line) => el("p", {}, line))));
  }

  veilText() {
    const first = this.study.criteria.filter((criterion) => criterion.without_image).map(({ name }) => name).join(", ");
    return `The picture is shown once you have answered ${first}.`;
  }

  /** Lay the regions over the picture, where the study shows them; the caption then stands among them. */
  async showRegions() {
    const { item, figure } = this;
    const { RegionView } = await import("../regions/view.js"); // few studies need it
    this.view = () =>
      new RegionView({ image: item.image, alt: item.picture.alt, caption: item.caption }, item.regions, {
        full: false,
      });
    this.regions ??= this.view();
    figure.replaceChildren(
      this.regions.element,
      el(
        "p",
        {},
        el("button", {
          type: "button",
          class: "small",
          title: "Enlarge (z)",
          click: () => this.zoom(),
        }, "Enlarge the picture"),
      ),
    );
    this.caption.hidden = true;
  }

  /** Ask for the regions: the server gives them once it knows that the veil is off. */
  async fetchRegions() {
    const { item, study } = this;
    if (!study.overlay || item.regions || item.asked || !item.image || this.isVeiled()) return;
    item.asked = true;
    try {
      const { items } = await get(`/api/rate/studies/${study.id}/items?start=${item.place}&count=1`);
      item.regions = items[0]?.regions;
      if (item.regions) this.show();
      else this.figure.append(el("p", { class: "quiet" }, "There are no regions for this picture."));
    } catch {
      item.asked = false; // the plain picture stands; the next save asks again
    }
  }

  zoom() {
    if (!this.item.image || this.isVeiled()) return;
    if (this.regions) openRegionZoom(this.view());
    else openZoom(/** @type {Required<Item>} */ (this.item));
  }
}
