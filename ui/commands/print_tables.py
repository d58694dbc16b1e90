"""Print tables in a terminal, or as LaTeX."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Annotated, Any, Literal

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from ui.services.tables import WORDS, Table, cells

FIRST_COLUMN = 12  # minimum width of a table's first column, in characters
BETWEEN = 2  # number of characters between two columns
Latex = Annotated[bool, typer.Option("--latex", help="Print the tables as LaTeX.")]


def _folded(head: str, widest: int) -> str:
    """Break a table's column head into lines of suitable width.

    The lines are as narrow as the column's cells and the head's longest word allow. widest: width of the widest cell.
    """
    return "\n".join(wrap(head, max(widest, *map(len, head.split()))))


def print_latex(table: Table[Any], wide: bool = False) -> None:
    """Print a table as LaTeX. A table without rows prints nothing. wide: over both columns of a page."""
    from ui.report.latex import latex_table

    if table.rows:
        typer.echo(latex_table(table, wide))


def print_table(table: Table[Any]) -> None:
    """Print a table. If it is empty, print only its footnote.

    Cells of the first column may wrap, but numbers never do. A table that is too wide for the terminal is printed in
    parts, which repeat the first column.
    """
    if not table.rows:
        if table.footnote:
            print(f"{table.title}: {table.footnote}")
        return
    table = replace(table, columns=tuple(one for one in table.columns if one.kind != "picture"))
    heads, lines = cells(table, brief=True)
    widest = [max(len(line[place].text) for line in lines) for place in range(len(heads))]
    folded = [_folded(head, width) for head, width in zip(heads, widest, strict=True)]
    needed = [max(width, *map(len, head.split("\n"))) + BETWEEN for head, width in zip(folded, widest, strict=True)]
    needed[0] = min(needed[0], FIRST_COLUMN + BETWEEN)
    kinds = {column.head: column.kind for column in table.columns}
    console = Console(highlight=False)
    for number, places in enumerate(_parts(needed, console.width)):
        title = f"{table.title} (continued)" if number else table.title
        shown = RichTable(title=escape(title), title_justify="left", box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
        shown.padding = (0, 1, 0, 0)
        for place in places:
            justify: Literal["left", "right"] = "left" if kinds[heads[place]] in WORDS else "right"
            shown.add_column(escape(folded[place]), overflow="fold", no_wrap=place > 0, justify=justify)
        for line in lines:
            shown.add_row(*(escape(line[place].text) for place in places))
        console.print(shown)
    if table.footnote:
        console.print(escape(table.footnote))


def _parts(needed: Sequence[int], room: int) -> Iterator[list[int]]:
    """Yield the columns of each part of a wide table.

    A part has the first column, then as many others as fit. needed: the width of each column. room: the width of the
    terminal.
    """
    part, taken = [0], needed[0]
    for place in range(1, len(needed)):
        if len(part) > 1 and taken + needed[place] > room:
            yield part
            part, taken = [0], needed[0]
        part.append(place)
        taken += needed[place]
    yield part
