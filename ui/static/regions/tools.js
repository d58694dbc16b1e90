// The tools for the regions of a picture: which regions are shown, the threshold (cut), whether outlines show recalls,
// zoom and saving.

import { all, el, say } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { halfUp } from "../shared/rounding.js";

const SHOWN = [
  ["all", "all"],
  ["mentioned", "mentioned", "mentioned"],
  ["unmentioned", "not mentioned", "unmentioned"],
  ["none", "none"],
];
const ABOUT_CUT = "A region with at least this value counts as mentioned.";
const CUT_STEP = 0.01;
let made = 0; // number of toolbars made so far, so that each has its own groups of radio buttons

/** A toolbar. It calls these functions of the view: show(which), strengthen(byRecall), zoom(steps), save(kind),
 * cut(value) while the user moves the cut (threshold), and settle() when the cut stops. */
export class RegionTools {
  /** @param {string} shown which regions are shown
   * @param {{show: (which: string) => void, strengthen: (byRecall: boolean) => void, cut: (value: number) => void,
   *   settle: () => void, zoom: (steps: number) => void,
   *   save: (kind: "svg" | "png") => void}} does */
  constructor(shown, does) {
    const number = (made += 1);
    this.cut = el("input", {
      type: "range",
      min: 0,
      max: 1,
      step: CUT_STEP,
      input: () => does.cut(Number(this.cut.value)),
      change: () => does.settle(),
    });
    this.cutText = el("output", { class: "number" });
    this.zoomText = el("output", { class: "number" }, "100 %");
    const strength = el("input", { type: "checkbox", change: () => does.strengthen(strength.checked) });
    this.shown = segments(`shown-${number}`, "Regions shown", SHOWN, shown, (which) => does.show(which));
    this.element = el(
      "div",
      { class: "region-tools" },
      this.shown,
      el("label", { class: "slider" }, el("span", {}, "cut"), this.cut, this.cutText),
      quiet(ABOUT_CUT),
      el("label", { class: "strength" }, strength, "Stronger outlines for larger recalls"),
      el(
        "span",
        { class: "zoom" },
        button("−", () => does.zoom(-1), "small", { "aria-label": "Zoom out" }),
        this.zoomText,
        button("+", () => does.zoom(1), "small", { "aria-label": "Zoom in" }),
      ),
      el(
        "span",
        { class: "save" },
        button("Save PNG", () => does.save("png"), "small", {
          "aria-label": "Save the picture with its regions as PNG",
        }),
        button("Save SVG", () => does.save("svg"), "small", {
          "aria-label": "Save the picture with its regions as SVG",
        }),
      ),
    );
  }

  /** Show the current cut (threshold).
   * @param {number} cut @param {number} highest the largest cut that can be set */
  showCut(cut, highest) {
    this.cut.max = String(highest);
    this.cut.value = String(cut);
    this.cutText.textContent = halfUp(cut, 2);
  }

  /** Change the names of the kinds of regions.
   * @param {readonly string[]} words names of mentioned regions and of the other regions */
  showWords(words) {
    all(this.shown, ".look").forEach((text, at) => text.textContent = words[at]);
  }

  /** @param {string} text */
  showZoom(text) {
    say(this.zoomText, text);
  }
}

/** Make a group of radio buttons.
 * @param {string} name @param {string} legend @param {string[][]} options @param {string} chosen
 * @param {(value: string) => void} change is called with the chosen value */
function segments(name, legend, options, chosen, change) {
  return el(
    "fieldset",
    { class: "segments" },
    el("legend", {}, legend),
    options.map(([value, text, look]) =>
      el(
        "label",
        { class: look },
        el("input", { type: "radio", name, value, checked: value === chosen, change: () => change(value) }),
        el(
          "span",
          {},
          look && el("i", { class: "swatch", "aria-hidden": "true" }),
          el("b", { class: look ? "look" : null }, text),
        ),
      )
    ),
  );
}
