// The tables of keys of the rating page: handlers, the dialog and the line about the keys read the same rows.

import assert from "node:assert/strict";

import { KEYS, keyWords } from "../../../ui/static/rate/key_table.js";
import { nameOf } from "../../../ui/static/shared/keys.js";

const CRITERION = { guidelines: [1, 2, 3, 4, 5].map((point) => ({ point })) };
const key = (key, more = {}) => nameOf({ key, code: "", shiftKey: false, ctrlKey: false, metaKey: false, ...more });

Deno.test("each key of an item stands in the list of keys with words", () => {
  for (const { keys, shown, words } of KEYS) assert.ok(shown && words, `${keys}`);
});

Deno.test("no key has two meanings in the same step", () => {
  const itemKeys = KEYS.flatMap(({ keys = [] }) => keys);
  assert.equal(new Set(itemKeys).size, itemKeys.length);
});

Deno.test("a study without questions lists no keys for questions", () => {
  const shown = (study) => keyWords(study).map(([key]) => key);
  const asks = { criteria: [CRITERION], without_picture: 0 };
  assert.deepEqual(shown(asks).slice(0, 4), ["1 – 5", "← →", "Space", "Tab"]);
  assert.deepEqual(shown({ ...asks, without_picture: 2 })[1], "n");
});

Deno.test("a key has the same name with and without Caps Lock, and another one with Ctrl", () => {
  assert.deepEqual([key("Z"), key("z"), key("ArrowUp"), key("3")], ["z", "z", "ArrowUp", "digit"]);
  assert.deepEqual([key("z", { ctrlKey: true }), key("z", { metaKey: true })], ["Ctrl+z", "Ctrl+z"]);
  assert.deepEqual([key("z", { ctrlKey: true, shiftKey: true }), key("z", { altKey: true })], ["", ""]);
  assert.equal(key("1", { ctrlKey: true }), "Ctrl+1");
});
