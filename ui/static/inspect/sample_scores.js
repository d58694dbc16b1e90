// The scores of a sample as a column of cards: stored scores, judgements in progress, and metrics that could still
// judge.

import { arrange, el, present } from "../shared/dom.js";
import { alertText, button, quiet } from "../shared/elements.js";
import { humanLine, needsOf } from "./sample_parts.js";
import { idleCard, scoreCard, showsNumber, signatureOf, workingCard } from "./score_cards.js";
import { WordScores } from "./word_scores.js";
import { halfUp } from "../shared/rounding.js";

/** @import { ErrorJson, ScoreJson } from "../shared/wire.d.ts" */
/** @import { KeptOpen } from "../shared/kept_open.js" */
/** @import { Judgements, State } from "./sample_judgements.js" */

/** Cards, each with a metric's score of the sample. */
export class SampleScores {
  /** @param {Judgements} judgements judgements of the sample
   * @param {KeptOpen} opened details that a person opened @param {string} [notice] a note for all readers of stored scores */
  constructor(judgements, opened, notice = "") {
    this.judgements = judgements;
    /** @type {Map<string, {key: string, nodes: HTMLElement[]}>} */
    this.cardsOf = new Map(); // maps a metric to its cards (`nodes`), which are drawn again only if `key` changes
    this.opened = opened;
    this.human = humanLine(judgements.sample);
    this.notice = notice && quiet(notice);
    this.none = quiet("No metric has scored this sample yet.");
    this.behind = el("div", {}); // the summary
    this.summary = el("summary", {});
    this.details = el("details", { class: "folded setup" }, this.summary, this.behind);
    this.words = new WordScores(judgements.sample.references);
    this.isOffered = false; // true after the page opened the details by itself, because it has no card of a metric
    this.heading = el("h2", { class: "visually-hidden" }, "Scores");
    this.element = el("section", { class: "scores", "aria-label": "Scores" });
    opened.restore([this.details]);
  }

