// Asking a metric to judge a sample now: news of the work come one by one until the outcome is there.

import { Refused, Unreachable } from "../shared/api.js";

/** what: {sample, metric, caption?, keep?}. tell({before} or {what, done, total}) is called on the way.
 * Returns the outcome. Throws Refused with the server's words, Unreachable, or AbortError when the signal says stop. */
export async function judge(what, tell, signal) {
  let response;
  try {
    response = await fetch("/api/judge", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Capscope": "1" },
      body: JSON.stringify(what),
      signal,
    });
  } catch (error) {
    throw unlessStopped(error, signal);
  }
  if (!response.ok) {
    throw new Refused(await response.json().catch(() => ({})));
  }
  try {
    for await (const news of events(response.body)) {
      if (news.problem) throw new Refused(news.problem);
      if (news.outcome) return news.outcome;
      tell(news);
    }
  } catch (error) {
    throw error instanceof Refused ? error : unlessStopped(error, signal);
  }
  throw new Unreachable("The server stopped before it was done.");
}

function unlessStopped(error, signal) {
  return signal?.aborted ? error : new Unreachable("The server does not answer.", { cause: error });
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const whole = text.split("\n\n");
    text = whole.pop();
    for (const event of whole) yield JSON.parse(event.replace(/^data: /, ""));
  }
}

/** News as words. */
export function progressText(news) {
  if (news.before !== undefined) return news.before ? `waiting; ${news.before} before this` : "starting …";
  return news.total > 1 ? `${news.what}: ${news.done} of ${news.total}` : `${news.what} …`;
}
