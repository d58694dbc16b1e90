// Where phrases stand in a caption, and which things stand beside them.

import assert from "node:assert/strict";

import { pieces } from "../../../ui/static/regions/caption.js";
import { meanWords, thingsAlone, thingWords } from "../../../ui/static/regions/lists.js";

/** A phrase in a caption. */
const span = (start, end, more = {}) => ({ start, end, things: [], mark: "not judged", kind: "stated", ...more });
const texts = (caption, phrases) => pieces(caption, phrases).map(({ text }) => text);

Deno.test("a caption is cut at the edges of its phrases, the shortest one over a place first", () => {
  const found = pieces("a red dog", [span(0, 9, { mark: "correct" }), span(2, 5, { mark: "incorrect" })]);
  assert.deepEqual(found.map(({ text, phrases, mark }) => [text, phrases, mark]), [
    ["a ", [0], "correct"],
    ["red", [1, 0], "incorrect"],
    [" dog", [0], "correct"],
  ]);
  assert.deepEqual(pieces("dog", []).map(({ phrases, mark }) => [phrases, mark]), [[[], null]]);
});

Deno.test("a thing is a piece with its own mark, and other words are wrong if their phrase of found things is", () => {
  const things = [{ start: 6, end: 9, mark: "correct" }];
  const marks = (mark) => pieces("a red dog", [span(0, 9, { things, mark })]).map(({ text, mark }) => [text, mark]);
  assert.deepEqual(marks("correct"), [["a red ", null], ["dog", "correct"]]);
  assert.deepEqual(marks("incorrect"), [["a red ", "incorrect"], ["dog", "correct"]]);
});

Deno.test("a thing whose mark no phrase repeats stands alone, with the first phrase that names it", () => {
  const thing = (text, start, mark) => ({ text, start, end: start + text.length, mark });
  const flag = thing("flag", 2, "incorrect"), tower = thing("eiffel tower", 22, "correct");
  const caption = "A flag hangs from the Eiffel Tower.";
  const hangs = { shown: "flag hangs from Eiffel Tower", mark: "incorrect", things: [flag, tower] };
  assert.deepEqual(thingsAlone([hangs]), [{ thing: tower, phrase: 0 }]);
  assert.equal(thingWords(caption, tower, hangs), "Eiffel Tower");
  const tall = { shown: "tall Eiffel Tower", mark: "correct", things: [tower] };
  assert.deepEqual(thingsAlone([hangs, tall]), []); // a confirmed phrase has the tower in it
  const dark = { shown: "dark flag", mark: "not judged", things: [flag] };
  assert.deepEqual(thingsAlone([dark]), [{ thing: flag, phrase: 0 }]); // made up: it must stand under Wrong
  assert.equal(thingWords("Cows drink.", { start: 0, end: 4 }, { shown: "cows drink" }), "cows");
});

Deno.test("only the words from a denying word to the end of what it denies are denied", () => {
  const things = [{ start: 2, end: 5, mark: "correct" }];
  const denial = span(2, 32, { kind: "denied", denied: [14, 32], things });
  const denied = (phrase) =>
    pieces("A man in coat not wearing a hat, walks", [phrase]).filter(({ isDenied }) => isDenied).map(({ text }) =>
      text
    );
  assert.deepEqual(denied(denial), ["not wearing a hat,"]);
  const older = { ...denial, denied: null }; // scores of older versions do not know what is denied
  assert.deepEqual(denied(older).join(""), " in coat not wearing a hat,");
});

Deno.test("places in a caption count characters as Python does, not halves of them", () => {
  assert.deepEqual(texts("🐕🐕 run", [span(0, 2)]), ["🐕🐕", " run"]);
});

Deno.test("pieces make the caption again, whatever the phrases", () => {
  let seed = 7;
  const random = (below) => Math.floor(below * ((seed = (seed * 16807) % 2147483647) / 2147483647));
  const caption = "ein Hund 🐕 läuft über die Wiese";
  for (let round = 0; round < 300; round++) {
    const phrases = Array.from({ length: random(5) }, () => {
      const start = random(30);
      return span(start, start + 1 + random(31 - start));
    });
    assert.equal(texts(caption, phrases).join(""), caption);
  }
});

Deno.test("the shown mean counts only phrases with a precision", () => {
  assert.equal(meanWords("precision", [1, null, 0.5], "phrase"), "precision 0.750 = mean of 2 phrases");
  assert.equal(meanWords("recall", [null, 1], "region"), "recall 1.000 = mean of 1 region");
});
