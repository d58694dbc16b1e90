// A study's life: what state it is in, what may follow, how it goes on, its copy and its end.

import { get, post, request, wordsOf } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, picker, quiet, submitButton } from "../shared/elements.js";
import { AnswersForm } from "./answers_form.js";
import { Conflict } from "./conflict.js";
import { EntryForm } from "./entry_form.js";
import { typedConfirmation } from "./typed_confirmation.js";

/** @import { Study } from "./page.js" */
/** @typedef {Study["course"]["state"]} State */
/** @typedef {{deadline: string | null, items_per_rater: number | null, hold_hours: number}} Settings */

/** @type {Record<State, string>} what leads into a state */
const STEPS = {
  draft: "Back to draft",
  pilot: "Start a pilot",
  running: "Start the study",
  paused: "Pause the study",
  closed: "Close the study",
  archived: "Archive the study",
};
/** @type {Record<State, string>} what a state means */
export const MEANINGS = {
  draft: "Nothing is given out yet.",
  pilot: "A trial run: only the first items are given out, and its ratings stay out of reports.",
  running: "Raters get items.",
  paused: "Nothing is given out; what raters have answered is kept, and late answers still go in.",
  closed: "Nothing is given out any more. Late answers still go in.",
  archived: "Closed, and out of sight below the other studies.",
};
const PILOT_ITEMS = 5;
/** @type {[string, string][]} */
const RELEASES = [["returned", "they returned it"], ["timed_out", "their time ran out"], ["by_hand", "another reason"]];

/** The state in one word, for the card.
 * @param {Study} study */
export function stateText({ course }) {
  if (course.over) return "closed (deadline passed)";
  return course.state === "pilot" ? `pilot, ${course.pilot_items} items` : course.state;
}

/** @param {Study} study @param {() => void} onChange */
export function showLife(study, onChange) {
  new LifeDialog(study, onChange);
}

class LifeDialog {
  /** @param {Study} study @param {() => void} onChange */
  constructor(study, onChange) {
    this.study = study;
    this.onChange = onChange;
    this.problem = alertText();
    this.conflicts = el("div", {}); // of two people who change the state
    const { course } = study;
    this.box = dialog(
      `Manage ${study.name}`,
      this.problem,
      paragraph(el("strong", {}, stateText(study)), `: ${MEANINGS[course.state]}`),
      this.steps(),
      this.settings(),
      study.raters_per_item !== null && study.raters.length > 0 && this.release(),
      new EntryForm(study.id).element,
      new AnswersForm(study.id, onChange).element,
      this.copy(),
      this.end(),
    );
    this.box.classList.add("wide", "capscope", "life");
  }

  steps() {
    const { course, items } = this.study;
    const pilot = number("pilot-items", Math.min(PILOT_ITEMS, items), { min: 1, max: items });
    const step = (/** @type {State} */ state) =>
      button(
        course.state === "paused" && state === "running" ? "Go on with the study" : STEPS[state],
        () => this.step(state, pilot),
        state === "running" ? "primary" : "",
      );
    return el(
      "section",
      {},
      actions(course.next.map(step)),
      course.next.includes("pilot") && field("Items of the pilot", pilot),
      this.conflicts,
    );
  }

  /** What is stored now of how the study goes. */
  async course() {
    const studies = await get("/api/studies");
    const found = studies.find(({ id }) => id === this.study.id);
    if (!found) throw new Error("This study has been deleted.");
    return found.course;
  }

  /** @param {State} state @param {HTMLInputElement} pilot */
  step(state, pilot) {
    const { course } = this.study;
    let there = course.state;
    /** @type {Conflict<{state: State}>} */
    const conflict = new Conflict({
      names: { state: "State" },
      mine: () => ({ state }),
      show: () => this.done(),
      load: async () => {
        const found = await this.course();
        there = found.state;
        return { values: { state: there }, stamp: found.stamp };
      },
      send: async (mine, stamp) => {
        const items = state === "pilot" ? Number(pilot.value) : null;
        // the study may have taken this step already, by a request whose answer was lost
        if (there !== state) await post(`/api/studies/${this.study.id}/state`, { ...mine, pilot_items: items, stamp });
        this.done();
        return { values: mine, stamp };
      },
    });
    conflict.open({ state: course.state }, course.stamp);
    this.conflicts.replaceChildren(conflict.element);
    return this.tell(conflict.save());
  }

