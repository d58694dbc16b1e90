// Requests to the server. Two errors are possible: the server refuses (Refused), or it does not answer (Unreachable).
// Busy is a kind of Unreachable, because the same request may succeed some seconds later.

/** @import { Answer, Body, Refusal } from "./wire.d.ts" */

import { at } from "./address.js";

/** Error: the server has refused a request. `kind` is for scripts and never changes; the message is for people. */
export class Refused extends Error {
  /** @param {Partial<Refusal>} refusal */
  constructor({ kind = "failed", detail = "The server refused." } = {}) {
    super(detail);
    this.kind = kind;
    /** @type {number | null} */
    this.seconds = null; // seconds until the next attempt; null: waiting does not help
  }
}

/** Error: the server does not answer, sends an unreadable response, or cannot store anything now.
 * `told` is the reason that the server gives, or null. */
export class Unreachable extends Error {
  /** @type {string | null} */
  told = null;
}

/** Error: the server, or a proxy before it, is busy and will accept the same request some seconds later. */
export class Busy extends Unreachable {
  /** @param {string} words @param {number} seconds */
  constructor(words, seconds) {
    const advice = Math.ceil(seconds) === 1 ? "Try again in 1 second." : `Try again in ${Math.ceil(seconds)} seconds.`;
    super(`${words} ${advice}`);
    this.seconds = seconds;
    this.words = words;
    this.told = words;
  }
}

const PATIENCE_MS = 15_000;
const BUSY_STATUSES = [429, 503];
const BUSY_S = 5; // seconds to wait before the next attempt, if the server does not state a time
/** @typedef {(path: string, asked: RequestInit) => Promise<Response>} Answering */
/** @type {Answering} */
let answering = (path, asked) => fetch(at(path), asked);
/** @type {string | null} */
let rater = null;
/** The secret in the address of the study link that opened this page, or null.
 * A request that contains this secret uses the rater's session for the study of the link. */
export const link = /\/r\/([\w-]{16,})\/?$/.exec(globalThis.location?.pathname ?? "")?.[1] ?? null;

/** Send the rater's code with every request. The server refuses if the cookie belongs to another rater.
 * @param {string | null} code */
export function speakAs(code) {
  rater = code;
}

/** Let another function answer all requests, for example with recorded responses in a static copy.
 * @param {Answering} other */
export function answerBy(other) {
  answering = other;
}

/** Send a request. Return the response if the server accepts the request.
 * Throws Refused, Unreachable, or AbortError if the request was cancelled.
 * @param {string} method @param {string} path @param {unknown} [body] sent as JSON; a form or bytes are sent unchanged
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
  if (response.ok) return response;
  throw failing(response, await response.json().catch(() => null));
}

/** @param {Response} response @param {Refusal | null} answer */
function failing(response, answer) {
  if (answer?.kind === "too_many_attempts") { // the page must not retry by itself: each request counts as an attempt
    return Object.assign(new Refused(answer), { seconds: secondsUntil(response) });
  }
  if (BUSY_STATUSES.includes(response.status) || response.headers.has("Retry-After")) {
    return new Busy(answer?.detail ?? "The server is busy.", secondsUntil(response));
  }
  if (response.status < 500 || answer?.kind === "model_unavailable") return new Refused(answer ?? {});
  const error = new Unreachable(`The server answers with an error (${response.status}).`);
  if (answer?.kind === "disk_full" || answer?.kind === "no_storage") error.told = answer.detail;
  return error;
}

/** Return the seconds until the next attempt: at least as many as the server asks for, plus a random part.
 * The random part keeps browsers from retrying all at the same time.
 * @param {Response} response */
function secondsUntil(response) {
  const asked = Number(response.headers.get("Retry-After"));
  return (asked > 0 ? asked : BUSY_S) * (1 + Math.random() / 2);
}

/** Return whether an error is a refusal of a given kind.
 * @param {unknown} error @param {Refusal["kind"]} kind @returns {error is Refused} */
export function isRefused(error, kind) {
  return error instanceof Refused && error.kind === kind;
}

/** Make the error for a server that does not answer. @param {unknown} cause */
export function silent(cause) {
  return new Unreachable("The server does not answer.", { cause });
}

/** Send a request and return the JSON of the response. Throws Refused, Unreachable.
 * @template {string} Method @template {string} Path
 * @param {Method} method @param {Path} path @param {Body<Method, Path>} [body] @param {RequestInit} [options]
 * @returns {Promise<Answer<Method, Path>>} */
export async function request(method, path, body, options = {}) {
  return read(await send(method, path, body, { signal: AbortSignal.timeout(PATIENCE_MS), ...options }));
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

/** Fetch a response before the page is built, because Gradio takes a while to draw its frame.
 * The first call of `taken` with the same path gets this response.
 * @template {string} Path @param {Path} path */
export function early(path) {
  const answer = get(path);
  answer.catch(() => {}); // errors are ignored here: the page that uses the response shows them
  asked.set(path, answer);
  return answer;
}

/** Keep responses that the page already contains.
 * The first call of `taken` with a path returns the kept response without a request.
 * @param {Record<string, unknown>} answers maps a path to the response */
export function keepAnswers(answers) {
  for (const [path, answer] of Object.entries(answers)) asked.set(path, Promise.resolve(answer));
}

/** Return a response that was fetched early or that the page contains. If there is none, fetch it.
 * @template {string} Path @param {Path} path @returns {Promise<Answer<"GET", Path>>} */
export function taken(path) {
  const answer = asked.get(path);
  asked.delete(path);
  return answer ?? get(path);
}

/** Return a function that helps to use only the response to the latest of several requests.
 * Call it at the start of each request. It returns a check, which returns true until the next request starts.
 * @returns {() => () => boolean} */
export function latest() {
  let turns = 0;
  return () => {
    const mine = (turns += 1);
    return () => mine === turns;
  };
}

/** Return a random key that nobody can guess. */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Describe an error in words. For a refusal, these are the server's own words. @param {unknown} error */
export function wordsOf(error) {
  return error instanceof Error ? error.message : String(error);
}
