// Prints a table of finished cells. The server has rounded every number; the page only shows the texts.

import { el, say } from "../shared/dom.js";
import { actions, button, quiet } from "../shared/elements.js";
import { copyFor, dialog } from "../shared/dom.js";
import { send } from "../shared/api.js";
import { download, fileName } from "../shared/downloads.js";

/** @import { Cell, ShownTable } from "../shared/wire.d.ts" */

const LONG = 32; // a cell with more characters than this gets a wide column

/** Build a table with its title, and links that save it.
 * @param {ShownTable} table
 * @param {{file?: (kind: "csv" | "tex") => string, show?: (sample: number) => void, name: string}} of
 * file: returns the address of the table as a file; show: opens a sample; name: first part of the saved file's name */
export function printed({ title, heads, words, lines, footnote }, { file, show, name }) {
  const row = (/** @type {Cell[]} */ cells) =>
    el("tr", {}, cells.map((cell, at) => el("td", { class: words[at] ? null : "number" }, content(cell, show))));
  const saved = fileName(`${name} ${title}`.slice(0, 80)).replace(/^(.+)-\1-/, "$1-"); // a title may start with the name
  const saves = file && [
    el(
      "a",
      { class: "quiet-button", href: file("csv"), download: `${saved}.csv`, "aria-label": `${title} as CSV` },
      "CSV",
    ),
    button("LaTeX", () => showLatex(saved, file("tex")), "quiet-button", { "aria-label": `${title} as LaTeX` }),
  ];
  return el(
    "div",
    { class: "records" },
    el("div", { class: "records-head" }, el("h3", {}, title), saves),
    lines.length > 0 && el(
      "div",
      { class: "table-box", tabindex: "0", role: "region", "aria-label": title },
      el(
        "table",
        { class: "figures" },
        el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
        el("tbody", {}, lines.map(row)),
      ),
    ),
    footnote && quiet(footnote),
  );
}

/** @param {Cell} cell @param {((sample: number) => void) | undefined} show */
function content({ text, exact, strong, sample, image }, show) {
  if (sample !== null && show) {
    return button(text, () => show(sample), "quiet-button error-caption", { "data-id": String(sample) });
  }
  if (image) return el("img", { class: "thumb", src: image, alt: "", loading: "lazy", decoding: "async" });
  if (exact) return el(strong ? "strong" : "span", { title: exact }, text);
  return text.length > LONG ? el("span", { class: "prose" }, text) : text;
}

/** Show a table as LaTeX. @param {string} name @param {string} address */
async function showLatex(name, address) {
  const text = el("pre", { class: "latex", tabindex: "0", role: "region", "aria-label": "LaTeX" });
  const copy = button("Copy", () => copyFor(copy, text.textContent ?? "", "Copied", "Select the text and copy it"));
  const save = button("Save .tex", () => download(new Blob([text.textContent ?? ""]), `${name}.tex`));
  dialog("LaTeX", el("div", { class: "capscope" }, actions(copy, save), text));
  try {
    say(text, await (await send("GET", /** @type {any} */ (address))).text());
  } catch (error) {
    say(text, error instanceof Error ? error.message : String(error));
  }
}

/** Make buttons to the previous and next page.
 * @param {{page: number, last: number, name: string, go: (page: number) => void}} of */
export function pager({ page, last, name, go }) {
  const step = (/** @type {number} */ to, /** @type {string} */ words) =>
    button(words, () => go(to), "", { disabled: to < 1 || to > last });
  return el(
    "nav",
    { class: "pager", "aria-label": name },
    step(page - 1, "Previous page"),
    el("span", {}, `${page.toLocaleString()} of ${last.toLocaleString()}`),
    step(page + 1, "Next page"),
  );
}
