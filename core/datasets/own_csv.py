"""CSV, Capscope's own form: one sample per row. Lists are JSON in a cell.

See docs/reference. Scores are in columns or in JSON. Columns have the names of the JSONL fields, and also
"score:METRIC", "component:METRIC:NAME", "rationale:METRIC" and "rationale:METRIC:ASPECT".

A row is converted to the object of its JSONL line, so both forms share one reader and one set of checks. Cells are
separated by commas, semicolons, tabs or bars. The separator is the mark that gives the first row most cells. A caller
may name columns and scales (Layout). A column "score" has the scores of one metric, and "explanation" explains them.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from core.datasets.base import Format, Record, Scale, Source
from core.datasets.chosen_columns import EXPLANATION, SCORE, WHOLE, renamed
from core.datasets.files import lines, parsed_json
from core.datasets.own_form import FIELDS, record_of, refuse_misspelt
from core.datasets.rows import Row, parse_number, records_of
from core.datasets.suggested_options import Advice, missing_columns, together, unscaled, with_point
from core.errors import BadFile, BadRow

SEPARATORS = (",", ";", "\t", "|")
_JSON_COLUMNS = ("references", "judgements", "pair", "scores")
_NUMERIC = ("score:", "component:")
_OF_A_METRIC = ("score:", "component:", "rationale:")
_EXPECTED_JSON = {
    "references": 'a JSON list of texts, such as ["A dog runs."]',
    "judgements": "a JSON list of numbers, such as [1, 2, 1]",
    "pair": 'a JSON object, such as {"key": "HC#1", "position": 0, "preferred": 1}',
    "scores": 'a JSON list of scores, such as [{"metric": "FLEUR", "value": 0.8}]',
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column with the score, a component or a rationale of one metric."""

    header: str
    metric: str
    field: str  # "value", "components" or "rationales"
    name: str = ""  # name of the component or the aspect


def read(source: Source) -> Iterator[Record]:
    """Yield one record per row. Row 1 is the header. Empty rows are skipped."""
    return records_of(source, _rows(source), record_of)


def _rows(source: Source) -> Iterator[Row | BadRow]:
    separator = _separator(source)
    table = _table(source, separator)
    header = _renamed(source, next(table, []))
    columns = _columns(source, header)
    complaints = [*missing_columns(source, header), *_scales(source, separator, header)]
    if complaints:
        raise BadFile(source.path, together(source, complaints), 2_000)
    numeric = [at for at, name in enumerate(header) if name in ("human", SCORE) or name.startswith(_NUMERIC)]
    found = 0
    for found, cells in enumerate(table, start=1):
        if any(cells):
            pointed = cells if separator == "," else _pointed(cells, numeric)
            yield _attempt(partial(_row, source, found + 1, header, columns), pointed)
    if not found:
        raise BadFile(source.path, "there is no row below the header; there is nothing to import")


def raw_rows(source: Source) -> Iterator[Mapping[str, str]]:
    """Yield the unchanged cells of each row that is not empty, by column name. Raises BadFile."""
    table = _table(source, _separator(source))
    header = [name.strip() for name in next(table, [])]
    for cells in table:
        if any(cells):
            yield dict(zip(header, cells, strict=False))


def _separator(source: Source) -> str:
    first = next(lines(source), "").splitlines()[:1]
    try:
        cells = {mark: len(next(csv.reader(first, delimiter=mark), [])) for mark in SEPARATORS}
    except csv.Error:  # a cell is too long; the reader of the table reports this error
        return SEPARATORS[0]
    return max(SEPARATORS, key=lambda mark: cells[mark])


def _pointed(cells: list[str], numeric: list[int]) -> list[str]:
    """Return a row whose numbers have decimal points.

    A comma can be a decimal comma only if it does not separate cells.
    """
    return [with_point(cell) if place in numeric else cell for place, cell in enumerate(cells)]


