// Shows a sample beside the plot, as on the Inspect page. Buttons lead to the other samples at the clicked
// place.

import { get } from "../shared/api.js";
import { el, present } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { problem } from "../shared/notices.js";

export class SampleBeside {
  /** @param {(id: number) => void} shown is called with the id of each sample that is opened */
  constructor(shown) {
    this.shown = shown;
    this.section = el(
      "section",
      { class: "sample", "aria-label": "Sample", tabindex: "-1" },
      quiet(
        "To see a sample with its scores, click on a point of the plot or on a row of the list of errors.",
      ),
    );
  }

  /** Fetch and show one of several samples, with buttons to the previous and next sample.
   * @param {number[]} ids @param {number} [at] index of the sample to show @param {boolean} [takeFocus] */
  async load(ids, at = 0, takeFocus = true) {
    const id = (this.id = ids[at]);
    this.shown(id);
    try {
      const [sample, { SampleView }] = await Promise.all([
        get(`/api/samples/${id}`),
        import("../inspect/sample.js"), // load this module only now, because the plot does not need it
      ]);
      if (this.id !== id) return;
      const step = (/** @type {number} */ to, /** @type {string} */ name) =>
        button(name, () => this.load(ids, to, false), "", { disabled: to < 0 || to >= ids.length });
      const way = ids.length > 1 &&
        el(
          "nav",
          { class: "pager", "aria-label": "Samples at this point of the plot" },
          step(at - 1, "Previous"),
          el("span", {}, `sample ${at + 1} of ${ids.length} at this point`),
          step(at + 1, "Next"),
        );
      this.view?.leave();
      this.view = new SampleView(sample);
      this.section.replaceChildren(...present(way, this.view.element));
      if (takeFocus && innerWidth <= 860) this.section.focus();
    } catch (error) {
      if (this.id === id) this.section.replaceChildren(problem(error, () => this.load(ids, at, takeFocus)));
    }
  }
}
