// The legend of the outlines on a picture. It explains only the kinds of outlines that the picture shows.

import { el } from "../shared/dom.js";

/** @import { Look } from "./picture.js" */
/** @import { Words } from "./support.js" */

export const NOT_COMPARED = "annotated, not compared";

export class Legend {
  constructor() {
    this.element = el("p", { class: "legend" });
  }

  /** @param {ReadonlySet<Look>} kinds @param {Pick<Words, "regions">} words */
  show(kinds, { regions: [mentioned, unmentioned] }) {
    /** @type {[Look, string][]} */
    const words = [
      ["mentioned", mentioned],
      ["unmentioned", unmentioned],
      ["part", `detail, ${unmentioned}`],
      ["waiting", NOT_COMPARED],
    ];
    const drawn = words.filter(([look]) => kinds.has(look));
    this.element.replaceChildren(
      ...drawn.map(([look, text]) =>
        el("span", { class: look }, el("i", { class: "swatch", "aria-hidden": "true" }), text)
      ),
    );
    this.element.hidden = !drawn.length;
  }
}
