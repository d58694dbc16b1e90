// Scores as cards. A card shows the value on its scale, the components, the explanation, the signature and the cost.

import { el, explanation } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { folded } from "../shared/folded.js";
import { working } from "../shared/notices.js";
import { halfUp, rounded } from "../shared/rounding.js";
import { digitCharts } from "./digits.js";
import { matchesOf } from "./matches.js";

/** @import { ErrorJson, ScoreJson, Usage } from "../shared/wire.d.ts" */
/** @import { Child } from "../shared/types.d.ts" */
/** @import { Texts } from "./matches.js" */
/** @typedef {readonly [number, number]} Scale lowest and highest possible value */

const HICE = "HICE-S", REF_HICE = "RefHICE-S";
/** Names of a score's components, as the page shows them. @type {Record<string, string>} */
const NAMES = {
  gITC: "global consistency (gITC)",
  lITC: "local consistency (lITC)",
  gTTC: "global consistency with references (gTTC)",
  lTTC: "local consistency with references (lTTC)",
  reference_precision: "precision against references",
  reference_recall: "recall against references",
  phrase_fallback: "no phrase about a thing was found, so nouns or the whole caption were compared",
  not_english: "the caption’s phrases were not read, because the caption does not look like English",
};
const MAIN = new Set(["precision", "recall"]); // names of the components that are always visible
const MARK = 0.014; // width of the mark of the human rating, as a share of the bar's length

/** Make the card of an outcome.
 * @param {ScoreJson | ErrorJson} outcome
 * @param {{note?: string | null, actions?: HTMLElement[], stale?: boolean, human?: number | null,
 *   texts?: Texts | null}} [more] note: text to show beside the metric's name; actions: buttons at the end of the head;
 * human: the human rating of the same caption, in [0, 1]; texts: the texts that the metric compared word by word */
export function scoreCard(outcome, { note = null, actions = [], stale = false, human = null, texts = null } = {}) {
  const { metric } = outcome;
  return card(
    metric,
    stale ? "stale" : "",
    [
      "value" in outcome && !isUnread(outcome)
        ? valueInRange(outcome.value, outcome.scale, human)
        : el("span", { class: "problem" }, `no score: ${outcome.error?.message ?? unread(metric)}`),
      note && el("span", { class: "quiet" }, note),
      actions,
    ],
    about(outcome),
    "value" in outcome && [
      texts && matchesOf(outcome, texts),
      !isUnread(outcome) && parts(outcome),
      outcome.rationales.length > 0 && explanation(outcome.rationales),
    ],
  );
}

/** Make the card of a metric that is working, with a button that cancels the work.
 * @param {string} metric @param {() => void} stop */
export function workingCard(metric, stop) {
  return card(metric, "", [working("Working"), button("Cancel", stop, "quiet-button")]);
}

/** Make the card of a metric that has not judged yet, or whose judgement failed.
 * @param {string} metric @param {string | null} text the problem @param {HTMLElement} button starts the metric */
export function idleCard(metric, text, button) {
  return card(metric, "idle", [text && el("span", { class: "problem" }, text), button]);
}

/** @param {string} metric @param {string} look @param {Child} head @param {...Child} content */
function card(metric, look, head, ...content) {
  return el(
    "article",
    { class: `score-card ${look}`.trim(), "data-metric": metric },
    el("header", {}, el("h3", {}, metric), head),
    content,
  );
}

/** Return whether a metric did not read a caption, because it does not look English. Its number then means little.
 * @param {Pick<ScoreJson, "components">} score */
const isUnread = ({ components }) => Boolean(components.not_english);

/** Return whether a card shows a number. @param {ScoreJson | ErrorJson} outcome */
export const showsNumber = (outcome) => "value" in outcome && !isUnread(outcome);

/** @param {string} metric */
const unread = (metric) => `The caption does not look English, and ${metric} reads English only.`;

/** Say in a sentence what HICE-S and RefHICE-S do. @param {ScoreJson | ErrorJson} outcome */
function about(outcome) {
  const regions = "value" in outcome && outcome.by_labels ? "the picture’s labelled regions" : "the picture’s regions";
  const words = {
    [HICE]: `${HICE} checks each detail of the caption against ${regions}.`,
    [REF_HICE]: `${REF_HICE} also compares the caption with the references.`,
  }[outcome.metric];
  return words && el("p", { class: "quiet about-metric" }, words);
}

