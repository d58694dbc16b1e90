// Asking before the page is there: Gradio takes a while to draw its frame, and the server can answer meanwhile.

import { get } from "./api.js";

const asked = new Map();

/** Ask now; the answer is kept for whoever asks for the same path first. */
export function early(path) {
  const answer = get(path);
  answer.catch(() => {}); // who takes it says what went wrong
  asked.set(path, answer);
  return answer;
}

/** The answer that is on its way, or a new one. */
export function taken(path) {
  const answer = asked.get(path);
  asked.delete(path);
  return answer ?? get(path);
}
