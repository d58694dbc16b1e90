// Scores as cards: a value in its range, what it is made of, the explanation, the signature, its cost.

import { copyFor, el, explanation, rounded } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { costInWords } from "./costs.js";
import { digitPlots } from "./digit_plots.js";

/** @import { ErrorJson, ScoreJson } from "../shared/wire.d.ts" */

/** A card of an outcome.
 * @param {ScoreJson | ErrorJson} outcome
 * @param {{note?: string | null, actions?: HTMLElement[], stale?: boolean}} [more] note: words beside the name; actions stand
 * at the end of the head */
export function scoreCard(outcome, { note = null, actions = [], stale = false } = {}) {
  const { metric, signature } = outcome;
  const copy = button("copy", () => copyFor(copy, signature, "copied", "select it to the left"), "quiet-button");
  return el(
    "article",
    { class: `score-card${stale ? " stale" : ""}`, "data-metric": metric },
    el(
      "header",
      {},
      el("h3", {}, metric),
      "value" in outcome
        ? valueInRange(outcome.value, outcome.scale)
        : el("span", { class: "problem" }, `no score: ${outcome.error.message}`),
      note && el("span", { class: "quiet" }, note),
      actions,
    ),
    "value" in outcome && [
      truncation(outcome.components),
      componentChips(outcome),
      digitPlots(outcome.components),
      outcome.rationales.length > 0 && explanation(outcome.rationales),
    ],
    el(
      "details",
      { class: "signature-box" },
      el("summary", {}, "signature and cost"),
      el("p", { class: "signature" }, signature, " ", copy),
      el("p", { class: "cost quiet" }, costInWords(outcome)),
    ),
  );
}

/** Say that the metric did not read the whole caption.
 * @param {Record<string, number | number[]>} components */
function truncation({ truncated }) {
  if (!Array.isArray(truncated)) return null;
  const [read, whole] = truncated;
  if (!(read < whole)) return null; // an imported score may hold numbers of another meaning
  return el(
    "p",
    { class: "truncated" },
    el("strong", {}, "Caption cut: "),
    `the metric read ${read} of ${whole} tokens; what follows has no effect on the score.`,
  );
}

/** What a score is made of, with its meaning where that is known: by pointing at a number, or all of them opened below.
 * @param {ScoreJson} score */
function componentChips({ components, meanings }) {
  const numbers = Object.entries(components).flatMap(([name, number]) =>
    Array.isArray(number) || name.endsWith("_mass") || (name === "phrase_fallback" && !number) ? [] : [{ name, number }]
  );
  if (!numbers.length) return null;
  const known = numbers.filter(({ name }) => meanings[name]);
  return [
    el(
      "p",
      { class: "chips" },
      numbers.map(({ name, number }) =>
        el(
          "span",
          { class: "chip", title: meanings[name] },
          name,
          " ",
          el("strong", { title: String(number) }, rounded(number)),
        )
      ),
    ),
    known.length > 0 &&
    el(
      "details",
      { class: "meanings" },
      el("summary", {}, "What do these numbers mean?"),
      el("dl", {}, known.map(({ name }) => [el("dt", {}, name), el("dd", {}, meanings[name])])),
    ),
  ];
}

/** A card of work that is going on, with a button that ends it.
 * @param {string} metric @param {string} text @param {() => void} stop */
export function workingCard(metric, text, stop) {
  return el(
    "article",
    { class: "score-card working", "data-metric": metric },
    el(
      "header",
      {},
      el("h3", {}, metric),
      el("span", { class: "quiet at-work", role: "status" }, text),
      button("Cancel", stop, "quiet-button"),
    ),
  );
}

/** A card of a metric that could judge but has not, or that failed.
 * @param {string} metric @param {string | null} text @param {HTMLElement} button */
export function idleCard(metric, text, button) {
  return el(
    "article",
    { class: "score-card idle", "data-metric": metric },
    el("header", {}, el("h3", {}, metric), text && el("span", { class: "problem" }, text), button),
  );
}

/** @param {number} value @param {[number, number]} scale */
function valueInRange(value, [low, high]) {
  const share = Math.min(100, Math.max(0, (100 * (value - low)) / (high - low)));
  return [
    el("strong", { class: "score-value", title: String(value) }, rounded(value)),
    el(
      "svg",
      { viewBox: "0 0 100 6", preserveAspectRatio: "none", class: "gauge-bar", "aria-hidden": "true" },
      el("rect", { x: 0, y: 1, width: 100, height: 4, class: "gauge-track" }),
      el("rect", { x: 0, y: 1, width: share, height: 4, class: "gauge-fill" }),
    ),
    el("span", { class: "quiet" }, `${short(low)} … ${short(high)}`),
  ];
}

const short = (/** @type {number} */ number) => String(Number(number.toFixed(3)));
