"""CSV, our own form: one sample a row, lists as JSON in a cell, scores in columns or JSON; see docs/formats.md.

Columns are those of the JSONL form, and beside them "score:METRIC", "component:METRIC:NAME", "rationale:METRIC" and
"rationale:METRIC:ASPECT". A row is turned into the object that its JSONL line would hold, so both forms share one
reader and one set of checks.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from core.datasets.base import Format, Record, Source
from core.datasets.files import lines, parsed_json
from core.datasets.own_form import FIELDS, record_of, refuse_misspelt
from core.datasets.rows import Row, parse_number, records_of
from core.errors import BadFile, BadRow

_JSON_COLUMNS = ("references", "judgements", "pair", "scores")
_OF_A_METRIC = ("score:", "component:", "rationale:")
_EXPECTED_JSON = {
    "references": 'a JSON list of texts, such as ["A dog runs."]',
    "judgements": "a JSON list of numbers, such as [1, 2, 1]",
    "pair": 'a JSON object, such as {"key": "HC#1", "position": 0, "preferred": 1}',
    "scores": 'a JSON list of scores, such as [{"metric": "FLEUR", "value": 0.8}]',
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column that holds something of one metric's score."""

    header: str
    metric: str
    field: str  # "value", "components" or "rationales"
    name: str = ""  # of the component or the aspect


def read(source: Source) -> Iterator[Record]:
    """Yield one record a row; row 1 is the header. Rows without a filled cell are passed over."""
    return records_of(source, _rows(source), record_of)


def _rows(source: Source) -> Iterator[Row | BadRow]:
    table = _table(source)
    header = next(table, [])
    columns = _columns(source, header)
    found = 0
    for found, cells in enumerate(table, start=1):
        if any(cells):
            yield _attempt(partial(_row, source, found + 1, header, columns), cells)
    if not found:
        raise BadFile(source.path, "there is no row below the header; there is nothing to import")


def _table(source: Source) -> Iterator[list[str]]:
    try:
        yield from csv.reader(lines(source), strict=True)
    except csv.Error as error:
        raise BadFile(source.path, f"expected CSV, but {error}; save it as comma-separated CSV again") from error


def _columns(source: Source, header: list[str]) -> list[Column]:
    """Return the metrics' columns. Raises BadFile where the header cannot be meant."""
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise BadFile(source.path, f"the column {repeated[0]!r} is there twice; rename one of them")
    missing = [name for name in ("image", "caption") if name not in header]
    if missing:
        found = ", ".join(header[:12])
        raise BadFile(
            source.path, f"expected comma-separated columns with {missing[0]!r} in the first row, found {found}"
        )
    try:
        refuse_misspelt(Row(source.path, 1, {}), (name for name in header if not name.startswith(_OF_A_METRIC)))
    except BadRow as bad:
        raise BadFile(source.path, f"in the first row, {bad.reason}") from bad
    metrics = {name.removeprefix("score:") for name in header if name.startswith("score:")}
    return [
        _column(source, name, metrics) for name in header if name.startswith(("score:", "component:", "rationale:"))
    ]


def _column(source: Source, header: str, metrics: set[str]) -> Column:
    kind, _, rest = header.partition(":")
    if kind == "score" and rest.strip():
        return Column(header, rest, "value")
    if kind == "rationale" and rest in metrics:
        return Column(header, rest, "rationales", "overall")
    metric, _, name = rest.rpartition(":")
    if kind == "score" or metric not in metrics or not name.strip():
        raise BadFile(source.path, f"the column {header!r} belongs to no column 'score:METRIC'; see docs/formats.md")
    return Column(header, metric, "components" if kind == "component" else "rationales", name)


def _attempt(make: Callable[[list[str]], Row], cells: list[str]) -> Row | BadRow:
    try:
        return make(cells)
    except BadRow as bad:
        return bad


def _row(source: Source, number: int, header: list[str], columns: list[Column], cells: list[str]) -> Row:
    """Return the object that the row's JSONL line would hold; empty cells are absent fields."""
    row = Row(source.path, number, dict(zip(header, cells, strict=False)))
    if len(cells) != len(header):
        raise row.bad("row", f"{len(header)} cells", len(cells))
    values: dict[str, object] = {name: row.get(name) for name in FIELDS if row.get(name)}
    values |= {name: _json(row, name) for name in _JSON_COLUMNS if name in values}
    if "human" in values:
        values["human"] = _number(row, "human")
    scores = _scores(row, columns)
    if scores:
        own = values.get("scores", [])
        values["scores"] = own + scores if isinstance(own, list) else own
    return Row(source.path, number, values)


def _scores(row: Row, columns: list[Column]) -> list[Mapping[str, object]]:
    """Return the scores that the metrics' columns hold, in the order of the columns."""
    scores: dict[str, dict[str, object]] = {}
    filled = [column for column in columns if row.get(column.header)]
    for column in filled:
        if column.field == "value":
            value = _number(row, column.header)
            scores[column.metric] = {"metric": column.metric, "value": value, "components": {}, "rationales": {}}
    for column in filled:
        if column.metric not in scores:
            raise row.bad(f"score:{column.metric}", f"a score beside {column.header!r}")
        inner = scores[column.metric][column.field]
        if isinstance(inner, dict):
            cell = row.get(column.header)
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
    summary="our own form as a table: the columns of the JSONL form, or score:METRIC columns (docs/formats.md)",
    suffixes=(".csv",),
    reader=read,
    holds_scores=True,
)
