// Sections that need long computations. Each section is computed only when somebody scrolls to it.

import { latest, wordsOf } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { begin, shown } from "../shared/long_work.js";
import { fold, unfold } from "./folding.js";
import { problem, working } from "../shared/notices.js";

/** @import { Child } from "../shared/types.d.ts" */
/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {<Path extends string>(path: Path) => Promise<Answer<"GET", Path>>} Ask */

const UNSEEN =
  "This section is computed when it is visible on the screen. Scroll to it before you print or save the page.";

/** A section with a heading. It is filled when it comes into view, and again after each change. */
export class Section {
  /** @param {string} id @param {string} title */
  constructor(id, title) {
    this.body = el("div");
    this.head = el("h2", { id }, title);
    this.node = el("section", { class: "analyse-section", "aria-labelledby": id }, this.head, this.body);
    this.turn = latest();
  }

  /** Fill the section when it comes into view. If fill() is called again meanwhile, only the latest content is shown.
   * `make` returns the section's content, or null if `make` has folded the section.
   * `make` gets the function `ask`, which sends a request and shows its progress.
   * @param {string} what name of the work, for the progress message
   * @param {(ask: Ask) => Promise<(Node | string)[] | null>} make */
  fill(what, make) {
    const isLast = this.turn();
    this.waiting?.disconnect();
    unfold(this.node);
    this.node.replaceChildren(this.head, this.body);
    this.body.replaceChildren(quiet(UNSEEN));
    this.waiting = new IntersectionObserver(async ([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      this.waiting.disconnect();
      this.body.replaceChildren(working(what).node);
      /** @type {Ask} */
      const ask = (path) => {
        this.body.replaceChildren();
        return shown(this.body, begin(path), what);
      };
      try {
        const nodes = await make(ask);
        if (nodes && isLast()) this.body.replaceChildren(...nodes);
      } catch (error) {
        if (!isLast()) return;
        if (isPlain(error)) return fold(this.node, this.head, wordsOf(error));
        this.body.replaceChildren(problem(error, () => this.fill(what, make)));
      }
    }, { rootMargin: "200px" });
    this.waiting.observe(this.node);
  }

  /** Fold the section and cancel a pending fill().
   * @param {Child} words text that says what is missing
   * @param {...Child} ways links and buttons to add the missing data */
  fold(words, ...ways) {
    this.turn();
    this.waiting?.disconnect();
    fold(this.node, this.head, words, ...ways);
  }
}

/** Return whether the server refused a request because there is nothing to show. @param {any} error */
function isPlain(error) {
  return error?.kind === "bad_request";
}

/** Make a thumbnail, or a box "no picture" if there is no address. @param {string | null} address */
export function thumbnail(address) {
  return address
    ? el("img", { class: "thumb", src: address, alt: "", loading: "lazy", decoding: "async" })
    : el("span", { class: "thumb none" }, "no picture");
}

/** Make buttons to the previous and next page.
 * @param {{page: number, last: number, name: string, go: (page: number) => void}} of */
export function pager({ page, last, name, go }) {
  const step = (/** @type {number} */ to, /** @type {string} */ words) =>
    button(words, () => go(to), "", { disabled: to < 1 || to > last });
  return el(
    "nav",
    { class: "pager", "aria-label": name },
    step(page - 1, "Previous page"),
    el("span", {}, `${page.toLocaleString()} of ${last.toLocaleString()}`),
    step(page + 1, "Next page"),
  );
}
