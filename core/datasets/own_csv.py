"""CSV in Capscope's own form: one sample per row, in columns named as the fields of JSON Lines or by the caller.

Cells are separated by commas, semicolons, tabs or bars, as a first line such as "sep=;" states or as most rows fit.
Lists are written as JSON in one cell. Scores may have columns of their own: "score:METRIC", "component:METRIC:NAME",
"rationale:METRIC" and "rationale:METRIC:ASPECT". docs/reference describes the format.
"""

import csv
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice

from core.datasets.base import Format, Record, Source
from core.datasets.files import LONGEST_LINE, csv_cells, lines
from core.datasets.own_tables import OwnTable, read_rows, usual_column, with_point
from core.datasets.rows import Row, as_number
from core.errors import BadFile

SEPARATORS = (",", ";", "\t", "|")
SEPARATOR_LINE = re.compile(r"sep=(.)", re.IGNORECASE)  # first line of CSV files that Excel writes
LOOKED_AT = 50  # number of lines from which the separator is found
MOST_COLUMNS = 1_000


def read_csv(source: Source) -> Iterator[Record]:
    """Yield one record per row. Row 1 is the header. Empty rows are skipped. Raises BadFile for a wrong header."""
    mark, header, rows = _table(source)
    layout = source.layout
    for column in (*layout.columns.values(), *layout.more_references, *layout.keep):
        if column not in header:
            raise BadFile(source.path, f"there is no column {column!r}. The columns are {_shown(header)}")
    table = OwnTable(source, as_number=as_number if mark == "," else lambda text: as_number(with_point(text)))
    missing = [name for name in ("image", "caption") if name not in table.columns_of(tuple(header)).places]
    if missing:
        columns = [f"{name}={usual_column(name, header) or 'COLUMN'}" for name in missing]
        options = " ".join(f"--column {shlex.quote(column)}" for column in columns)
        problem = f"there is no column {missing[0]!r}. Choose the columns ({options}). The columns are {_shown(header)}"
        raise BadFile(source.path, problem, 4_000)
    yield from read_rows(table, rows)


def raw_rows(source: Source) -> Iterator[Row]:
    """Yield the unchanged cells of each row that is not empty, by column name. Raises BadFile."""
    return _table(source)[2]


def _shown(header: Sequence[str]) -> str:
    return ", ".join(name[:40] for name in header[:12])


def _table(source: Source) -> tuple[str, list[str], Iterator[Row]]:
    """Return the separator, the header and the rows of a table. Raises BadFile.

    A first line such as "sep=;" states the separator. Otherwise it is the one with which most of the
    first rows have as many cells as the header, and more than one.
    """
    texts = lines(source)
    first = list(islice(texts, 1 + LOOKED_AT))
    stated = SEPARATOR_LINE.fullmatch(first[0].rstrip("\r\n")) if first else None
    mark = stated[1] if stated else max(SEPARATORS, key=partial(_fit, first))
    cells = csv_cells(source.path, chain(first[1:] if stated else first, texts), mark)
    header = [name.strip() for name in next(cells, [])]
    if len(header) > MOST_COLUMNS:
        raise BadFile(source.path, f"the table has {len(header):,} columns; the limit is {MOST_COLUMNS:,} columns")
    repeated = sorted(name for name, times in Counter(header).items() if name and times > 1)
    if repeated:
        raise BadFile(source.path, f"the column {repeated[0]!r} occurs twice; rename one of the two")
    return mark, header, _rows(source, header, cells)


def _fit(first: Sequence[str], mark: str) -> tuple[float, int]:
    """Return the share of rows with as many cells as the header, and the number of cells; 0 for a single cell."""
    csv.field_size_limit(LONGEST_LINE)
    sizes = list[int]()
    with suppress(csv.Error):  # the table's reader reports the error later
        for cells in filter(any, csv.reader(first, delimiter=mark)):
            sizes.append(len(cells))
    if not sizes or sizes[0] < 2:
        return 0.0, 0
    return sum(size == sizes[0] for size in sizes[1:]) / max(1, len(sizes) - 1), sizes[0]


def _rows(source: Source, header: list[str], table: Iterator[list[str]]) -> Iterator[Row]:
    """Yield the rows of a table; an empty cell is None. Raises BadFile if there are none."""
    number = 1
    for number, cells in enumerate(table, start=2):
        row = Row(source.path, number, {name: cell or None for name, cell in zip(header, cells, strict=False)})
        if len(cells) != len(header) and any(cells):
            source.on_bad(row.bad("row", f"{len(header)} cells", len(cells)))
        elif any(cells):
            yield row
    if number == 1:
        raise BadFile(source.path, "there is no row below the header, so there is nothing to import")


CSV = Format(
    name="csv",
    summary=(
        "a table with the columns image, caption, score, explanation, human; or the columns of our JSONL format; "
        "or your own columns, whose meanings you choose (--column)"
    ),
    suffixes=(".csv", ".tsv", ".txt"),  # spreadsheets also save tables as .txt
    reader=read_csv,
    raw_rows=raw_rows,
    takes_metric=True,
)
