// Tables of records and their CSV: the page shows rounded numbers, the file holds the exact ones.

import { el, rounded, table } from "./dom.js";

/** @import { Cell, Column } from "./types.d.ts" */

const LONG = 32; // characters of a cell from which it is prose and gets room
const FORMULA = /^'*[=+\-@\t\r\n]/; // how a cell begins that a spreadsheet would run, or that has been neutralised before
const KEPT_MS = 10_000; // that a file to save stays, until the browser has surely taken it

/** A table of records under a heading, with a button for its CSV. A column in which no row has anything is left out.
 * @template {object} Row @param {string} title @param {Column<Row>[]} columns @param {Row[]} rows
 * @param {{file?: string, level?: string, name?: string}} [options] file: what the CSV is called */
export function records(title, columns, rows, { file, level = "h3", name = title } = {}) {
  const cells = rows.map((row) => columns.map(([, cell]) => roomy(cell(row))));
  const kept = columns.map((_, at) => cells.some((line) => line[at] !== ""));
  const only = (line) => line.filter((_, at) => kept[at]);
  return el(
    "div",
    { class: "records" },
    el(
      "div",
      { class: "records-head" },
      el(level, {}, title),
      el("button", {
        type: "button",
        class: "quiet-button",
        "aria-label": `${title} as CSV`,
        click: () => saveRecords(rows, file ?? title),
      }, "CSV"),
    ),
    table(only(columns.map(([head]) => head)), cells.map(only), name),
  );
}

/** @param {Cell} cell */
function roomy(cell) {
  return typeof cell === "string" && cell.length > LONG ? el("span", { class: "prose" }, cell) : cell;
}

/** Save records as a CSV file; fields that are lists become one text, unknown numbers an empty cell.
 * @param {object[]} rows @param {string} name */
export function saveRecords(rows, name) {
  const heads = [...new Set(rows.flatMap(Object.keys))];
  const lines = [heads, ...rows.map((row) => heads.map((head) => /** @type {Record<string, unknown>} */ (row)[head]))];
  const text = lines.map((line) => line.map(csvCell).join(",")).join("\n") + "\n";
  download(new Blob([text], { type: "text/csv" }), `${fileName(name)}.csv`);
}

/** Save something that the page made as a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

/** @param {unknown} value */
export function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = Array.isArray(value) ? value.map(listed).join("; ") : String(value);
  return `"${text.replace(FORMULA, "'$&").replaceAll('"', '""')}"`;
}

/** @param {unknown} entry */
function listed(entry) {
  return typeof entry === "object" && entry !== null ? Object.values(entry).join(" ") : String(entry);
}

/** A name that every system takes as a file's. @param {string} name */
export function fileName(name) {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "data";
}

/** A number as shown, exact on pointing; `undefined` in words where there is none.
 * @param {number | null} value @param {string} [undefinedWords] */
export function number(value, undefinedWords = "undefined") {
  return value === null ? undefinedWords : el("span", { title: String(value) }, rounded(value).replace("-", "−"));
}

/** A 95 % interval with that many decimals.
 * @param {{ci_low: number | null, ci_high: number | null}} row @param {number} [decimals] */
export function interval({ ci_low: low, ci_high: high }, decimals = 3) {
  return low === null || high === null ? "no interval" : el(
    "span",
    { class: "together", title: `${low} … ${high}` },
    `${low.toFixed(decimals)} … ${high.toFixed(decimals)}`.replaceAll("-", "−"),
  );
}

/** A share as percent. @param {number | null} value */
export function share(value) {
  return value === null ? "undefined" : `${(100 * value).toFixed(1)}\u00a0%`;
}
