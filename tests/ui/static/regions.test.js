// What a cut makes of phrases and regions, and where phrases stand in a caption.

import assert from "node:assert/strict";

import { pieces } from "../../../ui/static/regions/caption.js";
import { counts, judged, ranks, regionNames, regionWords, WORDS } from "../../../ui/static/regions/support.js";

const region = (label, support, phrase = null, whole = false) => ({ label, support, phrase, is_full: whole });
const LINKS = {
  phrases: [{ text: "a dog", support: 0.7, region: 1 }, { text: "a hat", support: 0.2, region: 2 }],
  regions: [region(null, 0.9, 0, true), region("dog", 0.7, 0), region("cat", 0.5, 1), region("dog", 0.1, 1)],
};

Deno.test("a rank is the share of the others that a value exceeds, ties counting half", () => {
  assert.deepEqual(ranks([0.1, 0.5, 0.5, 0.9]), [0, 0.5, 0.5, 1]);
  assert.deepEqual(ranks([7]), [1]);
  assert.deepEqual(ranks([]), []);
});

Deno.test("ranks of any values are symmetric: those of the negated values are their complements", () => {
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 200; round++) {
    const values = Array.from({ length: 2 + Math.floor(8 * random()) }, () => Math.floor(5 * random()));
    const back = ranks(values.map((value) => -value));
    ranks(values).forEach((rank, at) => assert.ok(Math.abs(rank + back[at] - 1) < 1e-12));
  }
});

Deno.test("what lies at the cut counts, and the whole picture never does", () => {
  const { regions, phrases, mentioned, correct } = judged(LINKS, 0.5, false);
  assert.deepEqual([...regions.keys()], [1, 2, 3]);
  assert.deepEqual([...regions.values()].map((one) => one.mentioned), [true, true, false]);
  assert.deepEqual(phrases.map((one) => one.correct), [true, false]);
  assert.deepEqual([mentioned, correct], [2, 1]);
});

Deno.test("within the image it is ranks that are cut", () => {
  const { regions, phrases } = judged(LINKS, 0.5, true);
  assert.deepEqual([...regions.values()].map((one) => one.value), [1, 0.5, 0]);
  assert.deepEqual(phrases.map((one) => one.value), [1, 0]);
});

Deno.test("raising the cut never makes more regions mentioned or phrases correct", () => {
  let before = judged(LINKS, 0, false);
  for (let cut = 0; cut <= 1; cut += 0.01) {
    const now = judged(LINKS, cut, false);
    assert.ok(now.mentioned <= before.mentioned && now.correct <= before.correct);
    before = now;
  }
});

Deno.test("regions of one label are numbered, single ones are not, and those without one are counted", () => {
  assert.deepEqual(regionNames(LINKS.regions), ["the whole picture", "dog 1", "cat", "dog 2"]);
  assert.deepEqual(regionNames([region(null, 0), region("cat", 0)]), ["region 1", "cat"]);
});

Deno.test("a region says which phrase mentions it best, or that none does", () => {
  assert.equal(regionWords(LINKS, 1, "dog 1", true), "dog 1: mentioned by “a dog” (0.700)");
  assert.equal(regionWords(LINKS, 3, "dog 2", false), "dog 2: not mentioned; nearest is “a hat” (0.100)");
  assert.equal(regionWords(LINKS, 3, "dog 2", false, WORDS.relative), "dog 2: nearest is “a hat” (0.100)");
  const alone = { ...LINKS, regions: [region("cat", 0)] };
  assert.equal(regionWords(alone, 0, "cat", false), "cat: not mentioned");
});

Deno.test("the line of counts names a cut only where it is not the score's own, and no rank right or wrong", () => {
  const now = judged(LINKS, 0.5, false);
  assert.equal(counts(now, 0.5, 0.5, false), "2 of 3 regions mentioned · 1 of 2 phrases correct");
  assert.match(counts(now, 0.5, 0.4, false), /at cut 0\.50 \(the score's own: 0\.40\)$/);
  const single = judged({ phrases: [], regions: [region("dog", 1)] }, 0.5, false);
  assert.equal(counts(single, 0.5, 0.5, false), "1 of 1 region mentioned · 0 of 0 phrases correct");
  assert.doesNotMatch(counts(judged(LINKS, 0.5, true), 0.5, 0.5, true), /mentioned|correct/);
});

Deno.test("a caption is cut at the edges of its phrases, the shortest one over a place first", () => {
  const found = pieces("a red dog", [{ start: 0, end: 9 }, { start: 2, end: 5 }]);
  assert.deepEqual(found, [
    { text: "a ", phrases: [0] },
    { text: "red", phrases: [1, 0] },
    { text: " dog", phrases: [0] },
  ]);
  assert.deepEqual(pieces("dog", []), [{ text: "dog", phrases: [] }]);
});

Deno.test("places in a caption count characters as Python does, not halves of them", () => {
  assert.deepEqual(pieces("🐕🐕 run", [{ start: 0, end: 2 }]).map(({ text }) => text), ["🐕🐕", " run"]);
});

Deno.test("pieces make the caption again, whatever the phrases", () => {
  let seed = 7;
  const random = (below) => Math.floor(below * ((seed = (seed * 16807) % 2147483647) / 2147483647));
  const caption = "ein Hund 🐕 läuft über die Wiese";
  for (let round = 0; round < 300; round++) {
    const phrases = Array.from({ length: random(5) }, () => {
      const start = random(30);
      return { start, end: start + 1 + random(31 - start) };
    });
    assert.equal(pieces(caption, phrases).map(({ text }) => text).join(""), caption);
  }
});
