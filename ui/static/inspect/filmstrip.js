// The samples of the list as small pictures in a row, with buttons to the samples before and after the open sample.

import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { rove } from "../shared/roving_focus.js";

/** @import { SampleJson } from "../shared/wire.d.ts" */

/** Thumbnails wait until the open sample's picture is loaded. */
const THUMBNAIL = { alt: "", width: 64, height: 48, loading: "lazy", fetchpriority: "low" };

export class Filmstrip {
  /** @param {(id: number) => void} choose is called with the id of the chosen sample
   * @param {HTMLElement} opener button that opens the whole list */
  constructor(choose, opener) {
    this.choose = choose;
    /** @type {readonly (number | null)[]} ids of the samples before and after the open sample */
    this.beside = [null, null];
    this.steps = [this.step(0, "◂", "Previous sample", "k"), this.step(1, "▸", "Next sample", "j")];
    this.frames = el("div", { class: "frames", role: "group", "aria-label": "Samples of the list" });
    // The steps are before the thumbnails, so that neither button moves when the thumbnails change.
    const parts = [opener, this.steps, this.frames];
    this.element = el("nav", { class: "filmstrip", "aria-label": "Samples, one after another" }, parts);
    /** @type {readonly SampleJson[]} */
    this.samples = [];
  }

  /** Make the button to the previous or next sample.
   * @param {0 | 1} side @param {string} sign sign on the button @param {string} name label of the button
   * @param {string} key keyboard key */
  step(side, sign, name, key) {
    const go = () => this.beside[side] !== null && this.choose(this.beside[side]);
    return button(sign, go, "small", { "aria-label": name, "aria-keyshortcuts": key, title: `${name} (${key})` });
  }

  /** @param {readonly SampleJson[]} samples a page of the list @param {number | null} open id of the open sample
   * @param {readonly (number | null)[]} beside ids of the samples before and after the open sample
   * @param {number} [first] number of the page's first sample in the whole list */
  show(samples, open, beside, first = 1) {
    this.beside = beside;
    this.steps.forEach((one, side) => one.disabled = beside[side] === null);
    if (samples !== this.samples) {
      this.samples = samples;
      this.frames.replaceChildren(...samples.map((sample, index) => this.frame(sample, first + index)));
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
    const picture = thumbnail ? el("img", { ...THUMBNAIL, src: thumbnail }) : el("span", { class: "no-picture" }, "–");
    const mark = el("span", { class: "frame-number", "aria-hidden": "true" }, number);
    const labels = { "data-id": id, "aria-label": caption, title: caption };
    return button([picture, mark], () => this.choose(id), "frame", labels);
  }
}
