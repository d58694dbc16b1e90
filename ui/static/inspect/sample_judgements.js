// The metrics' judgements of a sample while the page shows it. They judge its own caption or an edited one. They may be
// in progress or finished, and saved or not.

import { get, wordsOf } from "../shared/api.js";
import { judge, progressText } from "./judge_stream.js";

/** @import { LinksJson, Readiness, ErrorJson, SampleJson, ScoreJson, Waiting, Working } from "../shared/wire.d.ts" */
/** @typedef {ScoreJson | ErrorJson} Outcome */
/** @typedef {{outcome: ScoreJson & {links: LinksJson}, caption: string}} Explained
 * a score with regions, and the caption that the score judges */
/** @typedef {object} State state of a metric's judgement
 * @property {string} [text] progress of the work, in words
 * @property {Outcome} [outcome]
 * @property {string} [caption] the caption that is judged
 * @property {string} [problem] why the work failed
 * @property {boolean} [keep] whether to save the score with the sample
 * @property {number} [id] number of the state; each new state gets the next number */

const PAUSE_MS = 300; // ms after the first metric's answer; then the other metrics start
const SOON_MS = 80; // ms from a keypress until the page shows that work is in progress; most work takes less time

/** The judgements of one sample by metrics. */
export class Judgements {
  /** @param {SampleJson} sample
   * @param {{onNews: () => void, onProgress: (metric: string, text: string) => void, onSaved: () => void}} callbacks
   * onNews: called if the judgements changed; onProgress: called if only a metric's progress changed;
   * onSaved: called after a score was saved */
  constructor(sample, { onNews, onProgress, onSaved }) {
    this.sample = sample;
    this.onNews = onNews;
    this.onProgress = onProgress;
    this.onSaved = onSaved;
    this.caption = sample.caption;
    this.left = false;
    this.made = 0; // states
    this.stored = 0; // how many of the sample's scores have been saved since the page was opened
    /** @type {Readiness[]} */
    this.metrics = [];
    /** @type {Map<string, State>} maps a metric to its state for the sample's own caption, which edits do not change */
    this.own = new Map();
    /** @type {Map<string, State>} maps a metric to its state for the edited caption */
    this.live = new Map();
    /** @type {Map<string, AbortController>} key: metric */
    this.running = new Map();
    /** @type {number | undefined} a timer of work that waits for a pause in typing */
    this.timer = undefined;
    this.edits = 0;
    /** @type {string | null} the metric whose regions the page shows */
    this.shown = null;
    /** @type {number | undefined} a timer that reports an edit whose judgement takes long */
    this.due = undefined;
  }

  /** Fetch which metrics can judge this sample. Throws Refused, Unreachable. */
  async learn() {
    this.metrics = await get(`/api/samples/${this.sample.id}/metrics`);
  }

  /** Start a metric that shows regions for the sample's own caption. Do nothing if the page already shows regions. */
  begin() {
    const first = this.ready.find(({ shows_regions: regions }) => regions);
    if (first && !this.edited && !this.explained().length && !this.running.has(first.metric)) this.start(first.metric);
  }

  get ready() {
    return this.metrics.filter(({ ready }) => ready);
  }

  /** Whether any metric that can judge this sample shows regions. */
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

  /** Return whether a metric explains its scores by matches between caption and references.
   * @param {string} metric */
  showsMatches(metric) {
    return this.metrics.some((known) => known.metric === metric && known.shows_matches);
  }

  /** Return a metric's stored scores of the sample, except the older scores that newer scores have replaced.
   * @param {string} metric */
  storedBy(metric) {
    return this.current.filter((score) => score.metric === metric);
  }

  /** The newest score of each metric and model. */
  get current() {
    return this.sample.scores.filter(({ signature }) => !this.sample.older.includes(signature));
  }

  /** Older scores: for each, a newer score of the same metric and model exists, computed with other settings. */
  get older() {
    return this.sample.scores.filter(({ signature }) => this.sample.older.includes(signature));
  }

  /** Return a metric's outcome for the sample's own caption: a new outcome, otherwise a stored score with regions.
   * Return null if there is neither.
   * @param {string} metric @returns {ScoreJson | null} */
  ownBy(metric) {
    const now = this.own.get(metric)?.outcome,
      stored = this.storedBy(metric).find((score) => "links" in score && score.links);
    return /** @type {ScoreJson | null} */ (now ?? stored ?? null);
  }

