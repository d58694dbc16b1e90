// The sentence under Inspect's headline: hand-worked.

import assert from "node:assert/strict";
import { liveSentence } from "../../../ui/static/inspect/live_sentence.js";

const thing = (/** @type {string} */ text, mark = "correct") => ({ text, mark, start: 0, end: text.length });
const region = (/** @type {string | null} */ label, mentioned = false, isFull = false) => ({
  label,
  mentioned,
  is_full: isFull,
});
const phrase = (/** @type {string} */ shown, mark = "correct", kind = "stated", /** @type {any[]} */ things = []) => ({
  text: shown,
  shown,
  kind,
  mark,
  things,
});
const said = (
  /** @type {any[]} */ things,
  /** @type {any[]} */ phrases,
  /** @type {any[]} */ regions,
  /** @type {number[]} */ leftOut = [],
) => liveSentence(/** @type {any} */ ({ things }), /** @type {any} */ ({ phrases, regions }), leftOut);

Deno.test("things that are there are counted, and regions that are left out are named", () => {
  const regions = [region("bus", true), region("building"), region("trees"), region("bollard"), region("bollard")];
  assert.equal(
    said([thing("man"), thing("bus"), thing("street")], [], regions, [1, 2, 3, 4]),
    "Names 3 things, all in the picture. Omits the building, the trees and two bollards.",
  );
});

Deno.test("what is made up is named with its article", () => {
  const things = [thing("bus"), thing("Umbrella", "incorrect"), thing("horses", "incorrect")];
  assert.equal(
    said(things, [], [region("bus", true)]),
    "Names 3 things, 1 in the picture. Makes up an umbrella and horses. Omits nothing that is annotated.",
  );
});

Deno.test("a singular that ends in s gets its article and its plural", () => {
  for (const [one, many] of [["bus", "buses"], ["lens", "lenses"], ["glass", "glasses"], ["cactus", "cactuses"]]) {
    const regions = [region(one), region(one), region("scissors"), region("scissors")];
    assert.match(
      said([thing(one, "incorrect")], [], regions),
      new RegExp(`Makes up a ${one}\\. Omits two ${many} and`),
    );
  }
});

Deno.test("a wrong phrase about things that are there is wrong, and a right denial is right", () => {
  const phrases = [
    phrase("two buses", "incorrect", "stated", [thing("buses")]),
    phrase("no dog", "correct", "denied"),
    phrase("dog runs", "incorrect", "stated", [thing("dog", "incorrect")]),
  ];
  assert.equal(
    said([thing("buses")], phrases, [region("bus", true)]),
    "Names 1 thing, which is in the picture, but gets 1 phrase wrong: two buses. Rightly says “no dog”. " +
      "Omits nothing that is annotated.",
  );
});

Deno.test("a wrong phrase never stands beside things that are all found without saying what is wrong", () => {
  const pagoda = thing("pagoda"), things = [pagoda, thing("roofs"), thing("trees"), thing("lake")];
  const wrong = phrase("yellow pagoda", "incorrect", "stated", [pagoda]);
  assert.equal(
    said(things, [wrong], []),
    "Names 4 things, all in the picture, but gets 1 phrase wrong: yellow pagoda.",
  );
  const nobody = phrase("nobody is near bus", "incorrect", "denied", [thing("bus")]);
  assert.equal(
    said([thing("bus")], [nobody, wrong], []),
    "Names 1 thing, which is in the picture, but gets 2 phrases wrong: nobody is near bus and yellow pagoda.",
  );
  const horse = thing("horse", "incorrect");
  assert.equal(
    said([pagoda, horse], [wrong], []),
    "Names 2 things, 1 in the picture. Makes up a horse. Wrong: yellow pagoda.",
  );
});

Deno.test("things are counted, not phrases", () => {
  const things = [thing("people"), thing("bus"), thing("street")];
  const phrases = [phrase("people walk past bus", "not judged"), phrase("blue bus")];
  assert.equal(said(things, phrases, []), "Names 3 things, all in the picture.");
});

Deno.test("a caption that only denies what annotations do not tell says so", () => {
  const denied = phrase("no cars are parked", "not judged", "denied", [thing("cars")]);
  const last = "Omits the bus.";
  assert.equal(said([], [denied], [region("bus")], [0]), `Denies 1 thing. The annotations cannot confirm it. ${last}`);
  assert.equal(
    said([], [denied, denied], [region("bus")], [0]),
    `Denies 2 things. The annotations cannot confirm them. ${last}`,
  );
  assert.equal(said([], [], [region("bus")], [0]), `Says nothing that can be compared with the picture. ${last}`);
});

Deno.test("a single further region is named, if its name is short", () => {
  const labels = ["yellow building", "balconies", "trees", "bicycle"];
  assert.match(
    said([], [], labels.map((label) => region(label)), [0, 1, 2, 3]),
    /Omits the yellow building, the balconies, the trees and the bicycle\.$/,
  );
  const long = [...labels.slice(0, 3), "pedestrian in dark clothes"];
  assert.match(
    said([], [], long.map((label) => region(label)), [0, 1, 2, 3]),
    /the trees and one more\.$/,
  );
  const more = [...labels, "bollards"];
  assert.match(
    said([], [], more.map((label) => region(label)), [0, 1, 2, 3, 4]),
    /Omits the yellow building, the balconies, the trees and two more\.$/,
  );
});

Deno.test("details of what is mentioned are named after omitted things", () => {
  const regions = [region("lion", true), region("paw"), region("grass", false, true)];
  assert.match(said([thing("lion")], [], regions), /picture\. Omits the paw\.$/);
  const more = [...regions, region("eye"), region("tree")];
  assert.match(said([thing("lion")], [], more, [4]), /Omits the tree, the paw and the eye\.$/);
  const paws = [region("lion", true), region("paw"), region("paw"), region("eye")];
  assert.match(said([thing("lion")], [], paws), /Omits two paws and the eye\.$/);
  const many = [...paws, region("ear"), region("dark mane"), region("tail")];
  assert.match(said([thing("lion")], [], many), /\. Omits two paws, the eye, the ear and two more\.$/);
  const unnamed = [region("lion", true), region(null)];
  assert.match(said([thing("lion")], [], unnamed), /Omits 1 of 2 regions\.$/);
});

Deno.test("a background is named last", () => {
  const regions = [region("man", true), region("blurred background"), region("dark backdrop with folds")];
  assert.match(said([thing("man")], [], regions, [1, 2]), /picture\. Omits only the background\.$/);
  const bell = [...regions.slice(0, 2), region("bell")];
  for (const leftOut of [[1], [1, 2]]) {
    assert.match(said([thing("man")], [], bell, leftOut), /picture\. Omits the bell and the blurred background\.$/);
  }
});

Deno.test("many names are cut short, and plurals follow the noun before its place", () => {
  const coat = "man in a long beige fleece coat with buttons";
  const regions = [coat, coat, "child", "city", "dish", "old box"].map((label) => region(label));
  assert.match(
    said([], [phrase("a wall", "not judged")], regions, [0, 1, 2, 3, 4, 5]),
    /^Says 1 thing\. The annotations cannot confirm it\. Omits two men in a long beige fleece coat with buttons, the child, the city and two more\.$/,
  );
});

Deno.test("an encoder compares phrases and numbers regions", () => {
  const phrases = [phrase("dog", "correct"), phrase("cat", "incorrect")];
  assert.equal(
    said([], phrases, [region(null, true), region(null)], [1]),
    "Says 2 things, 1 of which fits. Omits 1 of 2 regions.",
  );
});
