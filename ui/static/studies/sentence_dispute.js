// The questions about a disputed sentence: a verdict and, for a wrong sentence, the kind and severity of the error.

import { all, el } from "../shared/dom.js";
import { paragraph } from "../shared/elements.js";
import { KINDS, SEVERITIES, VERDICTS } from "../shared/verdicts.js";

/** @import { Answer, Body } from "../shared/wire.d.ts" */
/** @typedef {Answer<"GET", `/api/studies/${number}/disputes`>["sentences"][number]} SentenceDispute */
/** @typedef {Body<"POST", `/api/studies/${number}/disputes/${number}/${number}/sentences/${number}`>} Decided */
/** @typedef {SentenceDispute["said"][number]} Said */

/** @param {SentenceDispute} one */
export function sentenceHead(one) {
  return [
    el("h3", { tabindex: "-1" }, `Sentence ${one.number}`),
    el("p", { class: "caption", dir: "auto" }, `“${one.text}”`),
    paragraph("Verdicts of raters: ", el("strong", {}, one.said.map(told).join(", ")), "."),
  ];
}

/** @param {SentenceDispute} one */
export function sentenceChoices({ decision }) {
  const more = el(
    "div",
    {},
    radios("Kind of error", "kind", KINDS, decision?.kind),
    radios("How bad", "severity", SEVERITIES, decision?.severity),
  );
  /** @param {string | undefined} verdict */
  const show = (verdict) => {
    more.hidden = verdict !== "wrong";
    for (const input of all(more, "input")) /** @type {HTMLInputElement} */ (input).disabled = more.hidden;
  };
  show(decision?.verdict);
  const verdicts = radios("Decision", "verdict", VERDICTS, decision?.verdict);
  verdicts.addEventListener("change", ({ target }) => show(/** @type {HTMLInputElement} */ (target).value));
  return el("div", {}, verdicts, more);
}

/** Read the adjudicator's choices from a form.
 * @param {HTMLFormElement} form @returns {Pick<Decided, "verdict" | "kind" | "severity">} */
export function sentenceDecision(form) {
  const chosen = new FormData(form);
  const of = (/** @type {string} */ name) => /** @type {any} */ (chosen.get(name));
  return { verdict: of("verdict"), kind: of("kind"), severity: of("severity") };
}

/** @param {Said} said */
function told({ verdict, kind, severity }) {
  const words = nameOf(VERDICTS, verdict);
  return kind ? `${words} (${nameOf(KINDS, kind)}, ${severity})` : words;
}

/** @param {[string, string][]} of @param {string} key */
function nameOf(of, key) {
  return of.find(([known]) => known === key)?.[1] ?? key;
}

/** Build a group of radio buttons.
 * @param {string} legend @param {string} name @param {[string, string][]} options values and labels
 * @param {string | null | undefined} chosen the selected value */
function radios(legend, name, options, chosen) {
  return el(
    "fieldset",
    { class: "choices" },
    el("legend", {}, legend),
    options.map(([value, words]) =>
      el(
        "label",
        { class: "choice" },
        el("input", { type: "radio", name, value, required: true, checked: value === chosen }),
        el("span", {}, words),
      )
    ),
  );
}
