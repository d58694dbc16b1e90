// What a rater must know before agreeing to take part: how much work a study is, and how to stop.

import { later, t, tn } from "../shared/text.js";

/** @import { Study } from "../shared/types.d.ts" */

const GATES = {
  check: later(
    "Before the items, we ask questions about the task. If you answer wrongly twice, the study ends for you, and it counts as not completed.",
  ),
  gold: later(
    "Some items have a known right answer. If you get too many of them wrong, the study ends for you, and it counts as not completed.",
  ),
};

/** List the conditions of a study: its items and minutes (with practice), how to stop, and what ends the
 * study. The consent page and the welcome show the same list.
 * @param {Study} study @returns {string[]} */
export function termsOf(study) {
  const time = tn("about a minute", "about {n} minutes", Math.max(1, study.minutes));
  return [
    t(
      "{amount}, {time}. You may stop at any moment: every answer is saved immediately, and you continue where you were.",
      { amount: amountText(study), time },
    ),
    ...study.gates.map((gate) => t(GATES[gate])),
  ].filter(Boolean);
}

/** State how many items a rater can still get. @param {Pick<Study, "items" | "practice" | "done" | "is_most">} study */
export function amountText({ items, practice, done, is_most: isMost }) {
  const number = numberText(items, isMost, done > 0);
  const sum = practice > 0 ? t("{items} + {practice} for practice", { items: number, practice }) : number;
  if (done) return tn("You have rated 1 item: {rest}", "You have rated {n} items: {rest}", done, { rest: sum });
  return sum.charAt(0).toUpperCase() + sum.slice(1);
}

/** State a number of items in words.
 * @param {number} items @param {boolean} isMost whether the rater may get fewer
 * @param {boolean} isMore whether the rater had items before */
function numberText(items, isMost, isMore) {
  if (isMost && isMore) return tn("up to 1 more item", "up to {n} more items", items);
  if (isMost) return tn("up to 1 item", "up to {n} items", items);
  return isMore ? tn("1 more item", "{n} more items", items) : tn("1 item", "{n} items", items);
}
