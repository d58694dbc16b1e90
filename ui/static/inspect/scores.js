// The scores of a sample as a column of cards: stored scores, judgements in progress, and metrics that could still
// judge.

import { arrange, el, present } from "../shared/dom.js";
import { alertText, button, quiet } from "../shared/elements.js";
import { folded } from "../shared/folded.js";
import { rounded } from "../shared/rounding.js";
import { counted } from "../shared/text.js";
import { humanLine } from "./parts.js";
import { idleCard, scoreCard, showsNumber, signatureOf, workingCard } from "./score_card.js";

/** @import { ErrorJson, Readiness, ScoreJson } from "../shared/wire.d.ts" */
/** @import { Judgements, State } from "./judgements.js" */

const COMMAND = /^(python|pip|capscope) /;

/** Cards, each with a metric's score of the sample. */
export class Scores {
  /** @param {Judgements} judgements judgements of the sample
   * @param {string} [notice] a note for all readers of stored scores */
  constructor(judgements, notice = "") {
    this.judgements = judgements;
    /** @type {Map<string, {key: unknown[], nodes: HTMLElement[]}>} */
    this.cardsOf = new Map(); // maps a metric to its cards (`nodes`), which are drawn again only if `key` changes
    this.notice = notice && quiet(notice);
    this.none = quiet("No metric has scored this sample yet.");
    this.heading = el("h2", { class: "visually-hidden" }, "Scores");
    this.element = el("section", { class: "scores", "aria-label": "Scores" });
    // The scores of metrics that compare words with the references are one line, which can be unfolded into their cards.
    this.words = folded("word-scores", "word scores", "");
    this.setup = folded("setup", "setup", "");
    this.isOffered = false; // true after the page has opened a part by itself, because it has no other card
  }

  draw() {
    const { judgements } = this, { sample, states, edited, metrics } = judgements;
    const scored = sample.scores.map(({ metric }) => metric), names = [...new Set([...judgements.ready, ...scored])];
    const order = (/** @type {string} */ name) => Number(!states.has(name) && !scored.includes(name));
    names.sort((a, b) => order(a) - order(b));
    const ofWords = names.filter((name) => this.comparesWords(name));
    const cards = names.filter((name) => !ofWords.includes(name)).flatMap((metric) => this.known(metric));
    this.drawWords(ofWords, !cards.length);
    const missing = metrics.filter(({ ready, metric }) => !ready && !scored.includes(metric));
    this.drawSetup(missing, !cards.length && !ofWords.length);
    const first = cards.length || ofWords.length ? cards : [this.none];
    arrange(
      this.element,
      present(this.heading, humanLine(sample, edited), ...first, this.words, this.notice, this.setup),
    );
  }

  /** Return whether a metric explains its scores by words that the caption and the references share.
   * The result is also true for a metric that needs references and has not scored the sample yet.
   * @param {string} metric */
  comparesWords(metric) {
    const { metrics, states } = this.judgements, stored = this.judgements.storedBy(metric);
    const known = metrics.find((one) => one.metric === metric);
    if (known?.shows_matches || stored.some((one) => "value" in one && one.matches.length > 0)) return true;
    return Boolean(known?.requires_references) && !states.has(metric) && !stored.length;
  }

  /** Show the metrics that compare words. If there are none, list the references.
   * @param {string[]} metrics @param {boolean} isAlone whether there are no other cards */
  drawWords(metrics, isAlone) {
    const { references } = this.judgements.sample,
      { length } = references,
      cards = metrics.flatMap((one) => this.known(one));
    const [summary] = this.words.children, known = this.outcomes(!this.judgements.edited);
    const values = metrics.flatMap((metric) => known.filter((one) => one.metric === metric)).flatMap((one) =>
      "value" in one ? el("span", { class: "unbroken" }, `${one.metric} ${rounded(one.value)}`) : []
    );
    const many = counted(length, "reference");
    const listed = el(
      "span",
      {},
      values.length > 0 && `Compared with ${many}: `,
      values.map((one, at) => [at > 0 && ", ", one]),
    );
    summary.replaceChildren(values.length ? listed : many);
    arrange(this.words, [
      summary,
      ...(cards.length ? cards : [el("ul", {}, references.map((text) => el("li", {}, text)))]),
    ]);
    this.words.hidden = !cards.length && !length;
    if (isAlone && cards.length) this.offer(this.words);
  }

  /** Fill the folded details: signatures, costs, and what other metrics need before they can judge.
   * @param {Readiness[]} missing metrics that cannot judge yet @param {boolean} isAlone whether the page has no cards */
  drawSetup(missing, isAlone) {
    const { sample } = this.judgements, outcomes = this.outcomes(true), [summary] = this.setup.children;
    const words = [
      outcomes.length > 0 && "signatures and costs",
      missing.length > 0 && counted(missing.length, "more metric"),
    ].filter(Boolean).join(", ");
    this.setup.hidden = !words;
    const key = [words, ...outcomes.map(({ signature }) => signature)].join();
    if (this.setup.dataset.key !== key) {
      this.setup.dataset.key = key;
      summary.textContent = words && words[0].toUpperCase() + words.slice(1);
      this.setup.replaceChildren(...present(summary, ...outcomes.map(signatureOf), needsOf(missing)));
    }
    if (isAlone && missing.length && !sample.may_draw) this.offer(this.setup);
  }

