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
from itertools import chain, islice

from core.datasets.base import Format, Record, Source
from core.datasets.files import LONGEST_LINE, csv_cells, lines
from core.datasets.own_tables import EXPLANATION, MOST_COLUMNS, SCORE, OwnTable, score_columns, usual_column
from core.datasets.rows import Row, records_of
from core.errors import BadFile

SEPARATORS = (",", ";", "\t", "|")
SEPARATOR_LINE = re.compile(r"sep=(.)", re.IGNORECASE)  # first line of CSV files that Excel writes
LOOKED_AT = 50  # number of lines from which the separator is found


def read_csv(source: Source) -> Iterator[Record]:
    """Yield one record per row. Row 1 is the header. Empty rows are skipped. Raises BadFile for a wrong header."""
    mark, header, cells = _table(source)
    table = OwnTable(source, has_header=True, has_decimal_commas=mark != ",")
    problem = _header_problem(table, header)
    if problem is not None:
        raise BadFile(source.path, problem, 4_000)
    yield from records_of(source, _csv_rows(source, header, cells), table.records)
    table.note_unread()


def raw_rows(source: Source) -> Iterator[Row]:
    """Yield the unchanged cells of each row that is not empty, by column name. Raises BadFile."""
    _, header, cells = _table(source)
    for number, row in enumerate(cells, start=2):
        if any(row):
            yield Row(source.path, number, dict(zip(header, row, strict=False)))


def _table(source: Source) -> tuple[str, list[str], Iterator[list[str]]]:
    """Return the separator, the header and the further rows of a table. Raises BadFile.

    The caller or a first line such as "sep=;" states the separator. Otherwise it is the one with which most of the
    first rows have as many cells as the header, and more than one.
    """
    texts = lines(source)
    first = list(islice(texts, 1 + LOOKED_AT))
    stated = SEPARATOR_LINE.fullmatch(first[0].rstrip("\r\n")) if first else None
    mark = source.layout.separator or (stated[1] if stated else max(SEPARATORS, key=lambda one: _fit(first, one)))
    cells = csv_cells(source.path, chain(first[1:] if stated else first, texts), mark)
    header = [name.strip() for name in next(cells, [])]
    if len(header) > MOST_COLUMNS:
        raise BadFile(source.path, f"the table has {len(header):,} columns; the limit is {MOST_COLUMNS:,} columns")
    return mark, header, cells


def _fit(first: Sequence[str], mark: str) -> tuple[float, int]:
    """Return the share of rows with as many cells as the header, and the number of cells; 0 for a single cell."""
    csv.field_size_limit(LONGEST_LINE)
    try:
        sizes = [len(cells) for cells in csv.reader(first, delimiter=mark) if any(cells)]
    except csv.Error:  # a quoted cell goes on after these lines; the table's reader reports real errors later
        sizes = [len(cells) for cells in csv.reader(first[:1], delimiter=mark)]
    if not sizes or sizes[0] < 2:
        return 0.0, 0
    return sum(size == sizes[0] for size in sizes[1:]) / max(1, len(sizes) - 1), sizes[0]


def _header_problem(table: OwnTable, header: list[str]) -> str | None:
    """Find out what the columns of a table contain. Return why the header cannot be read; None if it can."""
    layout, metric = table.source.layout, table.source.metric
    chosen = [(f"for {name}", column) for name, column in layout.columns.items()]
    chosen += [("for references", name) for name in layout.more_references]
    chosen += [("to keep", name) for name in layout.keep]
    for use, column in chosen:
        if column not in header:
            return f"there is no column {column!r} {use}. The columns are {', '.join(header[:12])}"
    repeated = sorted(name for name, times in Counter(header).items() if name and times > 1)
    if repeated:
        return f"the column {repeated[0]!r} occurs twice; rename one of the two"
    of_scores, wrong = score_columns(header)
    if wrong:
        why = "has no matching column 'score:METRIC'; see “File formats” in the documentation"
        return f"the column {wrong[0]!r} {why}"
    table.of_scores += of_scores
    misspelt = table.map(tuple(header))
    missing = [name for name in ("image", "caption") if name not in table.places]
    if missing:
        shown = ", ".join(name[:40] for name in header[:12])
        problems = "; ".join(f"there is no column {name!r}" for name in missing)
        guessed = {name: usual_column(name, header) or f"COLUMN_OF_THE_{name}" for name in missing}
        options = " ".join(f"--column {shlex.quote(f'{name}={column}')}" for name, column in guessed.items())
        return f"{problems} (columns: {shown}). Check the columns, and choose them ({options})."
    if misspelt:
        name, meant = misspelt[0]
        return f"in the first row, expected the field name {meant!r}, found {name!r}"
    if metric is not None and not table.has_scores:
        return f"there is no column {SCORE!r} with scores of {metric}; remove the metric's name (--metric)"
    if EXPLANATION in layout.columns and not table.has_scores:
        return f"explanations need a column with their scores; choose it (--column {SCORE}=COLUMN)"
    return None


def _csv_rows(source: Source, header: list[str], cells: Iterator[list[str]]) -> Iterator[Row]:
    """Yield the rows of a table without empty cells. Raises BadFile if there are none."""
    found = 0
    for found, line in enumerate(cells, start=1):
        values = {name: cell for name, cell in zip(header, line, strict=False) if cell}
        if not values and not any(line):
            continue
        row = Row(source.path, found + 1, values)
        if len(line) == len(header):
            yield row
        else:
            source.on_bad(row.bad("row", f"{len(header)} cells", len(line)))
    if not found:
        raise BadFile(source.path, "there is no row below the header, so there is nothing to import")


CSV = Format(
    name="csv",
    summary=(
        "a table with the columns image, caption, score, explanation, human; or the columns of our JSONL format; "
        "or your own columns, whose meanings you choose (--column)"
    ),
    suffixes=(".csv", ".tsv"),
    reader=read_csv,
    raw_rows=raw_rows,
    takes_metric=True,
    takes_system=True,
)
