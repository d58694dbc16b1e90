// Radio buttons, checkboxes and number fields for the dialog that makes a new study.

import { el, field } from "../shared/dom.js";

/** @import { Attributes } from "../shared/types.d.ts" */

/** Build a group of choices with a name.
 * @param {string} name @param {HTMLElement[]} choices */
export function group(name, choices) {
  return el("fieldset", { class: "choices" }, el("legend", {}, name), choices);
}

/** Build a radio button or a checkbox with its text.
 * @param {"radio" | "checkbox"} type @param {string} name @param {string} value @param {string} text
 * @param {string} hint @param {boolean} checked @param {(checked: boolean) => void} onChange */
export function choice(type, name, value, text, hint, checked, onChange) {
  const input = el("input", { type, name, value, checked, change: () => onChange(input.checked) });
  return el(
    "label",
    { class: "choice" },
    input,
    el("span", {}, text, hint && el("span", { class: "quiet" }, ` ${hint}`)),
  );
}

/** Build an input for a number. @param {string} id @param {number | null} value @param {Attributes} more */
export function numberInput(id, value, more) {
  return el("input", { id, type: "number", value: value ?? "", ...more });
}

/** Build a field for a whole number.
 * @param {{id: string, label: string, hint: string, lowest: number, value: number | null}} about
 * @param {(value: number | null) => void} onInput is called with the typed number; null: the field is empty */
export function numberField({ id, label, hint, lowest, value }, onInput) {
  const input = numberInput(id, value, {
    min: lowest,
    step: 1,
    input: () => onInput(input.value === "" ? null : Number(input.value)),
  });
  return field(label, input, el("span", { class: "quiet" }, hint));
}

/** Add a value to a list, or remove it from the list.
 * @template Value @param {Value[]} list @param {Value} value @param {boolean} on whether the list must contain it */
export function toggle(list, value, on) {
  const at = list.indexOf(value);
  if (on && at < 0) list.push(value);
  if (!on && at >= 0) list.splice(at, 1);
}
