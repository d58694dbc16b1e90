"""Polaris, Polos' training judgements (Wada et al. 2024): CSV with the columns mt, refs, score and imgid.

The column refs has a Python list as text. It is parsed as a literal and never evaluated. The column score is in [0, 1].
The test set also exists as JSON in Nebula's format.
"""

import ast
import csv
from collections.abc import Iterator, Sequence

from core.datasets import nebula
from core.datasets.base import Format, Record, Source, plain_name
from core.datasets.benchmark import Benchmark
from core.datasets.files import lines
from core.datasets.rows import SYSTEMS, Row, parse_number, records_of
from core.errors import BadFile

COLUMNS = ("mt", "refs", "score", "imgid")


def read(source: Source) -> Iterator[Record]:
    """Yield one record per row. Row 1 is the header. Other columns are ignored.

    Keys consist of the file's name and the row: "polaris_val#2". Some captions of an image are in several rows with
    different scores. Each of these rows is a record, because the benchmark counts each row.
    """
    if plain_name(source.path).suffix.lower() == ".json":  # EXPERT's copy of the test set has the format of Nebula
        return nebula.read(source)
    return records_of(source, table_rows(source, COLUMNS, SYSTEMS), _record)


def table_rows(source: Source, columns: Sequence[str], others: Sequence[str] = ()) -> Iterator[Row]:
    """Yield the rows of a table with these columns.

    `others` lists optional columns. All other columns are ignored. Row 1 is the header. Raises BadFile if a column is
    missing.
    """
    table = csv.DictReader(lines(source), strict=True, restval=None)
    try:
        missing = [name for name in columns if name not in (table.fieldnames or ())]
        if missing:
            raise BadFile(
                source.path, f"the file must have the columns {', '.join(columns)}, but {missing[0]!r} is missing"
            )
        for number, values in enumerate(table, start=2):
            yield Row(
                source.path,
                number,
                {name: values[name] for name in (*columns, *others) if values.get(name) is not None},
            )
    except csv.Error as error:
        raise BadFile(source.path, f"the file is not CSV ({error}); download the file again") from error


def label(row: Row) -> float:
    """Return the human score of a row, in [0, 1]. Raises BadRow."""
    score = parse_number(row.text("score", "a number from 0 to 1"))
    if score is None or not 0 <= score <= 1:
        raise row.bad("score", "a number from 0 to 1", row.get("score"))
    return score


def _record(row: Row) -> Record:
    return nebula.judged_caption(row, literal_texts(row, "refs"), label(row))


def literal_texts(row: Row, field: str) -> tuple[str, ...]:
    """Return the texts of a Python list literal, without evaluating it. Raises BadRow."""
    expected = "a Python list of texts"
    try:
        content = ast.literal_eval(row.text(field, expected).strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise row.bad(field, expected, row.get(field)) from error
    return Row(row.file, row.number, {field: content}).texts(field)


POLARIS = Format(
    name="polaris",
    summary="Polaris (polaris_train.csv, polaris_val.csv, polaris_test.csv or .json): captions with human scores",
    suffixes=(".csv", ".json"),
    reader=read,
    benchmark=Benchmark("polaris", "c", human_scale=(0.0, 1.0)),
)
