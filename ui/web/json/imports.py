"""JSON of imports: formats, a preview of a file, and progress."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from core.datasets import FORMATS
from ui.services.importing.import_progress import Progress, State
from ui.web.json.page_words import page_words


@dataclass(frozen=True, slots=True)
class FormatJson:
    """A format that can be imported."""

    name: str
    summary: str
    suffixes: tuple[str, ...]
    takes_metric: bool  # True: the user can name the metric of the scores
    takes_layout: bool  # True: the user can choose columns and scales
    takes_system: bool  # True: the user can name the captioner


@dataclass(frozen=True, slots=True)
class TableHeadJson:
    """The first rows of a table, unchanged from the file."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class GuessJson:
    """The probable meaning of a table's columns."""

    columns: Mapping[str, str]  # key: name in Capscope's own format; value: the file's column
    human_scale: tuple[float, float] | None  # scale of human judgements; None: [0, 1]
    score_scale: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class ScoreRead:
    """A score in the preview of a file to import."""

    metric: str
    value: float | None  # score; None: the file has an error instead of a score
    explanation: str  # the beginning of the explanation; "": none


@dataclass(frozen=True, slots=True)
class RecordRead:
    """A row in the preview of a file to import."""

    image: str
    caption: str
    system: str | None  # the captioner
    references: int
    human: float | None  # [0, 1]
    scores: tuple[ScoreRead, ...]


@dataclass(frozen=True, slots=True)
class LookJson:
    """The preview of a file."""

    format: str  # name of the format; "": the format could not be determined
    command: str  # command that imports the same files
    head: TableHeadJson | None  # None: the format has no columns to choose
    guess: GuessJson | None  # guessed columns; None: the user chose the columns
    notes: tuple[str, ...]  # sentences about the guessed scales and the values from which they were guessed
    records: tuple[RecordRead, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The result of an import."""

    dataset: str
    samples: int
    samples_added: int
    scores: int
    scores_added: int
    images_found: int
    images_missing: int
    skipped: int  # number of rows that were skipped
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportJson:
    """The progress of an import."""

    state: State
    what: str  # name of the current step
    done: int
    total: int
    problem: str  # reason why nothing was imported; "": no problem
    kind: str  # kind of the problem: "rows", "file", "cancelled"
    refused: int  # number of refused rows and pictures
    first_refused: tuple[tuple[str, ...], ...]  # one tuple per error: (file, rows with this error, field, reason)
    result: ImportResult | None


_LOOK: TypeAdapter[LookJson] = TypeAdapter(LookJson)
_RESULT: TypeAdapter[ImportResult] = TypeAdapter(ImportResult)
FORMATS_JSON = tuple(
    FormatJson(one.name, page_words(one.summary), one.suffixes, one.takes_metric, one.takes_layout, one.takes_system)
    for one in FORMATS
)


def look_json(found: Mapping[str, Any]) -> LookJson:
    """Return the preview of a file."""
    return _LOOK.validate_python({**found, "problems": [page_words(problem) for problem in found["problems"]]})


def import_json(told: Progress) -> ImportJson:
    """Return the progress of an import."""
    result: dict[str, Any] = dict(told.result)
    refused, first = result.pop("refused", 0), result.pop("first_refused", ())
    came = _RESULT.validate_python(result) if told.state == "done" else None
    about = (told.state, told.what, told.done, told.total, page_words(told.problem), told.kind)
    return ImportJson(*about, refused, tuple(tuple(page_words(str(cell)) for cell in row) for row in first), came)
