// Build the page. Text stays text: nothing here parses HTML.

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
  "tspan",
  "defs",
  "clipPath",
  "pattern",
  "title",
  "desc",
  "metadata",
  "image",
]);

/** Make an element. Attributes that are functions become event listeners. Attributes with false or null are not set.
 * @template {string} Tag @param {Tag} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {Made<Tag>} */
export function el(tag, attributes = {}, ...children) {
  const node = SVG_TAGS.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (name === "style") node.style.cssText = value; // a strict content security policy forbids the attribute
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

/** Return the given values without false, null, undefined and "". @type {Present} */
export const present = (...things) => /** @type {never[]} */ (things.filter((thing) => thing || thing === 0)); // numbers are content

/** Make the given nodes, in this order, the only children of a parent.
 * Nodes that are already in place are not moved, so that they keep the focus.
 * @param {Node} parent @param {ChildNode[]} nodes */
export function arrange(parent, nodes) {
  for (const node of [...parent.childNodes]) if (!nodes.includes(node)) node.remove();
  nodes.forEach((node, at) => {
    if (parent.childNodes[at] !== node) parent.insertBefore(node, parent.childNodes[at] ?? null);
  });
}

/** Copy a text to the clipboard. The button then shows that the text was copied, or what to do instead.
 * @param {Element} button @param {string} text @param {string} done @param {string} instead */
export async function copyFor(button, text, done, instead) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = done;
  } catch {
    button.textContent = instead;
  }
}

/** Show an announcement in a live region, which screen readers read aloud. Do not repeat the same announcement.
 * @param {Element} region @param {string} text */
export function say(region, text) {
  if (region.textContent !== text) region.textContent = text;
}

/** Split a text of a study protocol at ** into plain and strong parts.
 * @param {string} text */
export function emphasised(text) {
  return text.split("**").map((part, index) => (index % 2 ? el("strong", {}, part) : part));
}

/** @type {Record<string, string>} */
const ASPECTS = {
  overall: "",
  fluency: "Fluency",
  relevance: "Relevance",
  descriptiveness: "Descriptiveness",
};

/** Build an explanation: one paragraph, or a named paragraph per aspect.
 * @param {Rationale[]} rationales */
export function explanation(rationales) {
  return el(
    "div",
    { class: "explanation" },
    rationales.map(({ aspect, text }) => {
      const name = ASPECTS[aspect] ?? aspect;
      return el("p", { dir: "auto" }, name && [el("strong", { class: "aspect" }, name), " "], text);
    }),
  );
}

/** Open a dialog that closes by its button or by Escape, and then returns the focus to where it was.
 * The button is the dialog's first element, so it gets the focus. Thus the dialog opens at its top, and Enter only
 * closes it.
 * @param {string} title @param {...Child} content */
export function dialog(title, ...content) {
  const close = el("button", { type: "button", class: "small box-close", click: () => box.close() }, "Close");
  const head = el("header", { class: "box-head" }, el("h2", {}, title), close);
  const box = el("dialog", { class: "capscope box", "aria-label": title }, head, content);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && box.close());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Build a form field: a control with its label.
 * @param {string} label @param {HTMLElement} control @param {...Child} more content after the control */
export function field(label, control, ...more) {
  return el("p", { class: "field" }, el("label", { for: control.id }, label), control, ...more);
}

/** Read a colour of the style sheet in the current theme. @param {string} name name of the CSS custom property
 * @param {Element} [on] the page, or an element that has its own theme */
export function colour(name, on = document.body) {
  return getComputedStyle(on).getPropertyValue(name).trim();
}

/** Read a colour of the light theme, for a figure that is saved.
 * @param {string} name name of the CSS custom property */
export function paperColour(name) {
  const paper = el("div", { class: "on-paper", hidden: true });
  document.body.append(paper);
  const value = colour(name, paper);
  paper.remove();
  return value;
}

/** Return the elements in a part of the page that match a selector.
 * @param {ParentNode} part @param {string} selector */
export function all(part, selector) {
  return /** @type {HTMLElement[]} */ ([...part.querySelectorAll(selector)]);
}
