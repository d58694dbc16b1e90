// The page after the last item: how many items were rated, how long it took, and what to do next.

import { el } from "../shared/dom.js";
import { button, paragraph } from "../shared/elements.js";
import { sentences } from "../shared/text.js";
import { comingBack } from "./dialogs.js";

/** @import { Child, Queue, Rater } from "../shared/types.d.ts" */

/** @type {Record<NonNullable<Queue["stopped"]>, {title: string, text: string, later: boolean}>} title and text of
 * the message for each reason why a study has stopped; later: whether the study may continue later */
export const STOPS = {
  full: {
    title: "This study is full",
    text: "Other raters have taken all of its items. You have nothing left to do. " +
      "You may close this page, or come back later: an item may become free.",
    later: true,
  },
  not_started: {
    title: "This study has not started yet",
    text: "Open the same address again when the person who sent it to you tells you to.",
    later: true,
  },
  paused: {
    title: "This study is paused",
    text: "You can close this page and open the same address later. " +
      "If you leave it open, it continues by itself as soon as the study does.",
    later: true,
  },
  closed: {
    title: "This study is closed",
    text: "The study takes no more answers. You may close this page.",
    later: false,
  },
  excluded: {
    title: "Your part in this study has ended",
    text:
      "The people who run this study have ended your part. Your answers are kept, but they do not count in the results. " +
      "If you think that this is a mistake, write to the person who sent you the link.",
    later: false,
  },
};

/** Build the elements of the end page, with the heading first.
 * @param {{rated: number, skipped: number, total: number, practice?: number, stopped: Queue["stopped"],
 * minutes: number, status: Child[], rater: Rater | null}} progress
 * rated: number of rated items, including skipped items; practice: how many of the total are practice items;
 * rater: null if the rater needs no return key
 * @param {{again: () => void, resume: () => void, another: (() => void) | null}} ways again: shows the answers again;
 * resume: goes to the first open item; another: opens another study, null if there is no other
 * @returns {[HTMLElement, ...Child[]]} */
export function ending(progress, { again, resume, another }) {
  const { rated, total, stopped, status, rater } = progress;
  const way = (/** @type {string} */ text, /** @type {() => void} */ click, look = "") =>
    paragraph(button(text, click, look));
  const done = total > 0 && rated >= total;
  if (stopped && !done) {
    const { title, text, later } = STOPS[stopped];
    return [
      heading(title),
      paragraph(text),
      rated > 0 &&
      paragraph(sentences(stoppedText(progress), "Everything you have answered is kept.")),
      ...(stopped === "closed" && rated > 0 ? cutOff() : []),
      ...status,
      later && way("Look again", resume),
      another && way("Rate another study", another),
    ];
  }
  return [
    heading(done ? "Thank you, you are done" : "You have not finished yet"),
    paragraph(summaryText(progress)),
    ...status,
    done && paragraph("You may close this page when it shows “Saved”."),
    !done && paragraph(total - rated === 1 ? "One item is still open." : `${total - rated} items are still open.`),
    !done && way("Go to the first open item", resume, "primary"),
    way("Look over your answers", again),
    another && way("Rate another study", another),
    rater &&
    comingBack(
      rater,
      `To come back from another browser, give your code ${rater.code} with this return key:`,
    ),
  ];
}

/** Tell a rater that the study was closed before the last item, and what the rater can do now. */
function cutOff() {
  return [
    paragraph(
      "The study was closed before you had rated all of your items. If you have questions, write to the person who sent you the link.",
    ),
  ];
}

/** @param {string} text */
function heading(text) {
  return el("h1", { tabindex: "-1" }, text);
}

/** @typedef {{rated: number, skipped: number, total: number, practice?: number, minutes: number}} Counts rated: number
 * of finished items, rated or skipped; skipped: number of skipped items */

/** State how many items were rated and skipped, and how many minutes it took. @param {Counts} counts */
export function summaryText({ rated, skipped, total, practice = 0, minutes }) {
  return sentences(ratedIn(ratedText(rated, skipped, total, practice), minutes), skippedText(skipped));
}

/** State how many items were rated and skipped, and how long it took, for a study that ended early.
 * Unlike summaryText(), omit the total number of items.
 * @param {Counts} counts */
function stoppedText({ rated, skipped, minutes }) {
  return sentences(
    ratedIn(rated - skipped === 1 ? "1 item" : `${rated - skipped} items`, minutes),
    skippedText(skipped),
  );
}

/** @param {number} skipped */
function skippedText(skipped) {
  return skipped ? (skipped === 1 ? "You skipped 1 item." : `You skipped ${skipped} items.`) : "";
}

/** State how many items were rated. Practice items are counted separately, because they are not part of the results.
 * @param {number} rated number of rated items, including skipped items @param {number} skipped @param {number} total
 * @param {number} practice how many of the total are practice items */
function ratedText(rated, skipped, total, practice) {
  const answered = rated - skipped;
  if (!practice) return total === 1 ? `${answered} of 1 item` : `${answered} of ${total} items`;
  if (rated < total) {
    return total === 1
      ? `${answered} of 1 item, practice included`
      : `${answered} of ${total} items, practice included`;
  }
  const items = total - practice;
  if (skipped) return items === 1 ? `${items - skipped} of 1 item` : `${items - skipped} of ${items} items`;
  return items === 1
    ? `1 of 1 item, and ${practice} for practice`
    : `${items} of ${items} items, and ${practice} for practice`;
}

/** State how many items were rated, and how long it took.
 * @param {string} items number of rated items, in words @param {number} minutes 0 if unknown */
function ratedIn(items, minutes) {
  const took = minutes < 1
    ? ""
    : Math.round(minutes) === 1
    ? "It took about a minute."
    : `It took about ${Math.round(minutes)} minutes.`;
  return sentences(`You rated ${items}.`, took);
}
