// The fields of an import in which the user says what the columns of a file mean.

import { el, field } from "../shared/dom.js";

/** @import { FormatJson, ImportBody, LookJson } from "../shared/wire.d.ts" */
/** @typedef {Required<ImportBody>} Meanings */

const NAMES = {
  image: "Picture",
  caption: "Caption",
  system: "Captioner",
  references: "References",
  human: "Human judgement",
  score: "Score",
  explanation: "Explanation of the score",
  id: "Id",
};
// matches the columns whose meaning Capscope knows from their names. Users can choose to store the values of other
// columns, to filter samples by them.
const READ =
  /^(id|image|caption|system|references|human|judgements|pair|scores?|own|explanation|(score|component|rationale):.*)$/;
const MOST_KEPT = 20;
const UNIT = [0, 1];

/** Build the form fields for a file. Which fields it needs depends on its format and on its first rows.
 * @param {FormatJson | undefined} format @param {LookJson["head"]} head the first rows of a table; null: no table
 * @param {Meanings} body filled in by the fields
 * @param {{look: () => unknown, later: () => void}} changed look: called after a choice; later: called after each
 * keypress */
export function columnFields(format, head, body, { look, later }) {
  const columns = head?.columns ?? [];
  return [
    ...(head ? Object.entries(NAMES).map(([name, label]) => columnField(name, label, columns, body, look)) : []),
    ...(format?.takes_layout && head
      ? [scaleField("human", "human judgements", body, later), scaleField("score", "scores", body, later)]
      : []),
    ...(format?.takes_metric
      ? [
        nameField(
          "metric",
          "Metric of the scores",
          "If empty, the name from the file or the format is used.",
          body,
          later,
        ),
      ]
      : []),
    ...(format?.takes_system
      ? [
        nameField(
          "system",
          "Captioner who wrote all captions",
          "Leave this empty if the file names the captioners, or if they are unknown.",
          body,
          later,
        ),
      ]
      : []),
    ...(format?.takes_layout && head ? keptFields(columns, body, look) : []),
  ];
}

/** Offer the columns that Capscope does not read. Their values can be stored, so that users can filter samples by them.
 * @param {readonly string[]} columns @param {Meanings} body @param {() => unknown} look */
function keptFields(columns, body, look) {
  const read = Object.values(body.columns);
  const others = columns.filter((column) => !READ.test(column) && !read.includes(column));
  if (!others.length) return [];
  const boxes = others.map((column) => {
    const box = el("input", {
      type: "checkbox",
      checked: body.keep.includes(column),
      change: () => {
        const kept = body.keep.filter((name) => name !== column);
        body.keep = box.checked ? [...kept, column].slice(0, MOST_KEPT) : kept;
        box.checked = body.keep.includes(column);
        look();
      },
    });
    return el("label", { class: "choice" }, box, column);
  });
  return [
    el("fieldset", { class: "choices" }, el("legend", {}, "Columns to keep as filters"), boxes),
  ];
}

/** @param {string} name @param {string} label @param {readonly string[]} columns
 * @param {Meanings} body @param {() => unknown} look */
function columnField(name, label, columns, body, look) {
  const select = el(
    "select",
    {
      id: `bring-${name}`,
      change: () => {
        if (select.value) body.columns[name] = select.value;
        else delete body.columns[name];
        look();
      },
    },
    el("option", { value: "" }, "none"),
    columns.map((column) => el("option", { value: column }, column)),
  );
  select.value = body.columns[name] ?? "";
  return field(label, select);
}

/** @param {"human" | "score"} of @param {string} label @param {Meanings} body @param {() => void} later */
function scaleField(of, label, body, later) {
  const ends = [...(body[`${of}_scale`] ?? UNIT)];
  const end = (/** @type {number} */ place, /** @type {string} */ words) =>
    el("input", {
      id: place ? `bring-${of}-high` : `bring-${of}-low`,
      type: "number",
      step: "any",
      required: true,
      value: ends[place],
      "aria-label": `${words} of the ${label}`,
      input: (/** @type {Event} */ { target }) => {
        ends[place] = /** @type {HTMLInputElement} */ (target).valueAsNumber;
        if (ends.some(Number.isNaN)) return;
        body[`${of}_scale`] = String(ends) === String(UNIT) ? null : /** @type {number[]} */ ([...ends]);
        later();
      },
    });
  const low = end(0, "Lowest"), high = end(1, "Highest");
  const id = `bring-${of}-scale`;
  return el(
    "div",
    { class: "field", role: "group", "aria-labelledby": id },
    el("strong", { id }, `Scale of ${label}`),
    el("span", { class: "ends" }, low, "to", high),
  );
}

/** @param {"metric" | "system"} of @param {string} label @param {string} hint @param {Meanings} body
 * @param {() => void} later */
function nameField(of, label, hint, body, later) {
  const input = el("input", {
    id: of === "metric" ? "bring-metric" : "bring-captioner",
    maxlength: 100,
    value: body[of] ?? "",
    input: () => {
      body[of] = input.value.trim() || null;
      later();
    },
  });
  return field(label, input, el("span", { class: "quiet" }, hint));
}
