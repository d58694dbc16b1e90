// What a rater has done is never lost: the outbox, and the items that its answers are laid over.

import assert from "node:assert/strict";

import { isComplete, Shelf } from "../../../ui/static/rate/item_store.js";
import { Outbox } from "../../../ui/static/rate/outbox.js";
import { browser, settled } from "./browser.js";

const ACCEPT = ({ body }) => ({ results: body.saves.map(({ key }) => ({ key, saved: true, refusal: null })) });
const rating = (point) => ({ assignment: "a1", kind: "rating", panel: 1, criterion: "fluency", point });

function outbox(code = "K7") {
  const states = [], refused = [];
  const box = new Outbox(
    code,
    (state, waiting) => states.push([state, waiting]),
    (save, why) => refused.push([save, why]),
  );
  return { box, states, refused };
}

Deno.test("an answer is stored before it is sent, and leaves once the server says so", async () => {
  const { sent, localStorage } = browser(ACCEPT);
  const { box, states } = outbox();
  box.add(rating(3));
  assert.equal(localStorage.length, 1);
  await settled();
  assert.equal(localStorage.length, 0);
  assert.deepEqual(sent[0].body.saves.map(({ point, criterion }) => [point, criterion]), [[3, "fluency"]]);
  assert.ok(sent[0].body.saves[0].key.length >= 8 && sent[0].body.saves[0].age_ms >= 0);
  assert.deepEqual(states, [["saving", 1], ["saved", 0]]);
});

Deno.test("while the server is silent answers wait, the pauses grow, and all go in the order of clicking", async () => {
  const fake = browser("silence", "silence");
  const { box, states } = outbox();
  box.add(rating(1));
  await settled();
  box.add(rating(2));
  await settled();
  assert.deepEqual(states.at(-1), ["offline", 2]);
  const pauses = fake.timers.filter(Boolean).map(({ pause }) => pause);
  assert.deepEqual(pauses, [1000]);
  fake.answers.push(ACCEPT);
  fake.timers.at(-1).work();
  await settled();
  assert.deepEqual(fake.sent.at(-1).body.saves.map(({ point }) => point), [1, 2]);
  assert.equal(fake.localStorage.length, 0);
  assert.deepEqual(states.at(-1), ["saved", 0]);
});

Deno.test("why the server stores nothing is told in its own words, until it is back", async () => {
  const fake = browser({ status: 507, kind: "disk_full", detail: "The disk is full." }, { status: 500 });
  const { box, states } = outbox();
  box.add(rating(1));
  await settled();
  assert.deepEqual([states.at(-1), box.told], [["offline", 1], "The disk is full."]);
  fake.timers.at(-1).work();
  await settled();
  assert.deepEqual([states.at(-1), box.told], [["offline", 1], null]);
  assert.equal(fake.localStorage.length, 1);
});

Deno.test("a clock that is set back does not change the order of answers", async () => {
  const fake = browser("silence", "silence");
  const { box } = outbox();
  const { now } = Date;
  try {
    Date.now = () => 2000;
    box.add(rating(1));
    Date.now = () => 1000;
    box.add(rating(2));
  } finally {
    Date.now = now;
  }
  await settled();
  assert.deepEqual(box.waiting().map(([, { save }]) => save.point), [1, 2]);
  assert.equal(fake.localStorage.length, 2);
});

Deno.test("what an earlier visit has left is sent, what another rater has left stays", async () => {
  const fake = browser("silence");
  outbox("OLD").box.add(rating(1));
  outbox("K7").box.add(rating(2));
  await settled();
  fake.answers.length = 0;
  fake.answers.push(ACCEPT);
  const { box } = outbox("K7");
  await box.flush();
  assert.deepEqual(fake.sent.at(-1).body.saves.map(({ point }) => point), [2]);
  assert.deepEqual([...fake.localStorage.entries.keys()].map((name) => name.split(".")[2]), ["OLD"]);
});

Deno.test("what the server refuses is set aside and told, and holds up no other", async () => {
  const refusal = { kind: "bad_rating", detail: "no such point" };
  const fake = browser(({ body }) => ({
    results: body.saves.map(({ key, point }) => ({ key, saved: point !== 9, refusal: point === 9 ? refusal : null })),
  }));
  fake.answers.unshift("silence");
  const { box, refused } = outbox();
  box.add(rating(9));
  box.add(rating(3));
  await settled();
  fake.timers.at(-1).work();
  await settled();
  assert.deepEqual(refused.map(([save, why]) => [save.point, why]), [[9, "no such point"]]);
  const [[name, text]] = fake.localStorage.entries;
  assert.ok(name.startsWith("capscope.refused.K7."));
  assert.deepEqual(JSON.parse(text).refusal, refusal);
});

Deno.test("an item of somebody else's is never sent again", async () => {
  const fake = browser({ status: 404, kind: "not_yours", detail: "There is no such item." });
  const { box, refused } = outbox();
  box.add(rating(1));
  await settled();
  assert.deepEqual([box.waiting().length, refused.length, fake.sent.length], [0, 1, 1]);
});

