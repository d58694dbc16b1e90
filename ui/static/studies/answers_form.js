// Answers that a rater's browser saved as a file: what would be stored of it, and storing it.

import { post, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"POST", `/api/studies/${number}/answers`>} TakenIn */

const LARGEST = 20_000_000; // bytes

export class AnswersForm {
  /** @param {number} study @param {() => void} onChange is called once answers were stored */
  constructor(study, onChange) {
    this.study = study;
    this.onChange = onChange;
    this.file = el("input", {
      id: "answers-file",
      type: "file",
      accept: ".json,application/json",
      change: () => this.preview(this.file.files[0]),
    });
    this.found = el("div", { role: "status" });
    this.element = el(
      "details",
      {},
      el("summary", {}, "Import answers from a rater"),
      el(
        "p",
        { class: "quiet" },
        "A rater whose answers this server lacks can save them as a file (answers-of-CODE.json), for example after a backup " +
          "was restored. Importing replaces no answer, and a second time changes nothing.",
      ),
      field("The rater's file", this.file),
      this.found,
    );
  }

  /** Say what would be stored. @param {File | undefined} file */
  async preview(file) {
    this.found.replaceChildren();
    if (!file) return;
    if (file.size > LARGEST) return say(this.found, "A file of answers has at most 20 MB.");
    say(this.found, "Reading the file …");
    try {
      const body = { name: file.name, text: await file.text() };
      const found = await post(`/api/studies/${this.study}/answers/preview`, body);
      if (this.file.files[0] === file) this.ask(found, body);
    } catch (error) {
      if (this.file.files[0] === file) say(this.found, wordsOf(error));
    }
  }

  /** @param {TakenIn} found @param {{name: string, text: string}} body */
  ask(found, body) {
    const { rater, stored, is_new_rater: isNew } = found;
    const makes = el("input", { id: "answers-new-rater", type: "checkbox", required: true });
    const button = el("button", {}, `Store ${counted(stored, "answer")}`);
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      button.disabled = true;
      try {
        const done = await post(`/api/studies/${this.study}/answers`, { ...body, new_rater: isNew && makes.checked });
        this.file.value = "";
        this.found.replaceChildren(...lines(done, true));
        if (done.stored) this.onChange();
      } catch (error) {
        button.disabled = false;
        say(problem, wordsOf(error));
      }
    };
    const problem = el("p", { role: "alert", class: "problem" });
    this.found.replaceChildren(
      ...lines(found, false),
      stored > 0
        ? el(
          "form",
          { submit },
          isNew && el(
            "p",
            {},
            el("label", {}, makes, ` There is no rater ${rater} here. Make the rater ${rater}.`),
          ),
          problem,
          el("p", {}, button),
        )
        : el("p", {}, "There is nothing to store."),
    );
  }
}

/** What becomes of a file's answers, in words. @param {TakenIn} found @param {boolean} isDone @returns {HTMLElement[]} */
export function lines({ rater, stored, items, known, refused }, isDone) {
  const ofItems = stored ? ` about ${counted(items, "item")}` : "";
  const what = isDone ? `Stored ${counted(stored, "answer")}` : `To store: ${counted(stored, "answer")}`;
  return [
    el("p", {}, `Rater ${rater}. ${what}${ofItems}.`),
    known > 0 && el("p", {}, `Already here: ${counted(known, "answer")}.`),
    ...refused.map(({ reason, answers }) => el("p", {}, `Refused: ${counted(answers, "answer")}. ${reason}`)),
  ].filter(Boolean);
}

/** @param {number} number @param {string} what */
function counted(number, what) {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
