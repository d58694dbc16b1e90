// A large file of answers goes to the server in parts.

import assert from "node:assert/strict";

import { parts, sendParts } from "../../../ui/static/studies/answer_parts.js";

const file = (answers) => JSON.stringify({ capscope: "answers", version: 1, rater: "K7", answers });
const answer = (item, key) => ({ at: 1, save: { key, assignment: item } });
const read = (cut) => cut.map(({ text }) => JSON.parse(text));

Deno.test("all answers about an item are in one part, in their order, and none is lost or doubled", () => {
  const answers = Array.from({ length: 1300 }, (_, nth) => answer(`item${nth % 90}`, nth));
  const cut = parts(file(answers));
  assert.equal(cut.length, 3);
  const items = read(cut).map((one) => new Set(one.answers.map(({ save }) => save.assignment)));
  assert.equal(items.reduce((sum, some) => sum + some.size, 0), 90);
  for (const { rater, answers: some } of read(cut)) {
    assert.equal(rater, "K7");
    for (const { save } of some) {
      const own = some.filter((other) => other.save.assignment === save.assignment).map((other) => other.save.key);
      assert.deepEqual(own, [...own].sort((a, b) => a - b));
    }
  }
  const keys = read(cut).flatMap((one) => one.answers.map(({ save }) => save.key));
  assert.deepEqual(keys.sort((a, b) => a - b), answers.map(({ save }) => save.key));
  assert.deepEqual(cut.map((part) => part.answers), read(cut).map((one) => one.answers.length));
});

Deno.test("an item with more answers than a part holds stays whole", () => {
  const cut = parts(file(Array.from({ length: 701 }, (_, nth) => answer(nth < 700 ? "one" : "other", nth))));
  assert.deepEqual(cut.map((part) => part.answers), [700, 1]);
});

Deno.test("a small file, and what is none or too large, stays as it is", () => {
  const texts = ["", "{", "null", "[]", '{"answers": 5}', file([null, 7]), file(Array(20_001).fill({}))];
  for (const text of texts) assert.deepEqual(parts(text), [{ text, answers: 0 }]);
  assert.equal(parts(file(Array(501).fill(null))).length > 0, true);
});

Deno.test("what becomes of the parts is added up, and it is told how far the server is", async () => {
  const cut = parts(file(Array.from({ length: 1200 }, (_, nth) => ({ odd: nth }))));
  const told = [], sent = [];
  const send = async (text) => {
    sent.push(text);
    const refused = { odd: JSON.parse(text).answers.length, [`part ${sent.length}`]: 1 };
    return { rater: "K7", is_new_rater: true, stored: 2, items: 1, known: 3, refused };
  };
  const found = await sendParts(cut, send, (done, of) => Boolean(told.push([done, of])));
  assert.deepEqual(told, [[0, 1200], [500, 1200], [1000, 1200]]);
  assert.deepEqual(sent, cut.map(({ text }) => text));
  assert.deepEqual([found.stored, found.items, found.known, found.is_new_rater], [6, 3, 9, true]);
  assert.deepEqual(Object.entries(found.refused)[0], ["odd", 1200]);
  assert.equal(Object.keys(found.refused).length, 4);
  assert.equal(await sendParts(cut, send, (done) => done === 0), null);
  assert.equal(sent.length, 4);
});
