"""Check the values of a bundle's columns.

Texts and numbers have the same bounds as in commands and on pages. The structure of JSON values is also checked.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from core.analysis.slices import check_name as check_slice_name
from core.analysis.slices import slice_of
from core.captions.shared_words_json import MatchFields, Unlisted
from core.costs import LONGEST_S, MOST_TOKENS, Usage
from core.datasets.own_form import LONGEST_OWN, MOST_OWN
from core.errors import BadSetting, CapscopeError, ErrorKind
from core.images.pictures import MAX_PIXELS
from core.studies.asking.form_file import read_form
from core.studies.asking.item_report import LONGEST_REPORT
from core.studies.asking.questionnaire import LONGEST_TEXT as LONGEST_QUESTION
from core.studies.asking.questionnaire import MOST_CHOICES, Question, Questionnaire, questionnaire_of
from core.studies.planning.life_cycle import LONGEST_CONTACT
from core.studies.planning.study_request import check_name
from core.studies.rater_quality.flags import thresholds_of
from core.studies.study_design import LARGEST_NUMBER
from core.types import LONGEST_SYSTEM, LONGEST_TEXT, Claim, Mark
from storage.study_types import LONGEST_MS

MOST_PANELS = 50  # maximum number of explanations side by side
LONGEST_DATASET = 80  # maximum characters of a data set's name
LONGEST_WORD = 2_000  # maximum characters of a name, a key or a signature
LONGEST_PROSE = 1_000_000  # maximum characters of an explanation, a form or a mask
EARLIEST, LATEST = datetime(2000, 1, 1), datetime(2200, 1, 1)
AHEAD = timedelta(days=2)  # how far another computer's clock may be ahead of this one
_NO_NUL = "the text must not contain the character NUL"
_STRICT = ConfigDict(strict=True, extra="forbid")

_Number = Annotated[float, Field(allow_inf_nan=False)]
_Caption = Annotated[str, Field(max_length=LONGEST_TEXT)]
_Prose = Annotated[str, Field(max_length=LONGEST_PROSE)]
_Word = Annotated[str, Field(max_length=LONGEST_WORD)]
_Short = Annotated[str, Field(min_length=1, max_length=LONGEST_OWN)]
_Place = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
_Side = Annotated[int, Field(ge=1, le=MAX_PIXELS)]
_Tokens = Annotated[int, Field(ge=0, le=MOST_TOKENS)]
_Seconds = Annotated[float, Field(ge=0, le=LONGEST_S, allow_inf_nan=False)]
_Point = Annotated[int, Field(ge=0, le=10)]
_Thing = tuple[_Caption, _Place, _Place, Mark]
_PlainPhrase = tuple[_Caption, _Place, _Place, _Number, _Place | None]
_MarkedPhrase = tuple[_Caption, _Place, _Place, _Number, _Place | None, Mark]
_PhraseWithThings = tuple[_Caption, _Place, _Place, _Number, _Place | None, Mark, list[_Thing]]
_WordedPhrase = tuple[_Caption, _Place, _Place, _Number, _Place | None, Mark, list[_Thing], Claim, _Caption]
_WholePhrase = tuple[_Caption, _Place, _Place, _Number, _Place | None, Mark, list[_Thing], Claim, _Caption, _Prose]
_PlainRegion = tuple[_Prose, _Side, _Side, _Word | None, bool, _Number, _Place | None]
_MarkedRegion = tuple[_Prose, _Side, _Side, _Word | None, bool, _Number, _Place | None, bool]
_WholeRegion = tuple[_Prose, _Side, _Side, _Word | None, bool, _Number, _Place | None, bool, _Prose]


@checked_dataclass(config=_STRICT)
class _Pair:
    key: _Word
    position: Literal[0, 1]
    preferred: Literal[0, 1] | None
    category: _Word | None


_OF_COLUMN: Mapping[str, Any] = {
    "images.vocabulary": list[_Word],
    "samples.references": list[_Caption],
    "samples.judgements": list[_Number],
    "samples.pair": _Pair,
    "samples.own": Annotated[dict[_Short, _Short], Field(max_length=MOST_OWN)],
    "scores.components": dict[_Word, _Number | list[_Number]],
    "scores.rationales": dict[_Word, _Prose],
    "scores.phrases": list[
        _WholePhrase | _WordedPhrase | _PhraseWithThings | _MarkedPhrase | _PlainPhrase | MatchFields | Unlisted
    ],
    "scores.regions": list[_WholeRegion | _MarkedRegion | _PlainRegion],
    "scores.usage": dict[_Word, _Tokens],  # core.costs.Usage also checks this value (see _CHECKS)
    "scores.seconds": dict[_Word, _Seconds],
    "studies.strata": list[tuple[_Word, _Place]],
    "study_entries.entry": dict[str, Any],
    "study_quality.thresholds": dict[str, int | _Number],
    "controls.expected": dict[_Word, tuple[_Point, _Point]],
    "assignments.panels": Annotated[list[int], Field(min_length=1, max_length=MOST_PANELS)],
    "codebooks.codes": list[tuple[_Word, _Word]],
    "slices.conditions": dict[str, Any],
}
_SHAPES: Mapping[str, TypeAdapter[Any]] = {name: TypeAdapter(shape) for name, shape in _OF_COLUMN.items()}
# Columns of lists or dictionaries, which may be empty. Most rows have an empty value, which is not checked further.
_MAY_BE_EMPTY = {name for name, shape in _OF_COLUMN.items() if get_origin(shape) in (list, dict)}
_LONGEST: Mapping[str, int] = {
    "samples.candidate": LONGEST_TEXT,
    "samples.system": LONGEST_SYSTEM,
    "assignments.id": 200,
    "assignments.note": 4_000,
    "events.text": LONGEST_PROSE,
    "item_reports.words": LONGEST_REPORT,
    "study_courses.contact": LONGEST_CONTACT,
    "scores.error_message": LONGEST_PROSE,
    "study_forms.text": LONGEST_PROSE,
    "annotations.rle": LONGEST_PROSE,
    "datasets.notice": 20_000,
    "datasets.benchmark": 200,
    "images.path": 10_000,
}
_ONE_LINE = {"samples.system", "raters.code", "assignments.id", "codings.coder", "codebooks.name", "exclusions.reason"}
_FUTURE = {"study_courses.deadline"}
_ENTRY = TypeAdapter(Questionnaire)


def check_dataset_name(name: str) -> None:
    """Raise BadSetting for a name that no data set can have."""
    if not 1 <= len(name) <= LONGEST_DATASET or not name.isprintable() or name != name.strip():
        raise BadSetting(f"A data set needs a name of 1 to {LONGEST_DATASET} printable characters.")


def _check_seed(seed: int) -> None:
    if seed < 0:
        raise BadSetting("A seed must be 0 or more.")


def _check_kind(kind: str) -> None:
    if kind not in get_args(ErrorKind):
        raise BadSetting(f"There is no kind of error named {kind[:40]!r}.")


def _check_entry(stored: dict[str, Any]) -> None:
    entry = questionnaire_of(stored)
    _check_shape(stored, _ENTRY)
    for question in (*entry.before, *entry.after):
        if not _can_be_asked(question):
            raise BadSetting(f"A study cannot ask the question {question.text[:60]!r}.")


def _can_be_asked(question: Question) -> bool:
    if not 1 <= len(question.text) <= LONGEST_QUESTION or not question.text.isprintable():
        return False
    if question.kind == "number":
        low, high = question.lowest, question.highest
        return low is not None and high is not None and math.isfinite(low) and math.isfinite(high) and low < high
    named = len(set(question.choices)) == len(question.choices) and all(map(str.strip, question.choices))
    if question.kind == "choice":
        return named and 2 <= len(question.choices) <= MOST_CHOICES and {*question.screens_out} <= {*question.choices}
    return not question.choices and not question.screens_out


def _check_slice(stored: dict[str, Any]) -> None:
    check_slice_name(slice_of(stored))


_CHECKS: Mapping[str, Callable[[Any], object]] = {
    "studies.name": check_name,
    "datasets.name": check_dataset_name,
    "studies.seed": _check_seed,
    "scores.error_kind": _check_kind,
    "scores.usage": lambda stored: Usage(**stored),
    "study_entries.entry": _check_entry,
    "study_quality.thresholds": thresholds_of,
    "study_forms.text": partial(read_form, is_new=False),
    "slices.conditions": _check_slice,
}


def check_value(value: Any, name: str, now: datetime) -> None:
    """Raise ValueError for a value that a column cannot contain.

    The error's message states the expected value. name: "table.column".
    """
    if value is None:
        return
    shape = _SHAPES.get(name)
    if shape is not None:
        if not value and name in _MAY_BE_EMPTY and type(value) is get_origin(_OF_COLUMN[name]):
            return
        if any("\0" in text for text in _texts(value)):
            raise ValueError(_NO_NUL)
        _check_shape(value, shape)
    elif isinstance(value, str):
        if "\0" in value:
            raise ValueError(_NO_NUL)
        _check_text(value, name)
    elif isinstance(value, datetime):
        latest = LATEST if name in _FUTURE else now + AHEAD
        if not EARLIEST <= value <= latest:
            raise ValueError(f"a time must be in UTC, from {EARLIEST.year} to today, found {value.isoformat()}")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"the number must be finite, found {value}")
    elif isinstance(value, int) and abs(value) > (LONGEST_MS if name.endswith(".duration_ms") else LARGEST_NUMBER):
        raise ValueError(f"the number {value} is too large")
    check = _CHECKS.get(name)
    if check is not None:
        try:
            check(value)
        except (CapscopeError, TypeError, LookupError) as error:
            raise ValueError(str(error)) from error


def _check_shape(value: Any, shape: TypeAdapter[Any]) -> None:
    try:
        shape.validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"][:3]))
        raise ValueError(f"{where + ': ' if where else ''}{first['msg']}") from error


def _check_text(value: str, name: str) -> None:
    longest = _LONGEST.get(name, LONGEST_WORD)
    if len(value) > longest:
        raise ValueError(f"the text may have at most {longest:,} characters, found {len(value):,}")
    if name in _ONE_LINE and not (value.strip() and value.isprintable()):
        raise ValueError("the text must be one line of printable characters")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(key)
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
