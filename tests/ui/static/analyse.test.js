// The corners of a drawn line, the state in the page's address, and coding with a slow server.

import assert from "node:assert/strict";

import { Coding } from "../../../ui/static/analyse/coding.js";
import { thinned } from "../../../ui/static/analyse/plot.js";
import { browser, settled } from "./browser.js";

Deno.test("a line has at most 400 corners, rounded to six digits", () => {
  const line = Array.from({ length: 1000 }, (_, at) => [at / 3, at / 7]);
  const corners = thinned(line);
  assert.ok(corners.length <= 400 && corners.length > 300);
  assert.deepEqual(corners[1], [1, 0.428571]);
});

Deno.test("what is coded is asked for once every code that was given is stored", async () => {
  const none = { codings: [], tables: [] }, nothing = () => {};
  const { sent } = browser({}, none, {}, none, none);
  const books = [{ name: "expert", codes: [] }], of = { dataset: "birds", metric: "M", codebook: "expert" };
  const fields = { of, books, coder: "Ann", given: new Map(), saving: Promise.resolve(), status: {} };
  const coding = Object.assign(Object.create(Coding.prototype), fields, { draw: nothing, drawResults: nothing });
  coding.changed = nothing;
  coding.give({ id: 1, key: "s1", caption: "A bird." }, "O");
  coding.give({ id: 2, key: "s2", caption: "A cat." }, "O");
  await Promise.all([coding.open("birds", "M"), settled()]);
  assert.deepEqual(sent.map(({ method }) => method), ["PUT", "GET", "PUT", "GET", "GET"]);
});
