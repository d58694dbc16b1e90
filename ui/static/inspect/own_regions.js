// Lets users draw regions on a picture and name them, so that metrics can use these names.

import { post, remove, wordsOf } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { alertText, button, quiet } from "../shared/elements.js";
import { Drawing } from "../regions/drawing.js";
import { regionNames } from "../regions/support.js";

/** @import { SampleJson } from "../shared/wire.d.ts" */
/** @import { RegionPicture } from "../regions/picture.js" */
/** @import { Point } from "../regions/pen.js" */

export class OwnRegions {
  /** @param {SampleJson} sample @param {() => RegionPicture | null} picture returns the picture that is shown
   * @param {(goesOn: boolean) => Promise<void>} onChange is called after regions changed; goesOn: draw the next box
   * @param {() => readonly string[]} named returns the names of the things that the caption mentions */
  constructor(sample, picture, onChange, named) {
    this.sample = sample;
    this.named = named;
    this.picture = picture;
    this.onChange = onChange;
    /** @type {Drawing | null} */
    this.drawing = null;
    this.problem = alertText();
    this.work = el("div", {});
    this.element = el(
      "section",
      { class: "own-regions makes", "aria-label": "Regions drawn by hand" },
      quiet(
        sample.outlines.length
          ? "Draw and name more parts of the picture:"
          : "Draw a box around each thing in the picture, and name the thing. " +
            "HICE-S then looks for each phrase of the caption among these names.",
      ),
      el(
        "p",
        { class: "trials" },
        button("Draw boxes", () => this.draw(), "small"),
        this.drawn(),
      ),
      this.work,
      this.problem,
    );
  }

  /** Return a label for each drawn region, with a button that removes the region. */
  drawn() {
    return regionNames(this.sample.outlines).map((name, nth) =>
      el(
        "span",
        { class: "chip" },
        name,
        " ",
        button("×", () => this.change(remove(`/api/samples/${this.sample.id}/regions/${nth}`)), "quiet-button", {
          "aria-label": `Remove ${name}`,
        }),
      )
    );
  }

  draw() {
    this.end();
    const picture = this.picture();
    if (!picture) return;
    say(this.problem, "");
    this.drawing = new Drawing(picture, {
      done: (outline) => this.ask(outline),
      cancelled: () => this.end(),
    });
    this.work.replaceChildren(this.drawing.help);
    picture.stage.scrollIntoView({ block: "nearest" });
  }

  /** Start the user's drawing again, after the page has replaced the picture. */
  follow() {
    if (this.drawing?.help.isConnected) this.draw();
  }

  /** Names of things that the caption mentions but that have no region yet. */
  get suggested() {
    const drawn = new Set(this.sample.outlines.map(({ label }) => label?.toLowerCase()));
    return [...new Set(this.named().map((name) => name.toLowerCase()))].filter((name) => !drawn.has(name));
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
    const add = (/** @type {string} */ name) => {
      const sent = /** @type {any} */ ({ label: name, outline });
      return this.change(post(`/api/samples/${this.sample.id}/regions`, sent), true);
    };
    const form = el(
      "form",
      {
        class: "region-form",
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          add(label.value);
        },
      },
      el("label", { for: label.id }, "What does the region show?"),
      label,
      el("button", { type: "submit", class: "small primary" }, "Add it"),
      button("Discard", () => this.draw(), "small"),
      el("span", { class: "suggested" }, this.suggested.map((name) => button(name, () => add(name), "small"))),
    );
    form.addEventListener("keydown", (event) => event.key === "Escape" && this.end());
    this.work.replaceChildren(form);
    label.focus();
  }

  /** Wait for a request that changes regions, then show the change or the problem.
   * @param {Promise<unknown>} request @param {boolean} [goesOn] whether to draw the next box */
  async change(request, goesOn = false) {
    try {
      await request;
    } catch (error) {
      return say(this.problem, wordsOf(error));
    }
    this.end();
    await this.onChange(goesOn);
  }

  end() {
    this.drawing?.leave();
    this.drawing = null;
    this.work.replaceChildren();
  }
}
