"""What is told of files that somebody brings, as JSON: formats, a look into a file, and how an import goes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from core.datasets import FORMATS
from ui.services.importing.import_progress import Progress, State


@dataclass(frozen=True, slots=True)
class FormatJson:
    """A format that can be imported."""

    name: str
    summary: str
    suffixes: tuple[str, ...]
    takes_metric: bool  # whether what the scores are called can be said
    takes_layout: bool  # whether columns and scales can be said


@dataclass(frozen=True, slots=True)
class TableHeadJson:
    """The first rows of a table, as they stand in the file."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class GuessJson:
    """What a table's columns probably mean."""

    columns: Mapping[str, str]  # the file's column, by the name of our own form
    human_scale: tuple[float, float] | None  # None: 0 to 1
    score_scale: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class ScoreRead:
    """A score that would be read."""

    metric: str
    value: float | None  # None: an error in its place


@dataclass(frozen=True, slots=True)
class RecordRead:
    """A row as it would be read."""

    image: str
    caption: str
    references: int
    human: float | None  # 0 to 1
    scores: tuple[ScoreRead, ...]


@dataclass(frozen=True, slots=True)
class LookJson:
    """What a look into a file finds."""

    format: str  # empty: none fits for sure
    command: str  # that would import the same
    head: TableHeadJson | None  # None: the format has no columns to be named
    guess: GuessJson | None  # None: the columns were named by who asks
    records: tuple[RecordRead, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What came in."""

    dataset: str
    samples: int
    samples_added: int
    scores: int
    scores_added: int
    images_found: int
    images_missing: int
    skipped: int  # rows that were left out
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportJson:
    """How an import goes."""

    state: State
    what: str  # is being done
    done: int
    total: int
    problem: str  # why nothing was imported
    kind: str  # of the problem: "rows", "file", "cancelled"
    refused: int  # rows and pictures
    first_refused: tuple[tuple[str, ...], ...]  # file, row, field, reason
    result: ImportResult | None


_LOOK: TypeAdapter[LookJson] = TypeAdapter(LookJson)
_RESULT: TypeAdapter[ImportResult] = TypeAdapter(ImportResult)
FORMATS_JSON = tuple(
    FormatJson(one.name, one.summary, one.suffixes, one.takes_metric, one.takes_layout) for one in FORMATS
)


def look_json(found: Mapping[str, Any]) -> LookJson:
    """Return what a look into a file found."""
    return _LOOK.validate_python(found)


def import_json(told: Progress) -> ImportJson:
    """Return how an import goes."""
    result: dict[str, Any] = dict(told.result)
    refused, first = result.pop("refused", 0), result.pop("first_refused", ())
    came = _RESULT.validate_python(result) if told.state == "done" else None
    about = (told.state, told.what, told.done, told.total, told.problem, told.kind)
    return ImportJson(*about, refused, tuple(map(tuple, first)), came)
