// Which metric judges an edited caption first, and when the others follow. Timers and the server are stand-ins.

import assert from "node:assert/strict";

import { Judgements } from "../../../ui/static/inspect/judgements.js";
import { answerBy } from "../../../ui/static/shared/api.js";

const METRICS = [
  { metric: "RefHICE-S", ready: true, shows_regions: true, shows_matches: false },
  { metric: "HICE-S", ready: true, shows_regions: true, shows_matches: false },
  { metric: "CIDEr", ready: true, shows_regions: false, shows_matches: true },
  { metric: "EXPERT", ready: true, shows_regions: false, shows_matches: false },
];

/** Start a test. Returns the judgements, the requests (each with answer()), and a function that ends all pauses. */
function begin() {
  const asked = [], timers = [], drawn = [];
  answerBy((_, { body }) =>
    new Promise((resolve) => {
      const { metric } = JSON.parse(body);
      asked.push({ metric, answer: () => resolve(Response.json({ metric, value: 1, links: null })) });
    })
  );
  const { setTimeout, clearTimeout } = globalThis;
  globalThis.setTimeout = (work, ms, ...told) => timers.push({ work: () => work(...told), ms });
  globalThis.clearTimeout = (number) => number && delete timers[number - 1];
  const judgements = new Judgements({ id: 1, caption: "A dog.", scores: [] }, () => drawn.push(asked.length));
  judgements.known = METRICS;
  const pass = async () => {
    for (const { work, ms } of timers.filter(Boolean)) if (ms <= 300) work();
    timers.fill(null);
    await settled();
  };
  const end = () => Object.assign(globalThis, { setTimeout, clearTimeout });
  const settled = () => new Promise((done) => setTimeout(done, 5));
  return { judgements, asked, drawn, pass, settled, end, names: () => asked.map(({ metric }) => metric) };
}

Deno.test("the metric whose regions are shown judges an edit first, and the others follow its answer", async () => {
  const { judgements, asked, drawn, pass, settled, end, names } = begin();
  judgements.shown = "HICE-S";
  judgements.edit("A cat.");
  assert.deepEqual(names(), ["HICE-S"]);
  assert.deepEqual(drawn, []); // the page keeps the last marks until the server answers, so that it does not flicker
  await pass();
  assert.deepEqual([names(), drawn], [["HICE-S"], []]); // all pauses are over, but the regions are not there
  asked[0].answer();
  await settled();
  assert.ok(drawn.length > 0);
  assert.deepEqual(names(), ["HICE-S"]); // typing has not paused since the answer
  await pass();
  assert.deepEqual(names().slice(1).sort(), ["CIDEr", "EXPERT", "RefHICE-S"]);
  judgements.leave();
  end();
});

Deno.test("an edit is followed by one request if its caption is edited again before its answer", async () => {
  const { judgements, asked, pass, settled, end, names } = begin();
  judgements.edit("A cat.");
  await pass();
  judgements.edit("A cow.");
  asked[0].answer();
  await settled();
  assert.deepEqual(names(), ["RefHICE-S", "RefHICE-S"]); // nothing is shown yet: the first metric with regions
  judgements.leave();
  end();
});

Deno.test("an empty caption is shown at once and judged by no metric", () => {
  const { judgements, drawn, end, names } = begin();
  judgements.edit(" ");
  assert.deepEqual([names(), drawn.length], [[], 1]);
  end();
});
