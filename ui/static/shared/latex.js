// A table as LaTeX for a paper: booktabs' rules, numbers to the right, what LaTeX reads as commands escaped.

/** @import { Column } from "./wire.d.ts" */

/** @type {Record<string, string>} */
const SAID = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  "&": "\\&",
  "%": "\\%",
  "$": "\\$",
  "#": "\\#",
  "_": "\\_",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "−": "$-$",
  "±": "$\\pm$",
  "×": "$\\times$",
  "≤": "$\\leq$",
  "≥": "$\\geq$",
  "τ": "$\\tau$",
  "α": "$\\alpha$",
  "κ": "$\\kappa$",
  "…": "\\ldots{}",
  "\u00a0": "~",
  "“": "``",
  "”": "''",
  "’": "'",
  "|": "\\textbar{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
};

/** Text as LaTeX prints it. @param {string} text */
export function escaped(text) {
  return text.replace(/[\\{}&%$#_~^|<>−±×≤≥τακ…\u00a0“”’]/g, (character) => SAID[character]).replace(/\s+/g, " ")
    .trim();
}

/** The table, to be put into a paper that uses the package booktabs.
 * @param {string} title @param {Pick<Column, "head" | "kind">[]} columns @param {string[][]} lines as people read the cells */
export function latexTable(title, columns, lines) {
  const sides = columns.map(({ kind }) => ["text", "difference", "both", "published"].includes(kind) ? "l" : "r").join(
    "",
  );
  const row = (/** @type {string[]} */ cells) => `    ${cells.map(escaped).join(" & ")} \\\\`;
  return [
    "% needs \\usepackage{booktabs}",
    "\\begin{table}",
    "  \\centering",
    `  \\caption{${escaped(title)}}`,
    `  \\begin{tabular}{${sides}}`,
    "    \\toprule",
    row(columns.map(({ head }) => head)),
    "    \\midrule",
    ...lines.map(row),
    "    \\bottomrule",
    "  \\end{tabular}",
    "\\end{table}",
    "",
  ].join("\n");
}
