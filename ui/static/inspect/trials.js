// Buttons that try edits of a sample's caption, and what an edit has changed: words, phrases, regions, score.

import { el, present } from "../shared/dom.js";
import { button, paragraph } from "../shared/elements.js";
import { rounded } from "../shared/rounding.js";
import { SIGNS } from "../regions/caption.js";
import { changeOf, difference } from "./changes.js";

/** @import { Judgements } from "./judgements.js" */
/** @import { LinksJson, ScoreJson } from "../shared/wire.d.ts" */
/** @import { Child } from "../shared/types.d.ts" */

const ORDER = ["add", "leave out", "exchange"]; // button order: additions, which make a caption false, come first

export class Trials {
  /** @param {Judgements} judgements @param {(caption: string) => void} edit is called with another caption */
  constructor(judgements, edit) {
    this.judgements = judgements;
    const { sample } = judgements;
    this.undo = button("Undo", () => edit(sample.caption), "small undo", { hidden: true }); // inside the caption field
    this.offered = sample.trials.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
    this.buttons = this.offered.map(({ words, caption }) => button(words, () => edit(caption), "small"));
    this.change = el("div", { class: "change", role: "status" });
    this.row = el("p", { class: "trials" }, el("span", {}, "Try:"), this.buttons);
  }

  draw() {
    const { caption, edited, known, drawing } = this.judgements;
    this.row.hidden = !this.buttons.length || !(edited || !known || drawing.length); // reserves its place early
    this.undo.hidden = !edited;
    this.buttons.forEach((one, at) => one.setAttribute("aria-pressed", String(caption === this.offered[at].caption)));
    const parts = this.parts();
    if (parts) this.change.replaceChildren(...parts);
    this.change.hidden = !this.change.childNodes.length;
  }

  /** Return what an edit has changed. Return null while the edited caption is being judged: the last comparison stays. */
  parts() {
    const { caption, edited, sample, problem } = this.judgements;
    if (!edited) return [];
    if (!caption.trim()) return [paragraph("There is no caption to score. Write a caption.")];
    const [now] = this.judgements.explained();
    if (!now) return problem ? [words(sample.caption, caption), paragraph(problem)] : null;
    const was = this.judgements.ownBy(now.outcome.metric);
    if (now.outcome.links.notice || was?.links?.notice) return []; // the phrases of one caption are not known
    const figures = was?.links ? figuresOf(was, was.links, now.outcome, now.outcome.links) : [];
    return [words(sample.caption, now.caption), ...figures];
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
 * @param {ScoreJson} was @param {LinksJson} before @param {ScoreJson} now @param {LinksJson} after */
function figuresOf(was, before, now, after) {
  const { gone, come, leftOut, mentioned } = changeOf(before, after), step = now.value - was.value;
  return present(
    el(
      "p",
      { class: "change-score" },
      `${now.metric} ${rounded(was.value)} → `,
      el("strong", {}, rounded(now.value)),
      ` (${step < 0 ? "−" : "+"}${rounded(Math.abs(step))})`,
    ),
    listed("Phrases", [
      ...gone.map((phrase) => el("del", {}, phrase.shown)),
      ...come.map((phrase) => el("span", {}, SIGNS[phrase.mark], "\u00a0", phrase.shown)),
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