  /** Why a metric that shows regions could not judge the current caption; "" if no such metric has failed. */
  get problem() {
    const shown = this.ready.filter(({ shows_regions: shows }) => shows).map(({ metric }) => this.states.get(metric));
    return shown.find((state) => state?.problem)?.problem ?? "";
  }

  /** Whether a metric that shows regions is judging the current caption. */
  get isComparing() {
    return this.ready.some(({ metric, shows_regions: shows }) =>
      shows && this.running.has(metric) && !isOver(this.states.get(metric))
    );
  }

  /** Whether a metric that shows regions has answered for the current caption, or has failed. */
  get hasAnswered() {
    return this.ready.some(({ metric, shows_regions: shows }) => shows && isOver(this.states.get(metric)));
  }

  /** Return the scores that show regions for the current caption, each with the caption that was judged.
   * @returns {Explained[]} */
  explained() {
    const now = this.ready.flatMap(({ metric }) => this.states.get(metric) ?? []).filter(explains);
    const stored = this.edited
      ? []
      : this.current.map((outcome) => ({ outcome, caption: this.sample.caption })).filter(explains);
    return [...now, ...stored.filter(({ outcome }) => !now.some((other) => other.outcome.metric === outcome.metric))];
  }

  /** Judge another caption. The metric whose regions are shown starts first, before the page is drawn again.
   * The other metrics wait until it has answered and the user stops typing. The server judges one caption at a time.
   * @param {string} caption */
  edit(caption) {
    this.caption = caption;
    this.halt();
    this.live.clear();
    const edit = this.edits += 1, first = this.edited && caption.trim() ? this.first : null;
    const judged = first === null ? null : this.start(first);
    if (judged) this.due ??= setTimeout(() => this.tell(), SOON_MS); // delayed, so that the page does not flicker
    else this.tell();
    if (!this.edited) return this.begin();
    if (!caption.trim()) return;
    this.startOthers(first, edit, judged);
  }

  /** Start the other metrics a short time after the first metric has answered.
   * @param {string | null} first @param {number} edit number of the edit @param {Promise<void> | null} judged */
  async startOthers(first, edit, judged) {
    await judged;
    if (edit !== this.edits || this.left) return;
    this.timer = setTimeout(() => {
      for (const { metric } of this.ready) if (metric !== first) this.start(metric);
    }, PAUSE_MS);
  }

  /** The metric that judges an edited caption first; null if no metric shows regions. */
  get first() {
    const able = this.ready.filter(({ shows_regions: shows }) => shows).map(({ metric }) => metric);
    return able.find((metric) => metric === this.shown) ?? able[0] ?? null;
  }

  /** Report that the judgements changed. */
  tell() {
    clearTimeout(this.due);
    this.due = undefined;
    this.onNews();
  }

  /** Let a metric judge the current caption.
   * @param {string} metric @param {boolean} [keep] whether to save the score with the sample */
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
      if (this.running.get(metric) !== controller) return; // a newer judgement by this metric has replaced this one
      this.running.delete(metric); // now, because note() reports what is running
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
    clearTimeout(this.timer);
    for (const metric of this.running.keys()) this.stop(metric);
  }

  /** End all work, because the page no longer shows this sample. */
  leave() {
    this.left = true;
    clearTimeout(this.due);
    this.halt();
  }

  /** Add a score that was just saved to the sample's scores.
   * @param {string} metric @param {Outcome} outcome */
  kept(metric, outcome) {
    const others = this.sample.scores.filter(({ signature }) => signature !== outcome.signature);
    this.sample.scores = [...others, outcome].sort((a, b) => (a.metric < b.metric ? -1 : 1));
    this.stored += 1;
    this.own.delete(metric);
    this.tell();
    this.onSaved();
  }

  /** Store the state of a metric's judgement; null removes the state.
   * @param {Map<string, State>} states @param {string} metric @param {State | null} state */
  note(states, metric, state) {
    const before = states.get(metric), worked = before?.text !== undefined && !before.outcome;
    if (state) states.set(metric, { ...state, id: this.made += 1 });
    else states.delete(metric);
    if (states !== this.states) return;
    if (worked && state?.text !== undefined && !state.outcome) this.onProgress(metric, state.text);
    else this.tell();
  }
}

/** @param {State | undefined} state */
const isOver = (state) => Boolean(state?.outcome || state?.problem);

/** @param {{outcome?: Outcome, caption?: string}} state @returns {state is Explained} */
function explains(state) {
  return Boolean(state.outcome?.links);
}
