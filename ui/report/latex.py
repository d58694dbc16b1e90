"""Write tables as LaTeX for a paper.

Tables have the horizontal lines of the package booktabs. Numbers are right-aligned, and no table is wider than an
article's text.

A table that fits keeps its natural columns. In a wider table the words wrap. A table that is still too wide becomes
several tables, which repeat the columns that name a row. Long tables continue on the next page. Each note is printed
once, below the table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product, takewhile
from math import ceil
from string import ascii_lowercase
from typing import Any

from ui.report.latex_text import breakable, escaped, narrowest, width
from ui.services.tables import Kind, Table, cells

LINE = 345.0  # points: the text width of LaTeX's class article at 10 pt, on A4 and on letter paper
PAGE = 36  # number of table lines that always fit on one page

_WORDS: tuple[Kind, ...] = ("text", "difference", "both", "published")
_NOTE = "note"  # head of the column whose texts are printed below the table
_PACKAGES = "% needs \\usepackage{array,booktabs,longtable}"


@dataclass(frozen=True, slots=True)
class _Size:
    """A font size of tables, and the gap between columns.

    `room` returns the width that is left for the cells of a row, without the gaps. The width is given in points at
    \\footnotesize.
    """

    command: str
    scale: float  # of \\footnotesize
    gap: float  # gap between two columns in points

    def room(self, columns: int) -> float:
        return (LINE - self.gap * (columns - 1)) / self.scale


_SIZES = (_Size("\\footnotesize", 1.0, 6.0), _Size("\\scriptsize", 7 / 8, 4.0))


@dataclass(frozen=True, slots=True)
class _Column:
    head: str
    is_words: bool
    texts: tuple[str, ...]

    @property
    def natural(self) -> float:
        return max(map(width, (self.head, *self.texts)))

    @property
    def least(self) -> float:
        """Return the column's minimum width in points.

        Numbers are never broken across lines, but words and column heads are.
        """
        of_cells = max(map(narrowest if self.is_words else width, self.texts), default=0.0)
        return max(of_cells, narrowest(self.head))


def latex_table(found: Table[Any]) -> str:
    """Return a table as LaTeX."""
    heads, lines = cells(found)
    kinds: dict[str, Kind] = {column.head: column.kind for column in found.columns}
    texts = [[cell.text for cell in line] for line in lines]
    return latex_of(found.title, [(head, kinds[head]) for head in heads], texts, found.footnote)


def latex_of(title: str, heads: Sequence[tuple[str, Kind]], lines: Sequence[Sequence[str]], footnote: str = "") -> str:
    """Return lines of text as a LaTeX table.

    heads: the head and kind of each column. footnote: printed below the table.
    """
    columns = [
        _Column(head, kind in _WORDS, tuple(line[place] for line in lines)) for place, (head, kind) in enumerate(heads)
    ]
    shown = [column for column in columns if column.head != _NOTE]
    notes = [
        " · ".join(filter(None, line)) for line in zip(*(c.texts for c in columns if c.head == _NOTE), strict=True)
    ]
    letters = dict(zip(dict.fromkeys(filter(None, notes)), _letters(), strict=False))
    marks = [letters.get(note, "") for note in notes] or [""] * len(lines)
    below = [*(f"$^{{{letter}}}$ {escaped(note)}" for note, letter in letters.items())]
    below += [escaped(footnote)] if footnote else []
    parts = list(_parts(shown))
    tables = [_table(title if part is parts[0] else f"{title} (continued)", part, marks, below) for part in parts]
    return "\n".join([_PACKAGES, *tables])


def _letters() -> Iterator[str]:
    """Yield the letters a, b, … z, aa, ab and so on."""
    yield from ascii_lowercase
    yield from map("".join, product(ascii_lowercase, ascii_lowercase))


def _parts(columns: Sequence[_Column]) -> Iterator[Sequence[_Column]]:
    """Yield the columns of each LaTeX table that a wide table needs.

    If all columns fit, there is one table. Otherwise each table has the columns that name a row, and as many others as
    fit.
    """
    if any(_fits(columns, size) for size in _SIZES):
        yield columns
        return
    names = list(takewhile(lambda column: column.is_words, columns))
    while len(names) > 1 and _taken(names) > _SIZES[-1].room(len(names)) / 2:
        names.pop()
    names = names or [columns[0]]
    part = list(names)
    for column in columns[len(names) :]:
        if len(part) > len(names) and not _fits([*part, column], _SIZES[-1]):
            yield part
            part = list(names)
        part.append(column)
    yield part


def _fits(columns: Sequence[_Column], size: _Size) -> bool:
    return _taken(columns) <= size.room(len(columns))


def _taken(columns: Sequence[_Column]) -> float:
    return sum(column.least for column in columns)


def _widths(columns: Sequence[_Column], size: _Size) -> list[float] | None:
    """Return each column's width in points, or None.

    None: the table is narrow enough, so no text needs a line break.
    """
    room = size.room(len(columns))
    if sum(column.natural for column in columns) <= room:
        return None
    wished = sum(column.natural - column.least for column in columns)
    share = min(1.0, max(0.0, room - _taken(columns)) / wished)
    return [size.scale * (column.least + (column.natural - column.least) * share) for column in columns]


def _table(title: str, columns: Sequence[_Column], marks: Sequence[str], below: Sequence[str]) -> str:
    size = next((one for one in _SIZES if _fits(columns, one)), _SIZES[-1])
    widths = _widths(columns, size)
    written = escaped if widths is None else breakable
    lines = [
        [written(text) + (f"$^{{{mark}}}$" if mark and not place else "") for place, text in enumerate(line)]
        for mark, line in zip(marks, zip(*(column.texts for column in columns), strict=True), strict=True)
    ]
    head = _row([written(column.head) for column in columns])
    rows = [_row(line) for line in lines]
    notes = [f"\\par\\smallskip {note}" for note in below]
    layout = _long if _height(columns, widths) > PAGE else _short
    look = f"  {size.command}\\setlength{{\\tabcolsep}}{{{size.gap / 2:.0f}pt}}"
    return "\n".join(layout(escaped(title), look, _sides(columns, widths), head, rows, notes)) + "\n"


def _sides(columns: Sequence[_Column], widths: Sequence[float] | None) -> str:
    if widths is None:
        return "@{}" + "".join("l" if column.is_words else "r" for column in columns) + "@{}"
    sides = (
        f">{{\\{'raggedright' if column.is_words else 'raggedleft'}\\arraybackslash}}p{{{points:.1f}pt}}"
        for column, points in zip(columns, widths, strict=True)
    )
    return "@{}" + "".join(sides) + "@{}"


def _height(columns: Sequence[_Column], widths: Sequence[float] | None) -> int:
    """Return about how many lines the rows of a table take.

    widths: each column's width in points; None: no text wraps.
    """
    if widths is None:
        return len(columns[0].texts)
    taken = (
        [ceil(1.2 * width(text) / points) for text in column.texts]
        for column, points in zip(columns, widths, strict=True)
    )
    return sum(map(max, zip(*taken, strict=True)))


def _row(texts: Sequence[str]) -> str:
    return f"    {' & '.join(texts)} \\\\"


def _short(title: str, look: str, sides: str, head: str, rows: Sequence[str], notes: Sequence[str]) -> list[str]:
    return [
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{title}}}",
        look,
        f"  \\begin{{tabular}}{{{sides}}}",
        *("    \\toprule", head, "    \\midrule", *rows, "    \\bottomrule"),
        "  \\end{tabular}",
        *(f"  {note}" for note in notes),
        "\\end{table}",
    ]


def _long(title: str, look: str, sides: str, head: str, rows: Sequence[str], notes: Sequence[str]) -> list[str]:
    return [
        "\\begingroup",
        look,
        f"  \\begin{{longtable}}{{{sides}}}",
        f"    \\caption{{{title}}}\\\\",
        *("    \\toprule", head, "    \\midrule", "    \\endfirsthead"),
        *("    \\toprule", head, "    \\midrule", "    \\endhead"),
        *("    \\bottomrule", "    \\endfoot", *rows),
        "  \\end{longtable}",
        *(f"  \\noindent {note.removeprefix(chr(92) + 'par' + chr(92) + 'smallskip ')}\\par" for note in notes),
        "\\endgroup",
    ]
