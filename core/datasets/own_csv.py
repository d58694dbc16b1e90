"""CSV in Capscope's own form: one sample per row, in columns named as the fields of JSON Lines or by the caller.

Cells are separated by commas, semicolons, tabs or bars, as a first line such as "sep=;" states or as most rows fit.
Lists are written as JSON in one cell. Scores may have columns of their own: "score:METRIC", "component:METRIC:NAME",
"rationale:METRIC" and "rationale:METRIC:ASPECT". docs/reference describes the format.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import NoReturn

from core.bad_rows import listed, same_errors
from core.datasets.base import Format, Record, Source
from core.datasets.columns import (
    EXPLANATION,
    OF_A_METRIC,
    SCORE,
    column_option,
    likely_scale,
    metric_column,
    scale_option,
    usual_column,
    with_point,
)
from core.datasets.files import LONGEST_LINE, MOST_BLANK, lines
from core.datasets.own_tables import MOST_COLUMNS, OwnTable
from core.datasets.rows import Row, parse_number, records_of
from core.errors import BadFile, BadRow

MOST_BAD = 1_000  # maximum number of errors that are collected beside wrong scales
SEPARATORS = (",", ";", "\t", "|")
SEPARATOR_LINE = re.compile(r"sep=(.)", re.IGNORECASE)  # first line of CSV files that Excel writes
LOOKED_AT = 50  # number of lines from which the separator is found
Advice = tuple[str, str]  # (problem, option that settles it); "" if no option settles it


def read_csv(source: Source) -> Iterator[Record]:
    """Yield one record per row. Row 1 is the header. Empty rows are skipped.

    All complaints about the header and the scales are raised as one BadFile, with the options that settle them.
    """
    mark = _separator(source)
    cells = _cells(source, mark)
    header = _header(source, next(cells, []))
    table = OwnTable(source, has_header=True)
    _map_header(table, header)
    complaints = [*_missing(table, header), *_unscaled(table, header, mark)]
    if complaints:
        options = " ".join(option for _, option in complaints)
        words = "; ".join(problem for problem, _ in complaints)
        raise BadFile(source.path, f"{words}. Check the columns and the scale, and add these options: {options}", 4_000)
    yield from records_of(source, _csv_rows(table, header, cells, mark), table.records)
    table.note_unread()


def raw_rows(source: Source) -> Iterator[Mapping[str, str]]:
    """Yield the unchanged cells of each row that is not empty, by column name. Raises BadFile."""
    cells = _cells(source, _separator(source))
    header = _header(source, next(cells, []))
    return (dict(zip(header, row, strict=False)) for row in cells if any(row))


def _header(source: Source, cells: Sequence[str]) -> list[str]:
    if len(cells) > MOST_COLUMNS:
        raise BadFile(source.path, f"the table has {len(cells):,} columns; the limit is {MOST_COLUMNS:,} columns")
    return [name.strip() for name in cells]


def _map_header(table: OwnTable, header: list[str]) -> None:
    """Find out what the columns of a table contain. Raises BadFile for a header that is not consistent."""
    source, layout = table.source, table.source.layout

    def refuse(problem: str) -> NoReturn:
        raise BadFile(source.path, problem)

    chosen = [(f"for {name}", column) for name, column in layout.columns.items()]
    chosen += [("for references", name) for name in layout.more_references] + [
        ("to keep", name) for name in layout.keep
    ]
    for use, column in chosen:
        if column not in header:
            refuse(f"there is no column {column!r} {use}. The columns are {', '.join(header[:12])}")
    repeated = sorted(name for name, times in Counter(header).items() if name and times > 1)
    if repeated:
        refuse(f"the column {repeated[0]!r} occurs twice; rename one of the two")
    metrics = {name.removeprefix("score:") for name in header if name.startswith("score:")}
    for name in filter(lambda name: name.startswith(OF_A_METRIC), header):
        of_metric = metric_column(name, metrics)
        if of_metric is None:
            why = "has no matching column 'score:METRIC'; see “File formats” in the documentation"
            refuse(f"the column {name!r} {why}")
        table.scores.append(of_metric)
    table.scores.sort(key=lambda column: column.field != "value")
    misspelt = table.map(tuple(header))
    if misspelt and not _missing(table, header):
        name, meant = misspelt[0]
        refuse(f"in the first row, expected the field name {meant!r}, found {name!r}")
    if source.metric is not None and not table.has_scores:
        refuse(f"there is no column {SCORE!r} with scores of {source.metric}; remove --metric")
    if EXPLANATION in layout.columns and not table.has_scores:
        refuse(f"explanations need a column with their scores; name it by --column {SCORE}=COLUMN")


def _missing(table: OwnTable, header: Sequence[str]) -> list[Advice]:
    """Return a problem for each missing column, and the option that names a similar one."""
    shown = ", ".join(name[:40] for name in header[:12])
    return [
        (
            f"there is no column {name!r} (columns: {shown})",
            column_option(name, usual_column(name, header) or f"COLUMN_OF_THE_{name}"),
        )
        for name in ("image", "caption")
        if not table.columns_of(name)
    ]


def _unscaled(table: OwnTable, header: list[str], mark: str) -> list[Advice]:
    """Return a problem for each column with many values outside 0 to 1, and the option that states its probable scale.

    The file is read once more. If there are such columns, all cells that are wrong on the probable scale are added.
    """
    source, layout = table.source, table.source.layout
    given = {"human": layout.human_scale, SCORE: layout.score_scale}
    places = {
        name: header.index(table.columns_of(name)[0]) for name in given if not given[name] and table.columns_of(name)
    }
    numbers: dict[str, list[float]] = {name: [] for name in places}
    for cells in islice(_cells(source, mark), 1, None) if places else ():
        for name, place in places.items():
            cell = cells[place] if place < len(cells) else ""
            number = parse_number(cell if mark == "," else with_point(cell))
            if number is not None:
                numbers[name].append(number)
    scales = {name: scale for name, found in numbers.items() if (scale := likely_scale(found))}
    complaints = []
    for name, scale in scales.items():
        found, outside = numbers[name], sum(not 0 <= number <= 1 for number in numbers[name])
        problem = f"{outside:,} of {len(found):,} values of {name!r} are outside 0 to 1"
        problem += f" (their range is {min(found):g} to {max(found):g})"
        complaints.append((problem, scale_option(name, scale)))
    if not complaints or _missing(table, header):
        return complaints
    human, score = (given[name] or scales.get(name) for name in given)
    problems: list[BadRow] = []
    again = replace(layout, human_scale=human, score_scale=score)
    silent = replace(source, on_bad=problems.append, on_note=lambda note: None, layout=again)
    for _ in read_csv(silent):
        if len(problems) >= MOST_BAD:
            break
    return [*complaints, *((words, "") for words in listed(same_errors(problems)))]


def _separator(source: Source) -> str:
    """Return the separator with which most of the first rows have as many cells as the header, and more than one."""
    if source.layout.separator is not None:
        return source.layout.separator
    csv.field_size_limit(LONGEST_LINE)  # Python's own limit is 131,072 characters
    first = list(islice(lines(source), 1 + LOOKED_AT))
    stated = SEPARATOR_LINE.fullmatch(first[0].rstrip("\r\n")) if first else None
    if stated:
        return stated[1]

    def fit(mark: str) -> tuple[float, int]:
        try:
            sizes = [len(cells) for cells in csv.reader(first, delimiter=mark) if any(cells)]
        except csv.Error:  # a quoted cell goes on after these lines; the table's reader reports real errors later
            sizes = [len(cells) for cells in csv.reader(first[:1], delimiter=mark)]
        if not sizes or sizes[0] < 2:
            return 0.0, 0
        return sum(size == sizes[0] for size in sizes[1:]) / max(1, len(sizes) - 1), sizes[0]

    return max(SEPARATORS, key=fit)


def _cells(source: Source, mark: str) -> Iterator[list[str]]:
    """Yield the cells of each line of a table, without a first line such as "sep=;". Raises BadFile."""
    csv.field_size_limit(LONGEST_LINE)
    texts = lines(source)
    first = next(texts, "")
    if not SEPARATOR_LINE.fullmatch(first.rstrip("\r\n")):
        texts = chain([first], texts)
    empty = 0
    try:
        for cells in csv.reader(texts, delimiter=mark, strict=True):
            empty = 0 if any(cells) else empty + 1
            if empty > MOST_BLANK:
                raise BadFile(source.path, f"the file contains more than {MOST_BLANK:,} empty rows")
            yield cells
    except csv.Error as error:
        raise BadFile(source.path, f"the file is not CSV ({error}); save it as comma-separated CSV again") from error


def _csv_rows(table: OwnTable, header: list[str], cells: Iterator[list[str]], mark: str) -> Iterator[Row]:
    """Yield the rows of a table without empty cells. Raises BadFile if there are none."""
    numeric = {} if mark == "," else dict.fromkeys(table.numeric_columns)
    found = 0
    for found, line in enumerate(cells, start=1):
        values = {name: cell for name, cell in zip(header, line, strict=False) if cell}
        if not values and not any(line):
            continue
        for name in numeric:
            if name in values:
                values[name] = with_point(values[name])
        row = Row(table.source.path, found + 1, values)
        if len(line) == len(header):
            yield row
        else:
            table.source.on_bad(row.bad("row", f"{len(header)} cells", len(line)))
    if not found:
        raise BadFile(table.source.path, "there is no row below the header, so there is nothing to import")


CSV = Format(
    name="csv",
    summary=(
        "a table with the columns image, caption, score, explanation, human; or the columns of our JSONL format; "
        "or your own columns, named by --column"
    ),
    suffixes=(".csv", ".tsv"),
    reader=read_csv,
    takes_metric=True,
    takes_layout=True,
    takes_system=True,
    holds_scores=True,
)
