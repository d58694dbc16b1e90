// The lasso of the plot: its button, how many samples lie within the outline, and what can be done with them.

import { wordsOf } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { Lasso } from "./lasso.js";

/** @import { PlotBox } from "../shared/types.d.ts" */
/** @import { Corner } from "./lasso.js" */
/** @import { PlotAxes } from "./plot_list.js" */
/** @typedef {object} Does callbacks of the lasso
 * @property {() => {axes: PlotAxes, dataset: string} | null} drawn returns the plot in which an outline can be drawn
 * now, or null
 * @property {(axes: PlotAxes, corners: Corner[]) => Promise<Int32Array | number[]>} within returns the ids of the
 * samples inside a drawn outline
 * @property {(ids: number[]) => void} pick is called with the ids of the samples that the user wants to look through
 * @property {(slice: string) => void} sliced is called with the name of the slice that was made */

export class PlotLasso {
  /** @param {PlotBox} box @param {Does} does */
  constructor(box, does) {
    this.box = box;
    this.does = does;
    this.lasso = new Lasso(box, () => rangesOf(box), (corners) => this.ended(corners));
    this.button = button("Lasso", () => this.turn(!this.lasso.isOn), "", {
      "aria-pressed": "false",
      title: "draw a line around samples of the plot",
    });
    this.caught = el("p", { class: "actions lassoed", role: "status" });
  }

  /** @param {boolean} on */
  turn(on) {
    this.lasso.turn(on);
    this.button.setAttribute("aria-pressed", String(on));
    this.caught.replaceChildren(on ? el("span", { class: "quiet" }, "Draw a line around some samples.") : "");
  }

  /** Say how many samples lie within a drawn outline, and offer to look through them or save them as a slice.
   * @param {Corner[]} corners corners of the outline */
  async ended(corners) {
    const { does } = this, drawn = does.drawn();
    if (!drawn) return;
    const { axes, dataset } = drawn;
    let ids;
    try {
      ids = await does.within(axes, corners);
    } catch (error) {
      return this.caught.replaceChildren(el("span", { class: "problem" }, wordsOf(error)));
    }
    if (axes !== does.drawn()?.axes || !this.lasso.isOn) return; // the user has drawn another plot meanwhile
    const samples = [...ids];
    this.box.dataset.lassoed = String(samples.length);
    const slice = async () => {
      const { lassoSlice } = await import("./lasso_slice.js"); // seldom used
      lassoSlice({ dataset, lasso: { x: axes.x.of, y: axes.y.of, corners }, done: does.sliced });
    };
    this.caught.replaceChildren(
      el(
        "span",
        {},
        `${samples.length.toLocaleString()} ${samples.length === 1 ? "sample" : "samples"} inside the line `,
      ),
      ...(samples.length
        ? [button("Inspect these samples", () => does.pick(samples)), button("Make a slice …", slice, "makes")]
        : []),
    );
  }
}

/** Return the ranges that the axes of a plot show now.
 * @param {PlotBox} box @returns {{across: Corner, up: Corner}} */
function rangesOf(box) {
  const { xaxis, yaxis } = /** @type {any} */ (box).layout; // plotly updates the layout while people zoom
  return { across: xaxis.range, up: yaxis.range };
}
