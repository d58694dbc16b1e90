"""Export ratings as CSV, JSON Lines or Parquet, one record per answer.

JSON Lines loses no data. In CSV, text that a spreadsheet would run as a formula gets a ' in front.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, get_type_hints

from core.csv_text import csv_line
from core.errors import BadSetting
from core.files import written_whole
from core.studies.results.dictionary import ANSWERS, MEANINGS, Meaning

_BATCH = 10_000  # number of records per Parquet row group


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFacts:
    """How a rater answered (such as the time needed), as the browser reported it.

    These facts are stored and exported with the answer. To add a fact, add a field here and a column of RatingRow with
    its migration, and change the script that reports it.
    """

    regions_shown: bool = False  # True: regions of a metric were visible on the picture when the rater answered
    picture_shown: bool | None = None  # whether the page had shown the picture before the answer; None: unknown


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """One rater's answer to one question about one explanation."""

    study: str
    form: str
    item: int  # number in the study, from 1; a repeat has the number of the item it repeats; practice and gold: below 0
    stratum: str
    sample: str  # the sample's key in its data set
    image: str  # name of the picture in its source
    caption: str
    human: float | None  # mean human judgement of the caption, [0, 1]
    metric: str  # name of the metric; "caption" for a rated caption; "caption 1" or "caption 2" for compared captions
    signature: str  # signature of the metric's score; empty for a caption
    score: float | None  # score as the rater saw it (some gold items show a reversed score); None for a caption
    rater: str  # the rater's code
    criterion: str
    rating: int  # point of the scale, from 1; 0: abstained; -1: no picture; each of two compared texts has its own
    panel_position: int  # position of the explanation on the page, from 1
    started_at: datetime  # UTC; when the item was shown to the rater
    submitted_at: datetime  # UTC; when the answer was given
    duration_ms: int  # milliseconds for which the item was visible before the answer
    image_shown_at: datetime | None  # UTC; when the picture was revealed; None: it was never hidden or never revealed
    changed_after_image: bool  # True: the rater changed this answer after the picture was revealed
    facts: AnswerFacts
    note: str
    left_out: str = ""  # reason why reports exclude the answer; empty: included
    role: str = "item"  # "item"; control items, which no result includes, are "training", "gold" or "repeat"
    picture_missing: bool = False  # True: the item's picture was not found, so raters saw none
    late: bool = False  # True: the answer reached the server after the study had closed


FACTS = tuple(field.name for field in fields(AnswerFacts))
_PLACES = tuple(
    place
    for field in fields(RatingRecord)
    for place in ([f"facts.{name}" for name in FACTS] if field.name == "facts" else [field.name])
)
COLUMNS = tuple(place.removeprefix("facts.") for place in _PLACES)
_values: Callable[[RatingRecord], tuple[Any, ...]] = attrgetter(*_PLACES)


@dataclass(frozen=True, slots=True)
class Shape:
    """How records are converted to rows of a file."""

    columns: tuple[str, ...]
    values: Callable[[Any], tuple[Any, ...]]  # function that returns a record's values, in the order of the columns
    types: Mapping[str, Any]  # by column
    meanings: Mapping[str, Meaning] = field(default_factory=dict)  # key: name of a column; value: its documentation


RATINGS = Shape(COLUMNS, _values, get_type_hints(RatingRecord) | get_type_hints(AnswerFacts), MEANINGS)


_NOTHING = json.dumps({})


def answered(
    records: Iterable[RatingRecord], answers: Mapping[str, Mapping[str, Mapping[str, str]]]
) -> Iterator[tuple[RatingRecord, str, str]]:
    """Yield ratings with their raters' answers to the questionnaires, as JSON.

    Each tuple has a rating, the rater's answers before the study, and those after it. answers: rater -> "before" or
    "after" -> question -> answer. The constant ANSWERED says how tuples become rows of a file.
    """
    answers_of = {
        rater: tuple(json.dumps(of.get(phase, {}), ensure_ascii=False) for phase in ("before", "after"))
        for rater, of in answers.items()
    }
    for record in records:
        before, after = answers_of.get(record.rater, (_NOTHING, _NOTHING))
        yield record, before, after