  draw() {
    const { judgements } = this;
    this.human?.classList.toggle("stale", judgements.edited);
    const scored = judgements.sample.scores.map(({ metric }) => metric);
    const names = [...new Set([...judgements.ready.map(({ metric }) => metric), ...scored])];
    const order = (/** @type {string} */ name) => (judgements.states.has(name) || scored.includes(name) ? 0 : 1);
    names.sort((a, b) => order(a) - order(b));
    const ofWords = names.filter((name) => this.comparesWords(name));
    const cards = names.filter((name) => !ofWords.includes(name)).flatMap((metric) => this.known(metric));
    const words = ofWords.flatMap((metric) => this.known(metric));
    const { states, current, edited } = judgements;
    const outcomes = outcomesOf({ states, current: edited ? [] : current });
    const compared = ofWords.flatMap((name) => outcomes.filter(({ metric }) => metric === name));
    this.words.draw(words, compared, !cards.length);
    const parts = [...(cards.length || words.length ? cards : [this.none]), this.words.element];
    this.drawDetails(scored, !cards.length && !words.length);
    arrange(this.element, present(this.heading, this.human, ...parts, this.notice, this.details));
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

  /** Fill the folded details: signatures, costs, older scores, and what other metrics need before they can judge.
   * @param {readonly string[]} scored names of metrics that have scores
   * @param {boolean} isAlone whether the page has no cards */
  drawDetails(scored, isAlone) {
    const { judgements } = this;
    const missing = judgements.metrics.filter(({ ready, metric }) => !ready && !scored.includes(metric));
    const outcomes = outcomesOf(judgements);
    const words = [
      outcomes.length > 0 && "signatures and costs",
      judgements.older.length > 0 && "older scores",
      missing.length > 0 && `${missing.length} more ${missing.length === 1 ? "metric" : "metrics"}`,
    ].filter(Boolean).join(", ");
    this.details.hidden = !words;
    this.summary.textContent = words && words[0].toUpperCase() + words.slice(1);
    const key = [missing.length, ...outcomes.map(({ signature }) => signature)].join();
    if (this.behind.dataset.key !== key) {
      this.behind.dataset.key = key;
      this.behind.replaceChildren(...present(
        ...outcomes.map(signatureOf),
        judgements.older.length > 0 && el("h3", {}, "Older scores"),
        ...judgements.older.flatMap((score) => [scoreCard(score), signatureOf(score)]),
        needsOf(missing),
      ));
    }
    if (isAlone && missing.length && !this.isOffered && !judgements.sample.may_draw) {
      this.isOffered = true;
      this.opened.offer(this.details);
    }
  }

  /** Show the progress of a metric that is judging now.
   * @param {string} metric @param {string} text the progress in words */
  progress(metric, text) {
    const line = this.cardsOf.get(metric)?.nodes[0]?.querySelector(".at-work");
    if (line) line.textContent = text;
  }

  /** Show the error of the request that asked which metrics can judge the sample.
   * @param {string} text */
  fail(text) {
    this.element.append(alertText(text));
  }

  /** Return a metric's cards. Draw them again only after a change.
   * @param {string} metric */
  known(metric) {
    const { edited, states, stored, metrics } = this.judgements;
    const state = states.get(metric), before = this.cardsOf.get(metric);
    const key = [edited, state?.id, stored, metrics.length].join();
    if (before?.key === key) return before.nodes;
    this.opened.store(before?.nodes ?? []);
    const nodes = this.cardsFor(metric, state ?? {});
    this.opened.restore(nodes);
    this.cardsOf.set(metric, { key, nodes });
    return nodes;
  }

  /** Return the caption and references that a metric compared word by word.
   * Return null for other metrics and for errors.
   * @param {ScoreJson | ErrorJson} outcome @param {string} caption */
  textsOf(outcome, caption) {
    const { judgements } = this;
    if (!("value" in outcome) || !(outcome.matches.length || judgements.showsMatches(outcome.metric))) return null;
    return { caption, references: judgements.sample.references };
  }

  /** @param {string} metric @param {State} state */
  cardsFor(metric, { text, outcome, problem, caption, keep = false }) {
    const { judgements } = this, { edited, sample } = judgements;
    const stored = judgements.storedBy(metric);
    const again = (/** @type {string} */ words, /** @type {boolean} */ save) =>
      button(words, () => judgements.start(metric, save), save ? "small makes" : "small");
    if (text !== undefined && !outcome) return [workingCard(metric, text, () => judgements.stop(metric))];
    if (problem && !outcome) {
      return [
        idleCard(metric, problem, again("Try again", keep)),
        ...stored.map((score) => scoreCard(score, { human: edited ? null : judgements.sample.human })),
      ];
    }
    if (outcome) {
      return [
        scoreCard(outcome, {
          human: edited ? null : judgements.sample.human,
          note: showsNumber(outcome) || !edited ? noteOn(edited, stored, problem) : "for the edited caption",
          texts: this.textsOf(outcome, caption ?? sample.caption),
          actions: edited ? [] : [again(problem ? "Try again" : "Save", true)],
        }),
      ];
    }
    if (stored.length) {
      const compare = judgements.showsMatches(metric) ? [again("Show matches", false)] : [];
      return stored.map((score) => {
        const texts = "value" in score && score.matches.length ? this.textsOf(score, sample.caption) : null;
        if (edited) return scoreCard(score, { note: noteOnOwn(score), stale: true, texts });
        return scoreCard(score, { human: sample.human, texts, actions: texts ? [] : compare });
      });
    }
    return judgements.isReady(metric) ? [idleCard(metric, null, again("Score now", false))] : [];
  }
}

/** Return the outcomes (scores and errors) that are shown now.
 * @param {Pick<Judgements, "states" | "current">} judgements @returns {(ScoreJson | ErrorJson)[]} */
function outcomesOf({ states, current }) {
  const now = [...states.values()].flatMap(({ outcome }) => outcome ?? []);
  return [...now, ...current.filter(({ metric }) => !now.some((one) => one.metric === metric))];
}

/** Return a note for a score of the sample's own caption, to be shown while the field contains another caption.
 * @param {ScoreJson | ErrorJson} outcome */
function noteOnOwn(outcome) {
  const isExplained = "value" in outcome && outcome.rationales.length > 0;
  return `score ${isExplained ? "and explanation " : ""}of the sample’s own caption`;
}

/** Return the note on a new score, which says that it is not saved or belongs to an edited caption.
 * @param {boolean} edited @param {(ScoreJson | ErrorJson)[]} stored @param {string} [problem] */
function noteOn(edited, stored, problem) {
  const old = stored.find((score) => "value" in score);
  if (edited) return old ? `edited; was ${halfUp(old.value, 3)}` : "score of the edited caption";
  return problem ? `not saved: ${problem}` : "not saved";
}
