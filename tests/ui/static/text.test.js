// Texts in other languages: translations, plurals, placeholders, and English where a translation is missing.

import assert from "node:assert/strict";

import { commas, later, sentences, speak, spoken, t, tn, tx } from "../../../ui/static/shared/text.js";

const POLISH = {
  language: "pl",
  direction: "ltr",
  texts: {
    "Saved": "Zapisano",
    "You rate as {code}.": "{code} to twój kod.",
    "1 item": { one: "{n} element", few: "{n} elementy", many: "{n} elementów", other: "{n} elementu" },
    ", ": "; ",
  },
};

/** Run a test in a language, and return to English. */
function inLanguage(catalogue, test) {
  speak(catalogue);
  try {
    test();
  } finally {
    speak(null);
  }
}

Deno.test("without a catalogue the English text is shown with its placeholders filled in", () => {
  assert.equal(t("You rate as {code}.", { code: "K7" }), "You rate as K7.");
  assert.deepEqual([1, 2, 0].map((n) => tn("1 item", "{n} items", n)), ["1 item", "2 items", "0 items"]);
  assert.equal(spoken(), "en");
});

Deno.test("the language's own plural rules choose the form of a text", () => {
  inLanguage(POLISH, () => {
    const shown = [1, 3, 5, 22].map((n) => tn("1 item", "{n} items", n));
    assert.deepEqual(shown, ["1 element", "3 elementy", "5 elementów", "22 elementy"]);
  });
});

Deno.test("a text without a translation stays English, and a missing plural form falls back to the general one", () => {
  const sparse = { ...POLISH, texts: { "1 item": { other: "{n} elementu" } } };
  inLanguage(sparse, () => {
    assert.equal(t("Saved"), "Saved");
    assert.equal(tn("1 item", "{n} items", 3), "3 elementu");
    assert.equal(tn("1 answer", "{n} answers", 3), "3 answers");
  });
});

Deno.test("elements take the places of their placeholders, in the order of the translation", () => {
  const node = { tag: "strong" };
  assert.deepEqual(tx("You rate as {code}.", { code: node }), ["You rate as ", node, "."]);
  inLanguage(POLISH, () => assert.deepEqual(tx("You rate as {code}.", { code: node }), ["", node, " to twój kod."]));
});

Deno.test("an unknown placeholder stays, a value is never read as a placeholder, and marked texts are translated when shown", () => {
  assert.equal(t("{a} and {b}", { a: "{b}" }), "{b} and {b}");
  const words = later("Saved");
  inLanguage(POLISH, () => assert.deepEqual([words, t(words)], ["Saved", "Zapisano"]));
});

Deno.test("lists and sentences are joined as the language joins them", () => {
  assert.equal(commas(["a", "b"]), "a, b");
  assert.deepEqual([sentences("One.", "Two."), sentences("", "Two."), sentences("One.", "")], [
    "One. Two.",
    "Two.",
    "One.",
  ]);
  inLanguage(POLISH, () => assert.equal(commas(["a", "b"]), "a; b"));
});

Deno.test("the document gets the catalogue's language and direction", () => {
  const root = {};
  globalThis.document = { documentElement: root };
  try {
    speak({ language: "ar", direction: "rtl", texts: {} });
    assert.deepEqual(root, { lang: "ar", dir: "rtl" });
    speak(null);
    assert.deepEqual(root, { lang: "en", dir: "ltr" });
  } finally {
    delete globalThis.document;
  }
});