  settings() {
    const { course, raters_per_item: shared } = this.study;
    const deadline = el("input", { id: "deadline", type: "datetime-local", value: localTime(course.deadline) });
    const quota = number("items-per-rater", course.items_per_rater, { min: 1, max: this.study.items });
    const hold = number("hold-hours", course.hold_hours, { min: 0.1, max: 8760, step: "any" });
    /** @type {Conflict<Settings>} */
    const conflict = new Conflict({
      names: { deadline: "Deadline", items_per_rater: "Items each rater gets", hold_hours: "Hours of inactivity" },
      mine: () => ({
        deadline: deadline.value ? new Date(deadline.value).toISOString() : null,
        items_per_rater: quota.value ? Number(quota.value) : null,
        hold_hours: Number(hold.value),
      }),
      show: (theirs) => {
        deadline.value = localTime(theirs.deadline);
        quota.value = String(theirs.items_per_rater ?? "");
        hold.value = String(theirs.hold_hours);
      },
      load: async () => {
        const found = await this.course();
        return { values: settingsOf(found), stamp: found.stamp };
      },
      send: async (mine, stamp) => {
        await request("PUT", `/api/studies/${this.study.id}/course`, { ...mine, stamp });
        this.done();
        return { values: mine, stamp };
      },
      words: (value, name) => name === "deadline" ? new Date(String(value)).toLocaleString() : String(value),
    });
    conflict.open(settingsOf(course), course.stamp);
    const save = (/** @type {Event} */ event) => {
      event.preventDefault();
      return this.tell(conflict.save());
    };
    return el(
      "form",
      { submit: save },
      el("h3", {}, "How it goes on"),
      field("Deadline, in your time zone (leave empty for none)", deadline),
      shared
        ? [
          field(
            course.controls_included
              ? "Items each rater gets, practice, gold and repeats included (empty: no limit)"
              : "Items each rater gets; practice, gold and repeats come on top (empty: no limit)",
            quota,
          ),
          field("Hours of inactivity before a rater’s unfinished items go to others", hold),
        ]
        : quiet("Every rater rates every item here, so no item waits for anybody."),
      conflict.element,
      paragraph(submitButton("Save")),
    );
  }

  /** Give back what those have left open of whom the panel says that they returned it or ran out of time. */
  release() {
    const codes = el("textarea", { id: "release-codes", rows: 2, spellcheck: "false", required: true });
    const why = picker({ id: "release-why" }, RELEASES);
    const send = (/** @type {Event} */ event) => {
      event.preventDefault();
      const whose = codes.value.split(/[\s,;]+/).filter(Boolean);
      const reason = /** @type {"returned" | "timed_out" | "by_hand"} */ (why.value);
      return this.send(post(`/api/studies/${this.study.id}/raters/release`, { codes: whose, why: reason }));
    };
    return el(
      "form",
      { submit: send },
      el("h3", {}, "Open items"),
      field("Codes, or what the panel calls people, one a line", codes),
      field("Why", why),
      paragraph(submitButton("Give their open items to others")),
    );
  }

  copy() {
    const name = el("input", { id: "copy-name", maxlength: 80, value: `${this.study.name} 2` });
    const make = (/** @type {Event} */ event) => {
      event.preventDefault();
      return this.send(post(`/api/studies/${this.study.id}/copies`, { name: name.value }));
    };
    return el(
      "form",
      { submit: make },
      el("h3", {}, "Duplicate"),
      quiet("A draft with the same items, gold, training and settings, without raters and links."),
      field("Name of the copy", name),
      paragraph(submitButton("Duplicate")),
    );
  }

  end() {
    const { id, name, raters } = this.study;
    const done = raters.reduce((sum, rater) => sum + rater.done, 0);
    return el(
      "details",
      { class: "manages" },
      el("summary", {}, "Delete"),
      typedConfirmation(
        {
          id: "typed-name",
          label: `Type “${name}” to delete it`,
          matches: (typed) => typed === name,
          words: "Delete for good",
          submit: (typed) => this.send(post(`/api/studies/${id}/delete`, { name: typed })),
        },
        paragraph(
          `This takes away the study, its links and ${done} finished ${
            done === 1 ? "item" : "items"
          } of ${raters.length} ${
            raters.length === 1 ? "rater" : "raters"
          }. Nothing brings them back but a backup; archiving keeps them.`,
        ),
      ),
    );
  }

  done() {
    this.box.close();
    this.onChange();
  }

  /** @param {Promise<unknown>} answer */
  send(answer) {
    return this.tell(answer.then(() => this.done()));
  }

  /** Say what goes wrong, if anything does. @param {Promise<unknown>} work */
  async tell(work) {
    try {
      await work;
    } catch (error) {
      say(this.problem, wordsOf(error));
      this.problem.scrollIntoView({ block: "nearest" });
    }
  }
}

/** @param {string} id @param {number | null} value @param {Record<string, unknown>} more */
function number(id, value, more) {
  return el("input", { id, type: "number", value: value ?? "", ...more });
}

/** @param {Study["course"]} course @returns {Settings} */
function settingsOf({ deadline, items_per_rater, hold_hours }) {
  return { deadline: deadline && new Date(deadline).toISOString(), items_per_rater, hold_hours };
}

/** A time as a field of the form takes it, in the reader's own zone. @param {string | null} utc */
function localTime(utc) {
  if (!utc) return "";
  const time = new Date(utc);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
