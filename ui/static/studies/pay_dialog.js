// The dialog "Pay": what raters are owed, and lists for the recruitment platform.

import { get, wordsOf } from "../shared/api.js";
import { dialog, el, say, table } from "../shared/dom.js";
import { actions, alertText, paragraph, quiet, statusText } from "../shared/elements.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/pay`>} Pay */

const HEADS = ["Rater", "State", "Worked", "Decision", "Reason", "Reward", "Bonus", "Reward per hour", "Below rate"];
/** @type {[string, string][]} key of each list of raters, and the label of its button */
const LISTS = [
  ["approve", "Approve"],
  ["bonus", "Bonuses"],
  ["reject", "Reject"],
  ["return", "Ask to return the study"],
  ["ids", "Codes and ids"],
];

/** @param {Study} study */
export async function showPay(study) {
  const problem = alertText(), status = statusText(), place = el("div", { class: "pay" });
  const box = dialog(`Pay of ${study.name}`, problem, status, place);
  box.classList.add("wide", "capscope");
  if (!study.course.typed.hourly_rate) {
    return place.replaceChildren(
      paragraph("The amounts depend on the hourly pay. Set it under Manage, Pay and contact."),
    );
  }
  say(status, "Counting the time that raters worked …");
  try {
    place.replaceChildren(...content(study, await get(`/api/studies/${study.id}/pay`)));
  } catch (error) {
    say(problem, wordsOf(error));
  }
  say(status, "");
}

/** @param {Study} study @param {Pay} pay */
function content({ id, course }, { hourly_rate, rewards, bonuses, below_rate, rule, raters }) {
  const hasReward = course.typed.reward !== "";
  const link = (/** @type {string} */ list, /** @type {string} */ text, codes = false) =>
    el(
      "a",
      { href: `/api/studies/${id}/pay/${list}.csv${codes ? "?codes=true" : ""}`, download: true, class: "button" },
      text,
    );
  return [
    paragraph(
      `${hourly_rate} per hour. Rewards: `,
      el("strong", {}, rewards),
      ", bonuses: ",
      el("strong", {}, bonuses),
      `. Without a bonus, ${below_rate} of ${raters.length} raters would get less than this rate. This number ` +
        "includes raters at work who finished an item, because they have no reward yet.",
    ),
    ...(hasReward ? [] : [
      el(
        "p",
        { class: "notice-line" },
        "The platform’s reward is not entered, so each bonus is a rater’s whole pay. " +
          "If the platform pays a reward, write it under Manage, " +
          "Pay and contact. Otherwise raters are paid twice.",
      ),
    ]),
    quiet(rule),
    el("h3", {}, "Lists with the platform’s ids"),
    actions(LISTS.map(([list, text]) => link(list, text))),
    quiet("For the bulk actions of Prolific. No other export contains these ids. The log records each download."),
    el("h3", {}, "Lists with raters’ codes"),
    actions(LISTS.filter(([list]) => list !== "ids").map(([list, text]) => link(list, text, true))),
    table(
      HEADS,
      raters.map(({ code, state, minutes, decision, why, reward, bonus, hourly, below }) => [
        el("span", { class: "rater-code" }, code),
        state,
        minutes,
        decision,
        why,
        reward,
        bonus,
        hourly,
        below,
      ]),
      "Amounts for each rater",
    ),
  ];
}
