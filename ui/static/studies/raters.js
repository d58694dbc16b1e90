// A study's raters and their progress. Updates change the table in place, so that the focus and the shown return keys
// stay.

import { post, wordsOf } from "../shared/api.js";
import { arrange, el, say, unseen } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { showRater } from "./rater_dialog.js";

/** @import { Study } from "./page.js" */
/** @typedef {Study["raters"][number]} RaterProgress */

const HEADS = () => ["Rater", "Progress", "Items", "Minutes", "Last answer", "Return key", unseen("To do")];

/** @type {Record<Study["course"]["state"], string>} maps each state of a study to the text shown if nobody has rated */
const EMPTY = {
  draft: "This study is a draft. Raters get no items before you start a pilot or the study under Manage.",
  pilot: "No rater has started yet. Send raters the link.",
  running: "No rater has started yet. Send raters the link.",
  paused: "No rater has started. Raters get no items while the study is paused.",
  closed: "No rater has rated an item.",
  archived: "No rater has rated an item.",
};

export class StudyRaters {
  /** @param {Study} of @param {() => void} onChange */
  constructor(of, onChange) {
    const { id: study, course, raters } = of;
    this.study = study;
    this.onChange = onChange;
    /** @type {Map<string, RaterRow>} maps a rater's code to the rater's row */
    this.rows = new Map();
    this.none = quiet(course.over ? EMPTY.closed : EMPTY[course.state]);
    this.body = el("tbody", {});
    this.table = el(
      "table",
      { class: "raters" },
      el("thead", {}, el("tr", {}, HEADS().map((name) => el("th", { scope: "col" }, name)))),
      this.body,
    );
    this.element = el("div", {});
    this.show(raters);
  }

  /** @param {RaterProgress[]} raters */
  show(raters) {
    const rows = raters.map((rater) => {
      const row = this.rows.get(rater.code) ?? new RaterRow(this.study, rater, this.onChange);
      this.rows.set(rater.code, row);
      return row.show(rater);
    });
    arrange(this.body, rows);
    arrange(this.element, [raters.length ? this.table : this.none]);
  }
}

class RaterRow {
  /** @param {number} study @param {RaterProgress} rater @param {() => void} onChange */
  constructor(study, rater, onChange) {
    const { code } = rater;
    this.rater = rater;
    this.bar = el("progress", { "aria-label": `Progress of ${code}` });
    this.done = el("td", {});
    this.minutes = el("td", {});
    this.last = el("td", {});
    this.aside = el("span", { class: "quiet" });
    const key = el("span", {}, button("show", () => tell(key, study, code), "quiet-button makes"));
    this.element = el(
      "tr",
      {},
      el("th", { scope: "row" }, code, " ", this.aside),
      el("td", {}, this.bar),
      this.done,
      this.minutes,
      this.last,
      el("td", {}, key),
      el(
        "td",
        { class: "makes" },
        button("manage", () => showRater(study, this.rater, onChange), "quiet-button", {
          "aria-label": `Manage ${code}`,
        }),
      ),
    );
  }

  /** @param {RaterProgress} rater */
  show(rater) {
    this.rater = rater;
    const { total, done, minutes, last_seen: seen } = rater;
    this.element.classList.toggle("left-out", rater.excluded !== null || rater.pilot);
    say(this.aside, asideOf(rater));
    this.bar.max = total;
    this.bar.value = done;
    say(this.done, `${done} of ${total}`);
    say(this.minutes, minutes.toFixed(1));
    say(this.last, seen ? new Date(seen).toLocaleString() : "–");
    return this.element;
  }
}

/** Describe in a few words if a rater is excluded, in the pilot, returned or similar. @param {RaterProgress} rater */
function asideOf({ pilot, excluded, returned, given_back: back }) {
  if (excluded !== null) return `excluded: ${excluded}`;
  if (pilot) return "pilot";
  const given = back > 0 && `${back} ${back === 1 ? "item" : "items"} given back for other raters`;
  return [returned && "returned", given].filter(Boolean).join(", ");
}

/** Fetch a rater's return key, and show it in place of the button. The log records each use.
 * @param {HTMLElement} place @param {number} study @param {string} code */
async function tell(place, study, code) {
  try {
    const { return_key: key } = await post(`/api/studies/${study}/keys`, { code });
    place.replaceChildren(el("code", { tabindex: "-1" }, key));
  } catch (error) {
    place.replaceChildren(el("span", { role: "alert", tabindex: "-1" }, wordsOf(error)));
  }
  /** @type {HTMLElement} */ (place.firstElementChild).focus();
}
