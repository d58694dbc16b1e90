// Send a file of answers in parts. The server takes seconds for some thousand answers, so one request with a large file
// would time out, and show no progress.

/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"POST", `/api/studies/${number}/answers`>} TakenIn the server's reply: how many answers are
 * stored, are already on the server, or are refused */
/** @typedef {{text: string, answers: number}} Part a part of a file, as text, and its number of answers */

const OF_PART = 500; // number of answers in a part; the server stores as many per transaction
const MOST = 20_000; // maximum number of answers in one file; the server refuses more
const REASONS = 5; // maximum number of different reasons for refusals that are shown

/** Cut a file into parts. All answers about an item stay together and in order, because the last answer to a question
 * counts. A file that is invalid or too large is not cut, so that the server reports the error.
 * @param {string} text @returns {Part[]} */
export function parts(text) {
  const file = read(text);
  const every = file?.answers;
  if (!Array.isArray(every) || every.length <= OF_PART || every.length > MOST) return [{ text, answers: 0 }];
  /** @type {Map<unknown, unknown[]>} */
  const byItem = new Map();
  for (const answer of every) {
    const item = answer?.save?.assignment ?? answer; // an answer that names no item has a group of its own
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

/** Send a file part by part. Return the counts, summed over all parts.
 * @param {Part[]} all @param {(text: string) => Promise<TakenIn>} send
 * @param {(done: number, of: number) => boolean} tell gets the number of processed answers; returns whether to continue
 * @returns {Promise<TakenIn | null>} null if `tell` has stopped sending */
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

/** Parse the text of a file. @param {string} text @returns {any} null if the text is not JSON */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
