// Asks a metric to judge a sample now. The server reports the progress step by step until it sends the outcome.

import { Refused, send, silent, Unreachable } from "../shared/api.js";

/** @import { JudgeBody, JudgedOutcome, NotJudged, Waiting, Working } from "../shared/wire.d.ts" */
/** @import { ScoreJson, ErrorJson } from "../shared/wire.d.ts" */

/** Let the server judge a sample and return the outcome. Report progress to `tell`.
 * Throw Refused with the server's message, Unreachable, or AbortError if the signal aborts.
 * @param {JudgeBody} what @param {(news: Waiting | Working) => void} tell @param {AbortSignal} signal
 * @returns {Promise<ScoreJson | ErrorJson>} */
export async function judge(what, tell, signal) {
  const response = await send("POST", "/api/judge", what, { signal });
  try {
    for await (const news of response.body ? events(response.body) : []) {
      if ("problem" in news) throw new Refused(news.problem);
      if ("outcome" in news) return news.outcome;
      tell(news);
    }
  } catch (error) {
    throw error instanceof Refused || signal.aborted ? error : silent(error);
  }
  throw new Unreachable("The server stopped before the score was finished.");
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} body @returns {AsyncGenerator<Waiting | Working | JudgedOutcome | NotJudged>} */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    for (const event of whole) yield JSON.parse(event.replace(/^data: /, ""));
  }
}

/** Describe the progress of a judgement in words.
 * @param {Waiting | Working} news */
export function progressText(news) {
  if ("before" in news) return news.before ? `waiting; requests before this one: ${news.before}` : "starting …";
  return news.total > 1 ? `${news.what}: ${news.done} of ${news.total}` : `${news.what} …`;
}
