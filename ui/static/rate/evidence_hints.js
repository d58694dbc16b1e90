// Hints about the sentences of an item, for raters who may see hints. The page asks for the hints about a sentence
// after the server has stored the rater's first complete answer about it.

import { post, Refused, Unreachable } from "../shared/api.js";
import { contradicts, hintList, hintWords } from "../shared/hints.js";
import { isSaid } from "./answers.js";

/** @import { Item, Save, Sentence } from "../shared/types.d.ts" */
/** @import { Hint } from "../shared/wire.d.ts" */

export class SentenceHints {
  /** @param {Item} item
   * @param {{onCome: (number: number, told: string) => void, light: (regions: readonly number[]) => void}} does
   * onCome: is called with the number of a sentence whose hints have arrived, and with the part of the rater's answer
   * that they contradict; light: highlights regions */
  constructor(item, { onCome, light }) {
    this.item = item;
    this.onCome = onCome;
    this.light = light;
    /** @type {Map<number, readonly Hint[]>} maps the number of a sentence to its hints */
    this.known = new Map();
    /** @type {Set<number>} */
    this.asked = new Set();
    this.seen = false;
  }

  get sentences() {
    return this.item.panels[0].sentences;
  }

  /** After the picture has loaded, fetch again the hints that the rater has already seen. */
  begin() {
    if (this.seen) return;
    this.seen = true;
    this.sentences.filter((sentence) => sentence.judgement?.hint_shown).forEach(({ number }) => this.ask(number));
  }

  /** Ask for hints about a sentence after the server has stored its judgement. @param {Save} save */
  stored({ kind, sentence = 0, said }) {
    const judgement = /** @type {Sentence["judgement"]} */ (said);
    if (kind === "sentence" && isSaid({ judgement })) this.ask(sentence);
  }

  /** Fetch the hints about a sentence. @param {number} number number of the sentence */
  async ask(number) {
    if (!this.item.hints || this.asked.has(number)) return;
    this.asked.add(number);
    try {
      const found = await post(`/api/rate/items/${this.item.id}/hints`, { panel: 1, sentence: number });
      this.known.set(number, found);
      const { text } = this.sentences[number - 1];
      this.onCome(number, found.filter(contradicts).map((hint) => hintWords(text, hint)).join("; "));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      this.asked.delete(number); // hints are optional; the next answer about this sentence asks for them again
    }
  }

  /** Build the list of hints about a sentence, or return null if there are none. @param {Sentence} sentence */
  list({ number, text }) {
    const hints = this.known.get(number) ?? [];
    return hints.length ? hintList(text, hints, (regions) => this.light(regions)) : null;
  }

  /** The regions that the hints about a sentence name. @param {Sentence | undefined} sentence */
  regionsOf(sentence) {
    return (this.known.get(sentence?.number ?? 0) ?? []).flatMap(({ regions }) => regions);
  }
}
