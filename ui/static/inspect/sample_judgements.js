// What metrics say of a sample while it is looked at: its own caption or an edited one, kept or not, at work or done.

import { get, wordsOf } from "../shared/api.js";
import { judge, progressText } from "./judge_stream.js";

/** @import { LinksJson, Readiness, ErrorJson, SampleJson, ScoreJson, Waiting, Working } from "../shared/wire.d.ts" */
/** @typedef {ScoreJson | ErrorJson} Outcome */
/** @typedef {{outcome: ScoreJson & {links: LinksJson}, caption: string}} Explained a score with regions, and the very caption that was judged */
/** @typedef {object} State what a metric says now: a text at work, an outcome of a caption, or a problem afterwards
 * @property {string} [text]
 * @property {Outcome} [outcome]
 * @property {string} [caption]
 * @property {string} [problem]
 * @property {boolean} [keep]
 * @property {number} [id] */

const QUICK_MS = 5; // after the last key before the regions are judged again: all events of one paste are judged once
const WORDS_MS = 150; // before those that compare words with references, which takes milliseconds
const SLOW_MS = 700; // and before the other metrics are asked

/** One sample's judgements. */
export class Judgements {
  /** @param {SampleJson} sample
   * @param {{onNews: () => void, onProgress: (metric: string, text: string) => void, onSaved: () => void}} tells onNews when
   * what metrics say has changed, onProgress when only the words about one's work have, onSaved when a score was kept */
  constructor(sample, { onNews, onProgress, onSaved }) {
    this.sample = sample;
    this.onNews = onNews;
    this.onProgress = onProgress;
    this.onSaved = onSaved;
    this.caption = sample.caption;
    this.left = false;
    this.made = 0; // states
    this.stored = 0; // scores kept here
    /** @type {Readiness[]} */
    this.metrics = [];
    /** @type {Map<string, State>} by metric, of the sample's own caption; an edit leaves it alone */
    this.own = new Map();
    /** @type {Map<string, State>} by metric, of the caption as edited */
    this.live = new Map();
    /** @type {Map<string, AbortController>} by metric */
    this.running = new Map();
    /** @type {number[]} of work that waits for a pause in typing */
    this.timers = [];
  }

  /** Learn what can judge here. Throws Refused, Unreachable. */
  async learn() {
    this.metrics = await get(`/api/samples/${this.sample.id}/metrics`);
  }

  /** Let a metric show regions of the sample's own caption where none does. */
  begin() {
    const first = this.ready.find(({ shows_regions: regions }) => regions);
    if (first && !this.edited && !this.explained().length && !this.running.has(first.metric)) this.start(first.metric);
  }

  get ready() {
    return this.metrics.filter(({ ready }) => ready);
  }

  /** Whether anything that can judge here shows regions. */
  get showsRegions() {
    return this.ready.some(({ shows_regions: shows }) => shows);
  }

  get edited() {
    return this.caption.trim() !== this.sample.caption.trim();
  }

  get states() {
    return this.edited ? this.live : this.own;
  }

  /** @param {string} metric */
  isReady(metric) {
    return this.ready.some((known) => known.metric === metric);
  }

  /** Whether a metric explains its scores by matches with references.
   * @param {string} metric */
  showsMatches(metric) {
    return this.metrics.some((known) => known.metric === metric && known.shows_matches);
  }

  /** The sample's stored scores by a metric, but for those that newer ones stand beside.
   * @param {string} metric */
  storedBy(metric) {
    return this.current.filter((score) => score.metric === metric);
  }

  /** The newest score of each metric and model. */
  get current() {
    return this.sample.scores.filter(({ signature }) => !this.sample.older.includes(signature));
  }

  /** Those that newer ones stand beside: the same metric and model, computed otherwise. */
  get older() {
    return this.sample.scores.filter(({ signature }) => this.sample.older.includes(signature));
  }

  /** What a metric says of the sample's own caption, with regions, or null.
   * @param {string} metric @returns {ScoreJson | null} */
  ownBy(metric) {
    const now = this.own.get(metric)?.outcome,
      stored = this.storedBy(metric).find((score) => "links" in score && score.links);
    return /** @type {ScoreJson | null} */ (now ?? stored ?? null);
  }

