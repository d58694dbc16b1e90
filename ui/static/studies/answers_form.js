// Import a file of answers that a rater's browser saved: first show what would be stored, then store it.

import { post, wordsOf } from "../shared/api.js";
import { el, field, present, say } from "../shared/dom.js";
import { alertText, paragraph, quiet, submitButton } from "../shared/elements.js";
import { parts, sendParts } from "./answer_parts.js";

/** @import { Part, TakenIn } from "./answer_parts.js" */

const LARGEST = 20_000_000; // bytes

export class AnswersForm {
  /** @param {number} study @param {() => void} onChange is called after answers were stored */
  constructor(study, onChange) {
    this.study = study;
    this.onChange = onChange;
    this.file = el("input", {
      id: "answers-file",
      type: "file",
      accept: ".json,application/json",
      change: () => this.preview(this.chosen()),
    });
    this.found = el("div", { role: "status" });
    this.element = el(
      "details",
      {},
      el("summary", {}, "Import answers from a rater"),
      quiet(
        "A rater may have answers that this server does not have, for example after a backup was restored. The rater can save them as a file (answers-of-CODE.json). " +
          "An import never replaces an answer. Importing a file twice changes nothing.",
      ),
      field("The rater's file", this.file),
      this.found,
    );
  }

  chosen() {
    return this.file.files?.[0];
  }

  /** Show which answers of a file would be stored. @param {File | undefined} file */
  async preview(file) {
    this.found.replaceChildren();
    if (!file) return;
    if (file.size > LARGEST) return say(this.found, "A file of answers may have at most 20 MB.");
    say(this.found, "Reading the file …");
    try {
      const all = parts(await file.text());
      const send = (/** @type {string} */ text) =>
        post(`/api/studies/${this.study}/answers/preview`, { name: file.name, text });
      const found = await sendParts(all, send, (done, of) => {
        if (done) say(this.found, `Reading the file: ${far(done, of)} …`);
        return this.chosen() === file && this.found.isConnected;
      });
      if (found && this.chosen() === file) this.ask(found, file.name, all);
    } catch (error) {
      if (this.chosen() === file) say(this.found, wordsOf(error));
    }
  }

  /** Ask for confirmation before a file's answers are stored.
   * @param {TakenIn} found @param {string} name name of the file @param {Part[]} all parts of the file */
  ask(found, name, all) {
    const { rater, stored, is_new_rater: isNew } = found;
    const makes = el("input", { id: "answers-new-rater", type: "checkbox", required: true });
    const button = submitButton(`Store ${counted(stored, "answer")}`);
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      button.disabled = this.file.disabled = true;
      say(problem, "");
      let until = "";
      try {
        const new_rater = isNew && makes.checked;
        const send = (/** @type {string} */ text) =>
          post(`/api/studies/${this.study}/answers`, { name, text, new_rater });
        const done = await sendParts(all, send, (done, of) => {
          if (done) say(progress, `Storing: ${until = far(done, of)} …`);
          return true;
        });
        this.file.value = "";
        this.found.replaceChildren(...(done ? lines(done, true) : []));
        if (done?.stored) this.onChange();
      } catch (error) {
        button.disabled = false;
        const goOn = ` Imported so far: ${until}. Press the button again to continue.`;
        say(problem, `${wordsOf(error)}${until && goOn}`);
        say(progress, "");
      }
      this.file.disabled = false;
    };
    const progress = paragraph();
    const problem = alertText();
    this.found.replaceChildren(
      ...lines(found, false),
      stored > 0
        ? el(
          "form",
          { submit },
          isNew && paragraph(el("label", {}, makes, ` There is no rater ${rater} here. Create the rater ${rater}.`)),
          progress,
          problem,
          paragraph(button),
        )
        : paragraph("The file contains no new answers."),
    );
  }
}

/** Describe how many answers of a file are stored, already on the server, or refused.
 * @param {TakenIn} found @param {boolean} isDone
 * @returns {HTMLElement[]} */
export function lines({ rater, stored, items, known, refused }, isDone) {
  const ofItems = stored ? ` about ${counted(items, "item")}` : "";
  const what = isDone ? `Stored ${counted(stored, "answer")}` : `To store: ${counted(stored, "answer")}`;
  return present(
    paragraph(`Rater ${rater}. ${what}${ofItems}.`),
    known > 0 && paragraph(`Already on this server: ${counted(known, "answer")}.`),
    ...Object.entries(refused).map(([reason, answers]) =>
      paragraph(`Refused: ${counted(answers, "answer")}. ${reason}`)
    ),
  );
}

/** Describe how much of a large file was sent. @param {number} done @param {number} of number of answers */
function far(done, of) {
  return `${done.toLocaleString("en")} of ${of.toLocaleString("en")} answers`;
}

/** @param {number} number @param {string} what */
function counted(number, what) {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
