// Buttons that try edits of a sample's caption, and what an edit has changed: words, phrases, regions, score.

import { el, present, say } from "../shared/dom.js";
import { button, paragraph } from "../shared/elements.js";
import { rounded } from "../shared/rounding.js";
import { SIGNS } from "../regions/caption.js";
import { sameEnds } from "./caption_field.js";

/** @import { Judgements } from "./judgements.js" */
/** @import { LinksJson, PhraseJson, ScoreJson } from "../shared/wire.d.ts" */
/** @import { Child } from "../shared/types.d.ts" */

export class Trials {
  /** @param {Judgements} judgements @param {(caption: string) => void} edit is called with another caption */
  constructor(judgements, edit) {
    this.judgements = judgements;
    const { sample: { caption, trials } } = judgements;
    this.before = caption; // the last caption that is no suggestion; Undo leads from a suggestion to this caption
    const undone = () => judgements.caption === this.before ? caption : this.before;
    this.undo = button("Undo", () => edit(undone()), "small undo", { hidden: true }); // inside the caption field
    this.buttons = trials.map((trial) => button(trial.words, () => edit(trial.caption), "small"));
    this.change = el("div", { class: "change", role: "status" });
    this.row = el("p", { class: "trials" }, el("span", {}), this.buttons);
  }

  draw() {
    const { caption, edited, known, drawing, sample } = this.judgements;
    this.row.hidden = !this.buttons.length || !(edited || !known || drawing.length); // reserves its place early
    this.undo.hidden = !edited;
    const isSuggested = sample.trials.some((trial) => trial.caption === caption);
    if (!isSuggested) this.before = caption;
    say(this.row.children[0], edited && !isSuggested ? "Try with the sample’s own caption:" : "Try:");
    this.buttons.forEach((one, at) => one.setAttribute("aria-pressed", String(caption === sample.trials[at].caption)));
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
    if (!now) return problem ? [difference(sample.caption, caption), paragraph(problem)] : null;
    const was = this.judgements.ownBy(now.outcome.metric);
    if (now.outcome.links.notice || was?.links?.notice) return []; // the phrases of one caption are not known
    const figures = was?.links ? figuresOf(was, was.links, now.outcome, now.outcome.links) : [];
    return [difference(sample.caption, now.caption), ...figures];
  }
}

/** Show an edited caption with its new words and the removed words. If the edit kept few words, show the old caption.
 * @param {string} before @param {string} after */
function difference(before, after) {
  const [old, now] = [before, after].map((text) => text.split(/(\s+|[.,;:!?])/).filter(Boolean));
  const { head, tail } = sameEnds(old, now);
  const start = old.slice(0, head).join(""), end = old.slice(old.length - tail).join("");
  if (start.length + end.length < Math.min(before.length, after.length) / 2) {
    return el("p", { class: "difference" }, "Was: ", el("del", {}, before));
  }
  const middle = (/** @type {"del" | "ins"} */ tag, /** @type {string[]} */ words) =>
    words.length > head + tail && el(tag, {}, words.slice(head, words.length - tail).join(""));
  return el("p", { class: "difference" }, start, middle("del", old), middle("ins", now), end);
}

/** Describe how an edit changed the score, the phrases and the regions.
 * @param {ScoreJson} was @param {LinksJson} before @param {ScoreJson} now @param {LinksJson} after */
function figuresOf(was, before, now, after) {
  const said = (/** @type {PhraseJson} */ { text, kind }) => `${kind} ${text}`; // “no dog” differs from “dog”
  const marks = new Map(before.phrases.map((phrase) => [said(phrase), phrase.mark])), step = now.value - was.value;
  const kept = new Set(after.phrases.map(said));
  const turned = (/** @type {boolean} */ mentioned) =>
    after.regions.filter((region, at) =>
      !region.is_full && region.mentioned === mentioned && before.regions[at]?.mentioned !== mentioned
    ).map(({ name }) => name);
  return present(
    el(
      "p",
      { class: "change-score" },
      `${now.metric} ${rounded(was.value)} → `,
      el("strong", {}, rounded(now.value)),
      ` (${step < 0 ? "−" : "+"}${rounded(Math.abs(step))})`,
    ),
    listed("Phrases", [
      ...before.phrases.filter((phrase) => !kept.has(said(phrase))).map(({ shown }) => el("del", {}, shown)),
      ...after.phrases.filter((phrase) => marks.get(said(phrase)) !== phrase.mark) // new, or marked differently
        .map(({ mark, shown }) => el("span", {}, SIGNS[mark], "\u00a0", shown)),
    ]),
    listed("Not mentioned any more", turned(false)),
    listed("Mentioned now", turned(true)),
  );
}

/** @param {string} head @param {Child[]} entries */
function listed(head, entries) {
  if (!entries.length) return null;
  return el("p", { class: "change-list" }, `${head}: `, entries.map((entry, at) => [at > 0 && ", ", entry]));
}
