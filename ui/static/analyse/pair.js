// Where two scores differ: the section, and a slice of the samples that differ most.

import { el, field } from "../shared/dom.js";
import { actions, button } from "../shared/elements.js";
import { SectionView } from "./section.js";
import { sliceDialog } from "./slices.js";

/** @import { Found } from "../shared/wire.d.ts" */

const SMALLEST_GAP = 0.25; // default: a new slice contains samples whose two scores differ by at least this

export class PairSection extends SectionView {
  /** @override @param {Found} found */
  draw(found) {
    super.draw(found);
    const parting = /** @type {Record<string, unknown>} */ (found.extra).parting;
    this.body.append(actions(button("Make a slice …", () => this.makeSlice(parting), "makes")));
  }

  /** @param {unknown} parting */
  makeSlice(parting) {
    const gap = el("input", { id: "slice-gap", type: "number", step: "any", min: 0, value: SMALLEST_GAP });
    sliceDialog({
      title: "A slice of samples on which two scores differ",
      dataset: this.page.state.dataset,
      name: "two scores differ",
      fields: field("Difference of at least", gap),
      conditions: () => ({ parting: { .../** @type {object} */ (parting), gap: { low: Number(gap.value) } } }),
      done: (slice) => this.page.sliced(slice),
    });
  }
}
