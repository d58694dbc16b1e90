// The page after the last item: how many items were rated, how long it took, and what to do next.

import { el } from "../shared/dom.js";
import { button, paragraph } from "../shared/elements.js";
import { later, sentences, t, tn } from "../shared/text.js";
import { comingBack } from "./dialogs.js";

/** @import { Child, Queue, Rater } from "../shared/types.d.ts" */

/** @type {Record<NonNullable<Queue["stopped"]>, {title: string, text: string, later: boolean}>} title and text of
 * the message for each reason why a study has stopped; later: whether the study may continue later */
export const STOPS = {
  full: {
    title: later("This study is full"),
    text: later(
      "Other raters have taken all of its items. You have nothing left to do. " +
        "You may close this page, or come back later: an item may become free.",
    ),
    later: true,
  },
  not_started: {
    title: later("This study has not started yet"),
    text: later("Open the same address again when the person who sent it to you tells you to."),
    later: true,
  },
  paused: {
    title: later("This study is paused"),
    text: later(
      "You can close this page and open the same address later. " +
        "If you leave it open, it continues by itself as soon as the study does.",
    ),
    later: true,
  },
  closed: {
    title: later("This study is closed"),
    text: later("The study takes no more answers. You may close this page."),
    later: false,
  },
  excluded: {
    title: later("Your part in this study has ended"),
    text: later(
      "The people who run this study have ended your part. Your answers are kept, but they do not count in the results. " +
        "If you think that this is a mistake, write to the person who sent you the link.",
    ),
    later: false,
  },
  failed_gold: {
    title: later("Thank you, your part in this study ends here"),
    text: later(
      "Some items have a known right answer, and too many of your answers to them differed from it. " +
        "Your answers are kept. You have nothing left to do. " +
        "If you think that this is a mistake, write to the person who sent you the link.",
    ),
    later: false,
  },
  pilot_over: {
    title: later("The trial run is over"),
    text: later("You rated while this study was tried out. Thank you: what you answered has helped to prepare it."),
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
      heading(t(title)),
      paragraph(t(text)),
      rated > 0 &&
      paragraph(sentences(stoppedText(progress), t("Everything you have answered is kept."))),
      ...(stopped === "closed" && rated > 0 ? cutOff() : []),
      ...status,
      later && way(t("Look again"), resume),
      another && way(t("Rate another study"), another),
    ];
  }
  return [
    heading(done ? t("Thank you, you are done") : t("You have not finished yet")),
    paragraph(summaryText(progress)),
    ...status,
    done && paragraph(t("You may close this page when it shows “Saved”.")),
    !done && paragraph(tn("One item is still open.", "{n} items are still open.", total - rated)),
    !done && way(t("Go to the first open item"), resume, "primary"),
    way(t("Look over your answers"), again),
    another && way(t("Rate another study"), another),
    rater &&
    comingBack(
      rater,
      t("To come back from another browser, give your code {code} with this return key:", { code: rater.code }),
    ),
  ];
}

/** Tell a rater that the study was closed before the last item, and what the rater can do now. */
function cutOff() {
  return [
    paragraph(
      t(
        "The study was closed before you had rated all of your items. If you have questions, write to the person who " +
          "sent you the link.",
      ),
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
  return sentences(ratedIn(tn("1 item", "{n} items", rated - skipped), minutes), skippedText(skipped));
}

/** @param {number} skipped */
function skippedText(skipped) {
  return skipped ? tn("You skipped 1 item.", "You skipped {n} items.", skipped) : "";
}

/** State how many items were rated. Practice items are counted separately, because they are not part of the results.
 * @param {number} rated number of rated items, including skipped items @param {number} skipped @param {number} total
 * @param {number} practice how many of the total are practice items */
function ratedText(rated, skipped, total, practice) {
  const answered = rated - skipped;
  if (!practice) return tn("{rated} of 1 item", "{rated} of {n} items", total, { rated: answered });
  if (rated < total) {
    return tn("{rated} of 1 item, practice included", "{rated} of {n} items, practice included", total, {
      rated: answered,
    });
  }
  const items = total - practice;
  if (skipped) return tn("{rated} of 1 item", "{rated} of {n} items", items, { rated: items - skipped });
  return tn("1 of 1 item, and {practice} for practice", "{n} of {n} items, and {practice} for practice", items, {
    practice,
  });
}

/** State how many items were rated, and how long it took.
 * @param {string} items number of rated items, in words @param {number} minutes 0 if unknown */
function ratedIn(items, minutes) {
  const took = minutes < 1 ? "" : tn("It took about a minute.", "It took about {n} minutes.", Math.round(minutes));
  return sentences(t("You rated {items}.", { items }), took);
}
