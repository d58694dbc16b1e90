// Fields of the form for a new study: groups of choices, and numbers that may be left out.

import { el } from "../shared/dom.js";

/** Choices under a name. */
export function group(name, choices) {
  return el("fieldset", { class: "choices" }, el("legend", {}, name), choices);
}

/** A radio button or a checkbox with its words; onChange(checked). */
export function choice(type, name, value, text, hint, checked, onChange) {
  const input = el("input", { type, name, value, checked, change: () => onChange(input.checked) });
  return el(
    "label",
    { class: "choice" },
    input,
    el("span", {}, text, hint && el("span", { class: "quiet" }, ` ${hint}`)),
  );
}

/** A whole number; onInput(number or null where the field is empty). */
export function numberField({ id, label, hint, lowest, value }, onInput) {
  const input = el("input", {
    id,
    type: "number",
    min: lowest,
    step: 1,
    value: value ?? "",
    input: () => onInput(input.value === "" ? null : Number(input.value)),
  });
  return el("p", { class: "field" }, el("label", { for: id }, label), input, el("span", { class: "quiet" }, hint));
}

/** Put a value into a list, or take it out. */
export function toggle(list, value, on) {
  const at = list.indexOf(value);
  if (on && at < 0) list.push(value);
  if (!on && at >= 0) list.splice(at, 1);
}
