// A form for an irreversible action: its button works after a name is typed.

import { el, field } from "../shared/dom.js";
import { paragraph, submitButton } from "../shared/elements.js";

/** @import { Child } from "../shared/types.d.ts" */

/** Build a form in which the user types a name to confirm that something is deleted.
 * @param {{id: string, label: string, matches: (typed: string) => boolean, words: string,
 *   submit: (typed: string) => unknown}} of - the form's settings. id: the field's id; matches: returns whether the
 * typed text is the name; words: label of the button @param {...Child} about - texts that say what is lost */
export function typedConfirmation({ id, label, matches, words, submit }, ...about) {
  const typed = el("input", { id, autocomplete: "off", spellcheck: "false" });
  const button = submitButton(words, "danger", { disabled: true });
  typed.addEventListener("input", () => (button.disabled = !matches(typed.value)));
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    return submit(typed.value);
  };
  return el("form", { submit: send }, about, field(label, typed), paragraph(button));
}
