// The dialog "Manage": it shows a study's state, changes its state and settings, copies the study and deletes it.

import { get, post, wordsOf } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, picker, quiet, submitButton } from "../shared/elements.js";
import { numberInput } from "./choices.js";
import { askToClose, atWork } from "./closing.js";
import { Conflict } from "./conflict.js";
import { EntryForm } from "./entry_form.js";
import { settingsForm } from "./settings_form.js";
import { typedConfirmation } from "./typed_confirmation.js";

/** @import { Study } from "./page.js" */
/** @typedef {Study["course"]["state"]} State */

/** @type {Record<State, string>} maps each state of a study to the label of the button that leads to the state */
const STEPS = {
  draft: "Back to draft",
  pilot: "Start a pilot",
  running: "Start the study",
  paused: "Pause the study",
  closed: "Close the study",
  archived: "Archive the study",
};
/** @type {Record<State, string>} maps each state of a study to a text that says what the state means */
const MEANINGS = {
  draft: "Raters get no items yet.",
  pilot: "A trial run. Raters get only the first items, and reports exclude their ratings.",
  running: "Raters get items.",
  paused: "Raters get no items. Their answers are kept, and late answers are still stored.",
  closed: "Raters get no more items. Late answers are still stored.",
  archived: "Closed, and listed below the other studies.",
};
const PILOT_ITEMS = 5;
/** @type {[string, string][]} */
const RELEASES = [["returned", "they returned it"], ["timed_out", "their time ran out"], ["by_hand", "another reason"]];

/** Return the state of a study in a few words, for its card.
 * @param {Study} study */
export function stateText({ course }) {
  if (course.over) return "closed (deadline passed)";
  const state = course.state === "pilot" ? `pilot, ${course.pilot_items} items` : course.state;
  return course.new_raters || course.state === "closed" || course.state === "archived"
    ? state
    : `${state}, no new raters`;
}

/** Open the dialog "Manage" of a study.
 * @param {Study} study @param {() => void} onChange
 * @param {() => void} onEntry is called after the consent text or the questions were changed */
export function showLife(study, onChange, onEntry) {
  new LifeDialog(study, onChange, onEntry);
}

class LifeDialog {
  /** @param {Study} study @param {() => void} onChange @param {() => void} onEntry */
  constructor(study, onChange, onEntry) {
    this.study = study;
    this.onChange = onChange;
    this.problem = alertText();
    this.conflicts = el("div", {}); // place for the message that two people have changed the study's state
    const { course } = study;
    this.box = dialog(
      `Manage ${study.name}`,
      this.problem,
      paragraph(el("strong", {}, stateText(study)), `: ${MEANINGS[course.state]}`),
      this.steps(),
      settingsForm(study, {
        stored: () => this.course(),
        done: () => this.done(),
        tell: (work) => this.tell(work),
      }),
      study.raters_per_item !== null && study.raters.length > 0 && this.release(),
      new EntryForm(study.id, onEntry).element,
      this.copy(),
      this.end(),
    );
    this.box.classList.add("wide", "capscope", "life");
  }

  steps() {
    const { course, items } = this.study;
    const pilot = numberInput("pilot-items", Math.min(PILOT_ITEMS, items), { min: 1, max: items });
    const step = (/** @type {State} */ state) =>
      button(
        course.state === "paused" && state === "running" ? "Resume the study" : STEPS[state],
        () => state === "closed" ? this.close(pilot) : this.step(state, pilot),
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

  /** Fetch the stored state and settings of the study. */
  async course() {
    return (await this.stored()).course;
  }

  async stored() {
    const studies = await get("/api/studies");
    const found = studies.find(({ id }) => id === this.study.id);
    if (!found) throw new Error("This study has been deleted.");
    return found;
  }

  /** Close the study. If raters have unfinished items, first ask whether they may finish.
   * @param {HTMLInputElement} pilot field for the number of items in a pilot */
  async close(pilot) {
    await this.tell(
      this.stored().then((study) => {
        const working = atWork(study);
        if (working && study.course.state !== "closed") {
          askToClose(study, working, () => this.step("closed", pilot), () => this.done());
        } else this.step("closed", pilot);
      }),
    );
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
        // no request if an earlier one, whose response was lost, has already made this change
        if (there !== state) await post(`/api/studies/${this.study.id}/state`, { ...mine, pilot_items: items, stamp });
        this.done();
        return { values: mine, stamp };
      },
    });
    conflict.open({ state: course.state }, course.stamp);
    this.conflicts.replaceChildren(conflict.element);
    return this.tell(conflict.save());
  }

  /** Build the form that releases open items of raters who returned or timed out at the recruitment platform. */
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
      field("Codes or participant ids, one per line", codes),
      field("Why", why),
      quiet("“they returned it” ends their part: they get no more items in this study."),
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
      quiet("A draft with the same items, gold items, practice items and settings, but without raters and links."),
      field("Name of the copy", name),
      paragraph(submitButton("Duplicate")),
    );
  }

  end() {
    const { id, name, raters } = this.study;
    const done = raters.reduce((sum, rater) => sum + rater.done, 0);
    return el(
      "details",
      {},
      el("summary", {}, "Delete"),
      typedConfirmation(
        {
          id: "typed-name",
          label: `Type “${name}” to confirm`,
          matches: (typed) => typed === name,
          words: "Delete permanently",
          submit: (typed) => this.send(post(`/api/studies/${id}/delete`, { name: typed })),
        },
        paragraph(
          `This deletes the study, its links and ${done} finished ${
            done === 1 ? "item" : "items"
          } of ${raters.length} ${
            raters.length === 1 ? "rater" : "raters"
          }. Only a backup can restore the data. To keep the data, archive the study instead.`,
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

  /** Wait for some work, and show its error if it fails. @param {Promise<unknown>} work */
  async tell(work) {
    try {
      await work;
    } catch (error) {
      say(this.problem, wordsOf(error));
      this.problem.scrollIntoView({ block: "nearest" });
    }
  }
}
