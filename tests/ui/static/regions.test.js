// What a cut makes of phrases and regions, and where phrases stand in a caption.

import assert from "node:assert/strict";

import { pieces } from "../../../ui/static/regions/caption.js";
import { Pen } from "../../../ui/static/regions/pen.js";
import {
  counts,
  judged,
  lookedAt,
  readingNote,
  regionNames,
  regionsOf,
  regionWords,
  thingsAlone,
  thingWords,
  wordsFor,
} from "../../../ui/static/regions/support.js";

const region = (label, support, phrase = null, whole = false) => ({
  label,
  support,
  recall: support,
  phrase,
  is_full: whole,
  mentioned: support >= 0.5,
});
const phrase = (text, support, mark, kind = "stated", shown = text) => ({
  text,
  support,
  mark,
  region: null,
  kind,
  shown,
});
const LINKS = {
  cut: 0.5,
  phrases: [phrase("a dog", 0.7, "correct"), phrase("a hat", 0.2, "not judged")],
  regions: [region(null, 0.9, 0, true), region("dog", 0.7, 0), region("cat", 0.5, 1), region("dog", 0.1, 1)],
};
const WORDS = wordsFor("AlphaCLIP", true);

Deno.test("at the score's own cut marks are told, and another cut makes its own of the numbers", () => {
  const told = {
    ...LINKS,
    regions: [{ ...region("dog", 0.7, 0), mentioned: false }, { ...region("cat", 0.2), mentioned: true }],
  };
  assert.deepEqual([...judged(told, 0.5).regions.values()].map(({ mentioned }) => mentioned), [false, true]);
  assert.deepEqual([...judged(told, 0.6).regions.values()].map(({ mentioned }) => mentioned), [true, false]);
});

Deno.test("reasons, not numbers, explain the regions of a caption that names nothing", () => {
  const reason = "No noun of the caption matches label “dog”.";
  const denying = {
    cut: 0.5,
    phrases: [{ ...phrase("dog", 0.3, "correct", "denied", "no dog"), things: [] }],
    regions: [{ ...region("dog", 0.4, 0), mentioned: false, reason }],
  };
  assert.equal(judged(denying, 0.5).byNames, true);
  assert.equal(judged(denying, 0.6).byNames, false);
  assert.equal(judged({ ...denying, phrases: [] }, 0.5).byNames, false);
  assert.equal(judged(LINKS, 0.5).byNames, false); // an encoder gives no reasons
});

Deno.test("at the score's own cut its marks stand, and the whole picture is no region", () => {
  const { regions, phrases, mentioned, asTold } = judged(LINKS, 0.5);
  assert.deepEqual([...regions.keys()], [1, 2, 3]);
  assert.deepEqual([...regions.values()].map((one) => one.mentioned), [true, true, false]);
  assert.deepEqual(phrases.map(({ mark }) => mark), ["correct", "not judged"]);
  assert.deepEqual([mentioned, asTold], [2, true]);
});

Deno.test("another cut makes its own marks, and what lies at it counts", () => {
  const { regions, phrases, asTold } = judged(LINKS, 0.7);
  assert.deepEqual([...regions.values()].map((one) => one.mentioned), [true, false, false]);
  assert.deepEqual([phrases.map(({ mark }) => mark), asTold], [["correct", "incorrect"], false]);
});

Deno.test("regions of one label are numbered, single ones are not, and those without one are counted", () => {
  assert.deepEqual(regionNames(LINKS.regions), ["the whole picture", "dog 1", "cat", "dog 2"]);
  assert.deepEqual(regionNames([region(null, 0), region("cat", 0)]), ["region 1", "cat"]);
});

Deno.test("a region says which phrase mentions it best, or that none does", () => {
  assert.equal(regionWords(LINKS, 1, "dog 1", true, WORDS), "dog 1: mentioned by “a dog” · recall 0.700");
  assert.equal(
    regionWords(LINKS, 3, "dog 2", false, WORDS),
    "dog 2: not mentioned; nearest phrase is “a hat” · recall 0.100",
  );
  assert.equal(regionWords(LINKS, 3, "dog 2", false, wordsFor("", false)), "dog 2: nearest is “a hat” · recall 0.100");
  const alone = { ...LINKS, regions: [region("cat", 0)] };
  assert.equal(regionWords(alone, 0, "cat", false, WORDS), "cat: not mentioned · recall 0.000");
});