def _table(source: Source, separator: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(lines(source), delimiter=separator, strict=True)
    except csv.Error as error:
        raise BadFile(source.path, f"expected CSV, but {error}; save it as comma-separated CSV again") from error


def _renamed(source: Source, header: list[str]) -> list[str]:
    """Return the header with the names of Capscope's own form. Raises BadFile for a missing column."""
    header = [name.strip() for name in header]
    for name, column in source.layout.columns.items():
        if column not in header:
            raise BadFile(source.path, f"there is no column {column!r} for {name}; there are {', '.join(header[:12])}")
    return renamed(source.layout, header)


def _columns(source: Source, header: list[str]) -> list[Column]:
    """Return the metrics' columns. Raises BadFile if the header is inconsistent."""
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise BadFile(source.path, f"the column {repeated[0]!r} is there twice; rename one of them")
    own = [name for name in header if name != SCORE and not name.startswith(_OF_A_METRIC)]
    try:
        if not missing_columns(source, header):
            refuse_misspelt(Row(source.path, 1, {}), own)
    except BadRow as bad:
        raise BadFile(source.path, f"in the first row, {bad.reason}") from bad
    if source.metric is not None and SCORE not in header:
        raise BadFile(source.path, f"there is no column {SCORE!r} for the metric {source.metric}; remove --metric")
    if EXPLANATION in source.layout.columns and SCORE not in header:
        raise BadFile(source.path, f"explanations need a column with their scores; name it by --column {SCORE}=COLUMN")
    metrics = {name.removeprefix("score:") for name in header if name.startswith("score:")}
    return _plain_columns(source.metric or SCORE, header) + [
        _column(source, name, metrics) for name in header if name.startswith(("score:", "component:", "rationale:"))
    ]


def _plain_columns(metric: str, header: list[str]) -> list[Column]:
    """Return the columns "score" and "explanation"; [] if there is no score."""
    if SCORE not in header:
        return []
    explained = [Column(EXPLANATION, metric, "rationales", WHOLE)] if EXPLANATION in header else []
    return [Column(SCORE, metric, "value"), *explained]


def _scales(source: Source, separator: str, header: list[str]) -> list[Advice]:
    """Return problems with the scales of human judgements and scores.

    Reads the whole file once.
    """
    wanted = {"human": source.layout.human_scale, SCORE: source.layout.score_scale}
    places = {name: header.index(name) for name, scale in wanted.items() if scale is None and name in header}
    found: dict[str, list[float]] = {name: [] for name in places}
    for cells in islice(_table(source, separator), 1, None) if places else ():
        for name, place in places.items():
            cell = cells[place] if place < len(cells) else ""
            number = parse_number(cell if separator == "," else with_point(cell))
            if number is not None:
                found[name].append(number)
    return unscaled(found)


def _column(source: Source, header: str, metrics: set[str]) -> Column:
    kind, _, rest = header.partition(":")
    if kind == "score" and rest.strip():
        return Column(header, rest, "value")
    if kind == "rationale" and rest in metrics:
        return Column(header, rest, "rationales", WHOLE)
    metric, _, name = rest.rpartition(":")
    if kind == "score" or metric not in metrics or not name.strip():
        raise BadFile(
            source.path,
            f"the column {header!r} belongs to no column 'score:METRIC'; see “File formats” in the documentation",
        )
    return Column(header, metric, "components" if kind == "component" else "rationales", name)


def _attempt(make: Callable[[list[str]], Row], cells: list[str]) -> Row | BadRow:
    try:
        return make(cells)
    except BadRow as bad:
        return bad


def _row(source: Source, number: int, header: list[str], columns: list[Column], cells: list[str]) -> Row:
    """Return the object of the row's JSONL line. Empty cells become absent fields."""
    row = Row(source.path, number, dict(zip(header, cells, strict=False)))
    if len(cells) != len(header):
        raise row.bad("row", f"{len(header)} cells", len(cells))
    values: dict[str, object] = {name: cell for name, cell in row.values.items() if cell and name in FIELDS}
    values |= {name: _json(row, name) for name in _JSON_COLUMNS if name in values}
    if "human" in values:
        values["human"] = _rescaled(row, source.layout.human_scale)
    scores = _scores(row, columns, source.layout.score_scale)
    if scores:
        own = values.get("scores", [])
        values["scores"] = own + scores if isinstance(own, list) else own
    return Row(source.path, number, values)


def _rescaled(row: Row, scale: Scale | None) -> float:
    """Return a human judgement, rescaled to 0 to 1."""
    value, (low, high) = _number(row, "human"), scale or (0.0, 1.0)
    if not low <= value <= high:
        raise row.bad("human", f"a number from {low:g} to {high:g}", row.get("human"))
    return (value - low) / (high - low)


def _scores(row: Row, columns: list[Column], scale: Scale | None) -> list[Mapping[str, object]]:
    """Return the scores in the metrics' columns, in the order of the columns."""
    scores: dict[str, dict[str, Any]] = {}
    filled = [column for column in columns if row.get(column.header)]
    for column in filled:
        if column.field == "value":
            value = _number(row, column.header)
            scores[column.metric] = {"metric": column.metric, "value": value}
            if scale is not None:
                scores[column.metric]["scale"] = list(scale)
    for column in filled:
        if column.metric not in scores:
            of_score = SCORE if column.header == EXPLANATION else f"score:{column.metric}"
            raise row.bad(of_score, f"a score beside {column.header!r}")
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
    try:
        content = parsed_json(row.any_text(name))
    except ValueError:
        content = None
    if not isinstance(content, dict if name == "pair" else list):
        raise row.bad(name, _EXPECTED_JSON[name], row.get(name))
    return content


CSV = Format(
    name="csv",
    summary="a table: image, caption, score, explanation, human; or JSONL's columns; or any columns by --column",
    suffixes=(".csv", ".tsv"),
    reader=read,
    takes_metric=True,
    takes_layout=True,
    takes_system=True,
    holds_scores=True,
)
