// A slice of what lies within a line that was drawn into a plot.

import { request, wordsOf } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { alertText, button, paragraph, quiet } from "../shared/elements.js";

const DIGITS = 6; // of a corner's numbers: a pixel is coarser by far

/** Ask for a name and save the slice; calls `done` with its name.
 * @param {{dataset: string, lasso: {x: object | null, y: object | null, corners: [number, number][]}, done: (slice: string) => void}} of */
export function lassoSlice({ dataset, lasso, done }) {
  const name = el("input", { id: "lasso-name", maxlength: 80, value: "lasso" });
  const refusal = alertText();
  const corners = lasso.corners.map((corner) => corner.map((value) => Number(value.toPrecision(DIGITS))));
  const save = async () => {
    const slice = { name: name.value.trim(), lasso: { ...lasso, corners } };
    try {
      await request("PUT", "/api/analyse/slices", { dataset, slice });
    } catch (error) {
      return say(refusal, wordsOf(error));
    }
    box.close();
    done(slice.name);
  };
  const box = dialog(
    "A slice of what the line goes around",
    el(
      "div",
      { class: "capscope slice-form" },
      field("Name", name),
      quiet("The line is kept, not the samples: what is imported later belongs to the slice if it lies within."),
      refusal,
      paragraph(button("Save slice", save, "primary")),
    ),
  );
  name.select();
}
