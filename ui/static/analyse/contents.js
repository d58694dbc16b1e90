// The contents of the page: a link to each section that is there. A section without data is named in grey.

import { el } from "../shared/dom.js";

const TOP = "-10% 0px -70% 0px"; // band of the window; a section in this band counts as being read

/** Make a table of contents for a page. The table is updated when sections appear, disappear or fold.
 * @param {HTMLElement} page */
export function contents(page) {
  const list = el("ul", {});
  /** @type {Map<Element, HTMLElement>} maps each section to its link in the table of contents */
  let links = new Map();
  const reading = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) links.get(target)?.classList.toggle("read", isIntersecting);
  }, { rootMargin: TOP });
  const fill = () => {
    const sections = [...page.querySelectorAll("section[aria-labelledby]")].filter(isShown);
    for (const [section, link] of links) link.classList.toggle("without", section.classList.contains("folded"));
    if (sections.length === links.size && sections.every((one) => links.has(one))) return;
    reading.disconnect();
    links = new Map(sections.map((section) => [section, links.get(section) ?? linkTo(section, page)]));
    list.replaceChildren(...[...links.values()].map((link) => el("li", {}, link)));
    for (const section of sections) reading.observe(section);
  };
  const changes = new MutationObserver(fill);
  changes.observe(page, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "class"] });
  fill();
  return el("nav", { class: "contents", "aria-label": "Sections" }, list);
}

/** Return whether the table of contents lists a section. It omits sections that are inside another section, for example
 * those of an open sample.
 * @param {Element} section */
function isShown(section) {
  const isInner = section.parentElement?.closest("section") !== null;
  return !isInner && !section.closest("[hidden]") && headOf(section) !== null;
}

/** @param {Element} section */
function headOf(section) {
  return section.querySelector(`#${section.getAttribute("aria-labelledby")}`);
}

const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"]; // events that stop the automatic scrolling

/** Make a link that scrolls to a section. The link does not change the address, which stores the page's state.
 * @param {Element} section @param {HTMLElement} page */
function linkTo(section, page) {
  const id = section.getAttribute("aria-labelledby"), head = headOf(section);
  return el("a", {
    href: `#${id}`,
    class: section.classList.contains("folded") ? "without" : "",
    click: (/** @type {Event} */ event) => {
      event.preventDefault();
      const there = headOf(section);
      there?.setAttribute("tabindex", "-1");
      goTo(section, page);
      /** @type {HTMLElement | null} */ (there)?.focus({ preventScroll: true });
    },
  }, head?.textContent ?? "");
}

/** Scroll to a section, and keep it in sight while the sections above it still grow.
 * @param {Element} section @param {HTMLElement} page */
function goTo(section, page) {
  const stay = new ResizeObserver(() => section.scrollIntoView({ block: "start" }));
  stay.observe(page); // observe() also calls the observer immediately, which scrolls to the section
  for (const move of MOVES) addEventListener(move, () => stay.disconnect(), { once: true, passive: true });
}
