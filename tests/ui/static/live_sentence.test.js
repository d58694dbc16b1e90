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
    "Says 3 things, all found. Omits the building, the trees and two bollards.",
  );
});

Deno.test("what is made up is named with its article", () => {
  const things = [thing("bus"), thing("Umbrella", "incorrect"), thing("horses", "incorrect")];
  assert.equal(
    said(things, [], [region("bus", true)]),
    "Says 3 things, 1 found. Makes up an umbrella and horses. Omits nothing that is annotated.",
  );
});

Deno.test("a wrong phrase about things that are there is wrong, and a right denial is right", () => {
  const phrases = [
    phrase("two buses", "incorrect", "stated", [thing("buses")]),
    phrase("no dog", "correct", "denied"),
    phrase("dog runs", "incorrect", "stated", [thing("dog", "incorrect")]),
  ];
  assert.equal(
    said([thing("buses")], phrases, [region("bus", true)]),
    "Says 1 thing, and it is there. Rightly says “no dog”. Wrong: two buses. Omits nothing that is annotated.",
  );
});

Deno.test("a caption that only denies what annotations do not tell says so", () => {
  const denied = phrase("no cars are parked", "not judged", "denied", [thing("cars")]);
  const last = "Omits the bus.";
  assert.equal(said([], [denied], [region("bus")], [0]), `Denies 1 thing. The annotations cannot confirm it. ${last}`);
  assert.equal(
    said([], [denied, denied], [region("bus")], [0]),
    `Denies 2 things. The annotations cannot confirm them. ${last}`,
  );
  assert.equal(said([], [], [region("bus")], [0]), `Says nothing that can be looked for. ${last}`);
});

Deno.test("a single further region is named, if its name is short", () => {
  const labels = ["yellow building", "balconies", "trees", "bollards", "bicycle"];
  assert.match(
    said([], [], labels.map((label) => region(label)), [0, 1, 2, 3, 4]),
    /Omits the yellow building, the balconies, the trees, the bollards and the bicycle\.$/,
  );
  const long = [...labels.slice(0, 4), "pedestrian in dark clothes"];
  assert.match(
    said([], [], long.map((label) => region(label)), [0, 1, 2, 3, 4]),
    /the bollards and one more\.$/,
  );
});

Deno.test("details of what is mentioned are counted apart", () => {
  const regions = [region("lion", true), region("paw"), region(null, false, true)];
  assert.match(said([thing("lion")], [], regions), /Omits only one detail of what it names\.$/);
  const more = [...regions, region("eye"), region("tree")];
  assert.match(said([thing("lion")], [], more, [4]), /Omits the tree, and two details of what it names\.$/);
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
