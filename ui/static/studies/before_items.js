// What raters read and answer before the items of a new study: a ready-made consent text.

import { el, field } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { choice, group } from "./choices.js";

/** @import { Form } from "./form_step.js" */
/** @import { Draft } from "./wizard.js" */

/** Build the choice of a consent text for a new study.
 * @param {Draft} draft the study's settings, which the choices change @param {Form} form
 */
export function beforeItems(draft, form) {
  return group("Before the items", [consentChoice(draft, form)]);
}

/** Build the choice of a consent text.
 * @param {Draft} draft @param {Form} form */
function consentChoice(draft, form) {
  const text = el("textarea", {
    id: "new-consent",
    rows: 10,
    maxlength: 20_000,
    input: () => (draft.consent = text.value),
  });
  text.value = draft.consent || form.consent;
  const isAsked = draft.consent === null ? form.has_consent : draft.consent !== "";
  const details = el(
    "div",
    { class: "ready-text", hidden: !isAsked },
    field("Consent text", text),
    quiet(
      "Edit this text as your ethics board requires. The page adds the time, the contact and how to stop.",
    ),
  );
  return el(
    "div",
    {},
    choice(
      "checkbox",
      "ask-consent",
      "consent",
      "Ask for consent",
      form.has_consent ? "With the form’s own text." : "With a ready-made text that you can edit.",
      isAsked,
      (on) => {
        details.hidden = !on;
        draft.consent = on ? text.value : "";
      },
    ),
    details,
  );
}
