"""Evidence: raters' judgements of each sentence of an explanation, and of the whole explanation.

The six kinds of errors are those of the ZINA paper. The severities minor and major are those of the ESA paper. The
verdict "beside" means that a sentence is not about the picture. For example, the sentence is a guess, or a remark on
style or on the score.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass as checked_dataclass

from core.errors import InvalidRating
from core.foreign_values import complaints
from core.studies.asking.verdicts import Verdict

# The six kinds of errors, in the order of the digit keys that select them.
ErrorKind = Literal["object", "attribute", "number", "spatial_relation", "text", "named_entity"]
Severity = Literal["minor", "major"]

MOST_OVERLOOKED = 20
_Said = TypeVar("_Said")
_STRICT = ConfigDict(strict=True, extra="forbid")
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Place:
    """A position in the picture: one of its regions, a box that the rater drew, or nowhere."""

    region: Annotated[int, Field(ge=0, le=100_000)] | None = None  # index among the displayed regions
    label: Annotated[str, Field(max_length=200, pattern="^[^\0]*$")] | None = None  # the region's label
    area: _Share | None = None  # size of the region or box, as a share of the picture
    box: tuple[_Share, _Share, _Share, _Share] | None = None  # left, top, right, bottom, as shares of the picture
    nowhere: bool = False

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if (self.region is not None) + (self.box is not None) + self.nowhere != 1:
            raise ValueError("An error's position on the picture must be a region, a box, or nowhere.")
        if self.box is not None and not (self.box[0] < self.box[2] and self.box[1] < self.box[3]):
            raise ValueError("A box needs its left, top, right and bottom edge, in this order.")
        return self


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Judgement:
    """A rater's judgement of one sentence."""

    verdict: Verdict
    start: Annotated[int, Field(ge=0)] | None = None  # first wrong character of the sentence; None: all words are wrong
    end: Annotated[int, Field(ge=1)] | None = None  # exclusive
    kind: ErrorKind | None = None
    severity: Severity | None = None
    place: Place | None = None
    hint_shown: bool = False

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.start is None) != (self.end is None) or (
            self.start is not None and self.end is not None and self.start >= self.end
        ):
            raise ValueError("Wrong words need a start, and an end after the start.")
        if self.verdict != "wrong" and any(x is not None for x in (self.start, self.kind, self.severity, self.place)):
            raise ValueError(
                "Only a wrong sentence may have wrong words, a kind of error, a severity and a position on the picture."
            )
        return self

    @property
    def is_complete(self) -> bool:
        """Return whether all required fields are given. An error also needs its kind and severity."""
        return self.verdict != "wrong" or (self.kind is not None and self.severity is not None)


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Remark:
    """A rater's remark on a whole explanation."""

    overlooked: Annotated[list[Place], Field(max_length=MOST_OVERLOOKED)]
    no_fault: bool = False  # True: the explanation is true but names no fault of the caption


_JUDGEMENT, _REMARK = TypeAdapter(Judgement), TypeAdapter(Remark)


def judgement_of(fields: Mapping[str, Any], length: int) -> Judgement:
    """Return a rater's judgement of a sentence. Raises InvalidRating.

    fields: as the browser sent them. length: the number of characters of the sentence.
    """
    judgement = _read(_JUDGEMENT, fields)
    if judgement.end is not None and judgement.end > length:
        raise InvalidRating(
            f"The wrong words must end within the sentence of {length} characters, but they end at {judgement.end}."
        )
    return judgement


def remark_of(fields: Mapping[str, Any]) -> Remark:
    """Return a rater's remark on a whole explanation. Raises InvalidRating.

    fields: as the browser sent them.
    """
    return _read(_REMARK, fields)


def _read(adapter: TypeAdapter[_Said], fields: Mapping[str, Any]) -> _Said:
    try:
        return adapter.validate_json(json.dumps(fields))
    except ValidationError as error:
        raise InvalidRating(f"{complaints(error)[0]}.") from error


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence as displayed to a rater, with the rater's judgement."""

    number: int  # from 1
    aspect: str
    text: str
    judgement: Judgement | None = None
