"""Tables as LaTeX for a paper: booktabs' rules, numbers to the right; by the rules of ui/static/shared/latex.js."""

import re
from collections.abc import Sequence
from typing import Any

from ui.services.tables import Table, cells

_WORDS = ("text", "difference", "both", "published")
_SAID = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "−": "$-$", "±": "$\\pm$", "×": "$\\times$",
    "≤": "$\\leq$", "≥": "$\\geq$", "τ": "$\\tau$", "α": "$\\alpha$", "κ": "$\\kappa$", "…": "\\ldots{}",
    "\u00a0": "~", "“": "``", "”": "''", "’": "'", "|": "\\textbar{}", "<": "\\textless{}", ">": "\\textgreater{}",
}  # fmt: skip
_SPECIAL = re.compile("[" + re.escape("".join(_SAID)) + "]")


def escaped(text: str) -> str:
    """Return text as LaTeX prints it."""
    return " ".join(_SPECIAL.sub(lambda found: _SAID[found[0]], text).split())


def latex_table(found: Table[Any]) -> str:
    """Return a table, to be put into a paper that uses the package booktabs."""
    heads, lines = cells(found)
    kinds = {column.head: column.kind for column in found.columns}
    sides = "".join("l" if kinds[head] in _WORDS else "r" for head in heads)
    return tabular(found.title, sides, heads, [[cell.text for cell in line] for line in lines])


def tabular(title: str, sides: str, heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return lines of text as a table."""
    rows = [f"    {' & '.join(map(escaped, line))} \\\\" for line in (heads, *lines)]
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            "\\begin{table}",
            "  \\centering",
            f"  \\caption{{{escaped(title)}}}",
            f"  \\begin{{tabular}}{{{sides}}}",
            "    \\toprule",
            rows[0],
            "    \\midrule",
            *rows[1:],
            "    \\bottomrule",
            "  \\end{tabular}",
            "\\end{table}",
            "",
        ]
    )
