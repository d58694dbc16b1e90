// The comprehension check: questions about the task before the first item, with two attempts.

import { post } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { actions, alertText, button, paragraph, submitButton } from "../shared/elements.js";
import { sentences } from "../shared/text.js";

/** @import { Visit } from "./visit.js" */
/** @typedef {NonNullable<Visit["check"]>} Check */
/** @typedef {Check["questions"][number]} Question */

/** Build the page of the comprehension check. The page's first element is its heading.
 * Choices that were right in the previous attempt stay selected.
 * @param {number} study @param {Check} check
 * @param {(problem: HTMLElement, work: () => Promise<Visit>) => Promise<void>} send sends an attempt, then goes on
 * @param {(() => void) | null} read opens the instructions */
export function checkPage(study, { attempt, attempts, questions }, send, read) {
  const problem = alertText();
  const controls = questions.map(control);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const answers = controls.map(({ value }) => value());
    return send(problem, () => post(`/api/rate/studies/${study}/visit/check`, { attempt, answers }));
  };
  const isAgain = questions.some(({ given }) => given);
  const wrong = questions.filter(({ why }) => why).length;
  return [
    el("h1", { tabindex: "-1" }, isAgain ? "Please read this and answer again" : "Did we explain it well?"),
    isAgain
      ? el(
        "p",
        { class: "notice-line", role: "alert" },
        wrong === 1
          ? `One answer was wrong. The reason is below the question. This is attempt ${attempt} of ${attempts}.`
          : `${wrong} answers were wrong. The reason is below the question. This is attempt ${attempt} of ${attempts}.`,
      )
      : paragraph(
        sentences(
          questions.length === 1
            ? "Answer this question about the task."
            : `Answer these ${questions.length} questions about the task.`,
          attempts === 1
            ? "You have 1 attempt. If an answer is wrong, you read why and answer again."
            : `You have ${attempts} attempts. If an answer is wrong, you read why and answer again.`,
        ),
      ),
    el(
      "form",
      { class: "entry-questions", submit },
      controls.map(({ element }) => element),
      problem,
      actions(submitButton("Check my answers", "primary"), read && button("Read the instructions again", read)),
    ),
  ];
}

/** Build the choices of a question. value() returns the selected choice.
 * @param {Question} question @param {number} index @returns {{element: HTMLElement, value: () => string}} */
function control({ question, choices, given, why }, index) {
  const name = `check-${index}`;
  const radios = choices.map((choice) =>
    el("input", { type: "radio", name, value: choice, required: true, checked: !why && choice === given })
  );
  const element = el(
    "fieldset",
    { class: "choices", ...(why && { "aria-describedby": `${name}-why` }) },
    el("legend", {}, `${index + 1}. ${question}`),
    radios.map((radio, at) => el("label", { class: "choice" }, radio, el("span", {}, choices[at]))),
    why &&
      el(
        "p",
        { id: `${name}-why`, class: "check-why" },
        `✗ ${sentences(`You chose “${given}”.`, why)}`,
      ),
  );
  return { element, value: () => radios.find(({ checked }) => checked)?.value ?? "" };
}
