// What bars of scores show: a full bar is the highest possible value, and similarities are not called shares.

import assert from "node:assert/strict";

import { ends, flagMeaning, markStart, partEnds, partName, partScale } from "../../../ui/static/inspect/score_bars.js";
import { meanWords, precisionWords } from "../../../ui/static/regions/support.js";

Deno.test("precision is a similarity in HICE-S, and a share in other metrics", () => {
  assert.deepEqual(
    ["HICE-S", "RefHICE-S"].map((name) => partName(name, "precision")),
    Array(2).fill("precision"),
  );
  assert.equal(partName("HICE-S", "recall"), "recall");
  assert.equal(partName("Facts-F", "precision"), "correct");
  assert.equal(partName("X", "a_b"), "a b");
});

Deno.test("precision and recall of RefHICE-S have the scale of HICE-S", () => {
  for (const w of [1, 1.25, 2.5]) {
    const [low, high] = partScale("RefHICE-S", [0, 4 / (1 / w + 1 / w + 1 + 1)]);
    assert.ok(low === 0 && Math.abs(high - w) < 1e-9, `${high}`);
  }
  assert.deepEqual(partScale("HICE-S", [0, 1.25]), [0, 1.25]);
});

Deno.test("words say what a full bar means", () => {
  assert.equal(ends([0, 1.25]), "of 1.25");
  assert.equal(ends([0, 10 / 9]), "of 1.111");
  assert.equal(ends([-1, 1]), "from -1 to 1");
});

Deno.test("a flag that is set is told as a fact, without the number that means yes", () => {
  const meaning = "1 if the caption has no attributes. Then nouns are used as phrases.";
  assert.equal(flagMeaning(meaning), "The caption has no attributes. So nouns are used as phrases.");
  assert.equal(flagMeaning("A share."), "A share.");
});

Deno.test("a part of HICE-S shows the end of its scale, and a share does not", () => {
  assert.equal(partEnds("HICE-S", [0, 1.25]), "of 1.25");
  assert.equal(partEnds("RefHICE-S", [0, 10 / 9]), "of 1.25");
});

Deno.test("the middle of the mark of a human rating is at its share of the bar, within the bar", () => {
  assert.equal(markStart(0.85, 0.02), 0.84);
  assert.deepEqual([markStart(0, 0.02), markStart(1, 0.02)], [0, 0.98]);
});

Deno.test("the shown mean counts only phrases with a precision", () => {
  assert.equal(meanWords("precision", [1, null, 0.5], "phrases"), "precision 0.750 = mean of 2 phrases");
  assert.equal(meanWords("precision", [null], "phrases"), "");
});

Deno.test("a mark that disagrees with its number is explained", () => {
  const phrase = { precision: 0.9, mark: "incorrect", reason: "Annotators found none." };
  assert.match(precisionWords(phrase, 0.5), /^Precision 0.900.*Labels decide the mark/);
  assert.doesNotMatch(precisionWords({ ...phrase, precision: 0.2 }, 0.5), /Labels decide/);
  assert.match(precisionWords({ ...phrase, precision: null }, 0.5), /does not compare/);
});
