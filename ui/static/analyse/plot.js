// The plot of single samples. A click opens the samples there; a line drawn around points makes a slice of them.

import { el } from "../shared/dom.js";
import { actions, button, quiet } from "../shared/elements.js";
import { figureOf, onClick, onSelect } from "./plotly.js";
import { SectionView } from "./section.js";
import { sliceDialog } from "./slices.js";

/** @import { Figure, ListedSection, Found } from "../shared/wire.d.ts" */
/** @import { Page } from "./page.js" */

const DIGITS = 6; // significant digits of a corner's coordinates; the rounding error is much smaller than a pixel
const MOST_CORNERS = 400; // the server accepts 500

export class PlotSection extends SectionView {
  /** @param {ListedSection} listed @param {Page} page */
  constructor(listed, page) {
    super(listed, page, true);
    this.inside = el("div", { class: "lassoed", role: "status" });
  }

  /** @override @param {Figure} figure @param {string} name @param {Found} found */
  figure(figure, name, { extra }) {
    const href = `/api/analyse/data.csv?${this.query()}`;
    const data = el("a", { class: "quiet-button", href, download: true }, "CSV");
    if (!("x" in extra)) return figureOf(figure, name, data);
    const lasso = button("Lasso", () => this.switch_(lasso, drawn.redraw), "", { "aria-pressed": "false" });
    const drawn = figureOf(figure, name, data, lasso);
    const watch = () => {
      if (!("on" in drawn.box)) return void setTimeout(watch, 50); // plotly adds `on` when it has drawn
      onClick(drawn.box, (ids) => this.page.showAll(ids));
      onSelect(drawn.box, (ids, corners) => this.chosen(ids, thinned(corners), /** @type {any} */ (extra)));
    };
    watch();
    return drawn;
  }

  /** @override */
  tables() {
    this.inside.replaceChildren();
    return [this.inside];
  }

  /** Switch between zooming and drawing a line.
   * @param {Element} lasso @param {(changes: object) => void} redraw */
  switch_(lasso, redraw) {
    const isOn = lasso.getAttribute("aria-pressed") === "false";
    lasso.setAttribute("aria-pressed", String(isOn));
    redraw({ dragmode: isOn ? "lasso" : "zoom" });
    this.inside.replaceChildren(isOn ? quiet("Draw a line around points.") : "");
  }

  /** Offer what can be done with the samples inside a drawn line.
   * @param {number[]} ids @param {[number, number][]} corners
   * @param {{x: string | null, y: string | null}} axes the columns on the axes; null: human judgement */
  chosen(ids, corners, { x, y }) {
    const make = () =>
      sliceDialog({
        title: "A slice of the samples inside the line",
        dataset: this.page.state.dataset,
        name: "lasso",
        fields: quiet(
          "The slice stores the line. Samples that you import later belong to the slice if they are inside.",
        ),
        conditions: () => ({ lasso: { x, y, corners } }),
        done: (slice) => this.page.sliced(slice),
      });
    this.inside.replaceChildren(
      actions(
        el("span", {}, `${ids.length.toLocaleString()} drawn samples inside the line`),
        button("Inspect these samples", () => this.page.showAll(ids), "", { disabled: !ids.length }),
        button("Make a slice …", make, "makes"),
      ),
    );
  }
}

/** Thin out a line, and round its corners. @param {[number, number][]} corners */
export function thinned(corners) {
  const every = Math.ceil(corners.length / MOST_CORNERS);
  return /** @type {[number, number][]} */ (corners.filter((_, at) => at % every === 0).map((corner) =>
    corner.map((value) => Number(value.toPrecision(DIGITS)))
  ));
}
