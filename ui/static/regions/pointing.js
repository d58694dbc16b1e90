// Pointing at regions and phrases. While the user points at one, it is highlighted instead of the one that was pinned
// by a click.

import { whenMoved } from "../shared/pointer.js";

const PARTS = "[data-region], [data-phrase], [data-phrases]";

/** The part of an explanation that is pointed at or pinned: {region} or {phrase}, or null. */
/** @typedef {{region?: number, phrase?: number}} Target a region or a phrase */

export class Pointing {
  /** @param {{light: () => void, tell: () => void}} does light highlights the target; tell reports a changed pin */
  constructor({ light, tell }) {
    this.light = light;
    this.tell = tell;
    /** @type {Target | null} */
    this.pointed = null;
    /** @type {Target | null} */
    this.pinned = null;
    this.isPressed = false; // whether the user pressed the pointer on the region that has the focus
  }

  get at() {
    return this.pointed ?? this.pinned;
  }

  /** Start again: nothing is pointed at, and one target or none is pinned (permanently highlighted).
   * @param {Target | null} [pinned] */
  begin(pinned = null) {
    this.pointed = null;
    this.pinned = pinned;
  }

  /** React to pointer and focus in a part of the page whose elements have data-region, data-phrase or data-phrases.
   * @param {Element} part */
  listenTo(part) {
    part.addEventListener("pointerover", (/** @type {any} */ event) => {
      if (event.pointerType !== "touch") whenMoved(event, () => this.point(meant(event)));
    });
    part.addEventListener(
      "pointerleave",
      (/** @type {any} */ event) => whenMoved(event, () => this.point(null)),
    );
    part.addEventListener("pointerdown", () => this.isPressed = true);
    part.addEventListener("focusout", () => this.isPressed = false);
    part.addEventListener("focusin", (event) => this.point(meant(event)));
    part.addEventListener("focusout", () => this.point(null));
    part.addEventListener("click", (event) => this.pin(meant(event)));
    part.addEventListener("keydown", (/** @type {any} */ event) => {
      if (event.target instanceof SVGElement && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        this.pin(meant(event));
      }
    });
  }

  /** When Escape is pressed inside an element, end all pointing and pinning.
   * @param {HTMLElement} element */
  releaseIn(element) {
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.at) return;
      event.stopPropagation();
      this.pointed = null;
      this.pin(null);
      // After the Escape key, browsers show a focus ring on the region. Somebody who uses a pointer did not set this
      // focus, so remove it.
      if (this.isPressed && event.target instanceof SVGElement) event.target.blur();
    });
  }

  /** @param {Target | null} what */
  point(what) {
    this.pointed = what;
    this.light();
  }

  /** Keep a target highlighted. If it is already pinned, release it.
   * @param {Target | null} what */
  pin(what) {
    const same = what && this.pinned && what.region === this.pinned.region && what.phrase === this.pinned.phrase;
    this.pinned = same ? null : what;
    if (same) this.pointed = null;
    this.light();
    this.tell();
  }
}

/** @param {Event} event @returns {Target | null} */
function meant(event) {
  const node = event.target instanceof Element ? event.target.closest(PARTS) : null;
  if (!(node instanceof HTMLElement || node instanceof SVGElement)) return null;
  const { region, phrase, phrases } = node.dataset;
  return region !== undefined
    ? { region: Number(region) }
    : { phrase: Number(phrase ?? String(phrases).split(" ")[0]) };
}
