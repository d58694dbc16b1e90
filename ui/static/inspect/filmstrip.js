// The samples of the list as small pictures in a row, with buttons to the samples before and after the open sample.

import { at } from "../shared/address.js";
import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { rove } from "../shared/roving_focus.js";

/** @import { SampleJson } from "../shared/wire.d.ts" */

const THUMBNAIL = { alt: "", width: 64, height: 48 };

export class Filmstrip {
  /** @param {(id: number) => void} choose is called with the id of the chosen sample
   * @param {HTMLElement} opener button that opens the whole list */
  constructor(choose, opener) {
    this.choose = choose;
    this.frames = el("div", { class: "frames", role: "group", "aria-label": "Samples of the list" });
    this.before = this.step("◂", "Previous sample", "k");
    this.after = this.step("▸", "Next sample", "j");
    this.element = el(
      "nav",
      { class: "filmstrip", "aria-label": "Samples, one after another" },
      opener,
      this.before.button,
      this.after.button, // before the thumbnails, so that neither button moves when the thumbnails change
      this.frames,
    );
    this.mayLoad = false; // whether thumbnails may load; they wait until the open sample's picture has loaded
    /** @type {readonly SampleJson[]} */
    this.samples = [];
  }

  /** Make the button to the previous or next sample.
   * @param {string} sign sign on the button @param {string} name label of the button
   * @param {string} key keyboard key */
  step(sign, name, key) {
    const way = {
      /** @type {number | null} */
      to: null,
      button: button(sign, () => way.to !== null && this.choose(way.to), "small", {
        "aria-label": name,
        "aria-keyshortcuts": key,
        title: `${name} (${key})`,
      }),
    };
    return way;
  }

  /** @param {readonly SampleJson[]} samples a page of the list @param {number | null} open id of the open sample
   * @param {readonly (number | null)[]} beside ids of the samples before and after the open sample
   * @param {number} [first] number of the page's first sample in the whole list */
  show(samples, open, beside, first = 1) {
    [this.before, this.after].forEach((way, end) => {
      way.to = beside[end];
      way.button.disabled = beside[end] === null;
    });
    if (samples !== this.samples) {
      this.samples = samples;
      this.frames.replaceChildren(...samples.map((sample, index) => this.frame(sample, first + index)));
      if (this.mayLoad) this.load();
    }
    for (const frame of /** @type {Iterable<HTMLElement>} */ (this.frames.children)) {
      const isOpen = Number(frame.dataset.id) === open;
      frame.setAttribute("aria-current", String(isOpen));
      if (isOpen) this.frames.scrollLeft = frame.offsetLeft - (this.frames.clientWidth - frame.offsetWidth) / 2;
    }
    rove(this.frames, ".frame");
  }

  /** @param {SampleJson} sample @param {number} number tells samples with the same picture apart */
  frame({ id, thumbnail, caption }, number) {
    const picture = thumbnail ? el("img", THUMBNAIL) : el("span", { class: "no-picture" }, "–");
    const mark = el("span", { class: "frame-number", "aria-hidden": "true" }, number);
    return button([picture, mark], () => this.choose(id), "frame", {
      "data-id": id,
      "aria-label": caption,
      title: caption,
    });
  }

  /** Load the thumbnails. The page calls this after the large picture is on the screen. */
  load() {
    this.mayLoad = true;
    this.samples.forEach(({ thumbnail }, index) => {
      const image = this.frames.children[index].querySelector("img");
      if (image && thumbnail) image.src = at(thumbnail);
    });
  }
}