  /** Open a part once, because the page shows no other score. @param {HTMLDetailsElement} part */
  offer(part) {
    if (!this.isOffered) this.isOffered = part.open = true;
  }

  /** Return the outcomes (scores and errors) that are shown now, one for each metric.
   * @param {boolean} withStored whether to return stored outcomes, too @returns {(ScoreJson | ErrorJson)[]} */
  outcomes(withStored) {
    const { states, sample } = this.judgements, now = [...states.values()].flatMap(({ outcome }) => outcome ?? []);
    return withStored
      ? [...now, ...sample.scores.filter(({ metric }) => !now.some((one) => one.metric === metric))]
      : now;
  }

  /** Show the error of the request that asked which metrics can judge the sample.
   * @param {string} text */
  fail(text) {
    this.element.append(alertText(text));
  }

  /** Return a metric's cards. Draw them again only after a change.
   * @param {string} metric */
  known(metric) {
    const { edited, states, metrics } = this.judgements;
    const state = states.get(metric), before = this.cardsOf.get(metric);
    const key = [edited, state, metrics.length];
    if (before && key.every((part, at) => part === before.key[at])) return before.nodes;
    const nodes = this.cardsFor(metric, state ?? {});
    this.cardsOf.set(metric, { key, nodes });
    return nodes;
  }

  /** @param {string} metric @param {State} state */
  cardsFor(metric, { isSlow, outcome, problem, caption }) {
    const { judgements } = this, { edited, sample } = judgements, human = edited ? null : sample.human;
    const stored = judgements.storedBy(metric);
    const start = (/** @type {string} */ words) => button(words, () => judgements.start(metric), "small");
    if (outcome) {
      const note = showsNumber(outcome) ? noteOn(edited, stored) : "for the edited caption";
      return [scoreCard(outcome, { human, note, texts: this.textsOf(outcome, caption ?? sample.caption) })];
    }
    if (isSlow) return [workingCard(metric, () => judgements.stop(metric))];
    if (problem) {
      return [idleCard(metric, problem, start("Try again")), ...stored.map((score) => scoreCard(score, { human }))];
    }
    if (!stored.length) {
      return judgements.ready.includes(metric) ? [idleCard(metric, null, start("Score now"))] : [];
    }
    const compare = judgements.showsMatches(metric) ? [start("Show matches")] : [];
    return stored.map((score) => {
      const texts = "value" in score && score.matches.length ? this.textsOf(score, sample.caption) : null;
      if (edited) return scoreCard(score, { note: noteOnOwn(score), stale: true, texts });
      return scoreCard(score, { human, texts, actions: texts ? [] : compare });
    });
  }

  /** Return the caption and references that a metric compared word by word.
   * Return null for other metrics and for errors.
   * @param {ScoreJson | ErrorJson} outcome @param {string} caption */
  textsOf(outcome, caption) {
    const { judgements } = this;
    if (!("value" in outcome) || !(outcome.matches.length || judgements.showsMatches(outcome.metric))) return null;
    return { caption, references: judgements.sample.references };
  }
}

/** Return a note for a score of the sample's own caption, to be shown while the field contains another caption.
 * @param {ScoreJson | ErrorJson} outcome */
function noteOnOwn(outcome) {
  const isExplained = "value" in outcome && outcome.rationales.length > 0;
  return `score ${isExplained ? "and explanation " : ""}of the sample’s own caption`;
}

/** Return the note on a new score, which says to which caption it belongs.
 * @param {boolean} edited @param {(ScoreJson | ErrorJson)[]} stored */
function noteOn(edited, stored) {
  const old = stored.find((score) => "value" in score);
  return !edited ? "not stored" : old ? `edited; was ${rounded(old.value)}` : "score of the edited caption";
}

/** List what metrics still need before they can judge. Return null if no metric needs anything.
 * @param {Readiness[]} metrics */
function needsOf(metrics) {
  if (!metrics.length) return null;
  const need = (/** @type {string} */ what) => el("li", {}, COMMAND.test(what) ? el("code", {}, what) : what);
  return el(
    "section",
    { class: "meanings" },
    el("h3", {}, `${metrics.length} ${metrics.length === 1 ? "metric needs" : "metrics need"} something first`),
    el(
      "dl",
      {},
      metrics.map(({ metric, needs }) => [el("dt", {}, metric), el("dd", {}, el("ul", {}, needs.map(need)))]),
    ),
  );
}