  /** Why no metric that shows regions judges the current caption; empty if one does or still may. */
  get problem() {
    const shown = this.ready.filter(({ shows_regions: shows }) => shows).map(({ metric }) => this.states.get(metric));
    return shown.find((state) => state?.problem)?.problem ?? "";
  }

  /** What explains the caption as it stands, each with the very caption that was judged.
   * @returns {Explained[]} */
  explained() {
    const now = this.ready.flatMap(({ metric }) => this.states.get(metric) ?? []).filter(explains); // in one order
    const stored = this.edited
      ? []
      : this.current.map((outcome) => ({ outcome, caption: this.sample.caption })).filter(explains);
    return [...now, ...stored.filter(({ outcome }) => !now.some((other) => other.outcome.metric === outcome.metric))];
  }

  /** Judge another caption: first by metrics that show regions, by the others a while after the last key.
   * @param {string} caption */
  edit(caption) {
    this.caption = caption;
    this.halt();
    this.live.clear();
    this.onNews();
    if (!this.edited) return this.begin();
    if (!caption.trim()) return;
    const pause = (/** @type {Readiness} */ metric) =>
      metric.shows_regions ? QUICK_MS : metric.shows_matches ? WORDS_MS : SLOW_MS;
    this.timers = [QUICK_MS, WORDS_MS, SLOW_MS].map((ms) =>
      setTimeout(() => {
        for (const metric of this.ready) if (pause(metric) === ms) this.start(metric.metric);
      }, ms)
    );
  }

  /** Let a metric judge the caption as it stands. keep: save the score with the sample.
   * @param {string} metric @param {boolean} [keep] */
  async start(metric, keep = false) {
    if (this.left) return;
    this.stop(metric);
    const controller = new AbortController(), { states, caption } = this;
    this.running.set(metric, controller);
    const before = states.get(metric);
    const wanted = { sample: this.sample.id, metric, keep, ...(this.edited && { caption }) };
    try {
      const outcome = await judge(
        wanted,
        (news) => this.note(states, metric, { ...before, text: progressText(news) }),
        controller.signal,
      );
      if (keep) this.kept(metric, outcome);
      else this.note(states, metric, { outcome, caption: wanted.caption ?? this.sample.caption });
    } catch (error) {
      if (this.running.get(metric) !== controller) return; // a newer one has taken over
      if (controller.signal.aborted) this.note(states, metric, before?.outcome ? before : null);
      else this.note(states, metric, { ...(keep && before), text: undefined, problem: wordsOf(error), keep });
    } finally {
      if (this.running.get(metric) === controller) this.running.delete(metric);
    }
  }

  /** @param {string} metric */
  stop(metric) {
    this.running.get(metric)?.abort();
  }

  halt() {
    this.timers.forEach(clearTimeout);
    for (const metric of this.running.keys()) this.stop(metric);
  }

  /** End all work; nobody looks any more. */
  leave() {
    this.left = true;
    this.halt();
  }

  /** The score is stored: it stands among the sample's own from now on.
   * @param {string} metric @param {Outcome} outcome */
  kept(metric, outcome) {
    const others = this.sample.scores.filter(({ signature }) => signature !== outcome.signature);
    this.sample.scores = [...others, outcome].sort((a, b) => (a.metric < b.metric ? -1 : 1));
    this.stored += 1;
    this.own.delete(metric);
    this.onNews();
    this.onSaved();
  }

  /** Take down what a metric says; null takes it back.
   * @param {Map<string, State>} states @param {string} metric @param {State | null} state */
  note(states, metric, state) {
    const before = states.get(metric), worked = before?.text !== undefined && !before.outcome;
    if (state) states.set(metric, { ...state, id: this.made += 1 });
    else states.delete(metric);
    if (states !== this.states) return;
    if (worked && state?.text !== undefined && !state.outcome) this.onProgress(metric, state.text);
    else this.onNews();
  }
}

/** @param {{outcome?: Outcome, caption?: string}} state @returns {state is Explained} */
function explains(state) {
  return Boolean(state.outcome?.links);
}