Deno.test("words name what looked at the picture, and only the score's own marks are supported by it", () => {
  assert.deepEqual(WORDS.regions, ["mentioned", "not mentioned"]); // as the legend says
  assert.equal(WORDS.phrases.correct, "supported by AlphaCLIP");
  const seen = [{ encoder: "AlphaCLIP", by_labels: false }, { encoder: "x", by_labels: true }, {
    encoder: null,
    by_labels: false,
  }];
  assert.deepEqual(seen.map(lookedAt), ["AlphaCLIP", "the annotations", "the picture"]);
  assert.equal(wordsFor("the annotations", true).phrases["not judged"], "unknown");
  assert.equal(wordsFor("the annotations", false, 0.7).phrases.correct, "supported");
  assert.deepEqual(wordsFor("", false, 0.7).regions, ["support of at least 0.70", "support below 0.70"]);
});

Deno.test("a phrase has all regions that labels name, and an encoder's region only if the link is strong", () => {
  const things = [{ start: 0, end: 4, mark: "correct" }];
  assert.deepEqual(regionsOf({ regions: [0, 2], support: 0.1, things }, 0.5), [0, 2]);
  assert.deepEqual(regionsOf({ regions: [2], support: 0.5, things: [] }, 0.5), [2]);
  assert.deepEqual(regionsOf({ regions: [2], support: 0.4, things: [] }, 0.5), []);
});

Deno.test("another cut marks no denied phrase, because similarity cannot judge it", () => {
  const links = { ...LINKS, phrases: [phrase("dog", 0.9, "incorrect", "denied", "no dog")] };
  for (const cut of [0.3, 0.95]) assert.equal(judged(links, cut).phrases[0].mark, "incorrect");
});

Deno.test("a caption that was not read has the server's notice, and nothing is counted", () => {
  const links = { ...LINKS, phrases: [], notice: "This caption does not look English." };
  assert.equal(readingNote(links), "This caption does not look English.");
  assert.deepEqual(counts(judged(links, 0.5), 0.5, 0.5, WORDS), ["", ""]);
});

Deno.test("the line of counts names a cut only where it is not the score's own, and no rank right or wrong", () => {
  const told = ["2 of 3 regions mentioned", "Phrases: ✓ 1 supported by AlphaCLIP · ◌ 1 unknown"];
  assert.deepEqual(counts(judged(LINKS, 0.5), 0.5, 0.5, WORDS), told);
  const things = ["correct", "incorrect", "correct"].map((mark, at) => ({ start: 4 * at, end: 4 * at + 3, mark }));
  const named = { ...LINKS, phrases: LINKS.phrases.map((one) => ({ ...one, things })) }; // by two phrases, counted once
  assert.match(counts(judged(named, 0.5), 0.5, 0.5, WORDS)[0], / · 2 of 3 things found$/);
  const other = counts(judged(LINKS, 0.7), 0.7, 0.5, wordsFor("", false, 0.7));
  assert.deepEqual(other, [
    "1 of 3 regions mentioned",
    "Phrases: 1 supported · 1 not supported at threshold 0.70 (the score’s own threshold: 0.50)",
  ]);
});

Deno.test("a caption is cut at the edges of its phrases, the shortest one over a place first", () => {
  const found = pieces("a red dog", [{ start: 0, end: 9 }, { start: 2, end: 5 }]);
  assert.deepEqual(found, [
    { text: "a ", phrases: [0], thing: null, denied: null, runsOn: false },
    { text: "red", phrases: [1, 0], thing: null, denied: null, runsOn: false },
    { text: " dog", phrases: [0], thing: null, denied: null, runsOn: false },
  ]);
  assert.deepEqual(pieces("dog", []), [{ text: "dog", phrases: [], thing: null, denied: null, runsOn: false }]);
});

