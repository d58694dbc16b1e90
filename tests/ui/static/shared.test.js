// What all pages share: talking to the server, and the addresses of the Inspect page.

import assert from "node:assert/strict";

import {
  answerBy,
  Busy,
  early,
  get,
  isRefused,
  latest,
  post,
  Refused,
  speakAs,
  taken,
  Unreachable,
  wordsOf,
} from "../../../ui/static/shared/api.js";
import { at, placePages, rootOf } from "../../../ui/static/shared/address.js";
import { browser } from "./browser.js";
import { halfUp } from "../../../ui/static/shared/rounding.js";

const caught = (promise) => promise.then(() => assert.fail("nothing was thrown"), (error) => error);

Deno.test("an answer is the JSON that the server sent, and a request says that it comes from our page", async () => {
  const { sent } = browser({ list: [1, 2] }, { id: 3 });
  assert.deepEqual(await get("/api/x"), [1, 2]);
  assert.deepEqual(await post("/api/x", { a: 1 }), { id: 3 });
  assert.deepEqual(sent.map(({ method, body }) => [method, body]), [["GET", undefined], ["POST", { a: 1 }]]);
  assert.ok(sent.every(({ headers }) => headers["X-Capscope"] === "1"));
});

Deno.test("once a rater is known every request names them", async () => {
  const { sent } = browser({}, {});
  speakAs("K7");
  await get("/api/x");
  speakAs(null);
  await get("/api/x");
  assert.deepEqual(sent.map(({ headers }) => headers["X-Capscope-Rater"]), ["K7", undefined]);
});

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

Deno.test("an early question is answered once, then asked anew", async () => {
  const { sent } = browser({ id: 1 }, { id: 2 });
  early("/api/x");
  assert.deepEqual([await taken("/api/x"), await taken("/api/x")], [{ id: 1 }, { id: 2 }]);
  assert.equal(sent.length, 2);
});

Deno.test("the last call wins", () => {
  const turn = latest();
  const first = turn();
  assert.ok(first());
  const second = turn();
  assert.ok(!first() && second());
});

Deno.test("the path below which everything lies stands before the scripts' own address", () => {
  const script = "/capscope/0123456789ab/shared/address.js";
  assert.equal(rootOf(`http://127.0.0.1:7860${script}`), "");
  assert.equal(rootOf(`https://lab.example/tools/capscope${script}`), "/tools/capscope");
  assert.equal(rootOf(`https://lab.example/capscope${script}`), "/capscope");
  const bundle = "/capscope/0123456789ab/bundles/copy-rate.later.js";
  assert.equal(rootOf(`https://lab.example${bundle}`), "");
  assert.equal(rootOf(`https://lab.example/capscope${bundle}`), "/capscope");
  assert.deepEqual(["/rate", "//other.example/a", "data:,", "blob:x"].map(at), [
    "/rate",
    "//other.example/a",
    "data:,",
    "blob:x",
  ]);
});

Deno.test("pages lie where they are said to lie, with all that follows their address", () => {
  placePages({ "/": "/index.html", "/inspect": "/index.html" });
  assert.equal(at("/inspect?sample=3#x"), "/index.html?sample=3#x");
  assert.equal(at("/"), "/index.html");
  assert.deepEqual(["/inspecting", "/api/x?y=/", "//host/", "#a"].map(at), [
    "/inspecting",
    "/api/x?y=/",
    "//host/",
    "#a",
  ]);
  placePages({});
  assert.equal(at("/inspect?sample=3"), "/inspect?sample=3");
});

Deno.test("something else can answer in the server's place, and refuses and fails as it does", async () => {
  const { sent } = browser();
  const asked = [];
  answerBy((path, { method, body }) => {
    asked.push([method, path, body]);
    if (path === "/api/none") return Promise.reject(new TypeError("no file"));
    return Promise.resolve(
      path === "/api/no" ? Response.json({ kind: "taken", detail: "No." }, { status: 409 }) : Response.json([1]),
    );
  });
  assert.deepEqual(await post("/api/x", { a: 1 }), [1]);
  assert.ok(isRefused(await caught(get("/api/no")), "taken"));
  assert.ok(await caught(get("/api/none")) instanceof Unreachable);
  assert.deepEqual(asked, [["POST", "/api/x", '{"a":1}'], ["GET", "/api/no", undefined], [
    "GET",
    "/api/none",
    undefined,
  ]]);
  assert.deepEqual(sent, []);
  answerBy((path, options) => fetch(at(path), options));
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
