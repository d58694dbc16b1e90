// Building the page. Text only ever becomes text: nothing here parses HTML.

import { at } from "./address.js";

/** @import { Rationale } from "./wire.d.ts" */
/** @import { Absent, Attributes, Child, Made, Present } from "./types.d.ts" */

const ADDRESSES = new Set(["href", "src"]);
const SVG_TAGS = new Set([
  "svg",
  "path",
  "rect",
  "line",
  "circle",
  "g",
  "text",
  "defs",
  "pattern",
  "title",
  "desc",
  "metadata",
  "image",
]);

/** Make an element. Attributes that are functions are event listeners; false and null leave an attribute out.
 * @template {string} Tag @param {Tag} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {Made<Tag>} */
export function el(tag, attributes = {}, ...children) {
  const node = SVG_TAGS.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (name === "style") node.style.cssText = value; // the attribute is what a strict content policy forbids
    else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, ADDRESSES.has(name) ? at(value) : value);
    }
  }
  append(node, children);
  return /** @type {Made<Tag>} */ (node);
}

/** @param {Element} node @param {Child[]} children */
function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child !== null && child !== undefined && child !== false) {
      node.append(typeof child === "number" ? String(child) : child);
    }
  }
}

/** The things that are there: without false, null, undefined and "". @type {Present} */
export const present = (...things) => /** @type {never[]} */ (things.filter(isThere));

/** @param {unknown} thing */
function isThere(thing) {
  return thing !== false && thing !== null && thing !== undefined && thing !== "";
}

/** Put these nodes, and no others, into a parent in this order; those in place stay untouched, so that focus stays too.
 * @param {Node} parent @param {ChildNode[]} nodes */
export function arrange(parent, nodes) {
  for (const node of [...parent.childNodes]) if (!nodes.includes(node)) node.remove();
  nodes.forEach((node, at) => {
    if (parent.childNodes[at] !== node) parent.insertBefore(node, parent.childNodes[at] ?? null);
  });
}

/** Copy a text for a button, which then says that it is done, or what to do instead.
 * @param {Element} button @param {string} text @param {string} done @param {string} instead */
export async function copyFor(button, text, done, instead) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = done;
  } catch {
    button.textContent = instead;
  }
}

/** Show an announcement in a live region without repeating it.
 * @param {Element} region @param {string} text */
export function say(region, text) {
  if (region.textContent !== text) region.textContent = text;
}

/** Split protocol text at ** into plain and strong parts.
 * @param {string} text */
export function emphasised(text) {
  return text.split("**").map((part, index) => (index % 2 ? el("strong", {}, part) : part));
}

/** A score as the pages show it: three decimals, the exact value on demand.
 * @param {number} value */
export function rounded(value) {
  return value.toFixed(3);
}

/** @type {Record<string, string>} */
const ASPECTS = { overall: "", fluency: "Fluency", relevance: "Relevance", descriptiveness: "Descriptiveness" };

/** What an aspect of an explanation is called; nothing where there is only one. @param {string} aspect */
export function aspectName(aspect) {
  return ASPECTS[aspect] ?? aspect;
}

/** An explanation: a paragraph, or one paragraph an aspect under its name.
 * @param {Rationale[]} rationales */
export function explanation(rationales) {
  return el(
    "div",
    { class: "explanation" },
    rationales.map(({ aspect, text }) => {
      const name = aspectName(aspect);
      return el("p", { dir: "auto" }, name && el("strong", { class: "aspect", dir: "ltr" }, name), name && " ", text);
    }),
  );
}

/** A score with its place in its range; exact: with a button for all its decimals.
 * @param {number} value @param {[number, number]} range @param {{exact?: boolean}} [options] */
export function gauge(value, [low, high], { exact: isExact = true } = {}) {
  const share = (100 * (value - low)) / (high - low);
  const exact = el("output", { class: "exact", hidden: true }, String(value));
  const toggle = el(
    "button",
    {
      type: "button",
      class: "quiet-button",
      "aria-expanded": "false",
      title: `exact value: ${value}`,
      click: () => {
        exact.hidden = !exact.hidden;
        toggle.setAttribute("aria-expanded", String(!exact.hidden));
      },
    },
    "exact",
  );
  return el(
    "div",
    { class: "gauge" },
    el("span", { class: "gauge-name" }, "Score"),
    el("strong", { class: "gauge-value", title: isExact ? String(value) : null }, rounded(value)),
    el(
      "svg",
      { viewBox: "0 0 100 6", preserveAspectRatio: "none", class: "gauge-bar", "aria-hidden": "true" },
      el("rect", { x: 0, y: 1, width: 100, height: 4, class: "gauge-track" }),
      el("rect", { x: 0, y: 1, width: share, height: 4, class: "gauge-fill" }),
    ),
    el(
      "span",
      { class: "quiet" },
      String(low),
      el("span", { class: "gauge-words" }, " no match"),
      " … ",
      String(high),
      el("span", { class: "gauge-words" }, " perfect"),
    ),
    isExact && [toggle, exact],
  );
}

/** A dialog that closes by its button and by Escape, and gives the focus back. The button comes first, so that a dialog
 * opens at its top and Enter does no harm.
 * @param {string} title @param {...Child} content */
export function dialog(title, ...content) {
  const close = el("button", { type: "button", class: "small box-close", click: () => box.close() }, "Close");
  const head = el("header", { class: "box-head" }, el("h2", {}, title), close);
  const box = el("dialog", { class: "box", "aria-label": title }, head, content);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && box.close());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Words for those who listen to a page, where others see what is meant. @param {string} words */
export function unseen(words) {
  return el("span", { class: "visually-hidden" }, words);
}

/** A table of figures; cells are texts, numbers or elements.
 * @param {Child[]} heads @param {Child[][]} rows @param {string} [name] */
export function table(heads, rows, name = "Table") {
  return el(
    "div",
    { class: "table-box", tabindex: "0", role: "region", "aria-label": name },
    el(
      "table",
      { class: "figures" },
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
      el(
        "tbody",
        {},
        rows.map((cells) =>
          el("tr", {}, cells.map((cell) => el("td", {}, cell instanceof Node ? cell : String(cell))))
        ),
      ),
    ),
  );
}

/** A control with its label. @param {string} label @param {HTMLElement} control @param {...Child} more behind the control */
export function field(label, control, ...more) {
  return el("p", { class: "field" }, el("label", { for: control.id }, label), control, ...more);
}

/** A colour of the style sheet, as it is now. @param {string} name of its custom property
 * @param {Element} [on] the page, or what is drawn on paper of its own */
export function colour(name, on = document.body) {
  return getComputedStyle(on).getPropertyValue(name).trim();
}

/** A colour of the style sheet in a figure that is saved: as on light pages. @param {string} name of its custom property */
export function paperColour(name) {
  const paper = el("div", { class: "on-paper", hidden: true });
  document.body.append(paper);
  const value = colour(name, paper);
  paper.remove();
  return value;
}

/** The elements of a part of the page that match. @param {ParentNode} part @param {string} selector */
export function all(part, selector) {
  return /** @type {HTMLElement[]} */ ([...part.querySelectorAll(selector)]);
}
