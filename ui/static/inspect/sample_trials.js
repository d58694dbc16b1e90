// Things to try on a sample's caption, and what an edit has changed: words, phrases, regions, score.

import { el, rounded } from "../shared/dom.js";
import { SIGNS } from "../regions/support.js";
import { changeOf, difference } from "./changes.js";

/** @import { Judgements } from "./sample_judgements.js" */
/** @import { SampleJson } from "../shared/wire.d.ts" */
/** @import { Child } from "../shared/types.d.ts" */

export class SampleTrials {
  /** @param {Judgements} judgements @param {(caption: string) => void} edit takes another caption */
  constructor(judgements, edit) {
    this.judgements = judgements;
    const { sample } = judgements;
    this.undo = el(
      "button",
      { type: "button", class: "small", hidden: true, click: () => edit(sample.caption) },
      "Undo",
    );
    this.buttons = sample.trials.map(({ words, caption }) =>
      el("button", { type: "button", class: "small", "aria-pressed": "false", click: () => edit(caption) }, words)
    );
    this.change = el("div", { class: "change", role: "status", hidden: true });
    this.row = el("p", { class: "trials", hidden: true }, el("span", {}, "Try:"), this.buttons, this.undo);
    this.element = el("div", {}, this.row, this.change);
  }

  draw() {
    const { caption, edited, sample, ready } = this.judgements;
    this.row.hidden = !edited && !(this.buttons.length && ready.some(({ shows_regions: shows }) => shows));
    this.undo.hidden = !edited;
    this.buttons.forEach((button, at) =>
      button.setAttribute("aria-pressed", String(caption === sample.trials[at].caption))
    );
    this.change.hidden = !edited;
    if (!edited) return this.change.replaceChildren();
    const [now] = this.judgements.explained(), { problem } = this.judgements;
    if (!now && problem) return this.change.replaceChildren(words(sample.caption, caption), el("p", {}, problem));
    const was = now && this.judgements.ownBy(now.outcome.metric);
    if (now && !was?.links) return this.change.replaceChildren(words(sample.caption, now.caption));
    if (now && was?.links && now.outcome.links) {
      this.change.replaceChildren(words(sample.caption, now.caption), ...figures(was, now.outcome));
    }
  }
}

/** The original and the edited caption side by side, each with what stands in it alone.
 * @param {string} before @param {string} after */
function words(before, after) {
  const tags = { same: "span", gone: "del", new: "ins" }, pieces = difference(before, after);
  const without = (/** @type {"gone" | "new"} */ other) =>
    pieces.filter(({ sort }) => sort !== other).map(({ text, sort }) => el(tags[sort], {}, text));
  return el(
    "dl",
    { class: "difference versions" },
    el("div", {}, el("dt", {}, "Original"), el("dd", {}, without("new"))),
    el("div", {}, el("dt", {}, "Edited"), el("dd", {}, without("gone"))),
  );
}

/** @param {import("../shared/wire.d.ts").ScoreJson} was @param {import("../shared/wire.d.ts").ScoreJson} now */
function figures(was, now) {
  const { gone, come, leftOut, mentioned } = changeOf(was.links, now.links);
  const step = now.value - was.value;
  return [
    el(
      "p",
      { class: "change-score" },
      `${now.metric} ${rounded(was.value)} → `,
      el("strong", {}, rounded(now.value)),
      ` (${step < 0 ? "−" : "+"}${rounded(Math.abs(step))})`,
    ),
    listed("Phrases", [
      ...gone.map(({ text }) => el("del", {}, text)),
      ...come.map(({ text, mark }) => el("span", {}, SIGNS[mark], text)),
    ]),
    listed("Left out now", leftOut),
    listed("Mentioned now", mentioned),
  ].filter(Boolean);
}

/** @param {string} head @param {Child[]} entries */
function listed(head, entries) {
  if (!entries.length) return null;
  return el("p", { class: "change-list" }, `${head}: `, entries.map((entry, at) => [at > 0 && ", ", entry]));
}
