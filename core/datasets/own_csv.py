"""CSV in Capscope's own format: one sample per row.

The columns have the names of the fields in Capscope's JSONL format. Lists are written as JSON in one cell. Scores are
in one cell as JSON, or in columns of their own: "score:METRIC", "component:METRIC:NAME", "rationale:METRIC" and
"rationale:METRIC:ASPECT". docs/reference describes the format.

Each row is converted to the JSON object that the sample would have in JSONL. So the reader of samples and its checks
are the same for both formats.

Cells are separated by commas, semicolons, tabs or bars, as a first line such as "sep=;" states or as most rows fit. A
caller may state other column names and other scales (Layout). A column "score" contains the scores of one
metric, and a column "explanation" contains the explanations of these scores.
"""

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Any

from core.bad_rows import listed, same_errors
from core.datasets.base import Format, Record, Scale, Source
from core.datasets.chosen_columns import EXPLANATION, SCORE, UNIT
from core.datasets.files import LONGEST_LINE, MOST_BLANK, lines, parsed_json, python_list
from core.datasets.own_csv_columns import (
    Column,
    check_columns,
    kept_places,
    metric_columns,
    note_unread,
    reference_places,
    renamed_header,
)
from core.datasets.own_form import FIELDS, record_of
from core.datasets.rows import Row, parse_number, records_of
from core.datasets.suggested_options import likely_scale, missing_columns, together, unscaled, with_point
from core.errors import BadFile, BadRow, BadRows
from core.types import one_line

MOST_BAD = 1_000  # maximum number of errors that are collected beside wrong scales
_HARMLESS = {"image": "a.jpg", "caption": "a"}  # replaces bad cells, so that the other cells can be checked
SEPARATORS = (",", ";", "\t", "|")
SEPARATOR_LINE = re.compile(r"sep=(.)", re.IGNORECASE)  # first line of CSV files that Excel writes
LOOKED_AT = 50  # number of lines from which the separator is found
_JSON_COLUMNS = ("references", "judgements", "pair", "scores", "own")
_NUMERIC = ("score:", "component:")
_EXPECTED_JSON = {
    "references": 'a JSON list of texts, such as ["A dog runs."]',
    "judgements": "a JSON list of numbers, such as [1, 2, 1]",
    "pair": 'a JSON object, such as {"key": "HC#1", "position": 0, "preferred": 1}',
    "own": 'a JSON object of texts, such as {"split": "test"}',
    "scores": 'a JSON list of scores, such as [{"metric": "FLEUR", "value": 0.8}]',
}


