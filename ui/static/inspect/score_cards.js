// Scores as cards: a value in its range, what it is made of, the explanation, the signature.

import { copyFor, el, explanation, rounded } from "../shared/dom.js";
import { digitPlots } from "./digit_plots.js";

/** A card of an outcome. note: words beside the name; actions: elements at the end of the head. */
export function scoreCard(
  { metric, signature, value, scale, components, meanings, rationales, error },
  { note = null, actions = [], stale = false } = {},
) {
  const copy = el("button", {
    type: "button",
    class: "quiet-button",
    click: () => copyFor(copy, signature, "copied", "select it to the left"),
  }, "copy");
  return el(
    "article",
    { class: `score-card${stale ? " stale" : ""}`, "data-metric": metric },
    el(
      "header",
      {},
      el("h3", {}, metric),
      error ? el("span", { class: "problem" }, `no score: ${error.message}`) : valueInRange(value, scale),
      note && el("span", { class: "quiet" }, note),
      actions,
    ),
    components && [componentChips(components, meanings), digitPlots(components)],
    rationales?.length > 0 && explanation(rationales),
    el(
      "details",
      { class: "signature-box" },
      el("summary", {}, "signature"),
      el("p", { class: "signature" }, signature, " ", copy),
    ),
  );
}

/** What a score is made of, with its meaning where that is known: by pointing at a number, or all of them opened below. */
function componentChips(components, meanings) {
  const numbers = Object.entries(components).filter(([name, number]) =>
    typeof number === "number" && !name.endsWith("_mass") && !(name === "phrase_fallback" && !number)
  );
  if (!numbers.length) return null;
  const known = numbers.filter(([name]) => meanings[name]);
  return [
    el(
      "p",
      { class: "chips" },
      numbers.map(([name, number]) =>
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
      el("dl", {}, known.map(([name]) => [el("dt", {}, name), el("dd", {}, meanings[name])])),
    ),
  ];
}

/** A card of work that is going on, with a button that ends it. */
export function workingCard(metric, text, stop) {
  return el(
    "article",
    { class: "score-card working", "data-metric": metric },
    el(
      "header",
      {},
      el("h3", {}, metric),
      el("span", { class: "quiet at-work", role: "status" }, text),
      el("button", { type: "button", class: "quiet-button", click: stop }, "Cancel"),
    ),
  );
}

/** A card of a metric that could judge but has not, or that failed. */
export function idleCard(metric, text, button) {
  return el(
    "article",
    { class: "score-card idle", "data-metric": metric },
    el("header", {}, el("h3", {}, metric), text && el("span", { class: "problem" }, text), button),
  );
}

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

const short = (number) => String(Number(number.toFixed(3)));
