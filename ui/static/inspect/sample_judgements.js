// What metrics say of a sample while it is looked at: its own caption or an edited one, kept or not, at work or done.

import { get } from "../shared/api.js";
import { judge, progressText } from "./judge_stream.js";

const QUICK_MS = 5; // after the last key before the regions are judged again: what a paste sends at once is judged once
const SLOW_MS = 700; // and before the other metrics are asked

/** One sample's judgements. onNews() is called when what metrics say has changed,
 * onProgress(metric, text) when only the words about its work have, onSaved when a score was kept. */
export class Judgements {
  constructor(sample, { onNews, onProgress, onSaved }) {
    Object.assign(this, {
      sample,
      onNews,
      onProgress,
      onSaved,
      caption: sample.caption,
      left: false,
      made: 0,
      stored: 0,
    });
    this.metrics = []; // as the server lists them: {metric, ready, needs, shows_regions}
    // What a metric says now: {text} at work, {outcome, caption} or {problem, keep} afterwards.
    this.own = new Map(); // of the sample's own caption; an edit leaves it alone
    this.live = new Map(); // of the caption as edited
    this.running = new Map(); // metric -> AbortController
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

  get edited() {
    return this.caption.trim() !== this.sample.caption.trim();
  }

  get states() {
    return this.edited ? this.live : this.own;
  }

  isReady(metric) {
    return this.ready.some((known) => known.metric === metric);
  }

  /** The sample's stored scores by a metric. */
  storedBy(metric) {
    return this.sample.scores.filter((score) => score.metric === metric);
  }

  /** What explains the caption as it stands, each with the very caption that was judged. */
  explained() {
    const now = [...this.states.values()].filter(({ outcome }) => outcome?.links);
    const stored = this.edited
      ? []
      : this.sample.scores.filter(({ links }) => links).map((outcome) => ({ outcome, caption: this.sample.caption }));
    return [...now, ...stored.filter(({ outcome }) => !now.some((other) => other.outcome.metric === outcome.metric))];
  }

  /** Judge another caption: at once by what shows regions, a while after the last key by the others. */
  edit(caption) {
    this.caption = caption;
    this.halt();
    this.live.clear();
    this.onNews();
    if (!this.edited) return this.begin();
    if (!caption.trim()) return;
    const start = (regions) =>
      this.ready.filter((metric) => metric.shows_regions === regions).forEach(({ metric }) => this.start(metric));
    this.quick = setTimeout(() => start(true), QUICK_MS);
    this.slow = setTimeout(() => start(false), SLOW_MS);
  }

  /** Let a metric judge the caption as it stands. keep: save the score with the sample. */
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
      else this.note(states, metric, { ...(keep && before), text: undefined, problem: error.message, keep });
    } finally {
      if (this.running.get(metric) === controller) this.running.delete(metric);
    }
  }

  stop(metric) {
    this.running.get(metric)?.abort();
  }

  halt() {
    clearTimeout(this.quick);
    clearTimeout(this.slow);
    for (const metric of this.running.keys()) this.stop(metric);
  }

  /** End all work; nobody looks any more. */
  leave() {
    this.left = true;
    this.halt();
  }

  /** The score is stored: it stands among the sample's own from now on. */
  kept(metric, outcome) {
    const others = this.sample.scores.filter(({ signature }) => signature !== outcome.signature);
    this.sample.scores = [...others, outcome].sort((a, b) => (a.metric < b.metric ? -1 : 1));
    this.stored += 1;
    this.own.delete(metric);
    this.onNews();
    this.onSaved();
  }

  /** Take down what a metric says; null takes it back. */
  note(states, metric, state) {
    const worked = states.get(metric)?.text !== undefined && !states.get(metric).outcome;
    if (state) states.set(metric, { ...state, id: this.made += 1 });
    else states.delete(metric);
    if (states !== this.states) return;
    if (worked && state?.text !== undefined && !state.outcome) this.onProgress(metric, state.text);
    else this.onNews();
  }
}
