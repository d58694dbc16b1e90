// Lets people point at the sentences of explanations. The regions that a sentence names are highlighted on the picture,
// and a text says where they are. Sentences that the regions contradict are marked. Sentences are analysed when the
// browser is idle, so that the analysis does not delay the sample.

import { post, Refused, Unreachable } from "../shared/api.js";
import { all, el } from "../shared/dom.js";
import { whenMoved } from "../shared/pointer.js";
import { rove } from "../shared/roving_focus.js";

/** @import { RegionPicture } from "../regions/picture.js" */
/** @import { SampleJson, SaidSentence } from "../shared/wire.d.ts" */

const CONTRADICTED = "the regions contradict this";
const SENTENCE = ".said-sentence";
export class Sentences {
  /** @param {Pick<SampleJson, "id" | "outlines">} sample
   * @param {HTMLElement} element element that contains the sample's explanations
   * @param {() => RegionPicture | null} picture returns the picture that is shown now
   * @param {() => void} release highlights again what the user has pinned on the picture */
  constructor(sample, element, picture, release) {
    this.sample = sample;
    this.element = element;
    this.picture = picture;
    this.release = release;
    /** @type {Map<string, Promise<SaidSentence[]>>} maps the text of an explanation to its sentences */
    this.known = new Map();
    /** @type {WeakMap<Element, SaidSentence>} maps elements to their sentences */
    this.said = new WeakMap();
    /** @type {Element | null} the sentence that the pointer is on */
    this.lit = null;
    for (const event of ["focusin", "click"]) {
      element.addEventListener(event, ({ target }) => this.at(/** @type {Element} */ (target)));
    }
    element.addEventListener("pointerover", (event) => {
      const target = /** @type {Element} */ (event.target);
      whenMoved(event, () => this.at(target));
    });
    element.addEventListener("pointerleave", (event) => whenMoved(event, () => this.point(null)));
  }

  /** Analyse the sentences that are not analysed yet, when the browser is idle. */
  readLater() {
    const idle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 1));
    if (this.picture()) {
      idle(() => all(this.element, ".explanation > p:not([data-read])").forEach((one) => this.read(one)));
    }
  }

  /** Handle a pointer or focus that has moved to an element. @param {Element} target */
  at(target) {
    const sentence = target.closest(SENTENCE);
    if (sentence) this.point(sentence);
    else if (!target.closest(".said-where, .region-stage")) this.point(null);
  }

  /** Split a paragraph's text into sentences that react to the pointer. @param {HTMLElement} paragraph */
  async read(paragraph) {
    const { lastChild } = paragraph,
      text = lastChild?.textContent ?? "",
      address = /** @type {const} */ (`/api/samples/${this.sample.id}/sentences`);
    paragraph.dataset.read = "yes";
    const asked = this.known.get(text) ?? post(address, { text });
    this.known.set(text, asked);
    let sentences;
    try {
      sentences = await asked;
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      return; // if the sentences cannot be analysed, the text stays as it is
    }
    const characters = [...text]; // code points, in which the server counts positions
    let at = 0;
    const parts = sentences.flatMap((sentence) => {
      const before = characters.slice(at, sentence.start).join("");
      at = sentence.end;
      return [before, ...this.sentence(characters.slice(sentence.start, at).join(""), sentence)];
    });
    lastChild?.replaceWith(...parts, characters.slice(at).join(""));
    rove(paragraph, SENTENCE);
    const explanation = paragraph.parentElement;
    if (explanation && !explanation.querySelector(".said-where")) {
      explanation.append(el("div", { class: "said-where quiet", role: "status" }));
    }
  }

  /** Make a sentence, with a remark if the regions contradict it. @param {string} words @param {SaidSentence} sentence */
  sentence(words, sentence) {
    const { is_contradicted: isWrong } = sentence, look = isWrong ? "said-sentence contradicted" : "said-sentence";
    const node = el("span", { class: look, role: "button", "aria-pressed": "false" }, words);
    this.said.set(node, sentence);
    if (!isWrong) return [node];
    return [node, el("small", { class: "contradiction" }, el("b", { "aria-hidden": "true" }, "✗ "), CONTRADICTED)];
  }

  /** Highlight the regions that a sentence names, and say where they are; null ends the highlight.
   * @param {Element | null} sentence */
  point(sentence) {
    if (sentence === this.lit) return;
    const place = (/** @type {Element | null} */ one) => one?.closest(".explanation")?.querySelector(".said-where");
    this.lit?.setAttribute("aria-pressed", "false");
    place(this.lit)?.replaceChildren();
    this.lit = sentence;
    sentence?.setAttribute("aria-pressed", "true");
    // below the explanation, so that no sentence moves away from the pointer
    place(sentence)?.replaceChildren(sentence && this.said.get(sentence)?.words || "");
    this.light();
  }

  /** Highlight the regions of the sentence under the pointer. Call it again after the page has replaced the picture. */
  light() {
    const regions = this.lit && this.said.get(this.lit)?.regions || [], picture = this.picture();
    const paths = regions.map((region) => this.sample.outlines[region].path); // a metric may number regions otherwise
    const lit = [...picture?.drawn ?? []].filter(([, { area }]) => paths.includes(area.getAttribute("d") ?? ""));
    if (lit.length) picture?.light(lit.map(([index]) => index));
    else this.release();
  }
}
