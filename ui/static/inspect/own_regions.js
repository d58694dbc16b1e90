// Drawing parts of a picture of one's own and naming them, so that metrics can judge by the names.

import { post, remove, wordsOf } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { alertText, button, quiet } from "../shared/elements.js";
import { Drawing } from "../regions/drawing.js";
import { regionNames } from "../regions/support.js";

/** @import { SampleJson } from "../shared/wire.d.ts" */
/** @import { RegionPicture } from "../regions/picture.js" */
/** @import { Point, Tool } from "../regions/pen.js" */

export class OwnRegions {
  /** @param {SampleJson} sample @param {() => RegionPicture | null} picture the one on show
   * @param {() => Promise<void>} onChange is called when the picture has other regions */
  constructor(sample, picture, onChange) {
    this.sample = sample;
    this.picture = picture;
    this.onChange = onChange;
    /** @type {Drawing | null} */
    this.drawing = null;
    this.problem = alertText();
    this.work = el("div", {});
    const draw = (/** @type {Tool} */ tool, /** @type {string} */ words) =>
      button(words, () => this.draw(tool), "small");
    this.element = el(
      "section",
      { class: "own-regions makes", "aria-label": "Regions drawn by hand" },
      quiet(
        sample.outlines.length
          ? "Draw and name more parts of the picture:"
          : "Draw what is in the picture and name it: then HICE-S looks for each phrase among the names.",
      ),
      el("p", { class: "trials" }, draw("box", "Draw a box"), draw("outline", "Draw an outline"), this.drawn()),
      this.work,
      this.problem,
    );
  }

  /** What is drawn already, each with a button that takes it away. */
  drawn() {
    return regionNames(this.sample.outlines).map((name, nth) =>
      el(
        "span",
        { class: "chip" },
        name,
        " ",
        button("×", () => this.change(remove(`/api/samples/${this.sample.id}/regions/${nth}`)), "quiet-button", {
          "aria-label": `Take away ${name}`,
        }),
      )
    );
  }

  /** @param {Tool} tool */
  draw(tool) {
    this.end();
    const picture = this.picture();
    if (!picture) return;
    say(this.problem, "");
    this.drawing = new Drawing(picture, tool, {
      done: (outline) => this.ask(outline),
      cancelled: () => this.end(),
    });
    this.work.replaceChildren(this.drawing.help);
    picture.stage.scrollIntoView({ block: "nearest" });
  }

  /** @param {Point[]} outline */
  ask(outline) {
    const label = el("input", {
      id: "region-label",
      maxlength: 60,
      required: true,
      autocomplete: "off",
      placeholder: "dog, red car …",
    });
    const form = el(
      "form",
      {
        class: "region-form",
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const sent = { label: label.value, outline };
          this.change(post(`/api/samples/${this.sample.id}/regions`, /** @type {any} */ (sent)));
        },
      },
      el("label", { for: label.id }, "What is it?"),
      label,
      el("button", { type: "submit", class: "small primary" }, "Add it"),
      button("Discard", () => this.end(), "small"),
    );
    form.addEventListener("keydown", (event) => event.key === "Escape" && this.end());
    this.work.replaceChildren(form);
    label.focus();
  }

  /** @param {Promise<unknown>} request */
  async change(request) {
    try {
      await request;
    } catch (error) {
      return say(this.problem, wordsOf(error));
    }
    this.end();
    await this.onChange();
  }

  end() {
    this.drawing?.leave();
    this.drawing = null;
    this.work.replaceChildren();
  }
}
