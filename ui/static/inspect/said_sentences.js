// Lets people point at the sentences of explanations. The regions that a sentence names are highlighted on the picture,
// and a text lists where they are. Sentences that the regions contradict are marked. Sentences are analysed after the
// picture has loaded and when the browser is idle, so that the analysis does not delay the sample.

import { post, Refused, Unreachable } from "../shared/api.js";
import { all, el } from "../shared/dom.js";
import { contradicts, hintList } from "../shared/hints.js";
import { whenMoved } from "../shared/pointer.js";
import { rove } from "../shared/roving_focus.js";

/** @import { RegionPicture } from "../regions/picture.js" */
/** @import { SampleJson, SaidSentence } from "../shared/wire.d.ts" */

const CONTRADICTED = "the regions contradict this";
const TEXTS = ".explanation > p:not([data-read])", SENTENCE = ".said-sentence";

export class SaidSentences {
  /** @param {Pick<SampleJson, "id" | "outlines">} sample
   * @param {HTMLElement} element element that contains the sample's explanations
   * @param {() => RegionPicture | null} picture returns the picture that is shown now */
  constructor(sample, element, picture) {
    this.sample = sample;
    this.element = element;
    this.picture = picture;
    this.isReading = false;
    /** @type {Map<string, readonly SaidSentence[]>} maps the text of an explanation to its sentences */
    this.known = new Map();
    /** @type {HTMLElement | null} the sentence that the pointer is on */
    this.lit = null;
    /** @type {readonly number[]} the highlighted regions, as indices into the sample's outlines */
    this.regions = [];
    this.svg = el("svg", { class: "said-regions", "aria-hidden": "true", preserveAspectRatio: "none" });
    for (const event of ["focusin", "click"]) {
      element.addEventListener(event, ({ target }) => this.at(/** @type {Element} */ (target)));
    }
    element.addEventListener("pointerover", (event) => {
      const target = /** @type {Element} */ (event.target);
      whenMoved(event, () => this.at(target));
    });
    element.addEventListener("pointerleave", (event) => whenMoved(event, () => this.point(null)));
    new MutationObserver(() => this.readLater()).observe(element, { childList: true, subtree: true });
  }

  /** Analyse the sentences when the browser is idle. Do nothing if there is no picture. */
  readLater() {
    const idle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 1));
    if (this.picture()) idle(() => this.read());
  }

  /** Handle a pointer or focus that has moved to an element. @param {Element} target */
  at(target) {
    this.read();
    const sentence = target.closest(SENTENCE);
    if (sentence instanceof HTMLElement) this.point(sentence);
    else if (!target.closest(".said-where, .region-stage")) this.point(null);
  }

  /** Analyse the explanations that have not been analysed. */
  async read() {
    const paragraphs = all(this.element, TEXTS).filter((one) => one.lastChild instanceof Text);
    if (this.isReading || !paragraphs.length) return;
    const texts = [...new Set(paragraphs.map(lastText))].filter((one) => !this.known.has(one));
    this.isReading = true;
    try {
      const address = /** @type {const} */ (`/api/samples/${this.sample.id}/sentences`);
      const read = await Promise.all(texts.map((text) => post(address, { text })));
      texts.forEach((text, index) => this.known.set(text, read[index]));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      return; // if the sentences cannot be analysed, the text stays as it is
    } finally {
      this.isReading = false;
    }
    for (const one of paragraphs) this.cut(one);
    this.readLater(); // explanations that were drawn during the request are still not analysed
  }

  /** Split a paragraph's text into sentences that react to the pointer. @param {HTMLElement} paragraph */
  cut(paragraph) {
    const text = lastText(paragraph), sentences = this.known.get(text);
    if (paragraph.dataset.read || !sentences) return;
    paragraph.dataset.read = "yes";
    const characters = [...text];
    let at = 0;
    const parts = sentences.flatMap(({ start, end, hints }, index) => {
      const before = characters.slice(at, start).join("");
      at = end;
      const said = characters.slice(start, end).join(""), isWrong = hints.some(contradicts);
      return [
        before,
        el("span", {
          class: isWrong ? "said-sentence contradicted" : "said-sentence",
          role: "button",
          "aria-pressed": "false",
          "data-sentence": index,
        }, said),
        isWrong && el("small", { class: "contradiction" }, el("b", { "aria-hidden": "true" }, "✗ "), CONTRADICTED),
      ].filter((part) => part !== false);
    });
    paragraph.lastChild?.replaceWith(...parts, characters.slice(at).join(""));
    paragraph.dataset.text = text;
    rove(paragraph, SENTENCE);
    const explanation = paragraph.parentElement;
    if (explanation && !explanation.querySelector(".said-where")) {
      explanation.append(el("div", { class: "said-where quiet", role: "status" }));
    }
  }

  /** Highlight the regions that a sentence names, and list in words where they are; null ends the highlight.
   * @param {HTMLElement | null} sentence */
  point(sentence) {
    if (sentence === this.lit) return;
    if (this.lit) {
      this.lit.setAttribute("aria-pressed", "false");
      this.lit.closest(".explanation")?.querySelector(".said-where")?.replaceChildren();
    }
    this.lit = sentence;
    if (!sentence) return this.light([]);
    const sentences = this.known.get(sentence.parentElement?.dataset.text ?? "");
    const hints = sentences?.[Number(sentence.dataset.sentence)]?.hints ?? [];
    sentence.setAttribute("aria-pressed", "true");
    const every = hints.flatMap(({ regions }) => regions);
    const list = hints.length
      ? hintList(sentence.textContent, hints, (regions) => this.light(regions.length ? regions : every))
      : "The sentence names nothing that has a region of its own in this picture.";
    // below the whole explanation, so that the list moves no sentence away from under the pointer
    sentence.closest(".explanation")?.querySelector(".said-where")?.replaceChildren(list);
    this.light(every);
  }

  /** Highlight regions on the picture. @param {readonly number[]} regions indices into the sample's outlines */
  light(regions) {
    this.regions = regions;
    const picture = this.picture();
    if (!picture || !regions.length) return this.svg.remove();
    const { width, height } = picture.size;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.replaceChildren(...[...new Set(regions)].flatMap((region) => {
      const { path, is_full: isFull } = this.sample.outlines[region];
      const d = isFull ? `M0 0H${width}V${height}H0Z` : path;
      return [el("path", { d, class: "said-under" }), el("path", { d, class: "said-over" })];
    }));
    picture.layer.append(this.svg);
  }

  /** Highlight the same regions on a picture that was loaded while a sentence is highlighted. */
  lightAgain() {
    this.light(this.regions);
    this.readLater();
  }
}

/** Return the text at the end of a paragraph. @param {HTMLElement} paragraph */
function lastText({ lastChild }) {
  return lastChild?.textContent ?? "";
}
