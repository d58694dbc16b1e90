// What a rater must know before agreeing to take part: how much work a study is, and how to stop.

/** @import { Study } from "../shared/types.d.ts" */

/** List the conditions of a study: its items and minutes (with practice), and how to stop.
 * The consent page and the welcome show the same list.
 * @param {Study} study @returns {string[]} */
export function termsOf(study) {
  const time = Math.max(1, study.minutes) === 1 ? "about a minute" : `about ${Math.max(1, study.minutes)} minutes`;
  return [
    `${
      amountText(study)
    }, ${time}. You may stop at any moment: every answer is saved immediately, and you continue where you were.`,
  ];
}

/** State how many items a rater can still get. @param {Pick<Study, "items" | "practice" | "done" | "is_most">} study */
export function amountText({ items, practice, done, is_most: isMost }) {
  const number = numberText(items, isMost, done > 0);
  const sum = practice > 0 ? `${number} + ${practice} for practice` : number;
  if (done) return done === 1 ? `You have rated 1 item: ${sum}` : `You have rated ${done} items: ${sum}`;
  return sum.charAt(0).toUpperCase() + sum.slice(1);
}

/** State a number of items in words.
 * @param {number} items @param {boolean} isMost whether the rater may get fewer
 * @param {boolean} isMore whether the rater had items before */
function numberText(items, isMost, isMore) {
  if (isMost && isMore) return items === 1 ? "up to 1 more item" : `up to ${items} more items`;
  if (isMost) return items === 1 ? "up to 1 item" : `up to ${items} items`;
  return isMore ? (items === 1 ? "1 more item" : `${items} more items`) : items === 1 ? "1 item" : `${items} items`;
}