Deno.test("a thing is a piece of its own, with its own mark", () => {
  const things = [{ start: 6, end: 9, mark: "correct" }];
  const found = pieces("a red dog", [{ start: 0, end: 9, things }]);
  assert.deepEqual(found.map(({ text, thing }) => [text, thing]), [["a red ", null], ["dog", "correct"]]);
});

Deno.test("a thing whose mark no phrase repeats stands alone, with the first phrase that names it", () => {
  const thing = (text, start, mark) => ({ text, start, end: start + text.length, mark });
  const flag = thing("flag", 2, "incorrect"), tower = thing("eiffel tower", 22, "correct");
  const caption = "A flag hangs from the Eiffel Tower.";
  const hangs = { ...phrase("flag hangs from Eiffel Tower", 0.8, "incorrect"), things: [flag, tower] };
  assert.deepEqual(thingsAlone([hangs]), [{ thing: tower, phrase: 0 }]);
  assert.equal(thingWords(caption, tower, hangs), "Eiffel Tower");
  const tall = { ...phrase("tall Eiffel Tower", 0.8, "correct"), things: [tower] };
  assert.deepEqual(thingsAlone([hangs, tall]), []); // a confirmed phrase has the tower in it
  const dark = { ...phrase("dark flag", 0.2, "not judged"), things: [flag] };
  assert.deepEqual(thingsAlone([dark]), [{ thing: flag, phrase: 0 }]); // made up: it must stand under Wrong
  assert.equal(thingWords("Cows drink.", { start: 0, end: 4 }, { shown: "cows drink" }), "cows");
});

Deno.test("only the words from a denying word to the end of what it denies are denied", () => {
  const things = [{ start: 2, end: 5, mark: "correct" }];
  const denial = { start: 2, end: 32, kind: "denied", denied: [14, 32], things };
  const words = (phrases) =>
    pieces("A man in coat not wearing a hat, walks", phrases).filter(({ denied }) => denied === 0).map(({ text }) =>
      text
    );
  assert.deepEqual(words([denial]), ["not wearing a hat,"]);
  const older = { ...denial, denied: null }; // scores of older versions do not know what is denied
  assert.deepEqual(words([older]).join(""), "man in coat not wearing a hat,");
});

Deno.test("places in a caption count characters as Python does, not halves of them", () => {
  assert.deepEqual(pieces("🐕🐕 run", [{ start: 0, end: 2 }]).map(({ text }) => text), ["🐕🐕", " run"]);
});

Deno.test("a thing inside a longer one of the same mark shows one sign, at its end", () => {
  const phrases = [
    { start: 2, end: 11, things: [{ text: "lion", start: 7, end: 11, mark: "correct" }] },
    { start: 2, end: 24, things: [{ text: "male lion", start: 2, end: 11, mark: "correct" }] },
  ];
  const found = pieces("A male lion lies on rock", phrases).filter(({ thing }) => thing);
  assert.deepEqual(found.map(({ text, runsOn }) => [text, runsOn]), [["male ", true], ["lion", false]]);
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

const PAGE = { width: 200, height: 100 };

Deno.test("a box is a drag or two clicks, within the picture", () => {
  const dragged = new Pen(PAGE);
  dragged.press([20, 10]);
  dragged.move([80, 60]);
  dragged.release([300, -5]);
  assert.deepEqual([dragged.done, dragged.shape], [true, [[20, 10], [200, 10], [200, 0], [20, 0]]]);
  const clicked = new Pen(PAGE);
  for (const at of [[20, 10], [20, 60], [60, 60]]) {
    assert.ok(!clicked.done); // a box without width is none
    clicked.press(at);
    clicked.release(at);
  }
  assert.deepEqual([clicked.done, clicked.shape], [true, [[20, 10], [60, 10], [60, 60], [20, 60]]]);
});

Deno.test("keys draw as the pointer does", () => {
  const box = new Pen(PAGE);
  assert.ok(!box.key("a"));
  box.key("Enter");
  box.key("ArrowLeft", true);
  box.key("ArrowUp");
  box.key("Enter");
  assert.deepEqual([box.done, box.shape[2]], [true, [99.2, 46]]);
});
