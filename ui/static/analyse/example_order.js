// Which coded examples a figure shows, and in which order.

import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";

/** @import { CodedExample } from "../shared/wire.d.ts" */
/** @typedef {{example: CodedExample, wrong: boolean[]}} Shown wrong: whether each word of the explanation is wrong */

export class ExampleOrder {
  /** @param {() => void} onChange after examples were moved or left out */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Shown[]} */
    this.shown = [];
    this.list = el("ol", {});
    this.element = el(
      "details",
      { class: "example-order" },
      el("summary", {}, "Change the order, or leave examples out"),
      this.list,
    );
  }

  /** Begin again with these examples. @param {Shown[]} shown */
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
    const leaveOut = button("Leave out", () => this.change(place, null, "Leave out"), "small", {
      "aria-label": `Leave out: ${code}, ${caption}`,
      disabled: this.shown.length < 2,
    });
    return el("li", {}, move("Up", place - 1), move("Down", place + 1), leaveOut, ` ${code}: “${caption}”`);
  }

  /** Move an example, or leave it out; the keyboard stays with it. @param {number} from
   * @param {number | null} to null leaves it out @param {string} words on the button that was pressed */
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
