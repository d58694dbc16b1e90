// Pages before the first item and after the last: consent, questions, and the way back to the recruitment platform.

import { get, post, Refused, Unreachable, wordsOf } from "../shared/api.js";
import { copyFor, dialog, el, present, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, submitButton } from "../shared/elements.js";
import { patiently } from "../shared/waiting.js";
import { termsOf } from "./terms.js";

/** @import { Study } from "../shared/types.d.ts" */
/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"GET", `/api/rate/studies/${number}/visit`>} Visit */
/** @typedef {Visit["questions"][number]} Question */
/** @typedef {(next: Visit, notice?: string) => void} GoOn is called with the next stage of the rater's visit, and
 * with a notice to show above the page of this stage */

/** @type {Partial<Record<Visit["stage"], {title: string, text: string}>>} */
const GONE = {
  screened_out: {
    title: "Thank you, this study is for others",
    text: "Your answers mean you cannot take part in this study. You have nothing left to do.",
  },
  declined: {
    title: "You do not take part",
    text: "You have not answered anything in this study. You can close this page.",
  },
  returned: {
    title: "You have left this study",
    text: "Your answers are kept. Other raters get the items that you had not finished. You can close this page.",
  },
  full: {
    title: "This study is full",
    text: "Other raters have taken all of its items. You have nothing left to do.",
  },
};

/** Return whether a rater must answer or read something before rating the items.
 * @param {Visit} visit */
export function standsBefore({ stage, end }) {
  return ["consent", "before", "screened_out", "failed_gold", "declined", "returned"].includes(
    stage,
  ) ||
    (stage === "full" && end !== null);
}

/** Build the page for the current stage of a rater's visit. The first element is the heading.
 * @param {Study} rated @param {Visit} visit @param {GoOn} goOn @param {string} [notice] text above the page
 * @returns {HTMLElement[]} */
export function visitPage(rated, visit, goOn, notice = "") {
  const study = rated.id;
  const noticeLine = notice && el("p", { class: "notice-line", role: "alert" }, notice);
  if (visit.stage === "consent") return withNotice(consentPage(rated, visit, goOn), noticeLine);
  if (visit.stage === "before" || visit.stage === "after") {
    return withNotice(questionsPage(study, visit, goOn), noticeLine);
  }
  const { title = "Nothing to do now", text = "" } = GONE[visit.stage] ?? {};
  const advice = ["declined", "returned"].includes(visit.stage) && visit.end && returnAdvice(visit.end.panel);
  return present(heading(title), paragraph(text && text), advice, visit.end && wayBack(visit.end));
}

/** Put a notice below a page's heading.
 * @param {HTMLElement[]} page elements of the page, the heading first @param {HTMLElement | ""} notice */
function withNotice([heading, ...rest], notice) {
  return notice ? [heading, notice, ...rest] : [heading, ...rest];
}

/** Build an element with the completion code and the link back to the recruitment platform. It is empty if there is
 * neither.
 * @param {NonNullable<Visit["end"]>} end */
export function wayBack({ panel, code, address }) {
  const copy = button("Copy", () => copyFor(copy, code, "Copied", "Copy it by hand"), "small");
  return el(
    "div",
    { class: "way-back" },
    code && paragraph("Your completion code:", " ", el("strong", { class: "return-key" }, code), " ", copy),
    address &&
      paragraph(
        el(
          "a",
          { href: address, class: "primary", rel: "noreferrer" },
          `Go back to ${panel}`,
        ),
      ),
    code && !address && paragraph(`Enter this code at ${panel}.`),
  );
}

/** Build an element that leads a rater back to the platform, for a study that was closed before the last item.
 * It contains the completion code, the link or both. If there is neither, it advises the rater to return the study at
 * the platform.
 * @param {NonNullable<Visit["end"]>} end */
export function wayBackWhenClosed(end) {
  return end.code || end.address ? wayBack(end) : returnAdvice(end.panel);
}

/** @param {string} platform */
function returnAdvice(platform) {
  return paragraph(`Return the study at ${platform} as well, so that your place there is free again.`);
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
  const [title, words, yes] = hasBegun
    ? [
      "Leave this study?",
      "Your answers are kept. Other raters get the items that you have not finished. You get no completion code, and you cannot come back to this study.",
      "Leave the study",
    ]
    : [
      "Not take part?",
      "You cannot come back to this study. You get no completion code.",
      "Do not take part",
    ];
  const box = dialog(title, paragraph(words), problem, paragraph(button(yes, leave)));
}

/** Build the page that asks a rater for consent.
 * @param {Study} rated @param {Visit} visit @param {GoOn} goOn */
function consentPage(rated, visit, goOn) {
  const { consent } = visit, study = rated.id;
  const problem = alertText();
  const agree = () =>
    sent(problem, study, visit, goOn, () => post(`/api/rate/studies/${study}/visit/consent`, { yes: true, consent }));
  return [
    heading("Before you start"),
    ...consent.split(/\n\s*\n/).map((paragraph) => el("p", { class: "consent" }, paragraph)),
    el("ul", { class: "consent-facts" }, termsOf(rated).map((text) => el("li", {}, text))),
    problem,
    actions(
      button("I agree and take part", agree, "primary"),
      button("I do not take part", () => askToGiveUp(study, goOn, false)),
    ),
  ];
}

/** Build the page with questions about the rater, before or after the items.
 * @param {number} study @param {Visit} visit @param {GoOn} goOn */
function questionsPage(study, visit, goOn) {
  const { stage, questions, stamp } = visit;
  const problem = alertText();
  const controls = questions.map(control);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const answers = controls.map(({ value }) => value());
    await sent(problem, study, visit, goOn, () => post(`/api/rate/studies/${study}/visit/answers`, { answers, stamp }));
  };
  return [
    heading(stage === "before" ? "A few questions first" : "One last thing"),
    el(
      "form",
      { class: "entry-questions", submit },
      controls.map(({ element }) => element),
      problem,
      paragraph(submitButton(stage === "before" ? "Continue" : "Finish", "primary")),
    ),
  ];
}

/** Build the form field of a question. value() returns the rater's answer.
 * @param {Question} question @param {number} index @returns {{element: HTMLElement, value: () => string}} */
function control({ text, kind, choices, lowest, highest, required, whole }, index) {
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
    ? el("input", { id, type: "number", min: lowest, max: highest, step: whole ? 1 : "any", required })
    : el("textarea", { id, rows: 2, maxlength: 4000, required });
  return {
    element: el("p", { class: "field" }, el("label", { for: id }, words), input),
    value: () => input.value,
  };
}

/** Send a rater's answer and go to the next stage of the visit.
 * If the server refuses, because the stage has changed or the answer was sent twice, go to the stage that the server
 * states.
 * @param {HTMLElement} problem @param {number} study @param {Visit} visit @param {GoOn} goOn
 * @param {() => Promise<Visit>} work sends the answer */
async function sent(problem, study, visit, goOn, work) {
  const next = await tried(problem, work);
  if (next) return goOn(next);
  const words = problem.textContent;
  const now = await tried(problem, () => get(`/api/rate/studies/${study}/visit`));
  if (now && JSON.stringify(now) !== JSON.stringify(visit)) goOn(now, words);
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

/** @param {string} text */
function heading(text) {
  return el("h1", { tabindex: "-1" }, text);
}
