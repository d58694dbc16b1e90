// Talking to the server. Two things can go wrong: it answers "no" (Refused), or it does not answer (Unreachable). A busy
// server (Busy) counts as one that does not answer: the same request may succeed some seconds later.

/** @import { Answer, Body, Refusal } from "./wire.d.ts" */

import { at } from "./address.js";

/** The server says no. Its kind is for scripts and never changes; the message is for people. */
export class Refused extends Error {
  /** @param {Partial<Refusal>} refusal */
  constructor({ kind = "failed", detail = "The server refused." } = {}) {
    super(detail);
    this.kind = kind;
    /** @type {number | null} */
    this.seconds = null; // until the next try, where waiting helps
  }
}

/** The server does not answer, or with nothing that can be read, or nothing can be stored there now: told says why. */
export class Unreachable extends Error {
  /** @type {string | null} */
  told = null;
}

/** The server, or a proxy before it, takes the same request some seconds later. */
export class Busy extends Unreachable {
  /** @param {string} words @param {number} seconds */
  constructor(words, seconds) {
    super(/try again/i.test(words) ? words : `${words} Try again in ${Math.ceil(seconds)} seconds.`);
    this.seconds = seconds;
    this.words = words;
    this.told = words;
  }
}

const PATIENCE_MS = 15_000;
const BUSY_STATUSES = [429, 503];
const BUSY_S = 5; // where the server does not say how long to wait
const NOT_MODIFIED = 304;
/** @typedef {(path: string, asked: RequestInit) => Promise<Response>} Answering */
/** @type {Answering} */
let answering = (path, asked) => fetch(at(path), asked);
/** @type {string | null} */
let rater = null;
/** The secret of the study link behind which this page is, or null: its one study and its own session are then meant. */
export const link = /\/r\/([\w-]{16,})\/?$/.exec(globalThis.location?.pathname ?? "")?.[1] ?? null;

/** Say with every request whose answers these are: the server refuses when its cookie names somebody else.
 * @param {string | null} code */
export function speakAs(code) {
  rater = code;
}

/** Let something else answer in the server's place, as a recording does where there is none.
 * @param {Answering} other */
export function answerBy(other) {
  answering = other;
}

/** Send a request; returns the response of a server that takes it. Throws Refused, Unreachable, or AbortError when
 * somebody has stopped it.
 * @param {string} method @param {string} path @param {unknown} [body] sent as JSON, or as the form or the bytes that it is
 * @param {RequestInit} [options] @returns {Promise<Response>} */
export async function send(method, path, body, options = {}) {
  const isRaw = body instanceof FormData || body instanceof Blob;
  let response;
  try {
    response = await answering(path, {
      ...options,
      method,
      headers: {
        "X-Capscope": "1",
        ...(!isRaw && { "Content-Type": "application/json" }),
        ...(rater && { "X-Capscope-Rater": rater }),
        ...(link && { "X-Capscope-Link": link }),
        ...options.headers,
      },
      body: body === undefined ? undefined : isRaw ? body : JSON.stringify(body),
    });
  } catch (error) {
    throw options.signal?.reason?.name === "AbortError" ? error : silent(error);
  }
  if (response.ok || response.status === NOT_MODIFIED) return response;
  throw failing(response, await response.json().catch(() => null));
}

/** @param {Response} response @param {Refusal | null} answer */
function failing(response, answer) {
  if (answer?.kind === "too_many_attempts") { // the same once more would be one attempt more
    return Object.assign(new Refused(answer), { seconds: secondsUntil(response) });
  }
  if (BUSY_STATUSES.includes(response.status) || response.headers.has("Retry-After")) {
    return new Busy(answer?.detail ?? "The server is busy.", secondsUntil(response));
  }
  if (response.status < 500) return new Refused(answer ?? {});
  const error = new Unreachable(`The server answers with an error (${response.status}).`);
  if (answer?.kind === "disk_full" || answer?.kind === "no_storage") error.told = answer.detail;
  return error;
}

/** The seconds to wait before the next try: at least as many as the server asks for, and not the same for a whole class.
 * @param {Response} response */
function secondsUntil(response) {
  const asked = Number(response.headers.get("Retry-After"));
  return (asked > 0 ? asked : BUSY_S) * (1 + Math.random() / 2);
}

/** Whether an error is the server's refusal of that kind.
 * @param {unknown} error @param {Refusal["kind"]} kind @returns {error is Refused} */
export function isRefused(error, kind) {
  return error instanceof Refused && error.kind === kind;
}

/** That the server does not answer, for a reason. @param {unknown} cause */
export function silent(cause) {
  return new Unreachable("The server does not answer.", { cause });
}

/** Send a request; returns the JSON of the answer. Throws Refused, Unreachable.
 * @template {string} Method @template {string} Path
 * @param {Method} method @param {Path} path @param {Body<Method, Path>} [body] @param {RequestInit} [options]
 * @returns {Promise<Answer<Method, Path>>} */
export async function request(method, path, body, options = {}) {
  return read(await send(method, path, body, { signal: AbortSignal.timeout(PATIENCE_MS), ...options }));
}

/** Ask again for what may not have changed: null where it is still what the tag belongs to. Throws Refused, Unreachable.
 * @template {string} Path @param {Path} path @param {string | null} tag
 * @returns {Promise<{answer: Answer<"GET", Path>, tag: string | null} | null>} */
export async function getNews(path, tag) {
  /** @type {Record<string, string>} */
  const headers = tag ? { "If-None-Match": tag } : {};
  const response = await send("GET", path, undefined, { signal: AbortSignal.timeout(PATIENCE_MS), headers });
  if (response.status === NOT_MODIFIED) return null;
  return { answer: await read(response), tag: response.headers.get("ETag") };
}

/** @param {Response} response */
async function read(response) {
  const answer = await response.json().catch(() => null);
  if (answer === null) throw new Unreachable("The server's answer was cut off.");
  return answer;
}

/** @template {string} Path @param {Path} path */
export const get = (path) => request("GET", path);

/** @template {string} Path @param {Path} path @param {Body<"POST", Path>} body @param {RequestInit} [options] */
export const post = (path, body, options) => request("POST", path, body, options);

/** @template {string} Path @param {Path} path */
export const remove = (path) => request("DELETE", path);

/** @type {Map<string, Promise<any>>} */
const asked = new Map();

/** Ask before the page is there, for Gradio takes a while to draw its frame; the answer is kept for whoever asks for the
 * same path first.
 * @template {string} Path @param {Path} path */
export function early(path) {
  const answer = get(path);
  answer.catch(() => {}); // who takes it says what went wrong
  asked.set(path, answer);
  return answer;
}

/** Keep answers that came with the page. Whoever asks for a path first gets its answer without a request.
 * @param {Record<string, unknown>} answers by path */
export function keepAnswers(answers) {
  for (const [path, answer] of Object.entries(answers)) asked.set(path, Promise.resolve(answer));
}

/** The answer that is on its way or came with the page, or a new one.
 * @template {string} Path @param {Path} path @returns {Promise<Answer<"GET", Path>>} */
export function taken(path) {
  const answer = asked.get(path);
  asked.delete(path);
  return answer ?? get(path);
}

/** Count turns, where the last call wins: each call begins a turn, and returns what tells whether it still is the last.
 * @returns {() => () => boolean} */
export function latest() {
  let turns = 0;
  return () => {
    const mine = (turns += 1);
    return () => mine === turns;
  };
}

/** What went wrong, in words: the server's own where it refused. @param {unknown} error */
export function wordsOf(error) {
  return error instanceof Error ? error.message : String(error);
}
