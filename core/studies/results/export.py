"""Export ratings as CSV, JSON Lines or Parquet, one row per answer.

JSON Lines loses no data. In CSV, text that a spreadsheet would run as a formula gets a ' in front.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from core.csv_text import csv_line
from core.errors import BadSetting
from core.files import written_whole
from core.studies.results.dictionary import MEANINGS, Meaning

_BATCH = 10_000  # number of rows per Parquet row group
_Row = Sequence[Any]  # values in the order of the columns


def write_ratings(rows: Iterable[_Row], path: Path, columns: Mapping[str, Meaning] = MEANINGS) -> int:
    """Write rows in the format of the file's extension, and return their number.

    The file is written atomically. Raises BadSetting for an unknown extension or a path that cannot be written.
    """
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise BadSetting(
            f"Cannot export to {path.name}, because the file name must end in one of {', '.join(_WRITERS)}."
        )
    try:
        with written_whole(path) as unfinished:
            return writer(iter(rows), unfinished, columns)
    except OSError as error:
        raise BadSetting(f"Cannot write {path}: {error.strerror}. Choose another file.") from error


def iso_time(time: datetime | None) -> str:
    """Return a UTC time as ISO 8601 with milliseconds; "" for None."""
    return "" if time is None else f"{time.isoformat(timespec='milliseconds')}Z"


def _write_csv(rows: Iterator[_Row], path: Path, columns: Mapping[str, Meaning]) -> int:
    count = 0
    with path.open("w", newline="", encoding="utf-8-sig") as file:  # the byte order mark tells Excel the encoding
        file.write(csv_line(list(columns), "\r\n"))
        for count, row in enumerate(rows, 1):  # noqa: B007 - count is the result
            file.write(csv_line([_csv_cell(value) for value in row], "\r\n"))
    return count


def _csv_cell(value: object) -> object:
    if isinstance(value, datetime):
        return iso_time(value)
    return str(value).lower() if isinstance(value, bool) else value


def _write_jsonl(rows: Iterator[_Row], path: Path, columns: Mapping[str, Meaning]) -> int:
    encode = json.JSONEncoder(ensure_ascii=False, default=iso_time).encode  # json.dump is slow: it writes small pieces
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for count, row in enumerate(rows, 1):  # noqa: B007 - count is the result
            file.write(encode(dict(zip(columns, row, strict=True))) + "\n")
    return count


def _write_parquet(rows: Iterator[_Row], path: Path, columns: Mapping[str, Meaning]) -> int:
    import pyarrow
    from pyarrow import parquet

    kinds = {
        "text": pyarrow.string(),
        "whole number": pyarrow.int64(),
        "number": pyarrow.float64(),
        "yes or no": pyarrow.bool_(),
        "time": pyarrow.timestamp("ms", tz="UTC"),
    }
    schema = pyarrow.schema(
        [
            pyarrow.field(name, kinds[one.type], metadata={"meaning": one.text, "unit or range": one.range})
            for name, one in columns.items()
        ]
    )
    count = 0
    with path.open("wb") as file, parquet.ParquetWriter(file, schema) as writer:
        while batch := list(islice(rows, _BATCH)):
            values = dict(zip(columns, zip(*batch, strict=True), strict=True))
            writer.write_table(pyarrow.table(values, schema=schema))
            count += len(batch)
    return count


_WRITERS: dict[str, Callable[[Iterator[_Row], Path, Mapping[str, Meaning]], int]] = {
    ".csv": _write_csv,
    ".jsonl": _write_jsonl,
    ".parquet": _write_parquet,
}
SUFFIXES = tuple(_WRITERS)
