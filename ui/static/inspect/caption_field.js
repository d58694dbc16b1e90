// The caption in a field that people can always edit: a textarea over a copy of the text in which phrases are marked.
// While somebody types, unchanged words keep their marks. Other words are marked after the next judgement.

import { all, el } from "../shared/dom.js";
import { fillMarked } from "../regions/caption.js";

/** @import { Span } from "../regions/caption.js" */

const NOWHERE = { start: -1, end: -1 };
const PENCIL = "M2.5 13.5 3.2 10.6 11 2.8a1.4 1.4 0 0 1 2 0l.2.2a1.4 1.4 0 0 1 0 2L5.4 12.8zM9.6 4.2l2.2 2.2";
let made = 0; // number of fields made so far; it gives each field an id, to which its label refers

export class CaptionField {
  /** @param {string} caption @param {(caption: string) => void} edited is called with the caption after each edit */
  constructor(caption, edited) {
    /** @type {readonly Span[]} */
    this.spans = [];
    /** @type {(phrase: number | null) => void} is called with the index of the phrase under the pointer; null: none */
    this.pointed = () => {};
    this.marked = el("p", { class: "marked-caption", "aria-hidden": "true" });
    const id = `caption-${made += 1}`;
    this.text = el("textarea", {
      id,
      rows: 1,
      maxlength: 20_000,
      spellcheck: "false",
      "aria-label": "Edit the caption to score", // starts with the visible label, so that speech input finds the field
      input: () => {
        this.follow();
        edited(this.text.value);
      },
      pointermove: (/** @type {PointerEvent} */ event) => this.point(event),
      pointerleave: () => this.pointed(null),
    });
    this.text.value = caption;
    const pencil = el(
      "svg",
      { viewBox: "0 0 16 16", class: "pencil", "aria-hidden": "true" },
      el("path", { d: PENCIL }),
    );
    const cue = el("label", { class: "caption-cue", for: id }, pencil, "Edit the caption");
    this.element = el("div", { class: "caption-field" }, this.marked, this.text, cue);
    this.draw();
  }

  /** Replace the caption in the field. @param {string} caption */
  put(caption) {
    this.text.value = caption;
    this.follow();
  }

  /** Mark the phrases of a caption that a metric has judged. Return the paragraph with the marks.
   * @param {string} caption @param {readonly Span[]} spans the phrases */
  mark(caption, spans) {
    const at = [...this.text.value.slice(0, Math.max(0, this.text.value.indexOf(caption.trim())))].length;
    const by = at - [...caption.slice(0, caption.length - caption.trimStart().length)].length;
    this.spans = spans.map((span) => moved(span, (place) => place + by));
    return this.draw();
  }

  /** After an edit, keep the marks of the words that the caption still contains. */
  follow() {
    const before = [...this.marked.textContent], now = [...this.text.value], { head, tail } = sameEnds(before, now);
    const kept = (/** @type {{start: number, end: number}} */ { start, end }) =>
      now.length > 0 && (end <= head || start >= before.length - tail);
    const shift = (/** @type {number} */ place) => place <= head ? place : place + now.length - before.length;
    this.spans = this.spans.map((span) => {
      const things = span.things.filter(kept);
      return moved(kept(span) ? { ...span, things } : { ...span, ...NOWHERE, things }, shift);
    });
    this.draw();
  }

  draw() {
    return fillMarked(this.marked, this.text.value, this.spans);
  }

  /** @param {PointerEvent} event */
  point({ clientX, clientY, pointerType }) {
    if (pointerType === "touch") return;
    const piece = all(this.marked, ".piece").find((one) =>
      [...one.getClientRects()].some(({ left, right, top, bottom }) =>
        clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
      )
    );
    this.pointed(piece ? Number(String(piece.dataset.phrases).split(" ")[0]) : null);
  }
}

/** Return how many entries at the start and at the end are the same in two lists.
 * @param {readonly string[]} before @param {readonly string[]} now */
export function sameEnds(before, now) {
  const most = Math.min(before.length, now.length);
  let head = 0, tail = 0;
  while (head < most && before[head] === now[head]) head++;
  while (tail < most - head && before.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return { head, tail };
}

/** @param {Span} span @param {(place: number) => number} shift @returns {Span} */
function moved(span, shift) {
  const to = (/** @type {any} */ one) => one.start < 0 ? one : { ...one, start: shift(one.start), end: shift(one.end) };
  const { denied, start, things } = span;
  return { ...to(span), things: things.map(to), denied: denied && start >= 0 ? denied.map(shift) : null };
}