Deno.test("without a cookie answers wait for the rater to come back", async () => {
  browser({ status: 401, kind: "signed_out", detail: "Say who you are." });
  const { box, states } = outbox();
  box.add(rating(1));
  await settled();
  assert.deepEqual(states.at(-1), ["signed-out", 1]);
});

Deno.test("where the browser refuses storage, answers live as long as the page and are sent all the same", async () => {
  const fake = browser(ACCEPT);
  fake.localStorage.refuses = true;
  const { box, states } = outbox();
  box.add(rating(1));
  assert.equal(box.waiting().length, 1);
  await settled();
  assert.deepEqual([box.waiting().length, states.at(-1)], [0, ["saved", 0]]);
});

Deno.test("an entry that is no JSON holds up nothing", async () => {
  const fake = browser(ACCEPT);
  fake.localStorage.setItem("capscope.outbox.K7.000000000000001.x", "{half");
  const { box } = outbox();
  box.add(rating(2));
  await settled();
  assert.deepEqual(fake.sent.map(({ body }) => body.saves.length), [1]);
});

const STUDY = { id: 5, criteria: [{ key: "fluency" }, { key: "consistency" }] };
const item = (place, answers = {}, more = {}) => ({
  id: `a${place}`,
  place,
  panels: [{ answers: { ...answers } }],
  image: null,
  finished: false,
  revealed: false,
  note: "",
  ...more,
});
const BOTH = { fluency: 1, consistency: 0 };
const waiting = (...saves) => ({ waiting: () => saves.map((save, at) => [`n${at}`, { at: 0, save }]) });

Deno.test("an item is complete once every question about every explanation has an answer, be it an abstention", () => {
  assert.ok(isComplete(STUDY, item(1, BOTH)));
  assert.ok(!isComplete(STUDY, item(1, { fluency: 4 })));
  assert.ok(!isComplete(STUDY, { ...item(1), panels: [{ answers: BOTH }, { answers: {} }] }));
});

Deno.test("answers that the server does not have yet are laid over the item, and it goes on behind them", async () => {
  browser({ total: 3, done: 0, resume: 1, items: [item(1), item(2)] });
  const saves = Object.entries(BOTH).map(([criterion, point]) => ({
    kind: "rating",
    assignment: "a1",
    panel: 1,
    criterion,
    point,
  }));
  const shelf = new Shelf(STUDY, waiting(...saves, { kind: "note", assignment: "a2", text: "hm" }));
  assert.equal(await shelf.open(), 2);
  assert.deepEqual(shelf.get(1).panels[0].answers, BOTH);
  assert.equal(shelf.get(2).note, "hm");
  assert.equal(shelf.done(), 1);
});

Deno.test("an item is asked for once, however many wait for it; a silent server leaves it open", async () => {
  const fake = browser({ total: 9, done: 0, resume: 1, items: [item(4)] });
  const shelf = new Shelf(STUDY, waiting());
  const [one, other] = await Promise.all([shelf.fetch(4), shelf.fetch(4)]);
  assert.ok(one === other && fake.sent.length === 1 && fake.sent[0].path.endsWith("&start=4"));
  assert.equal(await shelf.fetch(8), undefined);
  assert.ok(!shelf.has(8) && shelf.has(4));
});

Deno.test("only what is not there yet is fetched ahead, and nothing beyond the last item", async () => {
  const fake = browser({ total: 3, done: 0, resume: 1, items: [item(1), item(2), item(3)] });
  const shelf = new Shelf(STUDY, waiting());
  await shelf.open();
  await shelf.fetchAhead(1);
  await shelf.fetchAhead(3);
  assert.equal(fake.sent.length, 1);
});

Deno.test("what is done is what the server knew and what came since, counted once", async () => {
  browser({ total: 4, done: 2, resume: 3, items: [item(3), item(4, BOTH, { finished: true })] });
  const shelf = new Shelf(STUDY, waiting());
  await shelf.open();
  assert.equal(shelf.done(), 2);
  for (const [criterion, point] of Object.entries(BOTH)) {
    shelf.takeSave({ kind: "rating", assignment: "a3", panel: 1, criterion, point });
  }
  shelf.finish(shelf.get(3));
  shelf.finish(shelf.get(4));
  assert.equal(shelf.done(), 3);
  assert.equal(shelf.takeSave({ kind: "note", assignment: "unknown", text: "" }), undefined);
});

Deno.test("the time is known only where every item was rated in this tab", async () => {
  browser({ total: 2, done: 0, resume: 1, items: [item(1)] }, { total: 2, done: 0, resume: 1, items: [item(2)] });
  const shelf = new Shelf(STUDY, waiting());
  await shelf.open();
  shelf.get(1).sight.ms = 60_000;
  assert.equal(shelf.minutes(), 0);
  await shelf.fetch(2);
  shelf.get(2).sight.ms = 30_000;
  assert.equal(shelf.minutes(), 1.5);
});
