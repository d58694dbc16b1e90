// Talking to the server. Two things can go wrong: it answers "no" (Refused), or it does not answer (Unreachable).

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export class Unreachable extends Error {}

const PATIENCE_MS = 15_000;
const LONG_PATIENCE_MS = 600_000; // for statistics over a whole data set, while the page says that they are on their way
let rater = null;

/** Say with every request whose answers these are: the server refuses when its cookie names somebody else. */
export function speakAs(code) {
  rater = code;
}

/** Send a request; returns the JSON of the answer. */
export async function request(method, path, body = undefined, options = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: { "Content-Type": "application/json", "X-Capscope": "1", ...(rater && { "X-Capscope-Rater": rater }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...options,
    });
  } catch (error) {
    throw new Unreachable("The server does not answer.", { cause: error });
  }
  if (response.status >= 500) throw new Unreachable(`The server answers with an error (${response.status}).`);
  const answer = await response.json().catch(() => null);
  if (response.ok && answer === null) throw new Unreachable("The server's answer was cut off.");
  if (!response.ok) throw new Refused(response.status, messageOf(answer?.detail, response.status));
  return answer;
}

/** What a refusal says. */
export function messageOf(detail, status) {
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail)) return detail.map((part) => `${part.loc?.slice(1).join(".")}: ${part.msg}`).join("; ");
  return `The server refused (${status}).`;
}

export const get = (path) => request("GET", path);
export const getSlowly = (path) => request("GET", path, undefined, { signal: AbortSignal.timeout(LONG_PATIENCE_MS) });
export const post = (path, body, options) => request("POST", path, body, options);
export const remove = (path) => request("DELETE", path);
