"""Write tables as LaTeX for a paper, with the horizontal lines of the package booktabs.

A table fits one column of a two-column paper: LaTeX reduces a table that is wider. With `wide`, it goes over both
columns. Notes are printed once, below the table.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from string import ascii_lowercase
from typing import Any

from ui.services.tables import WORDS, Table, cells

_NOTE = "note"  # head of the column whose texts are printed below the table
_PACKAGES = "% needs \\usepackage{booktabs,graphicx}"
# Reduces a table that is wider than the lines of the paper
_FITTED = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%"
_WRITTEN = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "|": "\\textbar{}", "<": "\\textless{}",
    ">": "\\textgreater{}", '"': "''", "−": "$-$", "±": "$\\pm$", "×": "$\\times$", "·": "$\\cdot$",
    "≤": "$\\leq$", "≥": "$\\geq$", "≠": "$\\neq$", "≈": "$\\approx$", "→": "$\\to$", "∞": "$\\infty$",
    "…": "\\ldots{}", "\u00a0": "~", "“": "``", "”": "''", "„": ",,", "‘": "`", "’": "'", "–": "--", "—": "---",
    "«": "$\\ll$", "»": "$\\gg$", "°": "$^\\circ$", "²": "$^2$", "³": "$^3$", "ß": "\\ss{}", "æ": "\\ae{}",
    "Æ": "\\AE{}", "œ": "\\oe{}", "Œ": "\\OE{}", "ø": "\\o{}", "Ø": "\\O{}", "ł": "\\l{}", "Ł": "\\L{}", "ı": "\\i{}",
    "½": "1/2", "ς": "$\\varsigma$",
}  # fmt: skip
_ACCENTS = {
    "\u0300": "\\`", "\u0301": "\\'", "\u0302": "\\^", "\u0303": "\\~", "\u0304": "\\=", "\u0306": "\\u",
    "\u0307": "\\.", "\u0308": '\\"', "\u030a": "\\r", "\u030b": "\\H", "\u030c": "\\v", "\u0327": "\\c",
}  # fmt: skip
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_GREEK = dict(zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", _GREEK_NAMES.split(), strict=True))
_LOOKS_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))


def latex_table(found: Table[Any], wide: bool = False) -> str:
    """Return a table as LaTeX, without pictures. wide: over both columns of the page."""
    columns = tuple(column for column in found.columns if column.kind != "picture")
    heads, lines = cells(replace(found, columns=columns))
    noted = [""] * len(lines)
    if _NOTE in heads:
        noted = [line.pop(heads.index(_NOTE)).text for line in lines]
        heads.remove(_NOTE)
    marks = ("".join(pair) for pair in product(["", *ascii_lowercase], ascii_lowercase))  # a, b, … z, aa, ab …
    letters = dict(zip(dict.fromkeys(filter(None, noted)), marks, strict=False))
    kinds = {column.head: column.kind for column in columns}
    alignment = "".join("l" if kinds[head] in WORDS else "r" for head in heads)
    below = [f"$^{{{letter}}}$ {escaped(note)}" for note, letter in letters.items()]
    below += [escaped(found.footnote)] if found.footnote else []
    kind = "table*" if wide else "table"
    written = [
        _PACKAGES,
        f"\\begin{{{kind}}}[t]",
        "\\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}",
        f"\\caption{{{escaped(found.title)}}}",
        _FITTED,
        "\\begin{tabular}{@{}" + alignment + "@{}}",
        "\\toprule",
        _line(heads),
        "\\midrule",
        *(_line([cell.text for cell in line], letters.get(note)) for line, note in zip(lines, noted, strict=True)),
        "\\bottomrule",
        "\\end{tabular}",
        "}",
        *([f"\\par\\vspace{{2pt}}{{\\scriptsize {' '.join(below)}\\par}}"] if below else []),
        f"\\end{{{kind}}}",
    ]
    return "\n".join([*written, ""])


def _line(texts: Sequence[str], mark: str | None = None) -> str:
    return " & ".join(map(escaped, texts)) + (f"$^{{{mark}}}$" if mark else "") + " \\\\"


def escaped(text: str) -> str:
    """Return text as LaTeX. A character that pdflatex lacks becomes its code point, "[U+4E2D]"."""
    return "".join(map(_letter, " ".join(text.split())))


def _letter(letter: str) -> str:
    if letter in _WRITTEN:
        return _WRITTEN[letter]
    if letter.isascii():
        return letter if letter.isprintable() else ""
    if letter in _LOOKS_LATIN:
        return _LOOKS_LATIN[letter]
    if letter in _GREEK:
        return f"$\\{_GREEK[letter]}$"
    base, accent = unicodedata.normalize("NFD", letter)[:1], unicodedata.normalize("NFD", letter)[1:]
    if base.isascii() and accent in _ACCENTS:
        return f"{_ACCENTS[accent]}{{{base}}}"
    return f"[U+{ord(letter):04X}]"
