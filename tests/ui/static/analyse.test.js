// Samples as columns: unpacked, cut to a slice, counted in cells, found around a place; and tables as CSV.

import assert from "node:assert/strict";

import { Codings } from "../../../ui/static/analyse/codings.js";
import { around, counted, padded } from "../../../ui/static/analyse/density.js";
import { inside, thinned } from "../../../ui/static/analyse/lasso.js";
import { everyScore } from "../../../ui/static/analyse/score_differences.js";
import { smoothingRemarks } from "../../../ui/static/analyse/smoothing.js";
import { plain } from "../../../ui/static/analyse/plots.js";
import { both, taking, unpacked, within } from "../../../ui/static/analyse/points.js";
import { csvCell, fileName } from "../../../ui/static/shared/tables.js";
import { wrongWords } from "../../../ui/static/shared/hints.js";
import { browser, settled } from "./browser.js";

const packed = (values) => btoa(String.fromCharCode(...new Uint8Array(values.buffer)));
const metric = (value, raw = null) => ({ name: "m", label: "M", scale: [0, 1], has_raw: raw !== null, value, raw });
const sent = (count) => ({
  stamp: "7",
  samples: count,
  ids: packed(Int32Array.from({ length: count }, (_, at) => 100 + at)),
  human: packed(Float32Array.from({ length: count }, (_, at) => (at % 3 ? at / count : NaN))),
  groups: { title: "level", names: ["1", "2"], of: packed(Int8Array.from({ length: count }, (_, at) => at % 3 - 1)) },
  metrics: [metric(packed(Float32Array.from({ length: count }, (_, at) => 1 - at / count)))],
});

Deno.test("arrays come out as they were packed, unknown numbers as NaN", () => {
  const points = unpacked({ ...sent(4), metrics: [metric(packed(Float32Array.of(0.5, NaN, 0, 1)), null)] });
  assert.deepEqual([...points.ids], [100, 101, 102, 103]);
  assert.deepEqual([...points.metrics[0].value], [0.5, NaN, 0, 1]);
  assert.equal(points.metrics[0].raw, null);
  assert.ok(Number.isNaN(points.human[0]) && points.human[1] === 0.25);
});

Deno.test("a mask keeps the samples whose bits are set, the first in the lowest bit of the first byte", () => {
  const points = within(unpacked(sent(10)), packed(Uint8Array.of(0b00000101, 0b00000010)));
  assert.deepEqual([points.samples, ...points.ids], [3, 100, 102, 109]);
  assert.deepEqual([...points.metrics[0].value], [...Float32Array.of(1, 0.8, 0.1)]);
  assert.deepEqual([...points.groups.of], [-1, 1, -1]);
  assert.equal(within(unpacked(sent(10)), packed(new Uint8Array(2))).samples, 0);
});

Deno.test("values at places keep their kind of array", () => {
  assert.deepEqual(taking(Int32Array.of(5, 6, 7), [2, 0]), Int32Array.of(7, 5));
  assert.deepEqual(taking(Float32Array.of(5, 6, 7), []), new Float32Array(0));
});

Deno.test("only places where both columns have a value are drawn", () => {
  assert.deepEqual([...both(Float32Array.of(1, NaN, 3, 4), Float32Array.of(1, 2, NaN, 4))], [0, 3]);
});

Deno.test("every sample is counted once, in the cell that it lies in", () => {
  let seed = 3;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const xs = Float32Array.from({ length: 500 }, random), ys = Float32Array.from({ length: 500 }, random);
  const { rows, across, up, most } = counted(xs, ys, [0, 1], [0, 1]);
  assert.deepEqual([across.length, up.length], [60, 60]);
  assert.equal(rows.flatMap((row) => [...row]).reduce((sum, count) => sum + count), 500);
  const naive = Array.from({ length: 60 }, () => new Array(60).fill(0));
  xs.forEach((x, at) => (naive[Math.floor(ys[at] * 60)][Math.floor(x * 60)] += 1));
  assert.deepEqual(rows.map((row) => [...row]), naive);
  assert.equal(most, Math.max(...naive.flat()));
});

