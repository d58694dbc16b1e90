// One sample in detail: its picture with regions, its caption, all its scores, and new scores while somebody edits the
// caption.

import { arrange, el, present, say } from "../shared/dom.js";
import { wordsOf } from "../shared/api.js";
import { KeptOpen } from "../shared/kept_open.js";
import { RegionView } from "../regions/view.js";
import { Legend } from "../regions/legend.js";
import { framed, RegionPicture } from "../regions/picture.js";
import { lookedAt, regionNames, wordsFor } from "../regions/support.js";
import { CaptionField } from "./caption_field.js";
import { menu } from "./menu.js";
import { Judgements } from "./sample_judgements.js";
import { OwnRegions } from "./own_regions.js";
import { SaidSentences } from "./said_sentences.js";
import { SaidPhrases } from "./said_phrases.js";
import { originOf, plainPicture, sourceOf } from "./sample_parts.js";
import { SampleScores } from "./sample_scores.js";
import { SampleTrials } from "./sample_trials.js";

/** @import { LinksJson, SampleJson, ScoreJson } from "../shared/wire.d.ts" */
/** @import { Explained } from "./sample_judgements.js" */
/** @import { Choice } from "../regions/view.js" */
/** @typedef {Choice & {metric: string | null}} Chosen */

const WRITE_ONE = "Write a caption to see what it mentions and what it omits.";
const COMPARING = "Comparing the caption with the picture …";
const NOT_COMPARED = "This caption was not compared with the picture.";
const LATE_MS = 200; // ms after an edit until the page says that the shown marks belong to another caption

export class SampleView {
  /** @param {SampleJson} sample
   * @param {{notice?: string, chosen?: Partial<Chosen>, onChoice?: (chosen: Chosen) => void, onSaved?: () => void,
   *   onCaption?: (caption: string) => void,
   *   onDrawn?: (caption: string, goesOn: boolean) => Promise<void>, head?: boolean, below?: HTMLElement | null,
   *   offered?: HTMLElement[], opened?: KeptOpen}} [options]
   * notice: a remark about the scores, for everybody; chosen: the user's choices at the start;
   * onChoice: called after a choice has changed; onCaption: called with the caption after each edit;
   * onSaved: called after a score is saved; onDrawn: called after the regions change, with the current caption;
   * head: whether the sentence and the menu are above the sample; below: an element below the picture;
   * offered: buttons for the menu; opened: details that the user has opened, in this sample or earlier ones */
  constructor(
    sample,
    {
      notice = "",
      chosen = {},
      onChoice = () => {},
      onCaption = () => {},
      onSaved = () => {},
      onDrawn = () => Promise.resolve(),
      head = true,
      below = null,
      offered = [],
      opened = new KeptOpen(),
    } = {},
  ) {
    this.sample = sample;
    this.onChoice = onChoice;
    this.onCaption = onCaption;
    this.opened = opened;
    /** @type {number | undefined} */
    this.late = undefined; // a timer
    /** @type {RegionView | null} */
    this.regions = null;
    /** @type {Explained | null} the score and caption whose regions are shown */
    this.drawn = null;
    /** @type {RegionPicture | null} the shown picture, if people can draw on it */
    this.picture = null;
    this.phrases = new SaidPhrases();
    this.own = sample.may_draw
      ? new OwnRegions(
        sample,
        () => this.picture,
        (goesOn) => onDrawn(this.judgements.caption, goesOn),
        () =>
          this.drawn?.outcome.links.phrases.flatMap(({ things }) => things.map(({ text }) => text)) ??
            this.phrases.things,
      )
      : null;
    this.learned = false; // whether it is known which metrics can judge this sample
    /** @type {Chosen} */
    this.chosen = { metric: null, region: null, cut: null, ...chosen };
    /** @type {HTMLElement | null} the picture without marks, while it is shown */
    this.plain = null;
    /** @type {RegionPicture | null} the picture in `plain`, if it has region outlines */
    this.outline = null;
    this.judgements = new Judgements(sample, {
      onNews: () => this.draw(),
      onProgress: (metric, text) => this.scores.progress(metric, text),
      onSaved,
    });
    this.scores = new SampleScores(this.judgements, opened, notice);
    this.trials = new SampleTrials(this.judgements, (caption) => this.take(caption));
    this.field = new CaptionField(sample.caption, (caption) => this.typed(caption));
    /** A sentence about what the caption mentions and what it omits. */
    this.sentence = el("p", { class: "live-sentence", role: "status" });
    this.display = el("div", { class: "menu-display" });
    /** Menu of rarely used controls: display, save, link. */
    this.menu = menu(
      "Display, save and link",
      this.display,
      offered.length > 0 && el("p", { class: "actions" }, offered),
    );
    this.seen = el("div", { class: "sample-seen" });
    this.said = el("div", { class: "sample-said" });
    this.trouble = el("p", { class: "regions-about", role: "status" });
    this.about = el("p", { class: "quiet" });
    this.numbers = el("div", {});
    this.folded = el(
      "details",
      { class: "folded regions-folded" },
      el("summary", {}, "Regions and numbers"),
      this.numbers,
      this.about,
      originOf(sample),
    );
    this.element = el(
      "div",
      { class: "sample-grid sample-view" },
      head && el("div", { class: "sample-sentence" }, this.sentence, this.menu),
      el("div", { class: "sample-left" }, this.seen, below),
      el(
        "div",
        { class: "sample-words" },
        this.field.element,
        this.trouble,
        this.trials.row,
        this.trials.change,
        this.said,
        this.scores.element,
        this.folded,
      ),
    );
    this.field.element.append(this.trials.undo);
    opened.restore([this.folded]);
    opened.watch(this.element);
    if (sample.image_size) {
      const [width, height] = sample.image_size;
      this.element.style.setProperty("--ratio", String(width / height));
    }
    this.sentences = sample.outlines.some(({ label }) => label)
      ? new SaidSentences(sample, this.element, () => this.picture)
      : null;
    this.draw();
    this.ask();
  }

