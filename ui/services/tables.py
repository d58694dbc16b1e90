"""Tables for pages, stand-alone reports, files and the command line.

A table has rows of exact values and columns. A column names the fields of a row that it shows, and how. `cells` makes
the finished cells: every printer shows the same text for a cell.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

from core.csv_text import csv_text as written
from core.statistics.bootstrap import Interval
from core.statistics.rounding import half_up

Row = TypeVar("Row")
# Kinds of columns: "text": text or a whole number; "count": a whole number; "number": a number with decimals;
# "share": a percentage; "interval": two fields as "low to high"; "difference": two fields as "a − b";
# "p": a p value; "picture": address of a thumbnail; "sample": text that opens the sample
# whose id is the row's field "id".
Kind = Literal["text", "count", "number", "share", "interval", "difference", "p", "picture", "sample"]
WORDS = ("text", "difference", "picture", "sample")  # kinds that are aligned to the left
INTERVAL = ("ci_low", "ci_high")
SAMPLES: Mapping[str, Kind] = {"picture": "picture", "caption": "sample"}  # kinds of columns in a list of samples
LEAST_P = 0.001  # a smaller p value is shown as "< 0.001"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, and the fields of a row that it shows."""

    head: str
    fields: tuple[str, ...]
    kind: Kind = "text"
    decimals: int = 3
    undefined: str = "undefined"  # the text for a missing value; the row's note has the reason
    strong: bool = False  # True: this is the main column of the table
    brief: bool = True  # True: a terminal with lines of 80 characters shows the column too


@dataclass(frozen=True, slots=True)
class Table(Generic[Row]):
    """A table. Rows are mappings or dataclasses. A column without any value is omitted."""

    title: str
    columns: tuple[Column, ...]
    rows: list[Row]
    footnote: str = ""  # a sentence to print below the table


@dataclass(frozen=True, slots=True)
class Cell:
    """A finished cell."""

    text: str
    exact: str = ""  # the exact number, if the text is rounded
    strong: bool = False
    sample: int | None = None  # id of the sample that a click opens
    image: str | None = None  # address of a thumbnail


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table of finished cells, as pages receive it."""

    title: str
    heads: list[str]
    words: list[bool]  # for each column: True: words, aligned to the left; False: numbers
    lines: list[list[Cell]]
    footnote: str


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


def interval(head: str, field: str, decimals: int = 3, *, brief: bool = True) -> Column:
    """Return a column with the interval of a field: its ends are the fields `field_low` and `field_high`."""
    return Column(head, (f"{field}_low", f"{field}_high"), "interval", decimals, brief=brief)


def table_of(
    title: str,
    rows: Sequence[Mapping[str, Any]],
    footnote: str = "",
    *,
    decimals: Mapping[str, int] | int = 3,
    kinds: Mapping[str, Kind] = MappingProxyType({}),
    missing: Mapping[str, str] = MappingProxyType({}),
    wide: Collection[str] = (),
    strong: str = "",
) -> Table[Any]:
    """Return a table whose columns follow from its rows. key of a row: the column's head.

    Whole numbers become counts, other numbers have decimals, and an Interval becomes "low to high". decimals: of all
    columns, or by head. kinds: the kinds of other columns. missing: text for a missing value; by default "undefined".
    wide: columns that a terminal omits. strong: the main column. The keys "id" and "key" of samples are no columns.
    """
    columns = []
    for head in dict.fromkeys(head for row in rows for head in row if head not in ("id", "key")):
        first = next((row[head] for row in rows if row.get(head) is not None), None)
        none: Kind = "interval" if "interval" in head else "number"  # the kind of a column without values
        kind = kinds.get(head) or _KINDS.get(type(first), none)
        places = decimals if isinstance(decimals, int) else decimals.get(head, 3)
        text_of_none = missing.get(head, "undefined")
        columns.append(Column(head, (head,), kind, places, text_of_none, head == strong, head not in wide))
    return Table(title, tuple(columns), list(rows), footnote)


_KINDS: Mapping[type, Kind] = {str: "text", int: "count", float: "number", Interval: "interval"}


def cells(table: Table[Any], brief: bool = False) -> tuple[list[str], list[list[Cell]]]:
    """Return a table's heads and cells, without empty columns.

    brief: True: columns that only a full table shows are omitted too.
    """
    columns, lines = _kept(table, brief)
    return [column.head for column in columns], lines


def shown(table: Table[Any]) -> ShownTable:
    """Return a table of finished cells for a page."""
    columns, lines = _kept(table, brief=False)
    heads, words = [column.head for column in columns], [column.kind in WORDS for column in columns]
    return ShownTable(table.title, heads, words, lines, table.footnote)


def _kept(table: Table[Any], brief: bool) -> tuple[list[Column], list[list[Cell]]]:
    columns = [column for column in table.columns if column.brief or not brief]
    lines = [[cell(row, column) for column in columns] for row in table.rows]
    kept = [at for at in range(len(columns)) if any(line[at].text or line[at].image for line in lines)]
    return [columns[at] for at in kept], [[line[at] for at in kept] for line in lines]


def csv_text(table: Table[Any]) -> str:
    """Return a table as CSV with exact numbers. An interval has two columns, "… low" and "… high"."""
    heads, lines = spreadsheet(table)
    return written([heads, *([_value(one) for one in line] for line in lines)])


def _value(one: Cell) -> object:
    try:
        return float(one.exact) if "." in one.exact or "e" in one.exact else int(one.exact)
    except ValueError:
        return one.exact or one.text


def spreadsheet(table: Table[Any]) -> tuple[list[str], list[list[Cell]]]:
    """Return heads and cells for a CSV file. An interval has two columns, "… low" and "… high"."""
    columns = [single for column in table.columns if column.kind != "picture" for single in _single(column)]
    return cells(Table(table.title, tuple(columns), table.rows))


def _single(column: Column) -> tuple[Column, ...]:
    if column.kind != "interval":
        return (column,)
    two = column.fields if len(column.fields) == 2 else None
    each = [(end, (two[at],) if two else (*column.fields, end)) for at, end in enumerate(("low", "high"))]
    return tuple(Column(f"{column.head} {end}", fields, "number", column.decimals, "") for end, fields in each)


def records(table: Table[Any]) -> list[dict[str, Any]]:
    """Return a table's rows as plain values for JSON."""
    rows = (asdict(row) if is_dataclass(row) and not isinstance(row, type) else row for row in table.rows)
    return [{name: asdict(one) if isinstance(one, Interval) else one for name, one in row.items()} for row in rows]


