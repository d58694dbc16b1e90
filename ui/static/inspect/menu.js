// A button that opens a menu of rarely used controls. Escape or a click elsewhere closes the menu.

import { el } from "../shared/dom.js";

/** @import { Child } from "../shared/types.d.ts" */

/** @param {string} name @param {...Child} content */
export function menu(name, ...content) {
  const summary = el("summary", { "aria-label": name, title: name }, "⋯");
  const box = el("details", { class: "menu" }, summary, el("div", { class: "menu-panel" }, content));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    event.stopPropagation();
    box.open = false;
    summary.focus();
  });
  const close = (/** @type {Event} */ event) => {
    if (!box.contains(/** @type {Node} */ (event.target))) box.open = false;
  };
  box.addEventListener("toggle", () => {
    if (box.open) document.addEventListener("pointerdown", close);
    else document.removeEventListener("pointerdown", close);
  });
  return box;
}
