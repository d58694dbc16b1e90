// One sample taken apart: its picture under regions, its caption, every score, and new scores while the caption is edited.

import { get, Refused } from "./api.js";
import { el } from "./dom.js";
import { judge, progressText } from "./live.js";
import { RegionView } from "./regions.js";
import { idleCard, scoreCard, workingCard } from "./score_cards.js";

const QUICK_MS = 25; // after the last key before the regions are judged again
const SLOW_MS = 700; // and before the other metrics are asked
const BY_LABELS = /\|encoder:labels\//;

/** chosen: {metric, region} to begin with; onChoice is told of the same when they change. */
export class SampleView {
  constructor(sample, { chosen = {}, onChoice = () => {} } = {}) {
    Object.assign(this, { sample, onChoice, caption: sample.caption });
    this.chosen = { metric: chosen.metric ?? null, region: chosen.region ?? null };
    this.metrics = [];
    this.live = new Map(); // metric -> {text} while working, {outcome} or {problem} afterwards; of the caption as edited
    this.running = new Map(); // metric -> AbortController
    this.view = el("div", { class: "sample-view" });
    this.cards = el("section", { class: "scores", "aria-label": "Scores" });
    this.element = el("div", { class: "sample-grid" },
      el("div", { class: "sample-seen" }, this.view, this.editor(), facts(sample)), this.cards);
    this.drawPicture();
    this.drawCards();
    this.ask();
  }

  /** Learn what can judge here, and let what shows regions begin where nothing has shown any yet. */
  async ask() {
    try {
      this.metrics = await get(`/api/samples/${this.sample.id}/metrics`);
    } catch (error) {
      this.cards.append(el("p", { class: "problem", role: "alert" }, error instanceof Refused ? error.message : "The server does not answer."));
      return;
    }
    this.edit.hidden = !this.metrics.some(({ ready }) => ready);
    this.drawCards();
    const first = this.metrics.find(({ ready, shows_regions: regions }) => ready && regions);
    if (first && !this.sample.scores.some(({ links }) => links)) this.start(first.metric);
  }

  /** End all work; nobody looks any more. */
  leave() {
    clearTimeout(this.quick);
    clearTimeout(this.slow);
    for (const controller of this.running.values()) controller.abort();
  }

  get edited() {
    return this.caption.trim() !== this.sample.caption.trim();
  }

  // The picture

  /** What is on show: the live outcomes first, of the stored ones only those of this very caption. */
  explained() {
    const live = [...this.live.values()].flatMap(({ outcome }) => (outcome?.links ? [outcome] : []));
    const stored = this.edited ? [] : this.sample.scores.filter(({ links }) => links);
    return [...live, ...stored.filter(({ metric }) => !live.some((other) => other.metric === metric))];
  }

  drawPicture() {
    const { sample } = this;
    const explained = this.explained();
    const outcome = explained.find(({ metric }) => metric === this.chosen.metric) ?? explained[0];
    if (!sample.image || (!outcome && !this.regions)) return this.view.replaceChildren(plain(sample));
    if (!outcome) return; // the last explanation stays until the next one comes
    if (this.regions) this.regions.update(outcome.links, this.caption);
    else {
      this.regions = new RegionView({ image: sample.image, alt: `Picture ${sample.image_name}`, caption: this.caption }, outcome.links, {
        region: this.chosen.region,
        onSelect: (region) => this.onChoice(Object.assign(this.chosen, { metric: this.shownMetric, region })),
      });
    }
    this.shownMetric = outcome.metric;
    const choose = explained.length > 1 && el("select", { "aria-label": "Regions by", change: () => {
      Object.assign(this.chosen, { metric: choose.value, region: null });
      this.onChoice(this.chosen);
      this.drawPicture();
    } }, explained.map(({ metric }) => el("option", { selected: metric === outcome.metric }, metric)));
    const words = BY_LABELS.test(outcome.signature)
      && "Here regions are judged by their labels: the words that come with their outlines, not their pixels.";
    this.about ??= el("p", { class: "quiet regions-about" });
    this.about.replaceChildren(...["Regions by ", choose || outcome.metric, words && ". ", words].filter(Boolean));
    if (this.regions.element.parentNode !== this.view) this.view.replaceChildren(this.regions.element, this.about);
  }

  // The caption

  editor() {
    const text = el("textarea", { rows: 3, maxlength: 5000, "aria-label": "Caption to judge", input: () => this.change(text.value) });
    const open = el("button", { type: "button", class: "small", click: () => {
      box.hidden = false;
      open.hidden = true;
      text.value = this.caption;
      text.focus();
    } }, "Edit the caption");
    const back = el("button", { type: "button", class: "small", click: () => {
      text.value = this.sample.caption;
      this.change(text.value);
      box.hidden = true;
      open.hidden = false;
      open.focus();
    } }, "Back to the sample's caption");
    const box = el("div", { class: "caption-editor", hidden: true }, text,
      el("p", { class: "quiet" }, "Scores follow as you type; those of an edited caption are not saved."), back);
    this.edit = el("div", { class: "editing", hidden: true }, open, box);
    return this.edit;
  }

