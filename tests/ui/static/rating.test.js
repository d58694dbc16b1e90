// What a rater has done is never lost: the outbox, and the items that its answers are laid over.

import assert from "node:assert/strict";

import { contactParts } from "../../../ui/static/rate/dialogs.js";
import { Shelf } from "../../../ui/static/rate/items.js";
import { Outbox } from "../../../ui/static/rate/outbox.js";
import { readSight, SightClock } from "../../../ui/static/rate/sight.js";
import { placeName, placeText, savingText } from "../../../ui/static/rate/status.js";
import { amountText } from "../../../ui/static/rate/welcome.js";
import { digitOf, nameOf } from "../../../ui/static/shared/keys.js";
import { browser, settled } from "./browser.js";

const ACCEPT = ({ body }) => ({ results: body.saves.map(({ key }) => ({ key, saved: true, refusal: null })) });
const rating = (point) => ({ assignment: "a1", kind: "rating", panel: 1, criterion: "fluency", point });

function outbox(code = "K7") {
  const states = [], refused = [];
  const box = new Outbox(code);
  const stored = [];
  box.serve({
    onState: (state, waiting) => states.push([state, waiting]),
    onRefused: (save, why) => refused.push([save, why]),
    onStored: (saves) => stored.push(...saves),
  });
  return { box, states, refused, stored };
}

Deno.test("a hundred long notes that waited offline are sent in requests that the server takes, in order", async () => {
  const fake = browser("silence");
  const { box, states } = outbox();
  const notes = Array.from({ length: 100 }, (_, at) => `${at} ${"字".repeat(3990)}`);
  for (const text of notes) box.add({ assignment: "a1", kind: "note", text });
  await settled();
  const tooLarge = (sent) =>
    new TextEncoder().encode(JSON.stringify(sent.body)).length > 1_000_000 ? { status: 413 } : ACCEPT(sent);
  fake.answers.push(...Array(20).fill(tooLarge));
  fake.timers.at(-1).work();
  for (let turn = 0; turn < 20; turn++) await settled();
  assert.deepEqual(states.at(-1), ["saved", 0]);
  assert.deepEqual(fake.sent.slice(1).flatMap(({ body }) => body.saves.map(({ text }) => text)), notes);
});

Deno.test("a clock that is corrected while an answer waits does not change the answer's age", async () => {
  const fake = browser("silence");
  const { now } = Date;
  const { box } = outbox();
  box.add(rating(1));
  await settled();
  Date.now = () => now() + 7 * 365 * 24 * 3_600_000; // from 2019 to 2026
  fake.answers.push(ACCEPT);
  fake.timers.at(-1).work();
  await settled();
  assert.ok(fake.sent.at(-1).body.saves[0].age_ms < 60_000);
});

