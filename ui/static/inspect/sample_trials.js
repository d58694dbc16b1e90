// Buttons that try edits of a sample's caption, and what an edit has changed: words, phrases, regions, score.

import { el, present } from "../shared/dom.js";
import { button, paragraph } from "../shared/elements.js";
import { SIGNS } from "../regions/support.js";
import { changeOf, difference, surprise } from "./changes.js";
import { rounded } from "../shared/rounding.js";

const ORDER = ["add", "leave out", "exchange"]; // button order: additions, which make a caption false, come first

/** @import { Judgements } from "./sample_judgements.js" */
/** @import { SampleJson, ScoreJson } from "../shared/wire.d.ts" */
/** @import { Child } from "../shared/types.d.ts" */

export class SampleTrials {
  /** @param {Judgements} judgements @param {(caption: string) => void} edit is called with another caption */
  constructor(judgements, edit) {
    this.judgements = judgements;
    const { sample } = judgements;
    this.undo = button("Undo", () => edit(sample.caption), "small undo", { hidden: true }); // inside the caption field
    this.offered = sample.trials.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
    this.buttons = this.offered.map(({ words, caption }) =>
      button(words, () => edit(caption), "small", { "aria-pressed": "false" })
    );
    this.blank = false; // whether the page shows the message that the caption is empty
    this.change = el("div", { class: "change", role: "status", hidden: true });
    this.row = el("p", { class: "trials", hidden: true }, el("span", {}, "Try:"), this.buttons);
  }

  draw() {
    const { caption, edited, metrics, ready } = this.judgements;
    const isUseful = edited || !metrics.length || ready.some(({ shows_regions: shows }) => shows);
    this.row.hidden = !this.buttons.length || !isUseful; // shown early, to reserve its place until metrics are known
    this.undo.hidden = !edited;
    this.buttons.forEach((button, at) =>
      button.setAttribute("aria-pressed", String(caption === this.offered[at].caption))
    );
    this.drawChange();
    this.change.hidden = !this.change.childNodes.length;
  }

  drawChange() {
    const { caption, edited, sample } = this.judgements;
    const blank = edited && !caption.trim();
    if (!edited || (this.blank && !blank)) this.change.replaceChildren(); // else the comparison stays until a new one
    this.blank = blank;
    if (blank) this.change.replaceChildren(paragraph("There is no caption to score. Write a caption."));
    if (!edited || blank) return;
    const [now] = this.judgements.explained(), { problem } = this.judgements;
    if (!now && problem) return void this.change.replaceChildren(words(sample.caption, caption), paragraph(problem));
    const was = now && this.judgements.ownBy(now.outcome.metric);
    if (now?.outcome.links.notice || was?.links?.notice) return void this.change.replaceChildren(); // no phrases found
    if (now && !was?.links) return void this.change.replaceChildren(words(sample.caption, now.caption));
    if (now && was?.links && now.outcome.links) {
      const change = changeOf(was.links, now.outcome.links);
      this.change.replaceChildren(words(sample.caption, now.caption), ...figures(was, now.outcome, change));
    }
  }
}

/** Show the edited caption with its new words and the removed words.
 * @param {string} before @param {string} after */
function words(before, after) {
  const tags = { same: "span", gone: "del", new: "ins" }, pieces = difference(before, after);
  const kept = pieces.filter(({ sort }) => sort === "same").reduce((sum, { text }) => sum + text.length, 0);
  if (kept < Math.min(before.length, after.length) / 2) {
    return el("p", { class: "difference" }, "Was: ", el("del", {}, before));
  }
  return el("p", { class: "difference" }, pieces.map(({ text, sort }) => el(tags[sort], {}, text)));
}

/** Describe how an edit changed the score, the phrases and the regions.
 * @param {ScoreJson} was @param {ScoreJson} now @param {ReturnType<typeof changeOf>} change */
function figures(was, now, change) {
  const { gone, come, leftOut, mentioned } = change;
  const step = now.value - was.value, odd = surprise(step, change);
  return present(
    el(
      "p",
      { class: "change-score" },
      `${now.metric} ${rounded(was.value)} → `,
      el("strong", {}, rounded(now.value)),
      ` (${step < 0 ? "−" : "+"}${rounded(Math.abs(step))})`,
    ),
    odd &&
      paragraph(`${now.metric} rose, although ${odd}. Metrics make this mistake; the page Analyse shows how often.`),
    listed("Phrases", [
      ...gone.map((phrase) => el("del", {}, phrase.shown)),
      ...come.map((phrase) => el("span", {}, SIGNS[phrase.mark].trim(), "\u00a0", phrase.shown)),
    ]),
    listed("Not mentioned any more", leftOut),
    listed("Mentioned now", mentioned),
  );
}

/** @param {string} head @param {Child[]} entries */
function listed(head, entries) {
  if (!entries.length) return null;
  return el("p", { class: "change-list" }, `${head}: `, entries.map((entry, at) => [at > 0 && ", ", entry]));
}
