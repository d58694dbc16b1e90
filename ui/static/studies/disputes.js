// Disputed questions and sentences, one after another. A question is disputed if raters' answers differ by two points
// or more. A sentence is disputed if raters' verdicts on it differ. The page shows the answers without names, and asks
// for a decision.

import { get, post, wordsOf } from "../shared/api.js";
import { all, dialog, el, explanation, field, gauge, say } from "../shared/dom.js";
import { actions, alertText, button, orSay, paragraph, quiet, submitButton } from "../shared/elements.js";
import { sentenceChoices, sentenceDecision, sentenceHead } from "./sentence_dispute.js";

/** @import { Answer, Body } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/disputes`>} Disputes */
/** @typedef {Disputes["disputes"][number]} Dispute */
/** @typedef {Disputes["criteria"][string]} Criterion */
/** @import { SentenceDispute } from "./sentence_dispute.js" */
/** @typedef {Body<"POST", `/api/studies/${number}/disputes/${number}/${number}`>["reason"]} Reason */

const REASONS = {
  ambiguous: "the item can be understood in several ways",
  guideline: "the guidelines do not cover this case",
  careless: "a rater did not read or look carefully",
  subjective: "it is a matter of taste",
};

/** @param {Study} study */
export async function showDisputes(study) {
  const body = el("div", { class: "dispute" });
  const problem = alertText();
  const box = dialog(`Disputed answers in ${study.name}`, problem, body);
  box.classList.add("wide", "capscope");
  await orSay(problem, get(`/api/studies/${study.id}/disputes`).then((found) => show(found, 0)));

  /** @param {Disputes} found @param {number} at */
  function show(found, at) {
    say(problem, "");
    const disputes = inOrder(found);
    const decided = disputes.filter(({ decision }) => decision).length;
    if (!disputes.length) {
      const words =
        "No disputes yet. A dispute is a question with answers that differ by two points or more, or a sentence with different verdicts.";
      return body.replaceChildren(paragraph(words));
    }
    const step = (/** @type {string} */ name, /** @type {number} */ to) =>
      button(name, () => show(found, to), "", { disabled: !(to in disputes) });
    const one = disputes[at];
    body.replaceChildren(
      actions(
        step("Previous", at - 1),
        step("Next", at + 1),
        el("span", { class: "quiet", role: "status" }, `${at + 1} of ${disputes.length}; ${decided} decided`),
      ),
      ...itemOf(one),
      form(found, one),
    );
    body.querySelector("h3")?.focus();
    box.scrollTop = 0; // scroll to the top, where the item stands above the question
  }

  /** @param {Dispute | SentenceDispute} one @returns {Node[]} */
  function itemOf(one) {
    return [
      el(
        "div",
        { class: "preview-item" },
        one.image !== null
          ? el("img", { src: `/api/images/${one.image}/small`, alt: "Picture of the item" })
          : quiet("Its picture is missing."),
        el(
          "div",
          {},
          el("p", { class: "caption", dir: "auto" }, `“${one.caption}”`),
          one.value !== null && gauge(one.value, one.scale),
          explanation(one.rationales),
        ),
      ),
    ];
  }

  /** @param {Disputes} found @param {Dispute | SentenceDispute} one */
  function form(found, one) {
    const reason = el(
      "select",
      { id: "dispute-reason", required: true },
      el("option", { value: "" }, "choose …"),
      Object.entries(REASONS).map(([key, text]) =>
        el("option", { value: key, selected: one.decision?.reason === key }, text)
      ),
    );
    const words = el("textarea", { id: "dispute-words", rows: 2, maxlength: 2000 }, one.decision?.words ?? "");
    return el(
      "form",
      { submit: (event) => decide(event, one) },
      "text" in one ? sentenceHead(one) : questionHead(found.criteria[one.criterion], one),
      one.notes.length > 0 && el("ul", {}, one.notes.map((note) => el("li", { dir: "auto" }, `“${note}”`))),
      "text" in one ? sentenceChoices(one) : questionChoices(found.criteria[one.criterion], one),
      field("Why raters disagreed", reason),
      field("Explanation in your own words (optional)", words),
      one.decision &&
        quiet(`Decided by ${one.decision.adjudicator}. A new decision replaces this decision.`),
      paragraph(submitButton("Decide", "primary makes")),
    );
  }

  /** @param {Event} event @param {Dispute | SentenceDispute} one */
  async function decide(event, one) {
    event.preventDefault();
    const value = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (body.querySelector(`#${id}`)).value;
    const why = { reason: /** @type {Reason} */ (value("dispute-reason")), words: value("dispute-words") };
    const of = `/api/studies/${study.id}/disputes/${one.item}/${one.score}`;
    try {
      const answer = "text" in one
        ? post(
          /** @type {`/api/studies/${number}/disputes/${number}/${number}/sentences/${number}`} */ (
            `${of}/sentences/${one.number}`
          ),
          { ...sentenceDecision(/** @type {HTMLFormElement} */ (event.currentTarget)), ...why },
        )
        : post(/** @type {`/api/studies/${number}/disputes/${number}/${number}`} */ (of), {
          criterion: one.criterion,
          point: Number(/** @type {HTMLInputElement} */ (all(body, "input:checked")[0]).value),
          ...why,
        });
      show(await answer, 0); // index 0 is the next open dispute, because open disputes come first
    } catch (error) {
      say(problem, wordsOf(error));
    }
  }
}

/** Return the disputed questions and sentences. Those that have no decision come first.
 * @param {Disputes} found @returns {(Dispute | SentenceDispute)[]} */
function inOrder({ disputes, sentences }) {
  const every = [...disputes, ...sentences];
  return [...every.filter(({ decision }) => !decision), ...every.filter(({ decision }) => decision)];
}

/** @param {Criterion} criterion @param {Dispute} one */
function questionHead(criterion, one) {
  const given = one.points.map((point) => (point > 0 ? String(point) : point ? "no picture" : "abstained"));
  return [
    el("h3", { tabindex: "-1" }, criterion.name),
    paragraph(criterion.question),
    paragraph("Answers of raters: ", el("strong", {}, given.join(", ")), "."),
  ];
}

/** @param {Criterion} criterion @param {Dispute} one */
function questionChoices(criterion, one) {
  return el(
    "fieldset",
    { class: "choices" },
    el("legend", {}, "Decision"),
    criterion.guidelines.map(({ point, text }) =>
      el(
        "label",
        { class: "choice" },
        el("input", {
          type: "radio",
          name: "point",
          value: point,
          required: true,
          checked: one.decision?.point === point,
        }),
        el("span", {}, el("strong", {}, String(point)), ` ${text}`),
      )
    ),
  );
}
