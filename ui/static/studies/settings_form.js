// The form "Settings" of the dialog "Manage": deadline, items per rater, inactivity and new raters.

import { request } from "../shared/api.js";
import { el, field } from "../shared/dom.js";
import { paragraph, quiet, submitButton } from "../shared/elements.js";
import { numberInput } from "./choices.js";
import { settingsOf } from "./closing.js";
import { Conflict } from "./conflict.js";

/** @import { Study } from "./page.js" */
/** @typedef {ReturnType<typeof settingsOf>} Settings */

/** Build the form.
 * @param {Study} study @param {{stored: () => Promise<Study["course"]>, done: () => void,
 * tell: (work: Promise<unknown>) => Promise<void>}} of stored: the stored settings; done: after a change; tell: shows
 * an error */
export function settingsForm(study, { stored, done, tell }) {
  const { course, raters_per_item: shared } = study;
  const deadline = el("input", { id: "deadline", type: "datetime-local", value: localTime(course.deadline) });
  const quota = numberInput("items-per-rater", course.items_per_rater, { min: 1, max: study.items });
  const hold = numberInput("hold-hours", course.hold_hours, { min: 0.1, max: 8760, step: "any" });
  const admits = el("input", { id: "new-raters", type: "checkbox", checked: course.new_raters });
  /** @type {Conflict<Settings>} */
  const conflict = new Conflict({
    names: {
      deadline: "Deadline",
      items_per_rater: "Items each rater gets",
      hold_hours: "Hours of inactivity",
      new_raters: "New raters get items",
    },
    mine: () => ({
      deadline: deadline.value ? new Date(deadline.value).toISOString() : null,
      items_per_rater: quota.value ? Number(quota.value) : null,
      hold_hours: Number(hold.value),
      new_raters: admits.checked,
    }),
    show: (theirs) => {
      deadline.value = localTime(theirs.deadline);
      quota.value = String(theirs.items_per_rater ?? "");
      hold.value = String(theirs.hold_hours);
      admits.checked = theirs.new_raters;
    },
    load: async () => {
      const found = await stored();
      return { values: settingsOf(found), stamp: found.stamp };
    },
    send: async (mine, stamp) => {
      await request("PUT", `/api/studies/${study.id}/course`, { ...mine, stamp });
      done();
      return { values: mine, stamp };
    },
    words: (value, name) => name === "deadline" ? new Date(String(value)).toLocaleString() : String(value),
  });
  conflict.open(settingsOf(course), course.stamp);
  return el(
    "form",
    { submit: conflict.submitting(tell) },
    el("h3", {}, "Settings"),
    field("Deadline in your time zone (empty: none)", deadline),
    paragraph(el("label", {}, admits, " New raters get items")),
    shared
      ? [
        field(
          course.controls_included
            ? "Items per rater, including practice, gold and repeated items (empty: no limit)"
            : "Items per rater; practice, gold and repeated items are added (empty: no limit)",
          quota,
        ),
        field("Hours of inactivity before a rater’s unfinished items go to others", hold),
      ]
      : quiet("Every rater rates every item in this study, so there are no items to release."),
    conflict.element,
    paragraph(submitButton("Save")),
  );
}

/** Format a time for a form field, in the reader's time zone. @param {string | null} utc */
function localTime(utc) {
  if (!utc) return "";
  const time = new Date(utc);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
