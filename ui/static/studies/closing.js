// Close a study whose raters have unfinished items: first ask whether the raters may finish these items.

import { request, wordsOf } from "../shared/api.js";
import { dialog, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph } from "../shared/elements.js";

/** @import { Study } from "./page.js" */

/** Return those settings of a study that the dialog "Manage" changes.
 * @param {Study["course"]} course @returns {{deadline: string | null, items_per_rater: number | null,
 * hold_hours: number, new_raters: boolean}} */
export function settingsOf({ deadline, items_per_rater, hold_hours, new_raters }) {
  return { deadline: deadline && new Date(deadline).toISOString(), items_per_rater, hold_hours, new_raters };
}

/** Return the number of raters who have unfinished items. @param {Study} study */
export function atWork({ raters, raters_per_item: shared }) {
  return raters.filter(({ excluded, returned, open, done, total }) =>
    excluded === null && !returned && (shared === null ? done < total : open > 0)
  ).length;
}

/** Ask whether raters with unfinished items may finish before the study is closed.
 * @param {Study} study @param {number} working number of these raters
 * @param {() => Promise<void>} close closes the study now @param {() => void} done is called if they may finish */
export function askToClose({ id, name, course }, working, close, done) {
  const [raters, theirs] = working === 1
    ? ["1 rater has", "This rater can still finish"]
    : [`${working} raters have`, "They can still finish"];
  const problem = alertText();
  const finish = async () => {
    try {
      await request("PUT", `/api/studies/${id}/course`, {
        ...settingsOf(course),
        new_raters: false,
        stamp: course.stamp,
      });
      box.close();
      done();
    } catch (error) {
      say(problem, wordsOf(error));
    }
  };
  const now = () => {
    box.close();
    return close();
  };
  const box = dialog(
    `Close ${name}?`,
    paragraph(`${raters} unfinished items. If you close the study now, their work ends here.`),
    paragraph(`Or let raters finish first: new raters get no items. ${theirs}, and you close the study afterwards.`),
    problem,
    actions(
      course.new_raters && button("Let raters finish", finish, "primary"),
      button("Close now", now),
      button("Cancel", () => box.close()),
    ),
  );
  box.classList.add("capscope");
}
