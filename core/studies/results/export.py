"""Export ratings as CSV, JSON Lines or Parquet, one row per answer, with the meaning of each column.

JSON Lines loses no data. In CSV, text that a spreadsheet would run as a formula gets a ' in front.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from core.csv_text import csv_line
from core.errors import BadSetting
from core.files import written_whole


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of one column."""

    type: str  # type of the values: text, whole number, number, yes or no, time
    range: str  # unit or range of the values; empty if there is none
    words: str
    empty: str = ""  # the meaning of an empty value; "": no value is empty

    @property
    def text(self) -> str:
        """The column's description, with the meaning of an empty value."""
        return f"{self.words}; empty: {self.empty}" if self.empty else self.words


_TIME = "UTC, to the millisecond"
MEANINGS = {
    "study": Meaning("text", "", "the study's name"),
    "form": Meaning("text", "single, side_by_side", "whether the page shows one explanation or several side by side"),
    "item": Meaning("whole number", "1 and up", "the item's position in the study's random order"),
    "stratum": Meaning(
        "text", "", "the group of samples from which the item was chosen; all: a study without such groups"
    ),
    "sample": Meaning("text", "", "the sample's key in its data set"),
    "image": Meaning("text", "", "the picture's name in its source"),
    "caption": Meaning("text", "", "the caption that the metric scored"),
    "human": Meaning("number", "0 to 1", "mean human judgement of the caption, rescaled", "no human judgement"),
    "metric": Meaning("text", "", "the rated metric; if raters rated captions: caption, caption 1 or caption 2"),
    "signature": Meaning("text", "", "how the score was computed: model, revision, prompt, settings"),
    "score": Meaning(
        "number", "the metric's own scale", "the score that raters saw, not rounded", "raters rated captions"
    ),
    "rater": Meaning("text", "", "the rater's code"),
    "criterion": Meaning("text", "", "the criterion's key in the form"),
    "rating": Meaning(
        "whole number",
        "points of the criterion's scale",
        "the rating; 0: the rater cannot judge; -1: the rater did not judge because the picture was missing",
    ),
    "panel_position": Meaning(
        "whole number", "1 and up", "the explanation's position on the rater's page, from the left"
    ),
    "started_at": Meaning("time", _TIME, "when the item was shown to the rater"),
    "submitted_at": Meaning("time", _TIME, "when the rater answered"),
    "duration_ms": Meaning("whole number", "ms", "how long the item was on the screen until the rater answered"),
    "image_shown_at": Meaning("time", _TIME, "when the hidden picture was shown", "never hidden, or not shown"),
    "changed_after_image": Meaning("yes or no", "", "whether the rater changed the answer after the picture was shown"),
    "regions_shown": Meaning(
        "yes or no", "", "whether the page showed a metric's regions over the picture when the rater answered"
    ),
    "picture_shown": Meaning("yes or no", "", "whether the page showed the picture before the answer"),
    "note": Meaning("text", "", "what the rater wrote about the item"),
    "left_out": Meaning("text", "", "why reports exclude the answer", "included"),
    "role": Meaning("text", "item, practice, gold", "item: an ordinary item; practice, gold: a control item"),
    "picture_missing": Meaning(
        "yes or no", "", "whether the item's picture was missing, so that raters saw no picture"
    ),
    "late": Meaning(
        "yes or no", "", "whether the answer reached the server after the study had closed or its deadline had passed"
    ),
}
COLUMNS = tuple(MEANINGS)
# These columns are exported only on request, because raters write about themselves in these answers.
ANSWERS = {
    "answers_before": Meaning("text", "JSON, question: answer", "answers to the questions before the first item"),
    "answers_after": Meaning("text", "JSON, question: answer", "answers to the questions after the last item"),
}


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