/** Show the signature (how a score was computed) and the cost of a score. Few readers need them.
 * @param {ScoreJson | ErrorJson} outcome */
export function signatureOf({ metric, signature, usage, seconds }) {
  return el(
    "div",
    { class: "signature-of", "data-of": metric },
    el("h3", {}, metric),
    el("p", { class: "signature" }, signature),
    el("p", { class: "cost quiet" }, `${tokens(usage)} ${time(seconds)}`),
  );
}

/** @param {Usage | null} usage the tokens that the model server counted */
function tokens(usage) {
  if (!usage) return "Tokens: none were counted.";
  return `Tokens: ${usage.prompt.toLocaleString("en")} in prompts, ${
    usage.completion.toLocaleString("en")
  } in answers.`;
}

/** @param {Record<string, number>} seconds seconds of each part of the work */
function time(seconds) {
  const parts = Object.entries(seconds);
  if (!parts.length) return "Seconds: not measured.";
  const all = parts.reduce((sum, [, took]) => sum + took, 0);
  return `Seconds: ${all.toFixed(2)} (${parts.map(([part, took]) => `${part} ${took.toFixed(2)}`).join(", ")}).`;
}

/** Show a score's components. All are listed as numbers with their meanings, in a folded part.
 * @param {ScoreJson} score */
function parts({ metric, components, meanings }) {
  const numbers = Object.entries(components).flatMap(([name, number]) =>
    Array.isArray(number) || name.endsWith("_mass")
      ? []
      : [{ name, words: NAMES[name] ?? name.replaceAll("_", " "), number, meaning: meanings[name] ?? "" }]
  );
  const charts = digitCharts(components);
  if (!numbers.length && !charts) return null;
  const value = (/** @type {number} */ number) => el("strong", { title: String(number) }, rounded(number));
  return el(
    "div",
    { class: "score-parts" },
    numbers.filter(({ name }) => MAIN.has(name)).map(({ words, number, meaning }) =>
      el("span", { class: "part", title: meaning }, `${words} `, value(number))
    ),
    charts,
    numbers.length > 0 &&
      folded(
        "meanings",
        `numbers of ${metric}`,
        "numbers",
        el(
          "dl",
          {},
          numbers.map(({ words, number, meaning }) => [
            el("dt", {}, words, " ", value(number)),
            el("dd", {}, meaning),
          ]),
        ),
      ),
  );
}

/** Show a value with a bar and the ends of its scale, so that people know what a full bar means.
 * @param {number} value @param {Scale} scale @param {number | null} human human rating, in [0, 1] */
function valueInRange(value, [low, high], human) {
  const share = Math.min(100, Math.max(0, (100 * (value - low)) / (high - low)));
  return [
    el("strong", { class: "score-value", title: String(value) }, rounded(value)),
    el(
      "svg",
      { viewBox: "0 0 100 8", preserveAspectRatio: "none", class: "gauge-bar", "aria-hidden": "true" },
      el("rect", { x: 0, y: 2, width: 100, height: 4, class: "gauge-track" }),
      el("rect", { x: 0, y: 2, width: share, height: 4, class: "gauge-fill" }),
      human !== null &&
        el("rect", { x: 100 * markStart(human, MARK), y: 0, width: 100 * MARK, height: 8, class: "gauge-human" }),
    ),
    el("span", { class: "quiet" }, ends([low, high])),
  ];
}

/** Describe the ends of a scale in words. The highest possible value fills the whole bar. @param {Scale} scale */
export function ends([low, high]) {
  const short = (/** @type {number} */ number) => String(Number(halfUp(number, 3)));
  return low === 0 ? `of ${short(high)}` : `from ${short(low)} to ${short(high)}`;
}

/** Return where a human rating is marked on a bar, as a share of the bar's length.
 * The rating is in [0, 1], the scale of people's ratings. The bars of all metrics have the mark at the same place,
 * although their scales differ. The mark is narrow and stays within the bar.
 * @param {number} human @param {number} width width of the mark as a share of the bar's length */
export function markStart(human, width) {
  return Math.min(1 - width, Math.max(0, human - width / 2));
}
