// One sample in detail: its picture with regions, its caption, all its scores, and new scores while somebody edits the
// caption.

import { wordsOf } from "../shared/api.js";
import { arrange, el, present, say } from "../shared/dom.js";
import { picker } from "../shared/elements.js";
import { folded } from "../shared/folded.js";
import { RegionView } from "../regions/view.js";
import { CaptionField } from "./caption_field.js";
import { Judgements } from "./judgements.js";
import { OwnRegions } from "./own_regions.js";
import { menu, missingPicture, originOf, outlinedPicture, sourceOf } from "./parts.js";
import { Scores } from "./scores.js";
import { Sentences } from "./sentences.js";
import { Trials } from "./trials.js";

/** @import { SampleJson } from "../shared/wire.d.ts" */
/** @import { RegionPicture } from "../regions/picture.js" */
/** @import { Explained } from "./judgements.js" */
/** @typedef {{metric: string | null, region: number | null}} Chosen the metric whose regions are shown, and the pinned
 * region; null: the default */

const WRITE_ONE = "Write a caption to see what it mentions and what it omits.";
const COMPARING = "Comparing the caption with the picture …";
const NOT_COMPARED = "This caption was not compared with the picture.";

export class SampleView {
  /** @param {SampleJson} sample
   * @param {{notice?: string, chosen?: Partial<Chosen>, onChoice?: (chosen: Chosen) => void,
   *   onCaption?: (caption: string) => void,
   *   onDrawn?: (caption: string, goesOn: boolean) => Promise<void>, head?: boolean, below?: HTMLElement | null,
   *   offered?: HTMLElement[]}} [options]
   * notice: a remark about the scores, for everybody; chosen: the user's choices at the start;
   * onChoice: called after a choice has changed; onCaption: called with the caption after each edit;
   * onDrawn: called after the regions change, with the current caption;
   * head: whether the sentence and the menu are above the sample; below: an element below the picture;
   * offered: buttons for the menu */
  constructor(
    sample,
    {
      notice = "",
      chosen = {},
      onChoice = () => {},
      onCaption = () => {},
      onDrawn = () => Promise.resolve(),
      head = true,
      below = null,
      offered = [],
    } = {},
  ) {
    this.sample = sample;
    this.onChoice = onChoice;
    this.onCaption = onCaption;
    /** @type {RegionView | null} */
    this.regions = null;
    /** @type {Explained | null} the score and caption whose regions are shown */
    this.drawn = null;
    /** @type {RegionPicture | null} the shown picture; null: it is missing */
    this.picture = null;
    this.isPlain = false; // whether the picture without marks is shown
    /** @type {Chosen} */
    this.chosen = { metric: null, region: null, ...chosen };
    this.judgements = new Judgements(sample, () => this.draw());
    const caption = () => this.judgements.caption;
    this.own = sample.may_draw
      ? new OwnRegions(sample, () => this.picture, caption, (goesOn) => onDrawn(caption(), goesOn))
      : null;
    this.scores = new Scores(this.judgements, notice);
    this.trials = new Trials(this.judgements, (caption) => this.take(caption));
    this.field = new CaptionField(sample.caption, (caption) => this.typed(caption));
    this.field.element.append(this.trials.undo);
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
    const words = [
      this.field.element,
      this.trouble,
      this.trials.row,
      this.trials.change,
      this.said,
      this.scores.element,
    ];
    const details = folded(
      "regions-folded",
      "regions",
      "Regions and numbers",
      this.numbers,
      this.about,
      originOf(sample),
    );
    this.element = el(
      "div",
      { class: "sample-grid sample-view" },
      head && el("div", { class: "sample-sentence" }, this.sentence, this.menu),
      el("div", { class: "sample-left" }, this.seen, below),
      el("div", { class: "sample-words" }, words, details),
    );
    if (sample.image_size) {
      const [width, height] = sample.image_size;
      this.element.style.setProperty("--ratio", String(width / height));
    }
    const release = () => this.regions ? this.regions.light() : this.picture?.light([]);
    this.sentences = sample.outlines.some(({ label }) => label)
      ? new Sentences(sample, this.element, () => this.picture, release)
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
    this.draw();
    if (judgements.edited) judgements.edit(judgements.caption); // judge the caption that a link has put in the field
    else judgements.begin();
  }

  /** End all work, because the page no longer shows this sample. */
  leave() {
    this.judgements.leave();
  }

  draw() {
    this.drawPicture();
    this.trials.draw();
    this.scores.draw();
    this.sentences?.readLater();
  }

  // The picture

