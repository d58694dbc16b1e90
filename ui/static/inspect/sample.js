// One sample taken apart: its picture under regions, its caption, every score, and new scores while the caption is edited.

import { arrange, el, present } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { Judgements } from "./sample_judgements.js";
import { wordsOf } from "../shared/api.js";
import { RegionView } from "../regions/view.js";
import { RegionPicture } from "../regions/picture.js";
import { lookedAt, regionNames } from "../regions/support.js";
import { OwnRegions } from "./own_regions.js";
import { SaidSentences } from "./said_sentences.js";
import { SaidPhrases } from "./said_phrases.js";
import { factsOf, plainPicture, sourceOf } from "./sample_parts.js";
import { SampleScores } from "./sample_scores.js";
import { SampleTrials } from "./sample_trials.js";

/** @import { LinksJson, SampleJson, ScoreJson } from "../shared/wire.d.ts" */
/** @import { Explained } from "./sample_judgements.js" */
/** @import { Choice } from "../regions/view.js" */
/** @typedef {Choice & {metric: string | null}} Chosen */

const LATE_MS = 200; // without news of an edited caption, until the page says that it shows another one

export class SampleView {
  /** @param {SampleJson} sample
   * @param {{notice?: string, chosen?: Partial<Chosen>, onChoice?: (chosen: Chosen) => void, onSaved?: () => void,
   *   onDrawn?: (caption: string) => Promise<void>}} [options] notice: what everybody who sees the scores should know;
   * chosen: to begin with; onChoice is told of another choice, onSaved of a kept score, onDrawn of other regions, with
   * the caption as it stands */
  constructor(
    sample,
    { notice = "", chosen = {}, onChoice = () => {}, onSaved = () => {}, onDrawn = () => Promise.resolve() } = {},
  ) {
    this.sample = sample;
    this.onChoice = onChoice;
    /** @type {number | undefined} */
    this.late = undefined; // a timer
    /** @type {RegionView | null} */
    this.regions = null;
    /** @type {Explained | null} what the regions show */
    this.drawn = null;
    /** @type {RegionPicture | null} the picture on show, where there is one to draw on */
    this.picture = null;
    this.phrases = new SaidPhrases();
    this.own = sample.may_draw
      ? new OwnRegions(sample, () => this.picture, () => onDrawn(this.judgements.caption))
      : null;
    this.learned = false; // what can judge here
    /** @type {Chosen} */
    this.chosen = { metric: null, region: null, cut: null, scale: null, ...chosen };
    /** @type {HTMLElement | null} the picture without marks, while it is on show */
    this.plain = null;
    /** @type {RegionPicture | null} that picture's, where it has outlines */
    this.outline = null;
    this.judgements = new Judgements(sample, {
      onNews: () => this.draw(),
      onProgress: (metric, text) => this.scores.progress(metric, text),
      onSaved,
    });
    this.scores = new SampleScores(this.judgements, notice);
    this.trials = new SampleTrials(this.judgements, (caption) => this.take(caption));
    this.text = el("textarea", {
      rows: 2,
      maxlength: 20_000,
      "aria-label": "Caption to judge",
      input: () => this.judgements.edit(this.text.value),
    });
    this.edit = el("p", { class: "editing", hidden: true });
    this.seen = el("div", { class: "sample-seen" });
    this.said = el("div", { class: "sample-said" });
    this.more = el("div", { class: "sample-more" });
    this.about = el("p", { class: "quiet regions-about" });
    this.element = el(
      "div",
      { class: "sample-grid sample-view" },
      this.seen,
      el(
        "div",
        { class: "sample-words" },
        this.editor(), // above all that grows and shrinks while somebody types
        this.said,
        el("div", { class: "caption-tools" }, this.trials.row, this.edit),
        this.trials.change,
        this.scores.element,
      ),
      el("div", { class: "sample-rest" }, this.about, this.more, factsOf(sample)),
    );
    this.sentences = sample.outlines.some(({ label }) => label)
      ? new SaidSentences(sample, this.element, () => this.picture)
      : null;
    this.draw();
    this.ask();
  }

  /** Learn what can judge here, and let what shows regions begin where nothing has shown any yet. */
  async ask() {
    const { judgements } = this;
    try {
      await judgements.learn();
    } catch (error) {
      return this.scores.fail(wordsOf(error));
    }
    if (judgements.left) return;
    this.learned = true;
    this.draw();
    judgements.begin();
  }

  /** End all work; nobody looks any more. */
  leave() {
    this.judgements.leave();
  }

  draw() {
    this.edit.hidden = !this.learned;
    this.drawPicture();
    this.trials.draw();
    this.scores.draw();
  }

  // The picture

  drawPicture() {
    const explained = this.sample.image ? this.judgements.explained() : [];
    const shown = explained.find(({ outcome }) => outcome.metric === this.chosen.metric) ?? explained[0];
    if (!shown && this.regions && this.judgements.edited) {
      return (this.late ??= setTimeout(() => this.sayWhatIsShown(), LATE_MS));
    }
    clearTimeout(this.late);
    this.late = undefined;
    this.element.classList.remove("stale-regions");
    if (shown) this.drawRegions(shown, explained);
    else this.drawPlain();
  }

