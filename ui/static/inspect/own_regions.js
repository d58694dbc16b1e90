// Lets users draw regions on a picture and name them, so that metrics can use these names.

import { post, remove, wordsOf } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { alertText, button, quiet, submitButton } from "../shared/elements.js";
import { Drawing } from "../regions/drawing.js";

/** @import { SampleJson } from "../shared/wire.d.ts" */
/** @import { RegionPicture } from "../regions/picture.js" */
/** @import { Point } from "../regions/drawing.js" */

const FIRST = "Draw a box around each thing in the picture, and name the thing. HICE-S then looks for each phrase of " +
  "the caption among these names.";

export class OwnRegions {
  /** @param {SampleJson} sample @param {() => RegionPicture | null} picture returns the picture that is shown
   * @param {() => string} caption returns the caption in the field
   * @param {(goesOn: boolean) => Promise<void>} onChange is called after regions changed; goesOn: draw the next box */
  constructor(sample, picture, caption, onChange) {
    this.sample = sample;
    this.caption = caption;
    this.picture = picture;
    this.onChange = onChange;
    this.address = /** @type {const} */ (`/api/samples/${sample.id}/regions`);
    /** @type {Drawing | null} */
    this.drawing = null;
    this.problem = alertText();
    this.work = el("div", {});
    this.element = el(
      "section",
      { class: "own-regions makes", "aria-label": "Regions drawn by hand" },
      quiet(sample.outlines.length ? "Draw and name more parts of the picture:" : FIRST),
      el("p", { class: "trials" }, button("Draw boxes", () => this.draw(), "small"), this.labels()),
      this.work,
      this.problem,
    );
  }

  /** Return a label for each drawn region, with a button that removes the region. */
  labels() {
    return this.sample.outlines.map(({ name }, nth) => {
      const erase = () => this.change(remove(`${this.address}/${nth}`));
      return el(
        "span",
        { class: "chip" },
        name,
        " ",
        button("×", erase, "quiet-button", { "aria-label": `Remove ${name}` }),
      );
    });
  }

  draw() {
    this.end();
    const picture = this.picture();
    if (!picture) return;
    say(this.problem, "");
    this.drawing = new Drawing(picture, { done: (outline) => this.ask(outline), cancelled: () => this.end() });
    this.work.replaceChildren(this.drawing.help);
    picture.stage.scrollIntoView({ block: "nearest" });
  }

  /** Start the user's drawing again, after the page has replaced the picture. */
  follow() {
    if (this.drawing?.help.isConnected) this.draw();
  }

  /** Ask what a drawn region shows, and add it. @param {Point[]} outline */
  ask(outline) {
    const add = (/** @type {string} */ name) =>
      this.change(post(this.address, /** @type {any} */ ({ label: name, outline })), true);
    const hint = { maxlength: 60, required: true, autocomplete: "off", placeholder: "dog, red car …" };
    const label = el("input", { id: "region-label", ...hint }), suggested = el("span", { class: "suggested" });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      add(label.value);
    };
    const form = el(
      "form",
      { class: "region-form", submit },
      el("label", { for: label.id }, "What does the region show?"),
      label,
      submitButton("Add it", "small primary"),
      button("Discard", () => this.draw(), "small"),
      suggested,
    );
    form.addEventListener("keydown", (event) => event.key === "Escape" && this.end());
    this.work.replaceChildren(form);
    label.focus();
    this.suggest(suggested, add);
  }

  /** Offer the names of the things that the caption mentions but that have no region yet.
   * @param {HTMLElement} place @param {(name: string) => void} add */
  async suggest(place, add) {
    const named = await post("/api/things", { text: this.caption() }).catch(() => []); // without names, none are offered
    const drawn = new Set(this.sample.outlines.map(({ label }) => label?.toLowerCase()));
    const names = new Set(named.map((name) => name.toLowerCase()).filter((name) => !drawn.has(name)));
    place.replaceChildren(...[...names].map((name) => button(name, () => add(name), "small")));
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