Deno.test("a busy server is asked again when it says, however much is answered meanwhile", async () => {
  const fake = browser({ status: 429, headers: { "Retry-After": "8" }, kind: "busy", detail: "Capscope is busy." });
  const { box, states } = outbox();
  box.add(rating(1));
  await settled();
  box.add(rating(2));
  await settled();
  assert.deepEqual([fake.sent.length, states.at(-1), box.told], [1, ["offline", 2], "Capscope is busy."]);
  const { work, pause } = fake.timers.findLast(Boolean);
  assert.ok(pause >= 8000 && pause <= 12_000);
  fake.answers.push(ACCEPT);
  work();
  await settled();
  assert.deepEqual([fake.sent.at(-1).body.saves.map(({ point }) => point), states.at(-1)], [[1, 2], ["saved", 0]]);
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
  Date.now = () => 2000;
  box.add(rating(1));
  Date.now = () => 1000;
  box.add(rating(2));
  await settled();
  assert.deepEqual(box.waiting.map(([, { save }]) => save.point), [1, 2]);
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

/** Whether the browser would ask before the page is left. */
function asksBeforeLeaving({ listeners }) {
  const event = { asked: false, preventDefault: () => (event.asked = true) };
  listeners.get("beforeunload")?.(event);
  return event.asked;
}

Deno.test("what a full storage does not take is counted as only in this page, and leaving the page asks first", async () => {
  const fake = browser("silence", "silence");
  const { box } = outbox();
  box.add(rating(1));
  await settled();
  assert.deepEqual([box.unkept(), asksBeforeLeaving(fake)], [0, false]);
  fake.localStorage.refuses = true;
  box.add(rating(2));
  await settled();
  assert.deepEqual([box.waiting.length, box.unkept(), asksBeforeLeaving(fake)], [2, 1, true]);
  fake.localStorage.refuses = false;
  fake.timers.at(-1).work();
  await settled();
  assert.deepEqual([box.waiting.length, box.unkept(), asksBeforeLeaving(fake)], [2, 0, false]);
  fake.answers.push(ACCEPT);
  fake.timers.at(-1).work();
  await settled();
  assert.deepEqual(fake.sent.at(-1).body.saves.map(({ point }) => point), [1, 2]);
  assert.equal(fake.localStorage.length, 0);
});

Deno.test("answers go under their own rater's code, and rest while somebody else rates on the page", async () => {
  const fake = browser({ status: 401, kind: "signed_out", detail: "Say who you are." }, ACCEPT);
  const { box, states } = outbox();
  box.add(rating(1));
  await settled();
  assert.equal(fake.sent[0].headers["X-Capscope-Rater"], "K7");
  box.rest();
  await box.flush();
  assert.deepEqual([fake.sent.length, states.length], [1, 2]);
  box.serve({ onState: (state) => states.push(state), onRefused: () => {}, onStored: () => {} });
  await box.flush();
  assert.deepEqual([fake.sent.length, states.at(-1)], [2, "saved"]);
});

const STUDY = { id: 5, criteria: [{ key: "fluency" }, { key: "consistency" }] };
const item = (place, answers = {}, more = {}) => ({
  id: `a${place}`,
  place,
  panels: [{ answers: { ...answers } }],
  image: null,
  finished: false,
  open: true,
  revealed: false,
  note: "",
  ...more,
});
const BOTH = { fluency: 1, consistency: 0 };
const waiting = (...saves) => ({
  waiting: saves.map((save, at) => [`n${at}`, { at: 0, save }]),
  hear: () => {},
});
const queue = (total, items, more = {}) => (
  { total, free: 0, ahead: 2, stopped: null, done: 0, skipped: 0, resume: 1, practice: [], items, ...more }
);

/** A server with so many items, which says how many the browser may hold. */
const server = (total, ahead, more = {}) => ({ path }) => {
  const asked = new URL(path, "http://x").searchParams;
  const start = Number(asked.get("start") ?? 1), count = Math.min(Number(asked.get("count")), total - start + 1);
  const items = Array.from({ length: count }, (_, at) => item(start + at, {}, more));
  return queue(total, items, { ahead });
};

Deno.test("twenty items are held ahead, fetched some at a time, and nothing beyond the last", async () => {
  const fake = browser(...Array(9).fill(server(30, 20)));
  const shelf = new Shelf(STUDY, waiting());
  await shelf.open();
  for (let place = 1; place <= 30; place++) {
    await shelf.fetchAhead(place);
    for (let next = place; next <= Math.min(30, place + 10); next++) {
      assert.ok(shelf.items.has(next), `${place}: ${next}`);
    }
  }
  const counts = fake.sent.map(({ path }) => Number(/count=(\d+)/.exec(path)[1]));
  assert.deepEqual([counts[0], Math.max(...counts) <= 20, counts.reduce((a, b) => a + b)], [3, true, 30]);
  assert.ok(counts.length <= 4, String(counts));
});

Deno.test("where raters share items no more are held than the server allows", async () => {
  browser(...Array(9).fill(server(30, 2)));
  const shelf = new Shelf(STUDY, waiting());
  await shelf.open();
  await shelf.fetchAhead(1);
  await shelf.fetchAhead(2);
  assert.deepEqual([shelf.items.has(4), shelf.items.has(5)], [true, false]);
});

Deno.test("pictures are fetched one by one in the items' order, and none that is still closed", async () => {
  const fake = browser(server(9, 20, { image: "/picture", image_size: [4, 3] }));
  const shelf = new Shelf({ id: 5, criteria: [{ key: "fluency", without_image: true }] }, waiting());
  await shelf.open();
  assert.deepEqual(fake.pictures.map(({ src }) => src), ["/picture", undefined, undefined]);
  shelf.items.get(3).open = false;
  for (const picture of fake.pictures) picture.listeners.get("load")?.();
  await settled();
  assert.deepEqual(fake.pictures.map(({ src }) => src), ["/picture", "/picture", undefined]);
});

Deno.test("digits answer on keyboards that need Shift for them, and a shifted digit is what it types", () => {
  const cases = [
    [{ key: "3", code: "Digit3", shiftKey: false }, 3],
    [{ key: "&", code: "Digit1", shiftKey: false }, 1], // AZERTY
    [{ key: "1", code: "Digit1", shiftKey: true }, 1], // AZERTY with Shift
    [{ key: "!", code: "Digit1", shiftKey: true }, undefined], // QWERTY with Shift
    [{ key: "0", code: "Numpad0", shiftKey: false }, 0],
    [{ key: "End", code: "Numpad1", shiftKey: false }, undefined],
    [{ key: "g", code: "KeyG", shiftKey: false }, undefined],
  ];
  for (const [event, digit] of cases) assert.equal(digitOf(event), digit, JSON.stringify(event));
});

Deno.test("the page counts items and practice apart, and says when answers would go with it", () => {
  assert.match(savingText("offline", { waiting: 2, unkept: 2, code: "K7", told: null }), /do not close this page/);
  const study = { done: 2, items: 46, is_most: false };
  assert.equal(placeText(3, { total: 21, free: 4, practice: [] }, study), "item 3 of 48");
  assert.equal(placeText(3, { total: 21, free: 4, practice: [] }, { ...study, is_most: true }), "item 3 of up to 48");
  assert.equal(placeText(9, { total: 8, free: 0, practice: [] }), "item 8 of 8");
  assert.equal(placeText(1, { total: 16, free: 0, practice: [1, 2] }), "practice 1 of 2");
  assert.equal(placeText(3, { total: 16, free: 0, practice: [1, 2] }), "item 1 of 14");
  assert.equal(placeText(16, { total: 16, free: 0, practice: [1, 2] }), "item 14 of 14");
  assert.equal(placeText(6, { total: 16, free: 0, practice: [1, 6] }), "practice 2 of 2");
  assert.equal(placeText(7, { total: 7, free: 4, practice: [1, 6] }, study), "item 5 of 48");
  assert.deepEqual([1, 2, 3].map((place) => placeName(place, [1, 2])), ["Practice 1", "Practice 2", "Item 1"]);
});

Deno.test("a clock that is set while an item is in sight changes no time", () => {
  browser();
  const own = { id: "c1", sight: readSight("c1") };
  Date.now = () => 1_000_000;
  const clock = new SightClock(own, () => {});
  Date.now = () => 9 * 3600_000;
  const { in_sight_ms, shown_ms } = clock.times();
  assert.ok(in_sight_ms < 1000 && shown_ms < 1000, `${in_sight_ms} ${shown_ms}`);
  clock.stop();
  Date.now = () => 9 * 3600_000 + 5000; // the page was away for five seconds
  assert.ok(Math.abs(readSight("c1").shown - 5000) < 1000);
  Date.now = () => 0;
  assert.ok(readSight("c1").shown < 1000);
});

Deno.test("what is done is what the server knew and what came since, counted once", async () => {
  browser(queue(4, [item(3), item(4, BOTH, { finished: true })], { done: 2, resume: 3 }));
  const shelf = new Shelf(STUDY, waiting());
  await shelf.open();
  assert.equal(shelf.done(), 2);
  for (const [criterion, point] of Object.entries(BOTH)) {
    shelf.takeSave({ kind: "rating", assignment: "a3", panel: 1, criterion, point });
  }
  assert.equal(shelf.done(), 3);
  assert.equal(shelf.takeSave({ kind: "note", assignment: "unknown", text: "" }), undefined);
});

Deno.test("skipped items of earlier visits and of this page are counted, and an untouched shelf has nothing to save", async () => {
  const skipped = { report: { reason: "cannot_judge", words: "", skip: true } };
  browser(queue(3, [item(1), item(2)]));
  const shelf = new Shelf(STUDY, waiting());
  await shelf.open();
  assert.deepEqual([shelf.skipped(), shelf.isUntouched(), shelf.done()], [0, true, 0]);
  shelf.items.get(1).panels[0].answers.fluency = 3;
  assert.equal(shelf.isUntouched(), false);
  Object.assign(shelf.items.get(2), skipped);
  assert.deepEqual([shelf.skipped(), shelf.done()], [1, 1]);
  shelf.items.get(2).report = null;
  assert.equal(shelf.done(), 0); // the report was withdrawn
  shelf.take(queue(3, [], { skipped: 2 }));
  assert.equal(shelf.skipped(), 2);
});

Deno.test("an e-mail address in a contact is a link that has nothing but the address", () => {
  assert.deepEqual(contactParts("Ada <ada+x@lab.example.org>, +49 30"), [
    { text: "Ada <", mail: "" },
    { text: "ada+x@lab.example.org", mail: "mailto:ada%2Bx@lab.example.org" },
    { text: ">, +49 30", mail: "" },
  ]);
  assert.deepEqual(contactParts("room 12"), [{ text: "room 12", mail: "" }]);
  assert.equal(contactParts("a@b.org?bcc=c@d.org")[0].mail, "mailto:a@b.org");
  assert.deepEqual(contactParts("javascript:alert(1)"), [{ text: "javascript:alert(1)", mail: "" }]);
});

Deno.test("the welcome tells a rater what is left for them", () => {
  const told = (/** @type {object} */ study) =>
    amountText(/** @type {any} */ ({ items: 6, practice: 0, done: 0, is_most: false, ...study }));
  assert.equal(told({ practice: 1 }), "6 items + 1 for practice");
  assert.equal(told({ is_most: true }), "Up to 6 items");
  assert.equal(told({ items: 1, done: 5 }), "You have rated 5 items: 1 more item");
  assert.equal(told({ done: 1, is_most: true }), "You have rated 1 item: up to 6 more items");
});

Deno.test("a key has the same name with and without Caps Lock, and another one with Ctrl", () => {
  const key = (key, more = {}) => nameOf({ key, code: "", shiftKey: false, ctrlKey: false, metaKey: false, ...more });
  assert.deepEqual([key("Z"), key("z"), key("ArrowUp"), key("3")], ["z", "z", "ArrowUp", "digit"]);
  assert.deepEqual([key("z", { ctrlKey: true }), key("z", { metaKey: true })], ["Ctrl+z", "Ctrl+z"]);
  assert.deepEqual([key("z", { ctrlKey: true, shiftKey: true }), key("z", { altKey: true })], ["", ""]);
  assert.equal(key("1", { ctrlKey: true }), "Ctrl+1");
});