  drawPlain() {
    this.regions = this.drawn = null;
    this.element.classList.remove("regions");
    const { sample, judgements } = this;
    if (!this.plain) {
      this.plain = (sample.outlines.length || sample.may_draw ? this.outlined() : null) ?? plainPicture(sample);
      this.picture = this.outline;
      arrange(this.seen, present(this.plain, this.own?.element));
      arrange(this.said, [this.phrases.element]);
    }
    this.phrases.show(judgements.caption, this.learned && !judgements.showsRegions);
    this.more.replaceChildren();
    this.about.replaceChildren();
  }

  /** The picture under the outlines that are known of it, which need no model; null without a picture. */
  outlined() {
    const { image, image_name: name, image_size: size, outlines } = this.sample;
    if (!image || !size) return null;
    const [width, height] = size;
    const picture = new RegionPicture({ image, alt: `Picture ${name}`, size: [height, width], regions: outlines });
    regionNames(outlines).forEach((called, index) =>
      picture.show(index, { look: "waiting", name: called, shown: true })
    );
    this.outline = picture;
    const legend = "Grey: annotated, and not compared yet.";
    return el("div", {}, picture.stage, outlines.length > 0 && el("p", { class: "legend quiet" }, legend));
  }

  /** The regions of another caption stand until this one is judged. */
  sayWhatIsShown() {
    const { caption, problem } = this.judgements;
    const missing = problem
      ? `Not judged: ${problem} `
      : caption.trim()
      ? "Not judged yet. "
      : "There is no caption to judge. ";
    this.late = undefined;
    this.element.classList.add("stale-regions");
    this.about.replaceChildren(missing, `This shows “${this.drawn?.caption}”.`);
  }

  /** @param {Explained} shown @param {Explained[]} explained */
  drawRegions(shown, explained) {
    const { outcome, caption } = shown, regions = this.regions ?? this.regionsOf(shown);
    if (this.drawn && this.drawn.outcome !== outcome) {
      Object.assign(regions.sample, { about: outcome.signature, lookedAt: lookedAt(outcome) });
      regions.update(outcome.links, caption);
    }
    this.regions = regions;
    this.drawn = shown;
    const words = outcome.by_labels &&
      "What is said here is looked up in the annotations: the names that people gave to the outlined parts, not their pixels.";
    const by = explained.length > 1 ? this.choice(shown, explained) : outcome.metric;
    this.about.replaceChildren(...present("Regions by ", by, words && ". ", words));
    if (regions.seen.parentNode === this.seen) return;
    this.element.classList.add("regions");
    this.plain = null;
    this.picture = regions.picture;
    arrange(this.seen, present(regions.seen, this.own?.element));
    this.sentences?.lightAgain();
    this.said.replaceChildren(regions.said);
    this.more.replaceChildren(regions.more);
  }

  /** @param {Explained} explained */
  regionsOf({ outcome, caption }) {
    const { sample } = this;
    const seen = {
      image: sample.image ?? "",
      alt: `Picture ${sample.image_name}`,
      caption,
      name: `${sample.key}-${outcome.metric}`,
      about: outcome.signature,
      source: sourceOf(sample),
      lookedAt: lookedAt(outcome),
    };
    return new RegionView(seen, outcome.links, {
      ...this.chosen,
      onChange: (changes) => this.choose({ ...changes, metric: outcome.metric }),
    });
  }

  /** @param {Explained} shown @param {Explained[]} explained */
  choice(shown, explained) {
    const select = el("select", {
      "aria-label": "Regions by",
      change: () => {
        this.choose({ metric: select.value, region: null });
        this.drawPicture();
      },
    }, explained.map((one) => el("option", { selected: one === shown }, one.outcome.metric)));
    return select;
  }

  toggleNames() {
    this.regions?.toggleNames();
  }

  /** @param {Partial<Chosen>} changes */
  choose(changes) {
    this.onChoice(Object.assign(this.chosen, changes));
  }

  // The caption

  /** Judge another caption, and let the box show it too.
   * @param {string} caption */
  take(caption) {
    this.text.value = caption;
    this.judgements.edit(caption);
    this.showPicture();
  }

  /** Bring the picture into sight: on a phone what there is to try stands below it, and changes what is seen on it. */
  showPicture() {
    const { top, bottom, height } = this.seen.getBoundingClientRect();
    const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
    if (seen < Math.min(height, innerHeight) / 2) this.seen.scrollIntoView({ block: "start" });
  }

  /** The box that the button beneath the caption opens. */
  editor() {
    const { text } = this;
    const open = button("Edit the caption", () => {
      box.hidden = false;
      open.hidden = true;
      text.value = this.judgements.caption;
      box.scrollIntoView({ block: "nearest" });
      text.focus({ preventScroll: true });
    }, "small");
    const back = button("Back to the sample's caption", () => {
      this.judgements.edit(this.sample.caption);
      box.hidden = true;
      open.hidden = false;
      open.focus();
    }, "small");
    const box = el(
      "div",
      { class: "caption-editor", hidden: true },
      text,
      el(
        "p",
        { class: "below-editor quiet" },
        back,
        "Scores follow as you type; those of an edited caption are not saved.",
      ),
    );
    this.edit.append(open);
    return box;
  }
}
