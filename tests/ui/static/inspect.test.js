// The Inspect page's address: which list it means, and what the server is asked for.

import assert from "node:assert/strict";

import { arithmetic } from "../../../ui/static/inspect/digit_plots.js";
import { surprise } from "../../../ui/static/inspect/changes.js";
import { addressOf, isFiltered, listed, readAddress } from "../../../ui/static/inspect/address.js";

Deno.test("a score that rises although less is said, or something is made up, is wondered at", () => {
  const change = (come, leftOut, mentioned) => ({
    come: come.map((mark) => ({ text: "a dog", mark })),
    leftOut: Array(leftOut).fill("flag"),
    mentioned: Array(mentioned).fill("cap"),
  });
  assert.equal(surprise(0.01, change([], 1, 0)), "fewer regions are mentioned now");
  assert.equal(surprise(0.01, change(["incorrect"], 0, 2)), "something not in the picture is mentioned now");
  const wrong = (phrase) => ({ ...change([], 0, 0), come: [{ text: "cups is 2", mark: "incorrect", ...phrase }] });
  const there = { things: [{ mark: "correct" }] }, absent = { things: [{ mark: "incorrect" }] };
  assert.equal(surprise(0.01, wrong(absent)), "something not in the picture is mentioned now");
  assert.equal(surprise(0.01, wrong(there)), "something wrong is said now");
  assert.equal(surprise(0.01, wrong({ kind: "denied" })), "something wrong is said now");
  assert.equal(surprise(0.01, change(["not judged"], 1, 2)), "");
  assert.equal(surprise(-0.01, change(["incorrect"], 1, 0)), "");
  assert.equal(surprise(0.0004, change([], 1, 0)), "");
});

Deno.test("an address is read as it was written, with only what is not as usual", () => {
  const address =
    "/inspect?dataset=a+b&metric=FLEUR&picture=false&slice=long+ones&sort=disagreement&other=Polos&view=grid&sample=7";
  assert.equal(addressOf(readAddress(address.slice("/inspect".length))), address);
  assert.equal(addressOf(readAddress("?page=1&region=x&picture=perhaps&sort=__proto__&nothing=1")), "/inspect");
  assert.deepEqual([readAddress("?cut=0.5x").cut, readAddress("?cut=0.5").cut], [null, 0.5]);
});

Deno.test("the server is asked for the list alone", () => {
  const asked = (search) => listed(readAddress(search));
  assert.deepEqual(asked("?sample=7&page=3&view=grid&by=HICE-S"), {});
  assert.deepEqual(asked("?dataset=a&text=dog&regions=true&code=SE&slice=b"), {
    dataset: "a",
    text: "dog",
    regions: "true",
    code: "SE",
    slice: "b",
  });
  assert.deepEqual(asked("?metric=A&sort=highest&lowest=0.5&other=B"), {
    metric: "A",
    lowest: "0.5",
    sort: "score",
    falling: "true",
  });
  assert.deepEqual(asked("?metric=A&sort=disagreement&other=B"), {
    metric: "A",
    sort: "disagreement",
    falling: "true",
    other: "B",
  });
});

Deno.test("bounds and orders mean nothing without a metric, nor slices without a data set", () => {
  assert.ok(!isFiltered(readAddress("?sort=highest&lowest=1&slice=a&other=B&sample=3")));
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