def value_of(row: Any, field: str) -> Any:
    """Return a field of a row, which is a mapping or a dataclass."""
    return row.get(field) if isinstance(row, Mapping) else getattr(row, field)


def cell(row: Any, column: Column) -> Cell:
    """Return the cell of a row in a column."""
    first = value_of(row, column.fields[0])
    if column.kind == "picture":
        return Cell("", image=first)
    if column.kind == "interval" and len(column.fields) == 1:
        return _of_two(first and first.low, first and first.high, column)
    if column.kind in ("interval", "difference"):
        return _of_two(first, value_of(row, column.fields[1]), column)
    if isinstance(first, Interval):
        first = getattr(first, column.fields[1])
    if first is None:
        return Cell(column.undefined)
    if column.kind == "sample":
        return Cell(str(first), sample=value_of(row, "id"))
    if column.kind == "number":
        return Cell(decimal(first, column.decimals), repr(first), column.strong)
    if column.kind == "p":
        return Cell(f"< {LEAST_P}" if first < LEAST_P else decimal(first, column.decimals), repr(first))
    if column.kind == "share":
        return Cell(f"{half_up(100 * first, 1)} %", repr(first))
    if column.kind == "count":
        shown = f"{first:,}"
        return Cell(shown, str(first) if "," in shown else "")
    return Cell(str(first))


def _of_two(first: Any, second: Any, column: Column) -> Cell:
    if column.kind != "interval":
        return Cell(f"{first} − {second}")
    if first is None or second is None:
        return Cell("no interval")
    return Cell(f"{decimal(first, column.decimals)} to {decimal(second, column.decimals)}", f"{first!r} to {second!r}")


def decimal(value: float, decimals: int) -> str:
    """Return a rounded number with a minus sign."""
    return half_up(value, decimals).replace("-", "−")


def ends(name: str, found: Any, times: float = 1) -> dict[str, float | None]:
    """Return the ends of an interval as the fields `name_low` and `name_high`. found: an Interval or None."""
    low, high = (None, None) if found is None else (times * found.low, times * found.high)
    return {f"{name}_low": low, f"{name}_high": high}


def times100(value: float | None) -> float | None:
    """Return a value times 100; a missing value stays None."""
    return None if value is None else 100 * value


def interval100(found: Interval | None) -> Interval | None:
    """Return an interval times 100; a missing interval stays None."""
    return None if found is None else Interval(100 * found.low, 100 * found.high)