  /** Ask the server which metrics can judge this sample. If the page shows no regions yet, start a metric that shows
   * regions. */
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
    if (judgements.edited) judgements.edit(judgements.caption); // judge the caption that a link has put in the field
    else judgements.begin();
  }

  /** End all work, because the page no longer shows this sample. */
  leave() {
    this.opened.store([this.element]);
    this.judgements.leave();
    clearTimeout(this.late);
  }

  draw() {
    this.drawPicture();
    this.trials.draw();
    this.scores.draw();
  }

  // The picture

  drawPicture() {
    const { judgements } = this, isBlank = !judgements.caption.trim();
    const explained = this.sample.image ? judgements.explained() : [];
    const shown = explained.find(({ outcome }) => outcome.metric === this.chosen.metric) ?? explained[0];
    clearTimeout(this.late);
    this.late = undefined;
    if (!shown && this.regions && judgements.edited && !isBlank) {
      if (judgements.problem) this.sayWhatIsShown();
      else this.late = setTimeout(() => this.sayWhatIsShown(), LATE_MS);
      return;
    }
    this.element.classList.remove("stale-regions");
    say(this.trouble, "");
    if (isBlank && this.regions) this.drawBlank();
    else if (shown) this.drawRegions(shown, explained);
    else this.drawPlain();
  }

  /** Show the regions without marks, because an empty caption cannot be compared. */
  drawBlank() {
    this.drawn = null;
    this.regions?.blank();
    say(this.sentence, WRITE_ONE);
  }

  drawPlain() {
    this.regions = this.drawn = null;
    this.element.classList.remove("regions");
    const { sample, judgements } = this;
    if (!this.plain) {
      this.plain = (sample.outlines.length || sample.may_draw ? this.outlined() : null) ?? plainPicture(sample);
      this.picture = this.outline;
      this.display.replaceChildren();
      arrange(this.seen, present(this.plain, this.own?.element));
      arrange(this.said, [this.phrases.element]);
    }
    this.phrases.show(judgements.caption, this.learned && !judgements.showsRegions);
    this.numbers.replaceChildren();
    this.about.replaceChildren();
    say(this.sentence, judgements.caption.trim() ? this.unchecked() : WRITE_ONE);
  }

  /** Return a text that says why the caption has not been compared with the picture yet. */
  unchecked() {
    if (!this.sample.image) return "The picture is missing, so the caption was not compared with it.";
    const { isComparing, hasAnswered, showsRegions } = this.judgements;
    if (!this.learned || isComparing) return COMPARING;
    if (showsRegions) return hasAnswered ? NOT_COMPARED : COMPARING; // without an answer, a metric will soon start
    return "This picture has no named regions yet, so the caption cannot be compared with it.";
  }

  /** Show the picture with the known outlines of regions, which need no model. Return null if there is no picture. */
  outlined() {
    const { image, screen, image_name: name, image_size: size, outlines } = this.sample;
    if (!image || !size) return null;
    const [width, height] = size;
    const picture = new RegionPicture({
      image,
      screen,
      alt: `Picture ${name}`,
      size: [height, width],
      regions: outlines,
    });
    regionNames(outlines).forEach((called, index) =>
      picture.show(index, { look: "waiting", name: called, shown: true })
    );
    this.outline = picture;
    const legend = new Legend();
    legend.show(new Set(outlines.length ? ["waiting"] : []), wordsFor("", true, 0));
    return framed(picture, legend.element);
  }

  /** Say that the shown marks belong to another caption. The message stays until the current caption is judged. */
  sayWhatIsShown() {
    const { problem, isComparing } = this.judgements;
    this.late = undefined;
    this.element.classList.add("stale-regions");
    say(this.sentence, isComparing ? COMPARING : NOT_COMPARED);
    const shown = this.drawn ? ` The marks below belong to “${this.drawn.caption}”.` : "";
    say(this.trouble, `${problem ? `Not scored: ${problem}` : "Not scored yet."}${shown}`);
  }

  /** @param {Explained} shown @param {Explained[]} explained */
  drawRegions(shown, explained) {
    const { outcome, caption } = shown, before = this.regions;
    const isNew = before && this.drawn?.outcome !== outcome;
    this.drawn = shown;
    this.judgements.shown = outcome.metric;
    this.regions ??= this.regionsOf(shown);
    const { regions } = this;
    if (isNew) {
      Object.assign(regions.sample, { about: outcome.signature, lookedAt: lookedAt(outcome) });
      regions.update(outcome.links, caption);
    }
    const words = outcome.by_labels &&
      "Marks compare the caption with the regions’ labels, not with the pixels.";
    const by = explained.length > 1 ? this.choice(shown, explained) : outcome.metric;
    this.about.replaceChildren(...present(
      outcome.by_labels ? "Annotated regions, compared with the caption by " : "Regions found by ",
      by,
      words && ". ",
      words,
    ));
    if (this.seen.contains(regions.seen)) return this.tellInWords();
    this.element.classList.add("regions");
    this.plain = null;
    this.picture = regions.picture;
    arrange(this.seen, present(regions.seen, this.own?.element));
    this.own?.follow();
    this.sentences?.lightAgain();
    this.said.replaceChildren(regions.said);
    this.opened.restore([this.said]);
    this.numbers.replaceChildren(regions.more);
    this.display.replaceChildren(...present(regions.tools?.element));
    this.tellInWords();
  }

  /** @param {Explained} explained */
  regionsOf({ outcome, caption }) {
    const { sample } = this;
    const seen = {
      image: sample.image ?? "",
      screen: sample.screen,
      alt: `Picture ${sample.image_name}`,
      caption,
      name: `${sample.key}-${outcome.metric}`,
      about: outcome.signature,
      source: sourceOf(sample),
      lookedAt: lookedAt(outcome),
    };
    return new RegionView(seen, outcome.links, {
      ...this.chosen,
      field: this.field,
      onChange: (changes) => {
        this.choose({ ...changes, metric: outcome.metric });
        if (this.regions?.pointing.pinned?.phrase !== undefined) this.showPicture();
      },
      onMarks: () => this.tellInWords(),
    });
  }

  /** Write a sentence about what the caption mentions and omits, by the marks that came with the score.
   * If the page marks regions by another threshold, the sentence explains the colours instead.
   * If the metric did not analyse the caption, the sentence says why. */
  tellInWords() {
    const isOfAnother = this.element.classList.contains("stale-regions"); // the marks belong to another caption
    if (!this.regions || !this.drawn || isOfAnother) return;
    const { links, sentence } = this.drawn.outcome, { state, spoken } = this.regions;
    const words = links.notice
      ? links.notice
      : state.asTold
      ? sentence
      : `The colours show ${spoken.regions[0]} and ${
        spoken.regions[1]
      }. They do not show how the score marks phrases and regions.`;
    say(this.sentence, words);
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

  /** @param {Partial<Chosen>} changes */
  choose(changes) {
    this.onChoice(Object.assign(this.chosen, changes));
  }

  // The caption

  /** Judge the caption while somebody types it. @param {string} caption */
  typed(caption) {
    this.judgements.edit(caption);
    this.regions?.light();
    this.onCaption(caption);
  }

  /** Judge another caption and show it in the field.
   * @param {string} caption */
  put(caption) {
    this.field.put(caption);
    this.typed(caption);
  }

  /** Judge another caption, and scroll to the picture so that the marks on it can be seen. @param {string} caption */
  take(caption) {
    this.put(caption);
    this.showPicture();
  }

  /** Scroll to the picture unless enough of it is visible.
   * On a phone, it can be out of sight, because the phrases and the buttons that change its marks are below it. */
  showPicture() {
    const { top, bottom, height } = this.seen.getBoundingClientRect();
    const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
    if (seen < Math.min(height, innerHeight) / 2) this.seen.scrollIntoView({ block: "start" });
  }
}
