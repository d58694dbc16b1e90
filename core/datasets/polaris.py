"""Polaris, the human judgements that Polos is trained on (Wada et al. 2024): CSV with mt, refs, score, imgid.

refs is the text of a Python list; it is read as a literal and never evaluated. score is in [0, 1]. The test set also
comes as JSON, in the form of Nebula's.
"""

import ast
import csv
from collections.abc import Iterator, Sequence

from core.datasets import nebula
from core.datasets.base import Format, Record, Source, plain_name
from core.datasets.benchmark import Benchmark
from core.datasets.files import lines
from core.datasets.rows import Row, file_name, parse_number, records_of
from core.errors import BadFile

COLUMNS = ("mt", "refs", "score", "imgid")


def read(source: Source) -> Iterator[Record]:
    """Yield one record a row; row 1 is the header, and other columns than the four are passed over.

    Keys are "polaris_val#2" and so on, after the file's name and the row: some captions of an image stand in several
    rows with different scores, and the benchmark counts each.
    """
    if plain_name(source.path).suffix.lower() == ".json":  # EXPERT's copy of the test set, in the form of Nebula's
        return nebula.read(source)
    return records_of(source, table_rows(source, COLUMNS), _record)


def table_rows(source: Source, columns: Sequence[str], others: Sequence[str] = ()) -> Iterator[Row]:
    """Yield the rows of a table with those columns; other columns are passed over. Raises BadFile without one of them.

    others: columns that may be missing. Row 1 is the header.
    """
    table = csv.DictReader(lines(source), strict=True, restval=None)
    try:
        missing = [name for name in columns if name not in (table.fieldnames or ())]
        if missing:
            raise BadFile(source.path, f"expected the columns {', '.join(columns)}, without {missing[0]!r}")
        for number, values in enumerate(table, start=2):
            yield Row(
                source.path,
                number,
                {name: values[name] for name in (*columns, *others) if values.get(name) is not None},
            )
    except csv.Error as error:
        raise BadFile(source.path, f"expected CSV, but {error}; get the file again") from error


def label(row: Row) -> float:
    """Return the human score of a row, in [0, 1]. Raises BadRow."""
    score = parse_number(row.text("score", "a number from 0 to 1"))
    if score is None or not 0 <= score <= 1:
        raise row.bad("score", "a number from 0 to 1", row.get("score"))
    return score


def _record(row: Row) -> Record:
    return Record(
        file=row.file,
        row=row.number,
        key=f"{plain_name(row.file).stem}#{row.number}",
        image=file_name(row.text("imgid")),
        candidate=row.text("mt"),
        references=literal_texts(row, "refs"),
        human=label(row),
    )


def literal_texts(row: Row, field: str) -> tuple[str, ...]:
    """Return the texts of a list that is written as Python does; it is read and never evaluated. Raises BadRow."""
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
