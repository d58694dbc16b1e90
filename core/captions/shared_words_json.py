"""Matches (words that a caption shares with references) as JSON, for the database, bundles and exported files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from core.types import LONGEST_TEXT, Explanation, Match, MatchKind

MOST_LISTED = 1_000  # maximum number of matches of one explanation in a file
MOST_SPANS = 10_000  # maximum number of positions of one match in a file

_Place = Annotated[int, Field(ge=0, le=LONGEST_TEXT)]
_Number = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_STRICT = ConfigDict(strict=True, extra="forbid")


@checked_dataclass(config=_STRICT)
class MatchFields:
    """A match in JSON from an external file. Its fields are those of core.types.Match."""

    text: Annotated[str, Field(max_length=LONGEST_TEXT)]
    kind: MatchKind
    size: Annotated[int, Field(ge=1, le=LONGEST_TEXT)]
    places: Annotated[list[tuple[_Place, _Place]], Field(max_length=MOST_SPANS)]
    references: Annotated[list[tuple[_Place, _Place, _Place]], Field(max_length=MOST_SPANS)]
    counted: _Place | None = None
    idf: _Number | None = None
    weight: _Number | None = None


@checked_dataclass(config=_STRICT)
class Unlisted:
    """The number of matches that a list leaves out. In JSON, this number is an entry after the last match."""

    unlisted: Annotated[int, Field(ge=1, le=10**9)]


def match_fields(explanation: Explanation) -> list[dict[str, Any]]:
    """Return an explanation's matches as JSON; [] if it has no matches."""
    fields = [{name: value for name, value in asdict(one).items() if value is not None} for one in explanation.matches]
    return [*fields, {"unlisted": explanation.unlisted}] if explanation.unlisted else fields


def with_matches(explanation: Explanation, fields: Sequence[Mapping[str, Any]]) -> Explanation:
    """Return an explanation with matches added, from the JSON that `match_fields` wrote."""
    if not fields:
        return explanation
    unlisted = sum(one["unlisted"] for one in fields if "unlisted" in one)
    matches = tuple(_match(one) for one in fields if "unlisted" not in one)
    return replace(explanation, matches=matches, unlisted=unlisted)


def check_fields(fields: object, candidate: str, references: Sequence[str]) -> list[dict[str, Any]]:
    """Check that JSON from an external file is a list of matches, and return it.

    Each match must lie within the candidate and the references. Otherwise raises ValueError with the reason.
    """
    try:
        _adapter().validate_json(json.dumps(fields))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise ValueError(f"{'.'.join(map(str, first['loc'][:3]))}: {first['msg']}") from error
    checked: list[dict[str, Any]] = fields  # type: ignore[assignment]
    outside = next((one["text"] for one in checked if not lies_within(one, candidate, references)), None)
    if outside is not None:
        raise ValueError(f"the match {outside!r:.60} has a span outside the caption or the references")
    return checked


def lies_within(fields: Mapping[str, Any], candidate: str, references: Sequence[str]) -> bool:
    """Return whether all spans of a match in JSON lie within the candidate and the references."""
    return all(start < end <= len(candidate) for start, end in fields.get("places", ())) and all(
        number < len(references) and start < end <= len(references[number])
        for number, start, end in fields.get("references", ())
    )


def _match(fields: Mapping[str, Any]) -> Match:
    places = tuple((start, end) for start, end in fields["places"])
    references = tuple((number, start, end) for number, start, end in fields["references"])
    return Match(**{**fields, "places": places, "references": references})


@cache
def _adapter() -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[list[MatchFields | Unlisted], Field(max_length=MOST_LISTED)])