  change(caption) {
    this.caption = caption;
    this.leave();
    this.live.clear();
    if (!this.edited) {
      this.drawPicture();
      this.drawCards();
      return;
    }
    if (!caption.trim()) return this.drawCards();
    const ready = this.metrics.filter((metric) => metric.ready);
    this.quick = setTimeout(() => ready.filter((metric) => metric.shows_regions).forEach(({ metric }) => this.start(metric)), QUICK_MS);
    this.slow = setTimeout(() => ready.filter((metric) => !metric.shows_regions).forEach(({ metric }) => this.start(metric)), SLOW_MS);
  }

  // The scores

  /** Let a metric judge the caption as it stands. keep: save the score with the sample. */
  async start(metric, keep = false) {
    this.running.get(metric)?.abort();
    const controller = new AbortController();
    this.running.set(metric, controller);
    const before = this.live.get(metric);
    const tell = (news) => this.note(metric, { ...before, text: progressText(news) });
    try {
      const caption = this.edited ? { caption: this.caption } : {};
      const outcome = await judge({ sample: this.sample.id, metric, keep, ...caption }, tell, controller.signal);
      this.note(metric, { outcome, kept: keep });
      if (outcome.links) this.drawPicture();
    } catch (error) {
      if (controller.signal.aborted && this.running.get(metric) !== controller) return; // a newer one has taken over
      if (controller.signal.aborted) this.note(metric, null);
      else this.note(metric, { problem: error.message });
    } finally {
      if (this.running.get(metric) === controller) this.running.delete(metric);
    }
  }

  note(metric, state) {
    if (state) this.live.set(metric, state);
    else this.live.delete(metric);
    this.drawCards();
  }

  drawCards() {
    const { sample, edited } = this;
    const names = [...new Set([...this.metrics.filter(({ ready }) => ready).map(({ metric }) => metric), ...sample.scores.map(({ metric }) => metric)])];
    const order = (name) => (this.live.has(name) || sample.scores.some(({ metric }) => metric === name) ? 0 : 1);
    const cards = names.sort((a, b) => order(a) - order(b)).flatMap((metric) => this.cardsOf(metric, edited));
    const missing = this.metrics.filter(({ ready, metric }) => !ready && !sample.scores.some((score) => score.metric === metric));
    this.cards.replaceChildren(...[human(sample), ...(cards.length ? cards : [el("p", { class: "quiet" }, "No metric has scored this sample yet.")]), needs(missing)].filter(Boolean));
  }

  cardsOf(metric, edited) {
    const stored = this.sample.scores.filter((score) => score.metric === metric);
    const { text, outcome, problem, kept } = this.live.get(metric) ?? {};
    const ready = this.metrics.some((known) => known.metric === metric && known.ready);
    const again = (words, keep) => el("button", { type: "button", class: "small", click: () => this.start(metric, keep) }, words);
    if (text !== undefined && !outcome) return [workingCard(metric, text, () => this.stop(metric))];
    if (problem) return [idleCard(metric, problem, again("Try again", false)), ...stored.map((score) => scoreCard(score))];
    if (outcome) {
      const old = stored.find(({ value }) => value !== undefined);
      const note = edited ? (old ? `edited; was ${old.value.toFixed(3)}` : "of the edited caption") : kept ? "saved" : "not saved";
      return [scoreCard(outcome, { note, actions: edited || kept ? [] : [again("Save", true)] })];
    }
    if (stored.length) return stored.map((score) => scoreCard(score, edited ? { note: "of the sample's own caption", stale: true } : {}));
    return ready ? [idleCard(metric, null, again("Score now", false))] : [];
  }

  stop(metric) {
    this.running.get(metric)?.abort();
  }
}

function plain(sample) {
  const picture = sample.image
    ? el("img", { src: sample.image, alt: `Picture ${sample.image_name}`, width: sample.image_size[0], height: sample.image_size[1] })
    : el("div", { class: "notice" }, el("p", {}, "The picture is missing."), el("p", {}, `${sample.image_name} was not found when the data set was imported. Import it again with --images and the folder that holds it.`));
  return el("figure", { class: "sample-picture" }, picture, el("figcaption", { class: "marked-caption" }, sample.caption));
}

function facts(sample) {
  return el("div", { class: "sample-facts" },
    el("p", { class: "quiet" }, `${sample.dataset} · ${sample.key} · ${sample.image_name}`),
    sample.references.length > 0 && el("details", {}, el("summary", {}, sample.references.length === 1 ? "1 reference" : `${sample.references.length} references`),
      el("ul", {}, sample.references.map((text) => el("li", {}, text)))));
}

function human({ human: mean, judgements }) {
  if (mean === null) return null;
  const single = judgements.length ? ` single judgements ${judgements.join(", ")}` : "";
  return el("article", { class: "score-card" }, el("header", {}, el("h3", {}, "Human judgement"),
    el("strong", { class: "score-value", title: String(mean) }, mean.toFixed(3)), el("span", { class: "quiet" }, `0 … 1${single ? ";" : ""}${single}`)));
}

function needs(metrics) {
  if (!metrics.length) return null;
  return el("details", { class: "needs" }, el("summary", {}, `${metrics.length} ${metrics.length === 1 ? "metric needs" : "metrics need"} something first`),
    el("dl", {}, metrics.map(({ metric, needs: wanted }) => [el("dt", {}, metric), el("dd", {}, el("ul", {}, wanted.map((what) =>
      el("li", {}, /^(python|pip) /.test(what) ? el("code", {}, what) : what))))])));
}
