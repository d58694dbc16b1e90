// The Inspect page's address: which list it means, and what the server is asked for. The numbers on cards of scores.

import assert from "node:assert/strict";

import { arithmetic } from "../../../ui/static/inspect/digits.js";
import { ends, markStart } from "../../../ui/static/inspect/score_card.js";
import { addressOf, isFiltered, listed, readAddress } from "../../../ui/static/inspect/address.js";

Deno.test("an address is read as it was written, with only what is not as usual", () => {
  const address = "/inspect?dataset=a+b&slice=long+ones&metric=FLEUR&sort=error&page=3&sample=7&region=0";
  assert.equal(addressOf(readAddress(address.slice("/inspect".length))), address);
  assert.equal(
    addressOf(readAddress("?page=-4&sample=abc&region=x&cut=0.5x&sort=__proto__&nothing=1")),
    "/inspect",
  );
});

Deno.test("the server is asked for the list alone", () => {
  const asked = (search) => listed(readAddress(search));
  assert.deepEqual(asked("?sample=7&page=3&by=HICE-S"), {});
  assert.deepEqual(asked("?dataset=a&text=dog&code=SE&slice=b"), {
    dataset: "a",
    text: "dog",
    code: "SE",
    slice: "b",
  });
  assert.deepEqual(asked("?metric=A&sort=highest&lowest=0.5"), {
    metric: "A",
    lowest: "0.5",
    sort: "score",
    falling: "true",
  });
});

Deno.test("bounds and orders mean nothing without a metric, nor slices without a data set", () => {
  assert.ok(!isFiltered(readAddress("?sort=highest&lowest=1&slice=a&sample=3")));
  assert.ok(isFiltered(readAddress("?metric=A")));
});

Deno.test("the arithmetic of a score is spelled out with its own probabilities", () => {
  const at = (probabilities) => Array.from({ length: 10 }, (_, digit) => probabilities[digit] ?? 0);
  const p = at({ 7: 0.25, 8: 0.75 }), q = at({ 0: 0.5, 5: 0.5 });
  assert.equal(arithmetic({ p, q }), "0.1 · Σ i·pᵢ + 0.01 · Σ i·qᵢ = 0.1 · 7.750 + 0.01 · 2.500 = 0.800");
  assert.equal(arithmetic({ p }), "0.1 · Σ i·pᵢ = 0.1 · 7.750 = 0.775");
  assert.equal(arithmetic({ units: at({ 0: 0.2, 1: 0.7 }) }), "0.9 · P(0) + P(1) = 0.9 · 0.200 + 0.700 = 0.880");
  assert.equal(arithmetic({ raw: 0.5, p: [1] }), "");
});

Deno.test("an address has the edited caption as escaped text, unless the caption is too long", () => {
  const written = (caption) => addressOf({ sample: 7, caption });
  const kept = (caption) => readAddress(written(caption).slice("/inspect".length)).caption;
  for (const caption of ["<img src=x onerror=alert(1)> & “red”?\n#1 + 100 %", "猫が眠る。", ""]) {
    assert.equal(kept(caption), caption);
    assert.ok(!/[<>"\s]/.test(written(caption)));
  }
  assert.equal(readAddress(`?sample=7&caption=${"a".repeat(4001)}`).caption, ""); // a part would have another score
  assert.equal(readAddress(`?sample=7&caption=${encodeURIComponent("猫".repeat(500))}`).caption, "");
});

Deno.test("a bar's words say what a full bar means, and a human rating is marked at its share, within the bar", () => {
  assert.deepEqual([[0, 1.25], [0, 10 / 9], [-1, 1]].map(ends), ["of 1.25", "of 1.111", "from -1 to 1"]);
  assert.deepEqual([0.85, 0, 1].map((human) => markStart(human, 0.02)), [0.84, 0, 0.98]);
});
