// Enlarge a picture in a dialog. Drag or scroll to move. Regions stay visible.

import { dialog, el, say } from "../shared/dom.js";
import { button } from "../shared/elements.js";

/** @import { RegionPicture } from "../regions/picture.js" */

/** @param {{element?: HTMLElement, picture: RegionPicture}} view a new view of the picture; element: with its caption */
export function openZoom({ picture, element = picture.stage }) {
  const level = el("output", { class: "quiet" }, "100 %");
  picture.onZoom = (text) => say(level, text);
  const by = (/** @type {string} */ sign, /** @type {number} */ change, /** @type {string} */ name) =>
    button(sign, () => picture.zoomBy(change), "small", { "aria-label": name });
  const tools = el("p", { class: "actions" }, by("−", -1, "Smaller"), level, by("+", 1, "Larger"));
  const box = dialog("Enlarged picture", tools, element);
  box.classList.add("zoom-box");
  box.addEventListener("keydown", (event) => {
    event.stopPropagation(); // so the page's own keys do nothing while this dialog is open
    if (["+", "="].includes(event.key)) picture.zoomBy(1);
    if (event.key === "-") picture.zoomBy(-1);
    if (event.key === "z") box.close();
  });
}
