// What a static copy answers in the server's place.

import assert from "node:assert/strict";

import { Recording } from "../../../ui/static/recorded/recording.js";
import { browser } from "./browser.js";

const OUTLINE = "M0 0V4H4V0Z";
const JUDGED = { sample: 3, metric: "HICE-S", keep: false, caption: 'Zwei „Äpfel" auf 1\u2028Tisch' };
const ITEMS = "/api/rate/studies/7/items?count=3";
const item = () => ({ id: "a", place: 1, panels: [{ answers: {} }], finished: false, open: false, note: "" });
const FILES = {
  "/recorded/index.json": {
    "GET /api/x": ["/recorded/x.json", 1],
    "GET /api/same": ["/recorded/x.json", 1],
    'POST /api/judge {"caption":"Zwei „Äpfel\\" auf 1\u2028Tisch","keep":false,"metric":"HICE-S","sample":3}': [
      "/recorded/x.json",
      0,
    ],
    "GET /api/rate/studies": ["/recorded/rate.json", 0],
    [`GET ${ITEMS}`]: ["/recorded/rate.json", 1],
  },
  "/recorded/x.json": {
    texts: ["an outline", OUTLINE],
    answers: [
      { event: { outcome: { regions: [{ path: { $text: 1 } }] } } },
      { json: { regions: [{ path: { $text: 1 }, label: "bus" }, null], total: 2 } },
    ],
  },
  "/recorded/rate.json": {
    texts: [],
    answers: [
      { json: [{ id: 7, criteria: [{ key: "consistency", without_image: true }, { key: "factuality" }] }] },
      { json: { total: 1, done: 0, resume: 1, items: [item()] } },
    ],
  },
};

function recording(files = FILES) {
  const read = [];
  const made = new Recording((address) => {
    read.push(address);
    return Promise.resolve(structuredClone(files[address]));
  });
  const ask = async (method, path, body, signal) => {
    const answer = await made.answer(path, { method, body: body && JSON.stringify(body), signal });
    return { status: answer.status, text: await answer.text() };
  };
  return { read, ask, json: async (...asked) => JSON.parse((await ask(...asked)).text) };
}

Deno.test("a recorded answer comes whole, with the texts that it shares with others, and each file is read once", async () => {
  browser();
  const { json, read } = recording();
  const expected = { regions: [{ path: OUTLINE, label: "bus" }, null], total: 2 };
  assert.deepEqual(await json("GET", "/api/x"), expected);
  assert.deepEqual(await json("GET", "/api/same"), expected);
  assert.deepEqual(read, ["/recorded/index.json", "/recorded/x.json"]);
});

Deno.test("a judgement is found whatever the order of what was asked, and comes as an event", async () => {
  browser();
  const { ask } = recording();
  const { text } = await ask("POST", "/api/judge", JUDGED);
  assert.equal(text, `data: {"outcome":{"regions":[{"path":"${OUTLINE}"}]}}\n\n`);
});

Deno.test("what was not recorded is refused as a server would, in words that say what to do", async () => {
  browser();
  const { ask } = recording();
  for (const [method, path, body] of [["POST", "/api/judge", { ...JUDGED, caption: "x" }], ["GET", "/api/y"]]) {
    const { status, text } = await ask(method, path, body);
    const { kind, detail } = JSON.parse(text);
    assert.equal(status, 404);
    assert.equal(kind, "not_found");
    assert.match(detail, /not recorded.*Run/);
  }
  assert.equal((await ask("GET", "toString")).status, 404);
});

Deno.test("whoever has stopped asking gets no answer, and a file that did not come is asked for again", async () => {
  browser();
  const { ask } = recording();
  await assert.rejects(ask("GET", "/api/x", undefined, AbortSignal.abort()), { name: "AbortError" });
  let tries = 0;
  const late = new Recording((address) =>
    (tries += 1) === 1 ? Promise.reject(new TypeError("offline")) : Promise.resolve(FILES[address])
  );
  await assert.rejects(late.answer("/api/x", {}), TypeError);
  assert.equal((await late.answer("/api/x", {})).status, 200);
});

Deno.test("answers are kept in the browser, open the picture, end the study, and go when the rater does", async () => {
  browser();
  const rate = (criterion, point) => ({
    key: `key-${criterion}`,
    assignment: "a",
    kind: "rating",
    panel: 1,
    criterion,
    point,
  });
  const first = recording();
  const saved = await first.json("POST", "/api/rate/saves", { saves: [rate("consistency", 4)] });
  assert.deepEqual(saved, { results: [{ key: "key-consistency", saved: true, refusal: null }], epoch: "" });
  const half = await first.json("GET", ITEMS);
  assert.deepEqual([half.done, half.resume, half.items[0].open, half.items[0].panels[0].answers], [0, 1, true, {
    consistency: 4,
  }]);
  await first.ask("POST", "/api/rate/saves", { saves: [rate("factuality", 2), rate("consistency", 3)] });
  const after = recording(); // the page loaded again
  const whole = await after.json("GET", ITEMS);
  assert.deepEqual([whole.done, whole.resume, whole.items[0].panels[0].answers], [1, 2, {
    consistency: 3,
    factuality: 2,
  }]);
  assert.deepEqual(await after.json("DELETE", "/api/rate/session"), { rater: null, given: null, panel: null });
  assert.deepEqual((await recording().json("GET", ITEMS)).items[0].panels[0].answers, {});
});
