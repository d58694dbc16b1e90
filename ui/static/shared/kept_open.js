// Collapsible parts (details elements) that a person opened stay open when the page draws them again, also for the next
// sample.

import { all } from "./dom.js";

const KEPT = "details:not(.menu)"; // menus are not kept open, because they close by themselves

export class KeptOpen {
  constructor() {
    /** @type {Set<string>} names of the details that a person opened */
    this.names = new Set();
  }

  /** Notice when a person opens or closes details inside an element. @param {HTMLElement} element */
  watch(element) {
    element.addEventListener("toggle", ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.matches(KEPT)) this.note(target);
    }, { capture: true });
  }

  /** Open a details element for a person who has not clicked it. The element does not count as opened by the person.
   * @param {HTMLDetailsElement} details */
  offer(details) {
    details.dataset.offered = "yes";
    details.open = true;
  }

  /** Store which details in parts of the page are open. Call it before these parts are replaced, because the browser
   * may not have reported the latest click yet.
   * @param {Iterable<ParentNode>} parts */
  store(parts) {
    for (const part of parts) for (const details of detailsIn(part)) this.note(details);
  }

  /** In new parts of the page, open the details that a person had opened before. @param {Iterable<ParentNode>} parts */
  restore(parts) {
    for (const part of parts) for (const details of detailsIn(part)) details.open ||= this.names.has(nameOf(details));
  }

  /** @param {HTMLDetailsElement} details */
  note(details) {
    if (!details.open) {
      delete details.dataset.offered;
      this.names.delete(nameOf(details));
    } else if (!details.dataset.offered) this.names.add(nameOf(details));
  }
}

/** @param {ParentNode} part */
function detailsIn(part) {
  const itself = part instanceof HTMLDetailsElement ? [part] : [];
  return /** @type {HTMLDetailsElement[]} */ ([...itself, ...all(part, KEPT)]);
}

/** @param {HTMLDetailsElement} details */
function nameOf(details) {
  return `${details.closest("[data-metric]")?.getAttribute("data-metric")} ${details.className}`;
}
