// Pages before the first item and after the last: consent and questions.

import { get, post, Refused, Unreachable, wordsOf } from "../shared/api.js";
import { dialog, el, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, submitButton } from "../shared/elements.js";
import { patiently } from "../shared/waiting.js";
import { heading } from "./endings.js";
import { termsOf } from "./welcome.js";

/** @import { Child, Study } from "../shared/types.d.ts" */
/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"GET", `/api/rate/studies/${number}/visit`>} Visit */
/** @typedef {(next: Visit, notice?: string) => void} GoOn is called with the next stage of the rater's visit, and
 * with a notice to show above the page of this stage */

/** @typedef {(work: () => Promise<Visit>) => Promise<void>} Send sends a rater's answer and goes to the next stage */

/** Build the page that asks for consent, or the page with questions, according to the stage of a rater's visit.
 * @param {Study} study @param {Visit} visit @param {GoOn} goOn @param {string} [notice] text above the page
 * @returns {Child[]} */
export function visitPage(study, visit, goOn, notice = "") {
  const problem = alertText();
  /** @type {Send} */
  const send = async (work) => {
    const next = await tried(problem, work);
    if (next) return goOn(next);
    // The stage has changed, or the answer was sent twice: go to the stage that the server states.
    const words = problem.textContent;
    const now = await tried(problem, () => get(`/api/rate/studies/${study.id}/visit`));
    if (now && JSON.stringify(now) !== JSON.stringify(visit)) goOn(now, words);
  };
  const title = visit.stage === "consent"
    ? "Before you start"
    : visit.stage === "before"
    ? "A few questions first"
    : "One last thing";
  return [
    heading(title),
    notice && el("p", { class: "notice-line", role: "alert" }, notice),
    visit.stage === "consent"
      ? consentForm(study, visit.consent, problem, send, goOn)
      : questionsForm(study.id, visit, problem, send),
  ];
}

/** Ask for confirmation before a rater leaves the study permanently.
 * hasBegun: whether the rater has agreed to take part, and so may have given answers.
 * @param {number} study @param {GoOn} goOn */
export function askToGiveUp(study, goOn, hasBegun = true) {
  const problem = alertText();
  const leave = async () => {
    const next = await tried(problem, () => post(`/api/rate/studies/${study}/visit/leaving`, { yes: true }));
    if (!next) return;
    box.close();
    goOn(next);
  };
  const kept = hasBegun ? "Your answers are kept. Other raters get the items that you have not finished. " : "";
  const box = dialog(
    hasBegun ? "Leave this study?" : "Not take part?",
    paragraph(`${kept}You get no completion code, and you cannot come back to this study.`),
    problem,
    paragraph(button(hasBegun ? "Leave the study" : "Do not take part", leave)),
  );
}

/** @param {Study} study @param {string} consent @param {HTMLElement} problem @param {Send} send @param {GoOn} goOn */
function consentForm(study, consent, problem, send, goOn) {
  const agree = () => send(() => post(`/api/rate/studies/${study.id}/visit/consent`, { yes: true, consent }));
  return [
    consent.split(/\n\s*\n/).map((paragraph) => el("p", { class: "consent" }, paragraph)),
    el("ul", { class: "consent-facts" }, el("li", {}, termsOf(study))),
    problem,
    actions(
      button("I agree and take part", agree, "primary"),
      button("I do not take part", () => askToGiveUp(study.id, goOn, false)),
    ),
  ];
}

/** @param {number} study @param {Visit} visit @param {HTMLElement} problem @param {Send} send */
function questionsForm(study, { stage, questions, stamp }, problem, send) {
  const controls = questions.map(control);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const answers = controls.map(({ value }) => value());
    await send(() => post(`/api/rate/studies/${study}/visit/answers`, { answers, stamp }));
  };
  return el(
    "form",
    { class: "entry-questions", submit },
    controls.map(({ element }) => element),
    problem,
    paragraph(submitButton(stage === "before" ? "Continue" : "Finish", "primary")),
  );
}

/** Build the form field of a question. value() returns the rater's answer.
 * @param {Visit["questions"][number]} question @param {number} index
 * @returns {{element: HTMLElement, value: () => string}} */
function control({ text, kind, choices, lowest, highest, required }, index) {
  const id = `question-${index}`;
  const words = required ? text : `${text} (you may leave it open)`;
  if (kind === "choice") {
    const radios = choices.map((choice) => el("input", { type: "radio", name: id, value: choice, required }));
    const element = el(
      "fieldset",
      { class: "choices" },
      el("legend", {}, words),
      radios.map((radio, at) => el("label", { class: "choice" }, radio, el("span", {}, choices[at]))),
    );
    return { element, value: () => radios.find(({ checked }) => checked)?.value ?? "" };
  }
  const input = kind === "number"
    ? el("input", { id, type: "number", min: lowest, max: highest, step: 1, required })
    : el("textarea", { id, rows: 2, maxlength: 4000, required });
  return {
    element: el("p", { class: "field" }, el("label", { for: id }, words), input),
    value: () => input.value,
  };
}

/** Send a request and wait while the server is busy. Return its result, or undefined if the server refuses.
 * @template Result @param {HTMLElement} problem @param {() => Promise<Result>} work
 * @returns {Promise<Result | undefined>} */
async function tried(problem, work) {
  try {
    return await patiently(problem, work);
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    say(problem, wordsOf(error));
    return undefined;
  }
}
