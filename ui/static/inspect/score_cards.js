// Scores as cards. A card shows the value on its scale, the components, the explanation, the signature and the cost.

import { copyFor, el, explanation } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { costInWords } from "./costs.js";
import { digitPlots } from "./digit_plots.js";
import { matchesOf } from "./matches.js";
import { bar, ends, flagMeaning, partEnds, partName, partScale } from "./score_bars.js";
import { rounded } from "../shared/rounding.js";

/** @import { ErrorJson, ScoreJson } from "../shared/wire.d.ts" */
/** @import { Texts } from "./matches.js" */

const HICE = "HICE-S", REF_HICE = "RefHICE-S";

/** Make the card of an outcome.
 * @param {ScoreJson | ErrorJson} outcome
 * @param {{note?: string | null, actions?: HTMLElement[], stale?: boolean, human?: number | null,
 *   texts?: Texts | null}} [more] note: text to show beside the metric's name; actions: buttons at the end of the head;
 * human: the human rating of the same caption, in [0, 1]; texts: the texts that the metric compared word by word */
export function scoreCard(outcome, { note = null, actions = [], stale = false, human = null, texts = null } = {}) {
  const { metric } = outcome;
  return el(
    "article",
    { class: `score-card${stale ? " stale" : ""}`, "data-metric": metric },
    el(
      "header",
      {},
      el("h3", {}, metric),
      "value" in outcome && !isUnread(outcome)
        ? valueInRange(outcome.value, outcome.scale, human)
        : el("span", { class: "problem" }, `no score: ${outcome.error?.message ?? unread(metric)}`),
      note && el("span", { class: "quiet" }, note),
      actions,
    ),
    metric === HICE && aboutHice(outcome),
    metric === REF_HICE && aboutReferences(),
    "value" in outcome && [
      truncation(outcome.components),
      texts && matchesOf(outcome, texts),
      !isUnread(outcome) && parts(outcome),
      outcome.rationales.length > 0 && explanation(outcome.rationales),
    ],
  );
}

/** Return whether a metric did not read a caption, because it does not look English. Its number then means little.
 * @param {Pick<ScoreJson, "components">} score */
const isUnread = ({ components }) => Boolean(components.not_english);

/** Return whether a card shows a number. @param {ScoreJson | ErrorJson} outcome */
export const showsNumber = (outcome) => "value" in outcome && !isUnread(outcome);

/** @param {string} metric */
const unread = (metric) => `The caption does not look English, and ${metric} reads English only.`;

/** Make the paragraph that says what HICE-S does. @param {ScoreJson | ErrorJson} outcome */
function aboutHice(outcome) {
  const regions = "value" in outcome && outcome.by_labels ? "the picture’s labelled regions" : "the picture’s regions";
  return el(
    "p",
    { class: "quiet about-metric" },
    `${HICE} checks each detail of the caption against ${regions}. `,
    el("a", { class: "to-glossary", href: "/glossary#hice-s" }, "Glossary"),
  );
}

/** Say what RefHICE-S is. */
function aboutReferences() {
  return el("p", { class: "quiet about-metric" }, `${REF_HICE} also compares the caption with the references.`);
}

/** Show the signature (how a score was computed) and the cost of a score. Few readers need them.
 * @param {ScoreJson | ErrorJson} outcome */
export function signatureOf(outcome) {
  const { metric, signature } = outcome;
  const copy = button(
    "copy",
    () => copyFor(copy, signature, "copied", "select and copy the text on the left"),
    "quiet-button",
  );
  return el(
    "div",
    { class: "signature-of", "data-of": metric },
    el("h3", {}, metric),
    el("p", { class: "signature" }, signature, " ", copy),
    el("p", { class: "cost quiet" }, costInWords(outcome)),
  );
}

/** Say that the metric did not read the whole caption. Return null if it did.
 * @param {Record<string, number | number[]>} components */
function truncation({ truncated }) {
  if (!Array.isArray(truncated)) return null;
  const [read, whole] = truncated;
  if (!(read < whole)) return null; // no truncation: an imported score may use the name `truncated` for something else
  return el(
    "p",
    { class: "truncated" },
    el("strong", {}, "The metric did not read the whole caption: "),
    `it read ${read} of ${whole} tokens. Later words have no effect on the score.`,
  );
}

/** Show a score's components. Some are bars. All are also listed as numbers with their meanings, in a folded part.
 * @param {ScoreJson} score */
function parts({ metric, components, meanings, scale }) {
  const numbers = Object.entries(components).flatMap(([name, number]) =>
    Array.isArray(number) || name.endsWith("_mass") ? [] : [{ name, number, words: partName(metric, name) }]
  );
  const plots = digitPlots(components);
  if (!numbers.length && !plots) return null;
  const ofParts = partScale(metric, scale), end = partEnds(metric, scale);
  const bars = numbers.filter(({ name }) => BARS.has(name));
  const told = numbers.filter(({ name, number }) => !FLAGS.has(name) || number);
  return el(
    "div",
    { class: "score-parts" },
    bars.map(({ number, words, name }) =>
      el(
        "span",
        {
          class: "part-bar",
          title: `${meanings[name] ?? ""} The bar shows ${rounded(number)} ${ends(ofParts)}.`.trim(),
        },
        `${words} `,
        el("strong", {}, rounded(number)),
        bar(number, ofParts),
        end && el("span", { class: "quiet" }, end),
      )
    ),
    plots,
    told.length > 0 &&
      el(
        "details",
        { class: "meanings folded" },
        el("summary", {}, "numbers"),
        el(
          "dl",
          {},
          told.map(({ name, number, words }) => [
            el("dt", {}, words, !FLAGS.has(name) && [" ", el("strong", { title: String(number) }, rounded(number))]),
            el("dd", {}, FLAGS.has(name) ? flagMeaning(meanings[name] ?? "") : meanings[name] ?? ""),
          ]),
        ),
      ),
  );
}

const BARS = new Set(["precision", "recall"]); // names of the components shown as bars
const FLAGS = new Set(["phrase_fallback", "not_english"]); // names of the components that are only true or false

/** Make the card of a metric that is working, with a button that cancels the work.
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

/** Make the card of a metric that has not judged yet, or whose judgement failed.
 * @param {string} metric @param {string | null} text the problem @param {HTMLElement} button starts the metric */
export function idleCard(metric, text, button) {
  return el(
    "article",
    { class: "score-card idle", "data-metric": metric },
    el("header", {}, el("h3", {}, metric), text && el("span", { class: "problem" }, text), button),
  );
}

/** Show a value with a bar and the ends of its scale, so that people know what a full bar means.
 * @param {number} value @param {[number, number]} scale @param {number | null} human human rating, in [0, 1] */
function valueInRange(value, [low, high], human) {
  return [
    el("strong", { class: "score-value", title: String(value) }, rounded(value)),
    bar(value, [low, high], human),
    el("span", { class: "quiet" }, ends([low, high])),
  ];
}
