// Marked words are counted in characters, as the server counts them.

import assert from "node:assert/strict";

import { lengthOf, part, range, wordsOf } from "../../../ui/static/rate/evidence_words.js";

const spans = (text) => wordsOf(text).map(({ start, end }) => [start, end]);
const words = (text) => wordsOf(text).map(({ start, end }) => part(text, start, end));

Deno.test("words after an emoji begin where a server finds them that counts characters", () => {
  assert.deepEqual(spans("A 🐕 runs 👩‍🚀 fast"), [[0, 1], [4, 8], [13, 17]]);
  assert.deepEqual(words("A 🐕 runs 👩‍🚀 fast"), ["A", "runs", "fast"]);
  assert.deepEqual(spans("𝒜𝒷 ok"), [[0, 2], [3, 5]]); // letters beyond the first 65,536 characters
});

Deno.test("combining marks belong to the word of their letter", () => {
  assert.deepEqual(spans("cafe\u0301 noir"), [[0, 5], [6, 10]]);
  assert.deepEqual(words("हिन्दी का"), ["हिन्दी", "का"]);
});

Deno.test("for any text, each marked word is the text between its characters, and nothing of a word lies outside", () => {
  const pieces = ["a", "É", "e\u0301", "🐕", "👩‍🚀", "𝒜", " ", ",", "’", "-", "ß", "7", "हि", "\u200d", "\ud83c\udde9"];
  let seed = 7;
  const random = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: random(30) }, () => pieces[random(pieces.length)]).join("");
    const found = wordsOf(text), inside = new Set();
    for (const { start, end } of found) {
      assert.match(part(text, start, end), /^[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*$/u);
      for (let at = start; at < end; at++) inside.add(at);
    }
    [...text].forEach((letter, at) => assert.equal(/[\p{L}\p{N}]/u.test(letter) && !inside.has(at), false));
    found.forEach((span, at) => assert.deepEqual(range(found, span), [at, at]));
    assert.equal(lengthOf(text), [...text].length);
  }
});