Deno.test("few distinct values are rows of their own, and the highest value lies in the last cell", () => {
  const { up, rows, across } = counted(Float32Array.of(0, 1, 1), Float32Array.of(2, 1, 2), [0, 1], [1, 4]);
  assert.deepEqual([up, across], [[1, 2], [0, 1]]);
  assert.deepEqual(rows.map((row) => [...row]), [[0, 1], [1, 1]]);
  const many = Float32Array.from({ length: 100 }, (_, at) => at / 99);
  assert.equal(counted(many, many, [0, 1], [0, 1]).rows[59][59], 2);
});

Deno.test("around a click the nearest comes first, at least one and at most a hundred", () => {
  const known = Int32Array.from({ length: 300 }, (_, at) => at + 1000);
  const xs = Float32Array.from(known, (place) => (place - 1000) / 1e5), ys = new Float32Array(300);
  const near = around(known, xs, ys, 0, 0, [0, 1], [0, 1]);
  assert.deepEqual([near.length, near[0], near[1]], [100, 1000, 1001]);
  assert.deepEqual(around(known, xs, ys, 1, 1, [0, 1], [0, 1]), [1299]);
});

Deno.test("an axis has as much room at both ends", () => {
  const [low, high] = padded([1, 4]);
  assert.ok(low < 1 && high > 4 && Math.abs(1 - low - (high - 4)) < 1e-12);
});

Deno.test("no cell of a CSV is a formula, and what was neutralised before can be told", () => {
  assert.equal(csvCell("=1+1"), `"'=1+1"`);
  assert.equal(csvCell("'=1+1"), `"''=1+1"`);
  assert.equal(csvCell('say "hi"'), '"say ""hi"""');
  assert.deepEqual([csvCell(null), csvCell(0), csvCell(-0.5), csvCell(true)], ["", "0", "-0.5", "true"]);
  assert.equal(csvCell([{ paper: "A", value: 1 }, { paper: "B", value: 2 }]), '"A 1; B 2"');
});

Deno.test("a file's name is one that every system takes", () => {
  assert.equal(fileName("Flickr8k: τ-b & more!"), "flickr8k-τ-b-more");
  assert.equal(fileName("…"), "data");
});

Deno.test("a line holds what lies within it, also where it bends in, and nothing unknown", () => {
  const hook = [[0, 0], [4, 0], [4, 4], [3, 4], [3, 1], [0, 1]]; // an L lying on its back
  const xs = Float32Array.of(0.5, 3.5, 1, 2, NaN, 5), ys = Float32Array.of(0.5, 3, 3, 0.5, 0.5, 0.5);
  assert.deepEqual(inside(xs, ys, hook), [0, 1, 3]);
});

Deno.test("a line of very many corners keeps as many as the server takes, the first among them", () => {
  const path = Array.from({ length: 1700 }, (_, at) => [at, 0]);
  assert.ok(thinned(path).length <= 500 && thinned(path).length > 300);
  assert.deepEqual(thinned(path)[0], [0, 0]);
  assert.deepEqual(thinned(path.slice(0, 400)), path.slice(0, 400));
});

Deno.test("a metric that smooths its scores has two, each with a name of its own", () => {
  const known = [{ name: "A", label: "A", has_raw: true, scored: 2 }, {
    name: "B|x",
    label: "B (x)",
    has_raw: false,
    scored: 1,
  }];
  const named = (/** @type {object[]} */ columns) =>
    everyScore(columns).map(({ name, isRaw, label }) => [name, isRaw, label]);
  const both = [["A", false, "A"], ["A#raw", true, "A raw"]];
  assert.deepEqual(named(known), [...both, ["B|x", false, "B (x)"]]);
  const chosen = { name: "A#raw", label: "A before smoothing", has_raw: false, scored: 2 };
  assert.deepEqual(named([known[0], chosen]).map(([name]) => name), ["A", "A#raw"]); // once
});