  drawPicture() {
    const { judgements } = this, isBlank = !judgements.caption.trim();
    const explained = this.sample.image ? judgements.explained() : [];
    const shown = explained.find(({ outcome }) => outcome.metric === this.chosen.metric) ?? explained[0];
    const isStale = !shown && this.regions !== null && judgements.edited && !isBlank;
    this.element.classList.toggle("stale-regions", isStale);
    say(this.trouble, isStale ? this.staleWords() : "");
    if (isStale) say(this.sentence, judgements.isComparing ? COMPARING : NOT_COMPARED);
    else if (isBlank && this.regions) this.drawBlank(this.regions);
    else if (shown) this.drawRegions(shown, explained);
    else this.drawPlain();
  }

  /** Say that the shown marks belong to another caption. The message stays until the current caption is judged. */
  staleWords() {
    const { problem } = this.judgements;
    const shown = this.drawn ? ` The marks below belong to “${this.drawn.caption}”.` : "";
    return `${problem ? `Not scored: ${problem}` : "Not scored yet."}${shown}`;
  }

  /** Show the regions without marks, because an empty caption cannot be compared. @param {RegionView} regions */
  drawBlank(regions) {
    this.drawn = null;
    regions.blank();
    say(this.sentence, WRITE_ONE);
  }

  drawPlain() {
    const { sample, judgements } = this;
    this.regions = this.drawn = null;
    this.element.classList.remove("regions");
    if (!this.isPlain) {
      this.isPlain = true;
      const outlined = outlinedPicture(sample);
      this.picture = outlined?.picture ?? null;
      arrange(this.seen, present(outlined?.element ?? missingPicture(sample), this.own?.element));
      for (const part of [this.display, this.said, this.numbers, this.about]) part.replaceChildren();
    }
    say(this.sentence, judgements.caption.trim() ? this.unchecked() : WRITE_ONE);
  }

  /** Return a text that says why the caption has not been compared with the picture yet. */
  unchecked() {
    if (!this.sample.image) return "The picture is missing, so the caption was not compared with it.";
    const { isComparing, hasAnswered, drawing, known } = this.judgements;
    if (!known || isComparing) return COMPARING;
    if (drawing.length) return hasAnswered ? NOT_COMPARED : COMPARING; // without an answer, a metric will soon start
    return "This picture has no named regions yet, so the caption cannot be compared with it.";
  }

  /** @param {Explained} shown @param {Explained[]} explained */
  drawRegions(shown, explained) {
    const { outcome, caption } = shown, isNew = this.drawn?.outcome !== outcome;
    this.drawn = shown;
    this.judgements.shown = outcome.metric;
    say(this.sentence, outcome.links.notice || outcome.sentence);
    if (this.regions && !isNew) return;
    if (this.regions) {
      this.regions.sample.about = outcome.signature;
      this.regions.update(outcome.links, caption);
    }
    const { regions } = this, { metric } = outcome, names = explained.map((one) => one.outcome.metric);
    const choose = (/** @type {string} */ by) => {
      this.choose({ metric: by, region: null });
      this.drawPicture();
    };
    const by = names.length > 1
      ? picker({ "aria-label": "Regions by" }, names.map((name) => [name, name]), metric, choose)
      : metric;
    this.about.replaceChildren(
      ...outcome.by_labels
        ? [
          "Annotated regions, compared with the caption by ",
          by,
          ". Marks compare the caption with the regions’ labels.",
        ]
        : ["Regions found by ", by],
    );
    if (regions) return;
    const made = this.regions = this.regionsOf(shown);
    this.element.classList.add("regions");
    this.isPlain = false;
    this.picture = made.picture;
    arrange(this.seen, present(made.seen, this.own?.element));
    this.own?.follow();
    this.sentences?.light();
    this.said.replaceChildren(made.said);
    this.numbers.replaceChildren(made.more);
    this.display.replaceChildren(made.tools());
  }

  /** @param {Explained} explained */
  regionsOf({ outcome, caption }) {
    const { sample, field } = this;
    const seen = {
      image: sample.image ?? "",
      alt: `Picture ${sample.image_name}`,
      caption,
      name: `${sample.key}-${outcome.metric}`,
      about: outcome.signature,
      source: sourceOf(sample),
    };
    const onChange = () => {
      const { pinned } = regions.pointing;
      this.choose({ region: pinned?.region ?? null, metric: outcome.metric });
      if (pinned?.phrase !== undefined) this.showPicture();
    };
    const regions = new RegionView(seen, outcome.links, { region: this.chosen.region, field, onChange });
    return regions;
  }

  /** @param {Partial<Chosen>} changes */
  choose(changes) {
    this.onChoice(Object.assign(this.chosen, changes));
  }

  // The caption

  /** Judge the caption while somebody types it. @param {string} caption */
  typed(caption) {
    this.judgements.edit(caption);
    this.trials.draw();
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
