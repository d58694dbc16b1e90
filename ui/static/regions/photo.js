// A photograph. The browser first loads a copy in screen size. It loads the original when the photograph is enlarged or
// saved.

import { el } from "../shared/dom.js";

/** @import { Attributes } from "../shared/types.d.ts" */

/** Make an image element that first shows a smaller copy. sharpen() loads the original and resolves when it is shown.
 * @param {string} image address of the original @param {string | null | undefined} screen address of a smaller copy
 * @param {Attributes} attributes
 * @returns {{element: HTMLImageElement, sharpen: () => Promise<void>}} */
export function photoOf(image, screen, attributes) {
  const element = el("img", { src: screen ?? image, draggable: "false", ...attributes });
  if (!screen) return { element, sharpen: () => Promise.resolve() };
  /** @type {Promise<void> | null} */
  let sharp = null;
  const sharpen = () => sharp ??= replace(element, image);
  const look = () => {
    const { complete, naturalWidth, clientWidth } = element;
    if (!complete || !naturalWidth || clientWidth * devicePixelRatio <= naturalWidth) return;
    watcher.disconnect();
    sharpen();
  };
  const watcher = new ResizeObserver(look); // calls look() when the window's size or the zoom changes
  watcher.observe(element);
  element.addEventListener("load", look);
  return { element, sharpen };
}

/** @param {HTMLImageElement} element @param {string} image */
async function replace(element, image) {
  const original = el("img", { src: image });
  try {
    await original.decode();
    element.src = original.src;
    await element.decode();
  } catch {
    return; // the original did not load, so the smaller copy stays
  }
}
