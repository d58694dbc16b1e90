// Tables of records, which users can save as CSV or LaTeX. The page and the LaTeX text show rounded numbers; the CSV
// file has the exact numbers.

import { el, table } from "./dom.js";
import { button, quiet } from "./elements.js";
import { halfUp } from "./rounding.js";

/** @import { Cell } from "./types.d.ts" */
/** @import { Column } from "./wire.d.ts" */

const LONG = 32; // a cell with more characters than this gets a wide column
const FORMULA = /^'*[=+\-@\t\r]/; // text that a spreadsheet takes for a formula; apostrophes may come before it
const KEPT_MS = 10_000; // ms to keep the address of a saved file; by then, the browser has surely read the file

/** @typedef {{cell: (column: Column) => Cell, record: object}} Below a row of another kind
 * cell: returns the content of a cell; record: the row in the CSV file */

/** Build a table with its title and with buttons that save it as CSV and LaTeX. Empty columns are not shown.
 * @template {object} Row @param {{title: string, columns: Column[], rows: Row[], footnote?: string}} found
 * @param {{file?: string, isWaiting?: (row: Row) => boolean, below?: Below[]}} [options] file: name of the CSV file; isWaiting: whether
 * a row's interval is still being computed; below: further rows of another kind, each with the content of its cells
 */
export function records(
  { title, columns, rows, footnote = "" },
  { file = title, isWaiting = () => false, below = [] } = {},
) {
  const cells = [
    ...rows.map((row) => columns.map((column) => cellOf(row, column, isWaiting(row)))),
    ...below.map(({ cell }) => columns.map(cell)),
  ];
  const kept = columns.map((_, at) => cells.some((line) => line[at] !== ""));
  /** @template One @param {One[]} line */
  const only = (line) => line.filter((_, at) => kept[at]);
  const node = el(
    "div",
    { class: "records" },
    el(
      "div",
      { class: "records-head" },
      el("h3", {}, title),
      button("CSV", () => saveRecords([...rows, ...below.map(({ record }) => record)], file), "quiet-button", {
        "aria-label": `${title} as CSV`,
      }),
      button(
        "LaTeX",
        async () => {
          const { showLatex } = await import("./latex_dialog.js"); // seldom used
          await showLatex(file, {
            title,
            columns: only(columns).map(({ head, kind }) => ({ head, kind })),
            lines: cells.map((line) => only(line).map(wordsOf)),
            footnote,
          });
        },
        "quiet-button",
        { "aria-label": `${title} as LaTeX` },
      ),
    ),
    rows.length > 0 && table(only(columns.map(({ head }) => head)), cells.map(only), title),
    footnote && quiet(footnote),
  );
  return node;
}

/** Make the content of a cell, as ui/services/tables.py does. The cell's tooltip is the exact number.
 * @param {any} row @param {Column} column @param {boolean} [waiting] @returns {Cell} */
function cellOf(row, { kind, fields, decimals, undefined: missing, strong }, waiting = false) {
  const [first, second] = fields;
  let value = row[first];
  if (kind === "interval") return waiting ? "…" : interval(value, row[second], decimals);
  if (kind === "difference") return `${value} − ${row[second]}`;
  if (kind === "both") return `${value}, ${row[second]}`;
  if (kind === "p" && value !== null) {
    return el("span", { title: String(value) }, `${row[second] ? "≤\u00a0" : ""}${halfUp(value, decimals)}`);
  }
  if (second !== undefined && value !== null) value = value[second];
  if (value === null) return missing;
  if (kind === "number") {
    return el(strong ? "strong" : "span", { title: String(value) }, halfUp(value, decimals).replace("-", "−"));
  }
  if (kind === "share") return el("span", { title: String(value) }, `${halfUp(100 * value, 1)}\u00a0%`);
  if (kind === "count") return value.toLocaleString();
  return value.length > LONG ? el("span", { class: "prose" }, value) : value;
}

/** Format an interval.
 * @param {number | null} low @param {number | null} high @param {number} decimals */
function interval(low, high, decimals) {
  return low === null || high === null ? "no interval" : el(
    "span",
    { class: "together", title: `${low} … ${high}` },
    `${halfUp(low, decimals)} … ${halfUp(high, decimals)}`.replaceAll("-", "−"),
  );
}

/** The visible text of a cell. @param {Cell} cell */
function wordsOf(cell) {
  return typeof cell === "object" ? cell.textContent ?? "" : String(cell);
}

/** Save records as a CSV file. A list becomes one text, and an unknown number becomes an empty cell.
 * @param {object[]} rows @param {string} name */
export function saveRecords(rows, name) {
  const flat = rows.map(flattened);
  const heads = [...new Set(flat.flatMap(Object.keys))];
  const lines = [heads, ...flat.map((row) => heads.map((head) => row[head]))];
  const text = lines.map((line) => line.map(csvCell).join(",")).join("\n") + "\n";
  download(new Blob([text], { type: "text/csv" }), `${fileName(name)}.csv`);
}

/** Flatten a row, so that a field that contains a mapping becomes one field per key.
 * @param {object} row @returns {Record<string, unknown>} */
function flattened(row) {
  const isMapping = (/** @type {unknown} */ value) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      isMapping(value) ? Object.entries(value).map(([key, one]) => [`${name} ${key}`, one]) : [[name, value]]
    ),
  );
}

/** Save a blob as a file. @param {Blob} blob @param {string} name */
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

/** Make a file name that every system accepts. @param {string} name */
export function fileName(name) {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "data";
}
