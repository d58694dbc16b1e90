// The metrics' judgements of a sample while the page shows it. They judge its own caption or an edited one. They may be
// in progress or finished, and saved or not.

import { get, request, wordsOf } from "../shared/api.js";

/** @import { ErrorJson, LinksJson, Readiness, SampleJson, ScoreJson } from "../shared/wire.d.ts" */
/** @typedef {ScoreJson | ErrorJson} Outcome */
/** @typedef {{outcome: ScoreJson & {links: LinksJson}, caption: string}} Explained
 * a score with regions, and the caption that the score judges */
/** @typedef {object} State state of a metric's judgement
 * @property {boolean} [isSlow] whether the work is not finished soon
 * @property {Outcome} [outcome]
 * @property {string} [caption] the caption that is judged
 * @property {string} [problem] why the work failed */

const PAUSE_MS = 300; // ms after the first metric's answer; then the other metrics start
const SLOW_MS = 400; // ms after which the page says that a metric is working

/** The judgements of one sample by metrics. */
export class Judgements {
  /** @param {SampleJson} sample @param {() => void} onNews is called if the judgements changed */
  constructor(sample, onNews) {
    this.sample = sample;
    this.onNews = onNews;
    this.caption = sample.caption;
    this.left = false;
    /** @type {Readiness[] | null} null: not known yet */
    this.known = null;
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
  }

  /** Fetch which metrics can judge this sample. Throws Refused, Unreachable. */
  async learn() {
    this.known = await get(`/api/samples/${this.sample.id}/metrics`);
  }

  /** Start a metric that shows regions for the sample's own caption. Do nothing if the page already shows regions. */
  begin() {
    const [first] = this.drawing;
    if (first && !this.edited && !this.explained().length && !this.running.has(first)) this.start(first);
  }

  get metrics() {
    return this.known ?? [];
  }

  /** Names of the metrics that can judge this sample. */
  get ready() {
    return this.metrics.filter(({ ready }) => ready).map(({ metric }) => metric);
  }

  /** Names of the metrics that can judge this sample and show regions. */
  get drawing() {
    return this.metrics.filter(({ ready, shows_regions: shows }) => ready && shows).map(({ metric }) => metric);
  }

  get edited() {
    return this.caption.trim() !== this.sample.caption.trim();
  }

  get states() {
    return this.edited ? this.live : this.own;
  }

  /** Return whether a metric explains its scores by matches between caption and references.
   * @param {string} metric */
  showsMatches(metric) {
    return this.metrics.some((known) => known.metric === metric && known.shows_matches);
  }

  /** Return a metric's stored scores of the sample. @param {string} metric */
  storedBy(metric) {
    return this.sample.scores.filter((score) => score.metric === metric);
  }

  /** Return a metric's outcome for the sample's own caption: a new outcome, otherwise a stored score with regions.
   * Return null if there is neither.
   * @param {string} metric @returns {ScoreJson | null} */
  ownBy(metric) {
    const now = this.own.get(metric)?.outcome, stored = this.storedBy(metric).find(({ links }) => links);
    return /** @type {ScoreJson | null} */ (now ?? stored ?? null);
  }

  /** Why a metric that shows regions could not judge the current caption; "" if no such metric has failed. */
  get problem() {
    return this.drawing.map((metric) => this.states.get(metric)?.problem).find(Boolean) ?? "";
  }

  /** Whether a metric that shows regions is judging the current caption. */
  get isComparing() {
    return this.drawing.some((metric) => this.running.has(metric) && !isOver(this.states.get(metric)));
  }

  /** Whether a metric that shows regions has answered for the current caption, or has failed. */
  get hasAnswered() {
    return this.drawing.some((metric) => isOver(this.states.get(metric)));
  }

  /** Return the scores that show regions for the current caption, each with the caption that was judged.
   * @returns {Explained[]} */
  explained() {
    const now = this.ready.flatMap((metric) => this.states.get(metric) ?? []).filter(explains);
    const stored = this.edited
      ? []
      : this.sample.scores.map((outcome) => ({ outcome, caption: this.sample.caption })).filter(explains);
    return [...now, ...stored.filter(({ outcome }) => !now.some((other) => other.outcome.metric === outcome.metric))];
  }

  /** Judge another caption. The metric whose regions are shown starts first. The page is not drawn again before the
   * server's first answer, so that it does not flicker. The other metrics wait until the first one has answered and the
   * user stops typing. The server judges one caption at a time.
   * @param {string} caption */
  async edit(caption) {
    this.caption = caption;
    this.halt();
    this.live.clear();
    const edit = this.edits += 1, { drawing } = this, judges = this.edited && caption.trim();
    const first = judges ? drawing.find((metric) => metric === this.shown) ?? drawing[0] : undefined;
    if (first) await this.start(first);
    else this.onNews();
    if (edit !== this.edits || this.left) return;
    if (!this.edited) this.begin();
    else if (judges) this.timer = setTimeout(() => this.startOthers(first), PAUSE_MS);
  }

  /** @param {string} [first] the metric that has already judged the caption */
  startOthers(first) {
    for (const metric of this.ready) if (metric !== first) this.start(metric);
  }

  /** Let a metric judge the current caption. @param {string} metric */
  async start(metric) {
    if (this.left) return;
    this.stop(metric);
    const controller = new AbortController(), { states, caption } = this;
    this.running.set(metric, controller);
    const before = states.get(metric);
    const wanted = { sample: this.sample.id, metric, ...(this.edited && { caption }) };
    const timer = setTimeout(() => this.note(states, metric, { ...before, isSlow: true }), SLOW_MS);
    try {
      const outcome = await request("POST", "/api/judge", wanted, { signal: controller.signal });
      this.note(states, metric, { outcome, caption: wanted.caption ?? this.sample.caption });
    } catch (error) {
      if (this.running.get(metric) !== controller) return; // a newer judgement by this metric has replaced this one
      this.running.delete(metric); // now, because note() reports what is running
      if (controller.signal.aborted) this.note(states, metric, before?.outcome ? before : null);
      else this.note(states, metric, { problem: wordsOf(error) });
    } finally {
      clearTimeout(timer);
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
    this.halt();
  }

  /** Store the state of a metric's judgement; null removes the state.
   * @param {Map<string, State>} states @param {string} metric @param {State | null} state */
  note(states, metric, state) {
    if (state) states.set(metric, state);
    else states.delete(metric);
    if (states === this.states) this.onNews();
  }
}

/** @param {State | undefined} state */
const isOver = (state) => Boolean(state?.outcome || state?.problem);

/** @param {{outcome?: Outcome, caption?: string}} state @returns {state is Explained} */
function explains(state) {
  return Boolean(state.outcome?.links);
}
