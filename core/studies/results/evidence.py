"""Evidence: what raters say of each sentence of an explanation, and of the whole.

The six kinds of errors are ZINA's, minor and major those of ESA. "Beside" is a sentence that says nothing about the
picture: a remark on style, on the score, a guess.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass as checked_dataclass

from core.errors import InvalidRating

Verdict = Literal["right", "wrong", "unclear", "beside"]  # in the order of their digit keys
ErrorKind = Literal["object", "attribute", "number", "spatial_relation", "text", "named_entity"]  # likewise
Severity = Literal["minor", "major"]

MOST_OVERLOOKED = 20
_Said = TypeVar("_Said")
_STRICT = ConfigDict(strict=True, extra="forbid")
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Place:
    """Where something is on the picture: one of its regions, a box somebody drew, or nowhere."""

    region: Annotated[int, Field(ge=0, le=100_000)] | None = None  # index among the regions that raters see
    label: Annotated[str, Field(max_length=200, pattern="^[^\0]*$")] | None = None  # of that region
    area: _Share | None = None  # of the picture
    box: tuple[_Share, _Share, _Share, _Share] | None = None  # left, top, right, bottom, as shares of the picture
    nowhere: bool = False

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if (self.region is not None) + (self.box is not None) + self.nowhere != 1:
            raise ValueError("A place is a region, a box, or nowhere.")
        if self.box is not None and not (self.box[0] < self.box[2] and self.box[1] < self.box[3]):
            raise ValueError("A box has its left and top side first.")
        return self


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Judgement:
    """What a rater says of one sentence."""

    verdict: Verdict
    start: Annotated[int, Field(ge=0)] | None = None  # of the wrong words, in characters of the sentence; None: all
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
            raise ValueError("Wrong words have a start and an end behind it.")
        if self.verdict != "wrong" and any(x is not None for x in (self.start, self.kind, self.severity, self.place)):
            raise ValueError("Only what is wrong has words, a kind, a severity and a place.")
        return self

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing that must be said: of an error its kind and its severity."""
        return self.verdict != "wrong" or (self.kind is not None and self.severity is not None)


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Remark:
    """What a rater says of a whole explanation."""

    overlooked: Annotated[list[Place], Field(max_length=MOST_OVERLOOKED)]
    no_fault: bool = False  # what it says is true, but no fault of the caption


_JUDGEMENT, _REMARK = TypeAdapter(Judgement), TypeAdapter(Remark)


def judgement_of(said: Mapping[str, Any], length: int) -> Judgement:
    """Return what was said of a sentence of so many characters. Raises InvalidRating."""
    found = _read(_JUDGEMENT, said)
    if found.end is not None and found.end > length:
        raise InvalidRating(f"The sentence has {length} characters, found words up to {found.end}.")
    return found


def remark_of(said: Mapping[str, Any]) -> Remark:
    """Return what was said of a whole explanation. Raises InvalidRating."""
    return _read(_REMARK, said)


def _read(adapter: TypeAdapter[_Said], said: Mapping[str, Any]) -> _Said:
    try:
        return adapter.validate_json(json.dumps(said))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the judgement"
        raise InvalidRating(f"{place}: {first['msg']}, found {str(first['input'])[:80]!r}.") from error


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence as a rater sees it, with what they have said of it."""

    number: int  # from 1
    aspect: str
    text: str
    judgement: Judgement | None = None
