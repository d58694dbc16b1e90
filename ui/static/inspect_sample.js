// One sample taken apart: its picture under regions, its caption, every score, and new scores while the caption is edited.

import { get, Refused } from "./api.js";
import { el } from "./dom.js";
import { judge, progressText } from "./live.js";
import { RegionView } from "./regions.js";
import { idleCard, scoreCard, workingCard } from "./score_cards.js";

const QUICK_MS = 25; // after the last key before the regions are judged again
const SLOW_MS = 700; // and before the other metrics are asked
const BY_LABELS = /\|encoder:labels\//;

/** chosen: {metric, region, cut, scale} to begin with; onChoice is told of the same when they change, onSaved of a kept score. */
export class SampleView {
  constructor(sample, { chosen = {}, onChoice = () => {}, onSaved = () => {} } = {}) {
    Object.assign(this, { sample, onChoice, onSaved, caption: sample.caption, left: false, made: 0, stored: 0 });
    this.chosen = { metric: null, region: null, cut: null, scale: null, ...chosen };
    this.metrics = [];
    // What metrics say now, by metric: {text} at work, {outcome, caption} or {problem} afterwards.
    this.own = new Map(); // of the sample's own caption; an edit leaves it alone
    this.live = new Map(); // of the caption as edited
    this.running = new Map(); // metric -> AbortController
    this.cardsOf = new Map(); // metric -> {key, nodes}, drawn anew only where something has changed
    this.view = el("div", { class: "sample-view" });
    this.cards = el("section", { class: "scores", "aria-label": "Scores" });
    this.about = el("p", { class: "quiet regions-about" });
    this.element = el("div", { class: "sample-grid" },
      el("div", { class: "sample-seen" }, this.view, this.editor(), facts(sample)), this.cards);
    this.draw();
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
    if (this.left) return;
    this.edit.hidden = !this.metrics.some(({ ready }) => ready);
    this.draw();
    this.begin();
  }

  /** Let a metric show regions of the sample's own caption where none does. */
  begin() {
    const first = this.metrics.find(({ ready, shows_regions: regions }) => ready && regions);
    if (first && !this.edited && !this.explained().length && !this.running.has(first.metric)) this.start(first.metric);
  }

  /** End all work; nobody looks any more. */
  leave() {
    this.left = true;
    this.halt();
  }

  halt() {
    clearTimeout(this.quick);
    clearTimeout(this.slow);
    for (const controller of this.running.values()) controller.abort();
  }

  get edited() {
    return this.caption.trim() !== this.sample.caption.trim();
  }

  get states() {
    return this.edited ? this.live : this.own;
  }

  draw() {
    this.drawPicture();
    this.drawCards();
  }

  // The picture

  /** What explains the caption as it stands, each with the very caption that was judged. */
  explained() {
    const now = [...this.states.values()].filter(({ outcome }) => outcome?.links);
    const stored = this.edited ? [] : this.sample.scores.filter(({ links }) => links).map((outcome) => ({ outcome, caption: this.sample.caption }));
    return [...now, ...stored.filter(({ outcome }) => !now.some((other) => other.outcome.metric === outcome.metric))];
  }

  drawPicture() {
    const { sample } = this;
    const explained = sample.image ? this.explained() : [];
    const shown = explained.find(({ outcome }) => outcome.metric === this.chosen.metric) ?? explained[0];
    if (shown) this.drawRegions(shown, explained);
    else if (!this.regions || !this.edited) {
      this.regions = this.drawn = null;
      this.view.replaceChildren(plain(sample));
    } else this.about.replaceChildren(this.caption.trim() ? "Not judged yet. " : "There is no caption to judge. ", `This shows “${this.drawn.caption}”.`);
    this.view.classList.toggle("stale-regions", Boolean(this.regions && !shown));
  }

  drawRegions(shown, explained) {
    const { sample } = this, { outcome, caption } = shown;
    if (!this.regions) {
      const seen = { image: sample.image, alt: `Picture ${sample.image_name}`, caption, name: `${sample.key}-${outcome.metric}`, about: outcome.signature };
      this.regions = new RegionView(seen, outcome.links, { ...this.chosen, onChange: (changes) => this.onChoice(Object.assign(this.chosen, changes, { metric: this.drawn.outcome.metric })) });
    } else if (this.drawn.outcome !== outcome) {
      this.regions.sample.about = outcome.signature;
      this.regions.update(outcome.links, caption);
    }
    this.drawn = shown;
    const choose = explained.length > 1 && el("select", { "aria-label": "Regions by", change: () => {
      this.onChoice(Object.assign(this.chosen, { metric: choose.value, region: null }));
      this.drawPicture();
    } }, explained.map(({ outcome: { metric } }) => el("option", { selected: metric === outcome.metric }, metric)));
    const words = BY_LABELS.test(outcome.signature)
      && "Here regions are judged by their labels: the words that come with their outlines, not their pixels.";
    this.about.replaceChildren(...["Regions by ", choose || outcome.metric, words && ". ", words].filter(Boolean));
    if (this.regions.element.parentNode !== this.view) this.view.replaceChildren(this.about, this.regions.element);
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
      this.change(this.sample.caption);
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
    this.halt();
    this.live.clear();
    this.draw();
    if (!this.edited) return this.begin();
    if (!caption.trim()) return;
    const ready = this.metrics.filter((metric) => metric.ready);
    this.quick = setTimeout(() => ready.filter((metric) => metric.shows_regions).forEach(({ metric }) => this.start(metric)), QUICK_MS);
    this.slow = setTimeout(() => ready.filter((metric) => !metric.shows_regions).forEach(({ metric }) => this.start(metric)), SLOW_MS);
  }

