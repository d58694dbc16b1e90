// Which coded examples a figure shows, and in which order.

import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";

/** @import { CodedExample } from "../shared/wire.d.ts" */
/** @typedef {{example: CodedExample, wrong: boolean[]}} Shown an example of the figure
 * wrong: for each word of the example's explanation, whether it is wrong */

export class ExampleOrder {
  /** @param {() => void} onChange is called after a user moved or removed an example */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Shown[]} */
    this.shown = [];
    this.list = el("ol", {});
    this.element = el(
      "details",
      { class: "example-order" },
      el("summary", {}, "Change the order, or remove examples"),
      this.list,
    );
  }

  /** Replace the listed examples. @param {Shown[]} shown the new examples */
  fill(shown) {
    this.shown = [...shown];
    this.draw();
  }

  draw() {
    this.list.replaceChildren(...this.shown.map((one, place) => this.row(one, place)));
    this.element.hidden = this.shown.length < 2;
  }

  /** @param {Shown} one @param {number} place */
  row({ example: { code, caption } }, place) {
    const move = (/** @type {string} */ words, /** @type {number} */ to) =>
      button(words, () => this.change(place, to, words), "small", {
        "aria-label": `${words}: ${code}, ${caption}`,
        disabled: to < 0 || to >= this.shown.length,
      });
    const leaveOut = button("Remove", () => this.change(place, null, "Remove"), "small", {
      "aria-label": `Remove: ${code}, ${caption}`,
      disabled: this.shown.length < 2,
    });
    return el("li", {}, move("Up", place - 1), move("Down", place + 1), leaveOut, ` ${code}: “${caption}”`);
  }

  /** Move or remove an example. The keyboard focus stays on the pressed button.
   * @param {number} from the example's index @param {number | null} to its new index; null removes the example
   * @param {string} words label of the pressed button */
  change(from, to, words) {
    const [one] = this.shown.splice(from, 1);
    if (to !== null) this.shown.splice(to, 0, one);
    this.draw();
    const row = this.list.children[Math.min(to ?? from, this.shown.length - 1)];
    const buttons = [...row.querySelectorAll("button")].filter((one) => !one.disabled);
    (buttons.find((one) => one.textContent === words) ?? buttons[0])?.focus();
    this.onChange();
  }
}