def read(source: Source) -> Iterator[Record]:
    """Yield one record per row. Row 1 is the header. Empty rows are skipped."""
    return records_of(source, _lines(source), _record)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the table, not read yet."""

    row: Callable[[list[str]], Row]  # makes a row from the line's cells
    header: list[str]
    cells: list[str]


def _record(line: _Line) -> Record:
    try:
        return record_of(line.row(line.cells))
    except BadRow as bad:
        raise _with_others(line, bad) from None


def _with_others(line: _Line, first: BadRow) -> BadRow:
    """Return all errors of a line, so that the user can correct them together.

    A cell with an error is replaced by a harmless one, and the line is read again.
    """
    found, cells = [first], list(line.cells)
    while found[-1].field in line.header:
        field = found[-1].field
        cells[line.header.index(field)] = _HARMLESS.get(field, "")
        try:
            record_of(line.row(cells))
            break
        except BadRow as bad:
            if bad.field in {one.field for one in found}:
                break
            found.append(bad)
    return found[0] if len(found) == 1 else BadRows(found)


def _lines(source: Source) -> Iterator[_Line]:
    separator = _separator(source)
    table = _table(source, separator)
    names = [name.strip() for name in next(table, [])]
    check_columns(source.path, len(names))
    header = renamed_header(source, names)
    kept, places = kept_places(source, names), reference_places(source, names)
    columns = metric_columns(source, header)
    missing, numbers = missing_columns(header), _numbers(source, separator, header)
    complaints = [*missing, *unscaled(numbers)]
    if complaints:
        bad = [] if missing else _bad_cells(source, numbers)
        raise BadFile(source.path, together(source, [*complaints, *((words, "") for words in bad)]), 4_000)
    note_unread(source, header)
    numeric = [at for at, name in enumerate(header) if name in ("human", SCORE) or name.startswith(_NUMERIC)]
    found = 0
    for found, cells in enumerate(table, start=1):
        if any(cells):
            pointed = cells if separator == "," else _pointed(cells, numeric)
            yield _Line(partial(_row, source, found + 1, header, columns, kept, places), header, pointed)
    if not found:
        raise BadFile(source.path, "there is no row below the header, so there is nothing to import")


def raw_rows(source: Source) -> Iterator[Mapping[str, str]]:
    """Yield the unchanged cells of each row that is not empty, by column name. Raises BadFile."""
    table = _table(source, _separator(source))
    header = [name.strip() for name in next(table, [])]
    check_columns(source.path, len(header))
    for cells in table:
        if any(cells):
            yield dict(zip(header, cells, strict=False))


def _separator(source: Source) -> str:
    """Return the separator with which most of the first rows have as many cells as the header, and more than one."""
    if source.layout.separator is not None:
        return source.layout.separator
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


def _pointed(cells: list[str], numeric: list[int]) -> list[str]:
    """Return a row whose numbers have decimal points instead of decimal commas.

    This function is not used for files in which commas separate cells.
    """
    return [with_point(cell) if place in numeric else cell for place, cell in enumerate(cells)]


def _table(source: Source, separator: str) -> Iterator[list[str]]:
    csv.field_size_limit(LONGEST_LINE)  # Python's own limit is 131,072 characters
    texts = lines(source)
    first = next(texts, "")
    if not SEPARATOR_LINE.fullmatch(first.rstrip("\r\n")):
        texts = chain([first], texts)
    try:
        empty = 0
        for cells in csv.reader(texts, delimiter=separator, strict=True):
            empty = 0 if any(cells) else empty + 1
            if empty > MOST_BLANK:
                raise BadFile(source.path, f"the file contains more than {MOST_BLANK:,} empty rows")
            yield cells
    except csv.Error as error:
        raise BadFile(source.path, f"the file is not CSV ({error}); save it as comma-separated CSV again") from error


def _bad_cells(source: Source, numbers: Mapping[str, list[float]]) -> list[str]:
    """Return the errors of the cells, in words, that remain if each wrong scale is replaced by the probable one."""
    human, score = (likely_scale(numbers.get(name, ())) for name in ("human", SCORE))
    layout = source.layout
    layout = replace(layout, human_scale=layout.human_scale or human, score_scale=layout.score_scale or score)
    problems: list[BadRow] = []
    for _ in read(replace(source, on_bad=problems.append, on_note=lambda _: None, layout=layout)):
        if len(problems) >= MOST_BAD:
            break
    return listed(same_errors(problems))


def _numbers(source: Source, separator: str, header: list[str]) -> dict[str, list[float]]:
    """Return the numbers in the columns of human judgements and scores that have no scale yet.

    Reads the whole file once.
    """
    wanted = {"human": source.layout.human_scale, SCORE: source.layout.score_scale}
    places = {name: header.index(name) for name, scale in wanted.items() if scale is None and name in header}
    numbers: dict[str, list[float]] = {name: [] for name in places}
    for cells in islice(_table(source, separator), 1, None) if places else ():
        for name, place in places.items():
            cell = cells[place] if place < len(cells) else ""
            number = parse_number(cell if separator == "," else with_point(cell))
            if number is not None:
                numbers[name].append(number)
    return numbers


def _row(
    source: Source,
    number: int,
    header: list[str],
    columns: list[Column],
    kept: Mapping[str, int],
    places: list[int],
    cells: list[str],
) -> Row:
    """Convert a row's cells to the fields of Capscope's JSONL format.

    Empty cells become absent fields. places: indexes of further columns with references.
    """
    row = Row(source.path, number, dict(zip(header, cells, strict=False)))
    if len(cells) != len(header):
        raise row.bad("row", f"{len(header)} cells", len(cells))
    values: dict[str, object] = {name: cell for name, cell in row.values.items() if cell and name in FIELDS}
    values |= {name: _json(row, name) for name in _JSON_COLUMNS if name in values}
    more = [cells[place].strip() for place in places if cells[place].strip()]
    if more:
        given = values.get("references", [])
        values["references"] = [*given, *more] if isinstance(given, list) else given
    own = {name: one_line(cells[place]) for name, place in kept.items() if cells[place].strip()}
    if own:
        given = values.get("own")
        values["own"] = {**(given if isinstance(given, dict) else {}), **own}
    if "human" in values:
        values["human"] = _rescaled(row, source.layout.human_scale)
    scores = _scores(row, columns, source.layout.score_scale)
    if scores:
        listed = values.get("scores", [])
        values["scores"] = listed + scores if isinstance(listed, list) else listed
    return Row(source.path, number, values)


def _rescaled(row: Row, scale: Scale | None) -> float:
    """Return a human judgement, rescaled to 0 to 1."""
    value, (low, high) = _number(row, "human"), scale or UNIT
    if not low <= value <= high:
        raise row.bad("human", _expected(scale, "--human-scale"), row.get("human"))
    return (value - low) / (high - low)


def _expected(scale: Scale | None, option: str) -> str:
    low, high = scale or UNIT
    return f"a number from {low:g} to {high:g}" + ("" if scale else f" (for another scale: {option} LOW-HIGH)")


def _scores(row: Row, columns: list[Column], scale: Scale | None) -> list[Mapping[str, object]]:
    """Return the scores in the metrics' columns, in the order of the columns."""
    scores: dict[str, dict[str, Any]] = {}
    filled = [column for column in columns if row.get(column.header)]
    for column in filled:
        if column.field == "value":
            value = _number(row, column.header)
            if not (scale or UNIT)[0] <= value <= (scale or UNIT)[1]:
                raise row.bad(column.header, _expected(scale, "--score-scale"), row.get(column.header))
            scores[column.metric] = {"metric": column.metric, "value": value}
            if scale is not None:
                scores[column.metric]["scale"] = list(scale)
    for column in filled:
        if column.metric not in scores:
            of_score = SCORE if column.header == EXPLANATION else f"score:{column.metric}"
            raise row.bad(of_score, f"a score, because the same row has a value in {column.header!r}")
        if column.field != "value":
            cell = row.get(column.header)
            inner = scores[column.metric].setdefault(column.field, {})
            inner[column.name] = _number(row, column.header) if column.field == "components" else cell
    return list(scores.values())


def _number(row: Row, name: str) -> float:
    value = parse_number(row.any_text(name))
    if value is None:
        raise row.bad(name, "a number with a decimal point, such as 0.5", row.get(name))
    return value


def _json(row: Row, name: str) -> object:
    text = row.any_text(name)
    try:
        content = parsed_json(text)
    except ValueError:
        content = python_list(text) if name in ("references", "judgements") else None
    if content is None and name == "references" and not text.lstrip().startswith("["):
        return [part.strip() for part in re.split(r"[|\n]+", text) if part.strip()]
    if not isinstance(content, dict if name in ("pair", "own") else list):
        raise row.bad(name, _EXPECTED_JSON[name], row.get(name))
    return content


CSV = Format(
    name="csv",
    summary=(
        "a table with the columns image, caption, score, explanation, human; or the columns of our JSONL format; "
        "or your own columns, named by --column"
    ),
    suffixes=(".csv", ".tsv"),
    reader=read,
    takes_metric=True,
    takes_layout=True,
    takes_system=True,
    holds_scores=True,
)
