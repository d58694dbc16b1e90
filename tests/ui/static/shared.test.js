// What all pages share: talking to the server, or to the recorded answers of a static copy, and rounding.

import assert from "node:assert/strict";

import { Recording } from "../../../ui/static/recorded/recording.js";
import { Busy, get, isRefused, post, Refused, Unreachable, wordsOf } from "../../../ui/static/shared/api.js";
import { halfUp } from "../../../ui/static/shared/rounding.js";
import { browser } from "./browser.js";

const caught = (promise) => promise.then(() => assert.fail("nothing was thrown"), (error) => error);

Deno.test("a refusal keeps its kind and the server's words", async () => {
  browser({ status: 409, kind: "taken", detail: "That name is taken." }, { status: 500, kind: "model_unavailable" });
  const error = await caught(post("/api/x", {}));
  assert.ok(isRefused(error, "taken") && !isRefused(error, "failed") && error instanceof Refused);
  assert.equal(wordsOf(error), "That name is taken.");
  assert.ok(isRefused(await caught(post("/api/x", {})), "model_unavailable"));
});

Deno.test("a broken server, a broken answer and no server at all are told from a refusal", async () => {
  browser({ status: 500, kind: "failed", detail: "x" }, { text: '{"half' }, "silence", { status: 404, text: "plain" });
  const errors = [];
  for (let turn = 0; turn < 4; turn++) errors.push(await caught(get("/api/x")));
  assert.deepEqual(errors.map((error) => error.constructor), [Unreachable, Unreachable, Unreachable, Refused]);
});

Deno.test("a busy server is one that takes the request later, at no moment earlier than it says", async () => {
  const told = { kind: "busy", detail: "Capscope is busy." };
  browser(
    { status: 429, headers: { "Retry-After": "8" }, ...told },
    { status: 503, text: "<html>" },
    { status: 502, headers: { "Retry-After": "3" }, ...told },
    { status: 503, headers: { "Retry-After": "5" }, kind: "no_storage", detail: "The database is gone." },
  );
  const errors = [];
  for (let turn = 0; turn < 4; turn++) errors.push(await caught(get("/api/x")));
  assert.ok(errors.every((error) => error instanceof Busy && error instanceof Unreachable));
  for (const [at, least] of [8, 5, 3, 5].entries()) {
    assert.ok(least <= errors[at].seconds && errors[at].seconds <= 1.5 * least);
  }
  assert.deepEqual([errors[1].told, errors[3].told], ["The server is busy.", "The database is gone."]);
  assert.match(wordsOf(errors[0]), /^Capscope is busy. Try again in \d+ seconds.$/);
});

Deno.test("browsers of a class that were refused together come back at different times", async () => {
  browser(...Array.from({ length: 20 }, () => ({ status: 429, headers: { "Retry-After": "4" } })));
  const seconds = new Set();
  for (let turn = 0; turn < 20; turn++) seconds.add((await caught(get("/api/x"))).seconds);
  assert.ok(seconds.size > 10);
});

Deno.test("too many attempts are refused, since the same once more would be one more", async () => {
  browser({ status: 429, headers: { "Retry-After": "60" }, kind: "too_many_attempts", detail: "Wait a minute." });
  const error = await caught(get("/api/x"));
  assert.ok(isRefused(error, "too_many_attempts") && error.seconds >= 60);
});

Deno.test("numbers are rounded half up by their decimals, as the server rounds them", () => {
  const cases = /** @type {const} */ ([
    [80.125, 2, "80.13"],
    [100 * 0.80125, 2, "80.13"],
    [83.35, 1, "83.4"],
    [2.675, 2, "2.68"],
    [0.5, 0, "1"],
    [-0.125, 2, "-0.13"],
    [-1e-12, 3, "0.000"],
    [123456.5, 0, "123457"],
  ]);
  for (const [value, decimals, shown] of cases) assert.equal(halfUp(value, decimals), shown);
});

Deno.test("a static copy refuses what was not recorded, and reads a file again that did not come", async () => {
  let tries = 0;
  const files = {
    "/recorded/index.json": { "GET /api/x": "/recorded/x.json" },
    "/recorded/x.json": { "GET /api/x": [1] },
  };
  const copy = new Recording((address) =>
    (tries += 1) === 1 ? Promise.reject(new TypeError("offline")) : Promise.resolve(files[address])
  );
  await assert.rejects(copy.answer("/api/x", {}), TypeError);
  assert.deepEqual(await (await copy.answer("/api/x", {})).json(), [1]);
  for (const path of ["/api/y", "toString"]) {
    const refused = await copy.answer(path, {});
    assert.deepEqual([refused.status, (await refused.json()).kind], [404, "not_found"]);
  }
  await assert.rejects(copy.answer("/api/x", { signal: AbortSignal.abort() }), { name: "AbortError" });
});