Deno.test("what is coded is asked for once every code that was given is stored", async () => {
  const none = { codings: [], counts: {}, kappas: {} };
  const { sent } = browser({}, none, {}, none, none);
  const codings = new Codings({ onCoded: () => {}, said: () => {} });
  codings.set = { dataset: "birds", metric: "M", codebook: "expert" };
  codings.save({ id: 1, key: "s1", caption: "A bird." }, "Ann", "O");
  codings.save({ id: 2, key: "s2", caption: "A cat." }, "Ann", "O");
  const asked = codings.coded();
  await settled();
  codings.take(await asked);
  assert.deepEqual(sent.map(({ method }) => method), ["PUT", "GET", "PUT", "GET", "GET"]);
});

Deno.test("a change by smoothing is described only where its interval excludes 0", () => {
  const taus = [{ metric: "FLEUR", label: "FLEUR", variant: "smoothed" }, {
    metric: "FLEUR",
    label: "FLEUR",
    variant: "raw",
  }];
  const change = (tau, difference, ci_low, ci_high) => ({
    first: "FLEUR",
    second: "FLEUR",
    tau,
    difference,
    ci_low,
    ci_high,
  });
  const said = (...differences) => smoothingRemarks(taus, differences);
  assert.deepEqual(said(change("b", -3.4, -3.9, -2.9), change("c", 18.1, 17.2, 19)), [
    "Smoothing changes FLEUR by +18.1 in τ-c and by −3.4 in τ-b. " +
    "The two results differ because τ-c counts tied scores as not ordered, and τ-b excludes them.",
  ]);
  assert.deepEqual(said(change("b", 0.7, -4.2, 5.7), change("c", 18, 17, 19)), [
    "Smoothing changes FLEUR by +18.0 in τ-c.",
  ]);
  assert.deepEqual(said(change("b", 0.7, -4.2, 5.7), change("c", 0.1, -1, 1.5)), []);
  assert.deepEqual(said(change("b", 0.7, 0, 5.7), change("c", 3, null, null)), []);
  assert.deepEqual(said(), []); // the intervals are still to come
  assert.deepEqual(said({ ...change("b", 5, 4, 6), second: "EXPERT" }), []);
});

Deno.test("words of an explanation are wrong where the regions contradict what they name", () => {
  const text = "🐕 A dog runs. A red  cat, and no tree.";
  const hint = (start, end, stance, where) => ({ start, end, stance, where, regions: [] });
  const sentences = [
    { start: 0, end: 13, hints: [hint(2, 7, "said", "picture")] },
    { start: 14, end: 38, hints: [hint(0, 10, "said", "nowhere"), hint(16, 23, "denied", "nowhere")] },
  ];
  const words = text.split(/\s+/);
  assert.deepEqual(words.filter((_, at) => wrongWords(text, sentences)[at]), ["A", "red", "cat,"]);
  assert.deepEqual(wrongWords(text, []), words.map(() => false));
  assert.deepEqual(
    wrongWords(text, [{ ...sentences[1], hints: [hint(16, 23, "denied", "picture")] }]).indexOf(true),
    8,
  );
});

Deno.test("no text of a figure is markup for plotly, and its numbers stay as they are", () => {
  const numbers = new Float32Array([1, 2]);
  const name = '<a href="https://evil.example">x</a>&lt;';
  const [[trace], looks] = plain([
    [{ name, x: numbers, y: [name, 3], text: [name], hovertemplate: "%{x}<extra></extra>" }],
    { xaxis: { title: { text: name } }, shapes: [null] },
  ]);
  const shown = '&lt;a href="https://evil.example">x&lt;/a>&amp;lt;';
  assert.deepEqual([trace.name, trace.y, trace.text], [shown, [shown, 3], [shown]]);
  assert.equal(trace.x, numbers);
  assert.equal(trace.hovertemplate, "%{x}<extra></extra>");
  assert.equal(looks.xaxis.title.text, shown);
});
