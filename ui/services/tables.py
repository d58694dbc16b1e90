"""Tables for pages, stand-alone reports and the command line.

Rows have exact values. Each column names the fields that it shows and how to display them. Pages receive tables as JSON
and show them by the same rules (ui/static/shared/tables.js).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from core.statistics.rounding import half_up

Row = TypeVar("Row")
# Kinds of columns: "text": text or a whole number; "count": a whole number; "number": a number with decimals;
# "share": a percentage; "interval": two fields as "low to high"; "difference": two fields as "a − b";
# "both": two fields as "a, b"; "published": values from papers; "p": a p value and whether it is an upper bound;
# "ranked": a rank with its value and interval (see Column).
Kind = Literal["text", "count", "number", "share", "interval", "difference", "both", "published", "p", "ranked"]
INTERVAL = ("ci_low", "ci_high")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, and the fields of a row that it shows."""

    head: str
    # Names of the row's fields that the column shows. Most kinds show one field. Some, such as "interval", show two.
    # If a field is a mapping, the next name is the key to look up in it. A ranked column names four mappings (values,
    # lows, highs, ranks), and then the key to look up in all four.
    fields: tuple[str, ...]
    kind: Kind = "text"
    decimals: int = 3
    undefined: str = "undefined"  # the text for a missing value; the row's note has the reason
    strong: bool = False  # True: this is the main column of the table
    brief: bool = True  # True: a terminal with lines of 80 characters shows the column too


@dataclass(frozen=True, slots=True)
class Table(Generic[Row]):
    """A table. A column without any value is omitted."""

    title: str
    columns: tuple[Column, ...]
    rows: list[Row]
    footnote: str = ""  # a sentence to print below the table


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a cell, and its exact number if it has one."""

    text: str
    exact: str = ""


SHARE = Column("share", ("share",), "share")
SHOWN_INTERVAL = Column("95 % interval", INTERVAL, "interval")


def text(head: str, field: str, *, undefined: str = "undefined", brief: bool = True) -> Column:
    """Return a column of words."""
    return Column(head, (field,), undefined=undefined, brief=brief)


def count(head: str, *fields: str, undefined: str = "undefined", brief: bool = True) -> Column:
    """Return a column of whole numbers."""
    return Column(head, fields, "count", undefined=undefined, brief=brief)


def number(head: str, field: str, decimals: int = 3, *, undefined: str = "undefined", brief: bool = True) -> Column:
    """Return a column of numbers."""
    return Column(head, (field,), "number", decimals, undefined, brief=brief)


TAU_TEST = (number("τ-b", "tau_b"), number("p", "p"), number("p (Holm)", "p_holm"), text("note", "note"))


def cells(table: Table[Any], brief: bool = False) -> tuple[list[str], list[list[Cell]]]:
    """Return a table's heads and cells, without empty columns.

    brief: True: columns that only a full table shows are omitted too.
    """
    columns = [column for column in table.columns if column.brief or not brief]
    lines = [[cell(row, column) for column in columns] for row in table.rows]
    kept = [place for place in range(len(columns)) if any(line[place].text for line in lines)]
    return [columns[place].head for place in kept], [[line[place] for place in kept] for line in lines]


def spreadsheet(table: Table[Any]) -> tuple[list[str], list[list[Cell]]]:
    """Return heads and cells for a CSV file. An interval has two columns, "… low" and "… high"."""
    columns = [single for column in table.columns for single in _single(column)]
    return cells(Table(table.title, tuple(columns), table.rows))


def _single(column: Column) -> tuple[Column, ...]:
    if column.kind == "ranked":
        *mappings, key = column.fields
        heads = (column.head, f"{column.head} low", f"{column.head} high", f"{column.head} rank")
        kinds: tuple[Kind, ...] = ("number", "number", "number", "count")
        named = zip(heads, mappings, kinds, strict=True)
        return tuple(Column(head, (name, key), kind, column.decimals, "") for head, name, kind in named)
    if column.kind != "interval":
        return (column,)
    ends = zip(("low", "high"), column.fields, strict=True)
    return tuple(Column(f"{column.head} {end}", (field,), "number", column.decimals, "") for end, field in ends)


def cell(row: Any, column: Column) -> Cell:
    """Return the cell of a row in a column."""
    first = getattr(row, column.fields[0])
    if column.kind == "ranked":
        return _ranked(row, column)
    if column.kind == "p" and first is not None:
        bound = "≤ " if getattr(row, column.fields[1]) else ""
        return Cell(bound + _decimal(first, column.decimals), repr(first))
    if column.kind in ("interval", "difference", "both"):
        return _of_two(first, getattr(row, column.fields[1]), column)
    if isinstance(first, Mapping):
        first = first[column.fields[1]]
    if first is None:
        return Cell(column.undefined)
    if column.kind == "number":
        return Cell(_decimal(first, column.decimals), repr(first))
    if column.kind == "share":
        return Cell(f"{half_up(100 * first, 1)}%", repr(first))
    if column.kind == "published":
        return Cell(_published(first))
    if column.kind == "count":
        shown = f"{first:,}"
        return Cell(shown, str(first) if "," in shown else "")
    return Cell(str(first))


def _ranked(row: Any, column: Column) -> Cell:
    *mappings, key = column.fields
    value, low, high, rank = (getattr(row, name)[key] for name in mappings)
    if value is None:
        return Cell(column.undefined)
    ends = "" if low is None else f" ({_decimal(low, column.decimals)} to {_decimal(high, column.decimals)})"
    return Cell(f"{rank}. {_decimal(value, column.decimals)}{ends}", repr(value))


def _of_two(first: Any, second: Any, column: Column) -> Cell:
    if column.kind != "interval":
        return Cell(f"{first}{' − ' if column.kind == 'difference' else ', '}{second}")
    if first is None or second is None:
        return Cell("no interval")
    shown = f"{_decimal(first, column.decimals)} to {_decimal(second, column.decimals)}"
    return Cell(shown, f"{first!r} to {second!r}")


def _decimal(value: float, decimals: int) -> str:
    return half_up(value, decimals).replace("-", "−")


def _published(figures: Sequence[Any]) -> str:
    return "; ".join(f"{figure.name}{figure.value} ({figure.paper}, {figure.table})" for figure in figures)