ANSWERED = Shape(
    (*COLUMNS, *ANSWERS),
    lambda row: (*_values(row[0]), *row[1:]),
    {**RATINGS.types, **dict.fromkeys(ANSWERS, str)},
    {**MEANINGS, **ANSWERS},
)


def write_records(records: Iterable[Any], path: Path, shape: Shape = RATINGS) -> int:
    """Write the records in the format of the file's extension, and return their number.

    The file is written atomically. Raises BadSetting for an unknown extension or a path that cannot be written.
    """
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise BadSetting(
            f"Cannot export to {path.name}, because the file name must end in one of {', '.join(_WRITERS)}."
        )
    try:
        with written_whole(path) as unfinished:
            return writer(iter(records), unfinished, shape)
    except OSError as error:
        raise BadSetting(f"Cannot write {path}: {error.strerror}. Choose another file.") from error


def iso_time(time: datetime | None) -> str:
    """Return a UTC time as ISO 8601 with milliseconds; "" for None."""
    return "" if time is None else f"{time.isoformat(timespec='milliseconds')}Z"


def _write_csv(records: Iterator[Any], path: Path, shape: Shape) -> int:
    count = 0
    with path.open("w", newline="", encoding="utf-8-sig") as file:  # the byte order mark tells Excel the encoding
        file.write(csv_line(shape.columns, "\r\n"))
        for count, record in enumerate(records, 1):  # noqa: B007 - count is the result
            file.write(csv_line([_csv_cell(value) for value in shape.values(record)], "\r\n"))
    return count


def _csv_cell(value: object) -> object:
    if isinstance(value, datetime):
        return iso_time(value)
    return str(value).lower() if isinstance(value, bool) else value


def _write_jsonl(records: Iterator[Any], path: Path, shape: Shape) -> int:
    encode = json.JSONEncoder(ensure_ascii=False, default=iso_time).encode  # json.dump is slow: it writes small pieces
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for count, record in enumerate(records, 1):  # noqa: B007 - count is the result
            file.write(encode(dict(zip(shape.columns, shape.values(record), strict=True))) + "\n")
    return count


def _write_parquet(records: Iterator[Any], path: Path, shape: Shape) -> int:
    import pyarrow
    from pyarrow import parquet

    kinds: dict[Any, Any] = {
        str: pyarrow.string(),
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bool: pyarrow.bool_(),
        datetime: pyarrow.timestamp("ms", tz="UTC"),
    }
    schema = pyarrow.schema(
        [
            pyarrow.field(name, kinds[_without_none(shape.types[name])], metadata=_told(shape.meanings.get(name)))
            for name in shape.columns
        ]
    )
    count = 0
    with path.open("wb") as file, parquet.ParquetWriter(file, schema) as writer:
        while batch := list(islice(records, _BATCH)):
            columns = dict(zip(shape.columns, zip(*map(shape.values, batch), strict=True), strict=True))
            writer.write_table(pyarrow.table(columns, schema=schema))
            count += len(batch)
    return count


def _told(meaning: Meaning | None) -> dict[str, str] | None:
    return None if meaning is None else {"meaning": meaning.text, "unit or range": meaning.range}


def _without_none(hint: Any) -> Any:
    """Return the type T for a hint of the form T | None."""
    kinds = [kind for kind in getattr(hint, "__args__", (hint,)) if kind is not type(None)]
    return kinds[0]


_WRITERS: dict[str, Callable[[Iterator[Any], Path, Shape], int]] = {
    ".csv": _write_csv,
    ".jsonl": _write_jsonl,
    ".parquet": _write_parquet,
}
SUFFIXES = tuple(_WRITERS)
