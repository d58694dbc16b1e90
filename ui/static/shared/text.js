// Texts in the language of the study. The English text is the key of its translation, as in gettext; a text without a
// translation stays English.
//
// The tool ui/services/texts/extraction.py finds the calls of t, tn, tx and later by name, so their texts are literals.

/** @import { Child } from "./types.d.ts" */
/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Translation a text, or one text per plural category */
/** @typedef {{language: string, direction: string, texts: Readonly<Record<string, Translation>>}} Catalogue */
/** @typedef {Record<string, string | number>} Values values of a text's {placeholders}, by name */

const ENGLISH = "en";
const PLACEHOLDER = /\{(\w+)\}/g;

/** @type {Catalogue} */
const SOURCE = { language: ENGLISH, direction: "ltr", texts: {} };
let catalogue = SOURCE;
let plural = new Intl.PluralRules(ENGLISH);

/** Show texts by a catalogue from now on; the document gets its language and direction. Null: English.
 * @param {Catalogue | null} found */
export function speak(found) {
  catalogue = found ?? SOURCE;
  plural = new Intl.PluralRules(catalogue.language);
  const root = globalThis.document?.documentElement;
  if (!root) return;
  root.lang = catalogue.language;
  root.dir = catalogue.direction;
}

/** The language that texts are shown in, as a BCP 47 code. */
export function spoken() {
  return catalogue.language;
}

/** The direction of the language that texts are shown in: "ltr" or "rtl". */
export function direction() {
  return catalogue.direction;
}

/** Translate a text and fill in its {placeholders}. @param {string} text @param {Values} [values] */
export function t(text, values = {}) {
  const found = catalogue.texts[text];
  return filled(typeof found === "string" ? found : text, values);
}

/** Translate a text that depends on a number, {n}. @param {string} one the English text for 1 @param {string} other
 * the English text for other numbers @param {number} n @param {Values} [values] */
export function tn(one, other, n, values = {}) {
  const found = catalogue.texts[one];
  const forms = typeof found === "object" ? found : undefined;
  return filled(forms?.[plural.select(n)] ?? forms?.other ?? (n === 1 ? one : other), { n, ...values });
}

/** Translate a text whose {placeholders} are elements; returns its parts in order.
 * @param {string} text @param {Record<string, Child>} nodes @returns {Child[]} */
export function tx(text, nodes) {
  // odd parts are the names of placeholders
  return t(text).split(PLACEHOLDER).map((part, at) => (at % 2 ? nodes[part] ?? `{${part}}` : part));
}

/** Mark a text in a constant table that is made when its module loads. `t` translates the text when the page shows it.
 * @template {string} Text @param {Text} text @returns {Text} */
export function later(text) {
  return text;
}

/** Join parts with commas. @param {readonly string[]} parts */
export function commas(parts) {
  return parts.join(t(", "));
}

/** Join two sentences, which some languages write without a space between them; an empty one is left out.
 * @param {string} first @param {string} second */
export function sentences(first, second) {
  return first && second ? t("{first} {second}", { first, second }) : first || second;
}

/** @param {string} text @param {Values} values */
function filled(text, values) {
  return text.replace(PLACEHOLDER, (whole, name) => (name in values ? String(values[name]) : whole));
}
