// The pages that are shown while the server refuses a request, is busy or does not answer.

import { Busy, Refused, Unreachable, wordsOf } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { paragraph } from "../shared/elements.js";
import { countDown } from "../shared/waiting.js";

/** @import { Child } from "../shared/types.d.ts" */

const RETRY_MS = 2000;

/** Show an error, and try again unless the server has refused. Throws any other error.
 * @param {unknown} error @param {() => void} again
 * @param {(content: Child) => void} show shows content on the page */
export function showTrouble(error, again, show) {
  if (error instanceof Refused) {
    return show([el("h1", {}, "Something went wrong"), paragraph(wordsOf(error))]);
  }
  if (!(error instanceof Unreachable)) throw error;
  if (error instanceof Busy) {
    const place = el("p", { role: "status" });
    show([el("h1", {}, "Please wait"), place, paragraph("All your answers are kept.")]);
    countDown(place, error.words, error.seconds).then((isShown) => isShown && again());
    return;
  }
  show([
    el("h1", {}, "The server does not answer"),
    paragraph("Your answers are not lost. This page tries again every two seconds."),
  ]);
  setTimeout(again, RETRY_MS);
}
