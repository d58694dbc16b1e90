// The picture of an item: under its veil until what is judged without it is answered and stored, then plain or under
// its regions. The server gives no picture earlier, so that the veil does not hang on this page.

import { at } from "../shared/address.js";
import { get } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { openRegionZoom, openZoom } from "../shared/zoom.js";
import { isUnveiled } from "./answers.js";
import { loadPicture } from "./item_store.js";

/** @import { Item, Study } from "../shared/types.d.ts" */
/** @import { RegionView } from "../regions/view.js" */

const EXTREME = 4; // a picture so many times longer than wide, or wider than high, is a strip on the page

export class ItemPicture {
  /** @param {Study} study @param {Item} item @param {HTMLElement} caption
   * @param {{onReveal: () => void, onShown: (figure: HTMLElement) => void}} does onReveal is told that the veil is off,
   * onShown that the picture has been laid out */
  constructor(study, item, caption, { onReveal, onShown }) {
    this.study = study;
    this.item = item;
    this.caption = caption;
    this.onReveal = onReveal;
    this.onShown = onShown;
    this.isOffline = false;
    /** @type {RegionView} what lies over the picture */
    this.regions = null;
    /** @type {() => RegionView} */
    this.view = null; // makes another one
    this.figure = el("figure", { class: "picture" });
  }

  /** Whether the answers are given that open the picture, and it cannot come for want of a server. */
  isAway() {
    const { item, study } = this;
    return Boolean(item.image) && !item.open && isUnveiled(study, item) && this.isOffline;
  }

  /** Show what there is to show now. */
  show() {
    const { item, figure, study } = this;
    if (!item.image) {
      return this.say(
        "The picture of this item is missing.",
        "Rate what you can; where a question needs the picture, answer 0.",
      );
    }
    const [width, height] = item.image_size;
    figure.style.setProperty("--ratio", `${width} / ${height}`);
    if (!isUnveiled(study, item) && !item.open) {
      return this.say(this.veilText(), "It is judged by the text and the score alone.");
    }
    if (!item.open) return this.sayAway();
    loadPicture(item).then(() => this.isShown() && this.reveal());
    item.picture.onerror = () => this.sayBroken();
    if (item.picture.complete && !item.picture.naturalWidth) item.picture.src = at(item.image); // it failed while fetched ahead
    const isStrip = Math.max(width / height, height / width) > EXTREME;
    figure.replaceChildren(
      el("button", {
        type: "button",
        class: isStrip ? "zoom strip" : "zoom",
        title: "Enlarge (z)",
        "aria-label": "Enlarge the picture",
        click: () => this.zoom(),
      }, item.picture),
      ...(isStrip ? [el("p", { class: "quiet" }, "A long strip: enlarge it to see it well.")] : []),
    );
    this.onShown(figure);
    if (item.regions) this.showRegions();
  }

  isShown() {
    return this.figure.isConnected && this.figure.contains(this.item.picture) && this.item.picture.naturalWidth > 0;
  }

  /** Tell once that the veil is off. */
  reveal() {
    if (!this.study.veil || this.item.revealed) return;
    this.item.revealed = true;
    this.onReveal();
  }

  /** Whether regions lie over the picture now. */
  showsRegions() {
    return Boolean(this.regions?.element.isConnected);
  }

  /** Say something in the picture's place.
   * @param {...import("../shared/types.d.ts").Child} lines */
  say(...lines) {
    this.figure.replaceChildren(el("div", { class: "notice" }, lines.map((line) => el("p", {}, line))));
  }

  sayBroken() {
    const again = el("button", { type: "button", class: "small", click: () => this.tryAgain() }, "Try again");
    this.say("The picture cannot be loaded just now.", "Your answers are kept.", again);
  }

  tryAgain() {
    this.item.picture.src = at(this.item.image);
    this.show();
  }

  /** Say why a picture that is opened by answers does not come yet. */
  sayAway() {
    if (this.isOffline) {
      this.say(
        "The picture comes once the server has your answer.",
        "It cannot be reached just now. Enter goes on to the next item; this one stays open and you are led back to it.",
      );
    } else this.say("The picture is on its way …");
  }

  /** @param {boolean} isOffline */
  tellConnection(isOffline) {
    if (this.isOffline === isOffline) return;
    this.isOffline = isOffline;
    if (!this.item.open) this.show();
  }

  veilText() {
    const { criteria, form } = this.study;
    const first = criteria.filter((criterion) => criterion.without_image).map(({ name }) => name).join(", ");
    const count = this.item.panels.length;
    const each = form === "side_by_side" ? ` for ${count === 2 ? "both" : `all ${count}`} evaluators` : "";
    return `The picture is shown once you have answered ${first}${each}.`;
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
    this.reveal();
  }

  /** Ask for the regions: the server gives them once it knows that the veil is off. */
  async fetchRegions() {
    const { item, study } = this;
    if (!study.overlay || item.regions || item.asked || !item.image || !item.open) return;
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
    if (!this.item.image || !this.item.open) return;
    if (this.regions) openRegionZoom(this.view());
    else openZoom(/** @type {Required<Item>} */ (this.item));
  }
}