  // The scores

  /** Let a metric judge the caption as it stands. keep: save the score with the sample. */
  async start(metric, keep = false) {
    if (this.left) return;
    this.running.get(metric)?.abort();
    const controller = new AbortController(), { states, caption } = this;
    this.running.set(metric, controller);
    const before = states.get(metric);
    const wanted = { sample: this.sample.id, metric, keep, ...(this.edited && { caption }) };
    try {
      const outcome = await judge(wanted, (news) => this.note(states, metric, { ...before, text: progressText(news) }), controller.signal);
      if (keep) this.kept(metric, outcome);
      else this.note(states, metric, { outcome, caption: this.edited ? caption : this.sample.caption });
    } catch (error) {
      if (this.running.get(metric) !== controller) return; // a newer one has taken over
      if (controller.signal.aborted) this.note(states, metric, before?.outcome ? before : null);
      else this.note(states, metric, { ...(keep && before), text: undefined, problem: error.message, keep });
    } finally {
      if (this.running.get(metric) === controller) this.running.delete(metric);
    }
  }

  /** The score is stored: it stands among the sample's own from now on. */
  kept(metric, outcome) {
    const others = this.sample.scores.filter(({ signature }) => signature !== outcome.signature);
    this.sample.scores = [...others, outcome].sort((a, b) => (a.metric < b.metric ? -1 : 1));
    this.stored += 1;
    this.own.delete(metric);
    this.draw();
    this.onSaved();
  }

  /** Take down what a metric says; of its progress only the words change. */
  note(states, metric, state) {
    const working = this.cardsOf.get(metric)?.nodes[0]?.querySelector(".at-work");
    if (state) states.set(metric, { ...state, id: (this.made += 1) });
    else states.delete(metric);
    if (states !== this.states) return;
    if (state?.text !== undefined && !state.outcome && working) return void (working.textContent = state.text);
    this.draw();
  }

  drawCards() {
    const { sample } = this;
    const names = [...new Set([...this.metrics.filter(({ ready }) => ready).map(({ metric }) => metric), ...sample.scores.map(({ metric }) => metric)])];
    const order = (name) => (this.states.has(name) || sample.scores.some(({ metric }) => metric === name) ? 0 : 1);
    const cards = names.sort((a, b) => order(a) - order(b)).flatMap((metric) => this.known(metric));
    const missing = this.metrics.filter(({ ready, metric }) => !ready && !sample.scores.some((score) => score.metric === metric));
    this.human ??= human(sample);
    if (missing.length !== this.missing) [this.missing, this.needs] = [missing.length, needs(missing)];
    this.none ??= el("p", { class: "quiet" }, "No metric has scored this sample yet.");
    arrange(this.cards, [this.human, ...(cards.length ? cards : [this.none]), this.needs].filter(Boolean));
  }

  /** A metric's cards, drawn anew only where something has changed. */
  known(metric) {
    const state = this.states.get(metric);
    const key = [this.edited, state?.id, this.stored, this.metrics.length].join();
    if (this.cardsOf.get(metric)?.key !== key) this.cardsOf.set(metric, { key, nodes: this.cardsFor(metric, state ?? {}) });
    return this.cardsOf.get(metric).nodes;
  }

  cardsFor(metric, { text, outcome, problem, keep = false }) {
    const { edited } = this;
    const stored = this.sample.scores.filter((score) => score.metric === metric);
    const ready = this.metrics.some((known) => known.metric === metric && known.ready);
    const again = (words, save) => el("button", { type: "button", class: "small", click: () => this.start(metric, save) }, words);
    if (text !== undefined && !outcome) return [workingCard(metric, text, () => this.running.get(metric)?.abort())];
    if (problem && !outcome) return [idleCard(metric, problem, again("Try again", keep)), ...stored.map((score) => scoreCard(score))];
    if (outcome) {
      const old = stored.find(({ value }) => value !== undefined);
      const note = edited ? (old ? `edited; was ${old.value.toFixed(3)}` : "of the edited caption") : problem ? `not saved: ${problem}` : "not saved";
      return [scoreCard(outcome, { note, actions: edited ? [] : [again(problem ? "Try again" : "Save", true)] })];
    }
    if (stored.length) return stored.map((score) => scoreCard(score, edited ? { note: "of the sample's own caption", stale: true } : {}));
    return ready ? [idleCard(metric, null, again("Score now", false))] : [];
  }
}

/** Put these nodes, and no others, into a parent in this order; those in place stay untouched, so that focus stays too. */
function arrange(parent, nodes) {
  nodes.forEach((node, at) => {
    if (parent.childNodes[at] !== node) parent.insertBefore(node, parent.childNodes[at] ?? null);
  });
  while (parent.childNodes.length > nodes.length) parent.lastChild.remove();
}

function plain(sample) {
  const picture = sample.image
    ? el("img", { src: sample.image, alt: `Picture ${sample.image_name}`, width: sample.image_size[0], height: sample.image_size[1] })
    : el("div", { class: "notice" }, el("p", {}, "The picture is missing."), el("p", {}, `${sample.image_name} was not found when the data set was imported. Import it again with --images and the folder that holds it.`));
  return el("figure", { class: "sample-picture" }, picture, el("figcaption", { class: "marked-caption" }, sample.caption));
}

function facts(sample) {
  return el("div", { class: "sample-facts" },
    el("p", { class: "quiet" }, `${sample.dataset} · ${sample.key} · ${sample.image_name}`, sample.regions > 0 && ` · ${sample.regions} annotated regions`),
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
