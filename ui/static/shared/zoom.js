// Enlarge a picture: fitted to the window, at its own size, or larger. Drag or scroll to move. Regions stay visible.

import { el } from "./dom.js";
import { button } from "./elements.js";

/** @typedef {{onZoom: (level: string) => void, zoomBy: (change: number) => void}} Zoomable */

const STEPS = [1, 1.5, 2, 3, 4, 6];

/** Enlarge a picture without regions. At first the whole picture is shown, and users then zoom in by steps.
 * @param {{image: string, picture: HTMLImageElement}} item */
export function openZoom(item) {
  const { naturalWidth: width, naturalHeight: height } = item.picture;
  let step = 0;
  const image = el("img", { src: item.image, alt: item.picture.alt });
  const stage = el(
    "div",
    { class: "zoom-stage", tabindex: "0", role: "region", "aria-label": "Enlarged picture" },
    image,
  );
  const by = (/** @type {number} */ change) => {
    step = Math.min(STEPS.length - 1, Math.max(0, step + change));
    const fit = Math.min(stage.clientWidth / width, stage.clientHeight / height) || 1;
    image.style.width = `${Math.floor(STEPS[step] * fit * width)}px`;
    return step === 0 ? "whole picture" : `${Math.round(STEPS[step] * 100)} %`;
  };
  const tell = openBox(stage, by);
  image.addEventListener("click", () => tell(by(step === 0 ? 2 : -step)));
}

/** Enlarge a picture with its regions, in a new RegionView.
 * @param {{element: HTMLElement, picture: Zoomable}} view */
export function openRegionZoom(view) {
  let level = "100 %", tell = (/** @type {string} */ _text) => {};
  view.picture.onZoom = (text) => tell(level = text);
  tell = openBox(
    el(
      "div",
      { class: "zoom-stage", tabindex: "0", role: "region", "aria-label": "Enlarged picture" },
      view.element,
    ),
    (change) => {
      view.picture.zoomBy(change);
      return level;
    },
  );
}

/** Show an enlarged picture in a dialog.
 * @param {HTMLElement} stage element of the picture
 * @param {(change: number) => string} by function that zooms by a number of steps and returns the level in words
 * @returns {(text: string) => void} function that shows a level */
function openBox(stage, by) {
  const level = el("output", { class: "quiet" });
  const tell = (/** @type {string} */ text) => (level.textContent = text);
  const box = el(
    "dialog",
    { class: "capscope zoom-box", "aria-label": "Enlarged picture" },
    el(
      "p",
      { class: "zoom-tools" },
      button("−", () => tell(by(-1)), "", { "aria-label": "Smaller" }),
      level,
      button("+", () => tell(by(1)), "", { "aria-label": "Larger" }),
      button("Close", () => box.close()),
    ),
    stage,
  );
  box.addEventListener("keydown", (event) => {
    /** @type {Record<string, number>} */
    const steps = { "+": 1, "=": 1, "-": -1 };
    const change = steps[event.key];
    event.stopPropagation(); // so the page's own keys do nothing while this dialog is open
    if (change) tell(by(change));
    if (event.key === "z") box.close();
  });
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  stage.focus();
  tell(by(0));
  return tell;
}
