// What a static copy answers in the server's place.

import assert from "node:assert/strict";

import { Recording } from "../../../ui/static/recorded/recording.js";
import { browser } from "./browser.js";

const OUTLINE = "M0 0V4H4V0Z";
const JUDGED = { sample: 3, metric: "HICE-S", keep: false, caption: 'Zwei „Äpfel" auf 1\u2028Tisch' };
const ASKED = 'POST /api/judge {"caption":"Zwei „Äpfel\\" auf 1\u2028Tisch","keep":false,"metric":"HICE-S","sample":3}';
const FILES = {
  "/recorded/index.json": { "GET /api/x": "/recorded/x.json", [ASKED]: "/recorded/x.json" },
  "/recorded/x.json": {
    "GET /api/x": { regions: [{ path: OUTLINE, label: "bus" }, null], total: 2 },
    [ASKED]: { regions: [{ path: OUTLINE }] },
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

Deno.test("a recorded answer comes whole, and each file is read once", async () => {
  browser();
  const { json, read } = recording();
  const expected = { regions: [{ path: OUTLINE, label: "bus" }, null], total: 2 };
  assert.deepEqual(await json("GET", "/api/x"), expected);
  assert.deepEqual(await json("GET", "/api/x"), expected);
  assert.deepEqual(read, ["/recorded/index.json", "/recorded/x.json"]);
});

Deno.test("a judgement is found whatever the order of what was asked", async () => {
  browser();
  const { json } = recording();
  assert.deepEqual(await json("POST", "/api/judge", JUDGED), { regions: [{ path: OUTLINE }] });
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
