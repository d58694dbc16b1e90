// Remarks about the whole explanation: that it names no fault of the caption, or that it overlooks something.

import { el } from "../shared/dom.js";
import { button, paragraph } from "../shared/elements.js";
import { sentences } from "../shared/text.js";
import { prompt } from "./evidence_keys.js";

/** @import { Panel } from "../shared/types.d.ts" */
/** @import { ItemEvidence } from "./evidence.js" */

export class WholeRemark {
  /** @param {ItemEvidence} evidence */
  constructor(evidence) {
    this.evidence = evidence;
    this.state = evidence.state;
    this.element = el("div", { class: "whole" });
  }

  /** @param {Partial<NonNullable<Panel["remark"]>>} more */
  give(more) {
    const why = this.evidence.whyNot();
    if (why) return this.evidence.tell(why);
    this.state.remark(more);
    this.show();
    this.state.onChange();
  }

  turnNoFault() {
    this.give({ no_fault: !this.state.panel.remark?.no_fault });
    const isNoFault = this.state.panel.remark?.no_fault;
    this.evidence.tell(
      isNoFault ? "Right, but not a fault of the caption: yes." : "Right, but not a fault of the caption: no.",
    );
  }

  /** Store the chosen place as the place of something that the explanation overlooks. */
  take() {
    const { chosen, overlooked } = this.state;
    if (!chosen) return;
    this.state.chosen = null;
    this.give({ overlooked: [...overlooked, chosen] });
    this.evidence.view.showPlace();
    this.evidence.tell(sentences("Taken.", prompt("overlooked")));
  }

  takeLastAway() {
    this.give({ overlooked: this.state.overlooked.slice(0, -1) });
  }

  show() {
    this.element.replaceChildren(paragraph(this.buttons()), ...this.overlooked());
  }

  buttons() {
    const { evidence, state } = this,
      isHere = state.step === "overlooked",
      isNoFault = state.panel.remark?.no_fault ?? false;
    return [
      button(
        "The explanation is right, but this is not a fault of the caption (T)",
        () => this.turnNoFault(),
        "small",
        { "aria-pressed": String(isNoFault) },
      ),
      button("Overlooks something (O)", () => evidence.turnOverlooked(), "small", {
        "aria-pressed": String(isHere),
      }),
      isHere && button("Draw a box (B)", () => evidence.draw(), "small"),
      isHere && state.item.places.length > 0 &&
      button("Next region (R)", () => evidence.stepThroughPlaces(1), "small"),
      isHere && state.chosen &&
      button(`Take ${evidence.placeName(state.chosen)}`, () => this.take(), "small primary"),
    ].flatMap((made) => [made, " "]);
  }

  overlooked() {
    const { overlooked } = this.state;
    return overlooked.map((place, index) =>
      el(
        "span",
        { class: "chip" },
        `overlooks ${this.evidence.placeName(place)}`,
        " ",
        button("×", () => this.give({ overlooked: overlooked.filter((_, at) => at !== index) }), "quiet-button", {
          "aria-label": `Take back: overlooks ${this.evidence.placeName(place)}`,
        }),
      )
    );
  }
}
