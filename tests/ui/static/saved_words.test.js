// What is drawn beneath a saved picture: signs after words, waves below wrong words, and swatches that differ.

import assert from "node:assert/strict";

import { swatch, wave, words } from "../../../ui/static/regions/saved_words.js";

class Piece {
  constructor(textContent, ...names) {
    this.textContent = textContent;
    this.classList = { contains: (name) => names.includes(name) };
  }
}

class Drawn {
  constructor(tag) {
    this.tag = tag;
    this.attributes = {};
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
}

/** Words of a caption with their signs, as one text. */
const signed = (by, ...childNodes) => {
  globalThis.Element = Piece;
  const found = words({ childNodes, dataset: { by } });
  delete globalThis.Element;
  return found.map((word) => word.map(({ text, sign }) => text + sign).join("")).join(" ");
};

Deno.test("a wrong word that ends with a space has its sign", () => {
  const caption = ["A ", "red ", "bus", " waits."].map((text) => ({ textContent: text }));
  caption[1] = new Piece("red ", "piece", "incorrect");
  caption[2] = new Piece("bus", "piece", "correct");
  assert.equal(signed("things", ...caption), "A red✗ bus✓ waits.");
  assert.equal(signed("phrases", ...caption), "A red bus waits.");
});

Deno.test("an unknown word has no sign, and a thing in two pieces has one", () => {
  const caption = [new Piece("ball", "unjudged"), { textContent: " " }, new Piece("fire ", "correct", "runs-on")];
  assert.equal(signed("things", ...caption, new Piece("hydrant", "correct")), "ball fire hydrant✓");
});

Deno.test("a wave begins and ends with its word, however short", () => {
  for (const [from, to] of [[0, 1], [10, 200], [3.5, 40]]) {
    const path = wave(from, to, 7, 6), steps = [...path.matchAll(/(?:q\S+ \S+|t)\s?(\S+) 0/g)];
    const end = steps.reduce((x, [, step]) => x + Number(step), from);
    assert.ok(path.startsWith(`M${from} 7`) && steps.length % 2 === 0 && Math.abs(end - to) < 1e-6, path);
  }
});

Deno.test("swatches differ without colour, and are open like those of the page", () => {
  globalThis.document = { createElementNS: (_, tag) => new Drawn(tag) };
  const box = { x: 0, y: 0, width: 42, height: 27 };
  const drawn = ["mentioned", "unmentioned", "part", "waiting"].map((look) => swatch(look, "black", box));
  delete globalThis.document;
  assert.equal(new Set(drawn.map((one) => JSON.stringify(one))).size, 4);
  assert.deepEqual(drawn.map(({ attributes }) => attributes.fill), ["none", "none", "none", "none"]);
  assert.deepEqual(drawn.map(({ attributes }) => "stroke-dasharray" in attributes), [false, true, true, true]);
});
