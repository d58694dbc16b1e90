// A file of answers in parts: the server takes seconds for some thousand answers, so that one request for all of a large
// file would be given up, and nobody would see how far it is.

/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"POST", `/api/studies/${number}/answers`>} TakenIn what becomes of answers */
/** @typedef {{text: string, answers: number}} Part a file with some of the answers */

const OF_PART = 500; // answers; the server stores as many at a time
const MOST = 20_000; // answers of a file; the server refuses more
const REASONS = 5; // different refusals that are told

/** Cut a file so that all answers about an item stay together, in their order: the last one of a question counts. What is
 * no file of answers, or holds too many, stays whole, and the server says so.
 * @param {string} text @returns {Part[]} */
export function parts(text) {
  const file = read(text);
  const every = file?.answers;
  if (!Array.isArray(every) || every.length <= OF_PART || every.length > MOST) return [{ text, answers: 0 }];
  /** @type {Map<unknown, unknown[]>} */
  const byItem = new Map();
  for (const answer of every) {
    const item = answer?.save?.assignment ?? answer; // what names no item stays alone
    const others = byItem.get(item);
    if (others) others.push(answer);
    else byItem.set(item, [answer]);
  }
  /** @type {unknown[]} */
  let part = [];
  const cut = [part];
  for (const answers of byItem.values()) {
    if (part.length && part.length + answers.length > OF_PART) cut.push(part = []);
    part.push(...answers);
  }
  return cut.map((answers) => ({ text: JSON.stringify({ ...file, answers }), answers: answers.length }));
}

/** Send a file part by part; returns what becomes of all answers.
 * @param {Part[]} all @param {(text: string) => Promise<TakenIn>} send
 * @param {(done: number, of: number) => boolean} tell how many answers the server is done with; returns whether to go on
 * @returns {Promise<TakenIn | null>} null where it did not go on */
export async function sendParts(all, send, tell) {
  const found = [];
  const of = counted(all);
  for (const [nth, { text }] of all.entries()) {
    if (!tell(counted(all.slice(0, nth)), of)) return null;
    found.push(await send(text));
  }
  return summed(found);
}

/** @param {TakenIn[]} found @returns {TakenIn} */
function summed(found) {
  const sum = (/** @type {"stored" | "items" | "known"} */ name) => found.reduce((total, one) => total + one[name], 0);
  /** @type {Map<string, number>} */
  const refused = new Map();
  for (const [reason, answers] of found.flatMap((one) => Object.entries(one.refused))) {
    refused.set(reason, (refused.get(reason) ?? 0) + answers);
  }
  const most = [...refused].sort(([, one], [, other]) => other - one).slice(0, REASONS);
  return {
    ...found[0],
    stored: sum("stored"),
    items: sum("items"),
    known: sum("known"),
    refused: Object.fromEntries(most),
  };
}

/** @param {Part[]} some */
function counted(some) {
  return some.reduce((sum, { answers }) => sum + answers, 0);
}

/** @param {string} text @returns {any} null where it is no JSON */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
