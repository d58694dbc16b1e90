// A table as LaTeX: people choose columns and a caption, read the text, copy or save it.

import { latest, send } from "./api.js";
import { copyFor, dialog, el, field } from "./dom.js";
import { actions, button } from "./elements.js";
import { problem } from "./notices.js";
import { download, fileName } from "./tables.js";

/** @import { TableBody } from "./wire.d.ts" */

/** Show a table as LaTeX. @param {string} name name of the saved file @param {TableBody} table */
export async function showLatex(name, table) {
  const caption = el(
    "textarea",
    { id: "latex-caption", rows: 2, maxlength: 5_000, change: () => write() },
    table.title,
  );
  const boxes = table.columns.map(() => el("input", { type: "checkbox", checked: true, change: () => write() }));
  const text = el("pre", { class: "latex", tabindex: "0", role: "region", "aria-label": "LaTeX" });
  const wrong = el("div");
  const copy = button("Copy", () => copyFor(copy, text.textContent ?? "", "Copied", "Select the text and copy it"));
  const save = button("Save .tex", () => download(new Blob([text.textContent ?? ""]), `${fileName(name)}.tex`));
  const turn = latest();
  const write = async () => {
    const isLast = turn();
    wrong.replaceChildren();
    copy.textContent = "Copy";
    const kept = boxes.flatMap(({ checked }, place) => checked ? [place] : []);
    copy.disabled = save.disabled = !kept.length;
    if (!kept.length) return text.replaceChildren();
    try {
      const written = await (await send("POST", "/api/tables/latex", partOf(table, kept, caption.value))).text();
      if (isLast()) text.textContent = written;
    } catch (error) {
      if (isLast()) wrong.replaceChildren(problem(error, write));
    }
  };
  dialog(
    "LaTeX",
    el(
      "div",
      { class: "capscope latex-choice" },
      field("Caption", caption),
      el(
        "fieldset",
        { class: "choices" },
        el("legend", {}, "Columns"),
        namesOf(table).map((words, place) => el("label", { class: "choice" }, boxes[place], words)),
      ),
      actions(copy, save),
      wrong,
      text,
    ),
  );
  await write();
}

/** Return a table with some of its columns and a caption.
 * @param {TableBody} table @param {number[]} kept indices of the columns
 * @param {string} caption @returns {TableBody} */
function partOf({ columns, lines, footnote }, kept, caption) {
  return {
    title: caption.trim(),
    columns: kept.map((place) => columns[place]),
    lines: lines.map((line) => kept.map((place) => line[place])),
    footnote,
  };
}

/** Return the names of a table's columns, for checkboxes.
 * If two columns have the same head, each name starts with the head of the column to the left.
 * @param {TableBody} table */
function namesOf({ columns }) {
  const heads = columns.map(({ head }) => head);
  return heads.map((head, place) =>
    heads.filter((one) => one === head).length > 1 && place ? `${heads[place - 1]}: ${head}` : head
  );
}
