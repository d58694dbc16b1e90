// A server that was put back to an earlier time: the outbox compares what it keeps and sends again what is missing.

import assert from "node:assert/strict";

import { Outbox } from "../../../ui/static/rate/outbox.js";
import { browser, settled } from "./browser.js";

const rating = (point, assignment = "a1") => ({ assignment, kind: "rating", panel: 1, criterion: "fluency", point });
const refusal = (kind) => ({ kind, detail: "In the server's words." });

/** A server that stores answers by key, and that can be put back to an earlier time. */
class Database {
  stored = new Map();
  epoch = "first";
  signedOut = false;

  answer = ({ path, body }) => {
    if (path === "/api/rate/epoch") return { epoch: this.epoch };
    if (this.signedOut) return { status: 401, ...refusal("signed_out") };
    if (path === "/api/rate/kept") {
      return { epoch: this.epoch, missing: body.keys.filter((key) => !this.stored.has(key)) };
    }
    if (body.epoch && body.epoch !== this.epoch) return { status: 409, ...refusal("went_back") };
    return { epoch: this.epoch, results: body.saves.map((save) => this.save(save)) };
  };

  save(save) {
    if (!this.stored.has(save.key)) this.stored.set(save.key, save);
    return { key: save.key, saved: true, refusal: null };
  }

  points() {
    return [...this.stored.values()].map(({ point }) => point);
  }

  /** Put it back to the time when it had so many answers. */
  putBack(count, epoch = "second") {
    this.stored = new Map([...this.stored].slice(0, count));
    this.epoch = epoch;
  }
}

function rate(database) {
  const fake = browser(...Array(60).fill(database.answer));
  const box = new Outbox("K7");
  const heard = { states: [], refused: [], stepsBack: 0, again: 0, knows: false };
  box.serve({
    onState: (state) => heard.states.push(state),
    onRefused: (save, why) => heard.refused.push([save.point, why]),
    onStored: () => {},
    onStepBack: async () => {
      heard.stepsBack++;
      if (heard.knows) database.signedOut = false;
      return heard.knows;
    },
    onSentAgain: () => heard.again++,
  });
  box.hear(database.epoch);
  return { box, fake, heard };
}

async function add(box, ...points) {
  for (const point of points) box.add(rating(point));
  await settled();
}

Deno.test("an idle page hears of the step back and sends again what is missing", async () => {
  const database = new Database();
  const { box, heard } = rate(database);
  await add(box, 1, 2);
  database.putBack(0);
  await box.listen();
  await settled();
  await settled();
  assert.deepEqual([database.points(), heard.states.at(-1)], [[1, 2], "saved"]);
});

Deno.test("a server that has only been restarted is asked once and gets nothing twice", async () => {
  const database = new Database();
  const { box, fake } = rate(database);
  await add(box, 1, 2);
  database.epoch = "second";
  await add(box, 3);
  await settled();
  const asked = fake.sent.filter(({ path }) => path === "/api/rate/kept");
  assert.deepEqual([asked.length, database.points()], [1, [1, 2, 3]]);
  database.epoch = "third";
  await box.listen();
  await settled();
  assert.deepEqual([...new Set(fake.sent.at(-1).body.keys)].length, 3);
});

Deno.test("a comparison that the server does not answer is made again, and nothing is called saved before", async () => {
  const database = new Database();
  const { box, fake, heard } = rate(database);
  await add(box, 1);
  database.putBack(0);
  heard.states.length = 0;
  fake.answers.unshift("silence");
  box.hear("second");
  await settled();
  assert.deepEqual([heard.states, database.points()], [["offline"], []]);
  fake.timers.at(-1).work();
  await settled();
  await settled();
  assert.deepEqual([heard.states.at(-1), database.points()], ["saved", [1]]);
});

Deno.test("a rater who was signed in after the backup is signed in again by the return key without a word", async () => {
  const database = new Database();
  const { box, heard } = rate(database);
  heard.knows = true;
  await add(box, 1);
  database.putBack(0);
  database.signedOut = true;
  await add(box, 2);
  await settled();
  assert.deepEqual([database.points(), heard.states.at(-1), heard.stepsBack], [[1, 2], "saved", 1]);
});
