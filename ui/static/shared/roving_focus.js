// A group of elements with one tab stop; the arrow keys move within the group.

import { all } from "./dom.js";

/** @type {Record<string, number>} */
const MOVES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Let the arrow keys, Home and End move the focus among the visible members of a group.
 * @param {HTMLElement | SVGElement} group @param {string} selector matches the members */
export function rove(group, selector) {
  const members = all(group, selector).filter((member) => member.style.display !== "none");
  const current = members.find((member) => member === document.activeElement) ?? members[0];
  for (const member of all(group, selector)) {
    member.setAttribute("tabindex", member === current ? "0" : "-1");
  }
  if (group.dataset.roves) return;
  group.dataset.roves = "yes";
  group.addEventListener("keydown", (/** @type {any} */ event) => {
    const shown = all(group, selector).filter((member) => member.style.display !== "none");
    const at = shown.indexOf(event.target.closest(selector));
    const to = event.key === "Home" ? 0 : event.key === "End" ? shown.length - 1 : at + (MOVES[event.key] ?? NaN);
    if (at < 0 || Number.isNaN(to)) return;
    event.preventDefault();
    const next = shown[(to + shown.length) % shown.length];
    shown[at].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}
