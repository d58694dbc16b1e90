// Texts in the language of the study. The English text is the key of its translation, as in gettext; a text without a
// translation stays English.
//
// The tool ui/services/texts/extraction.py searches the scripts for calls of t, tn, tx and later. Therefore the texts
// in these calls must be string literals.

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

/** Set the catalogue of translations for all texts that are shown from now on. The document gets the catalogue's
 * language and direction.
 * @param {Catalogue | null} found null: English */
export function speak(found) {
  catalogue = found ?? SOURCE;
  plural = new Intl.PluralRules(catalogue.language);
  const root = globalThis.document?.documentElement;
  if (!root) return;
  root.lang = catalogue.language;
  root.dir = catalogue.direction;
}

/** Return the language in which texts are shown, as a BCP 47 code. */
export function spoken() {
  return catalogue.language;
}

/** Return the writing direction of the language in which texts are shown: "ltr" or "rtl". */
export function direction() {
  return catalogue.direction;
}

/** Translate a text and fill in its {placeholders}. @param {string} text @param {Values} [values] */
export function t(text, values = {}) {
  const found = catalogue.texts[text];
  return filled(typeof found === "string" ? found : text, values);
}

/** Translate a text that contains a number, {n}.
 * @param {string} one the English text for 1 @param {string} other the English text for other numbers
 * @param {number} n @param {Values} [values] */
export function tn(one, other, n, values = {}) {
  const found = catalogue.texts[one];
  const forms = typeof found === "object" ? found : undefined;
  return filled(forms?.[plural.select(n)] ?? forms?.other ?? (n === 1 ? one : other), { n, ...values });
}

/** Translate a text in which elements replace the {placeholders}. Return the parts of the text in order.
 * @param {string} text @param {Record<string, Child>} nodes @returns {Child[]} */
export function tx(text, nodes) {
  // parts at odd indices are the names of placeholders
  return t(text).split(PLACEHOLDER).map((part, at) => (at % 2 ? nodes[part] ?? `{${part}}` : part));
}

/** Mark a text for translation, and return it unchanged. `t` translates the text when it is shown. This is needed for
 * tables of texts that are made when a module loads.
 * @template {string} Text @param {Text} text @returns {Text} */
export function later(text) {
  return text;
}

/** Join parts with commas. @param {readonly string[]} parts */
export function commas(parts) {
  return parts.join(t(", "));
}

/** Join two sentences. Some languages write no space between them. An empty sentence is left out.
 * @param {string} first @param {string} second */
export function sentences(first, second) {
  return first && second ? t("{first} {second}", { first, second }) : first || second;
}

/** @param {string} text @param {Values} values */
function filled(text, values) {
  return text.replace(PLACEHOLDER, (whole, name) => (name in values ? String(values[name]) : whole));
}
