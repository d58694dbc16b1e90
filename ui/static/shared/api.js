// Talking to the server. Two things can go wrong: it answers "no" (Refused), or it does not answer (Unreachable).

/** kind is for scripts and never changes ("not_yours", "signed_out", "taken" …: ui/web/refusals.py); the message is for people. */
export class Refused extends Error {
  constructor({ kind = "failed", detail = "The server refused." } = {}) {
    super(detail);
    this.kind = kind;
  }
}

export class Unreachable extends Error {}

const PATIENCE_MS = 15_000;
const LONG_PATIENCE_MS = 600_000; // for statistics over a whole data set, while the page says that they are on their way
const NOT_MODIFIED = 304;
let rater = null;

/** Say with every request whose answers these are: the server refuses when its cookie names somebody else. */
export function speakAs(code) {
  rater = code;
}

/** Send a request; returns the JSON of the answer. */
export async function request(method, path, body = undefined, options = {}) {
  return read(await send(method, path, body, options));
}

/** Ask again for what may not have changed: {answer, tag}, or null where it is still what the tag belongs to. */
export async function getNews(path, tag) {
  const response = await send("GET", path, undefined, {}, tag && { "If-None-Match": tag });
  if (response.status === NOT_MODIFIED) return null;
  return { answer: await read(response), tag: response.headers.get("ETag") };
}

async function send(method, path, body, options, headers = {}) {
  const ours = { "Content-Type": "application/json", "X-Capscope": "1", ...(rater && { "X-Capscope-Rater": rater }) };
  try {
    return await fetch(path, {
      method,
      headers: { ...ours, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...options,
    });
  } catch (error) {
    throw new Unreachable("The server does not answer.", { cause: error });
  }
}

async function read(response) {
  if (response.status >= 500) throw new Unreachable(`The server answers with an error (${response.status}).`);
  const answer = await response.json().catch(() => null);
  if (response.ok && answer === null) throw new Unreachable("The server's answer was cut off.");
  if (!response.ok) throw new Refused(answer ?? {});
  return answer;
}

/** Whether an error is the server's refusal of that kind. */
export function isRefused(error, kind) {
  return error instanceof Refused && error.kind === kind;
}

export const get = (path) => request("GET", path);
export const getSlowly = (path) => request("GET", path, undefined, { signal: AbortSignal.timeout(LONG_PATIENCE_MS) });
export const post = (path, body, options) => request("POST", path, body, options);
export const remove = (path) => request("DELETE", path);
