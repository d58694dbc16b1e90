"""Matches (words that a caption shares with references) as JSON, for the database and exported files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from core.types import LONGEST_TEXT, Explanation, Match, MatchKind

_Place = Annotated[int, Field(ge=0, le=LONGEST_TEXT)]
_Number = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_STRICT = ConfigDict(strict=True, extra="forbid")


@checked_dataclass(config=_STRICT)
class MatchFields:
    """A match in JSON from an external file. Its fields are those of core.types.Match."""

    text: Annotated[str, Field(max_length=LONGEST_TEXT)]
    kind: MatchKind
    size: Annotated[int, Field(ge=1, le=LONGEST_TEXT)]
    places: Annotated[list[tuple[_Place, _Place]], Field(max_length=10_000)]
    references: Annotated[list[tuple[_Place, _Place, _Place]], Field(max_length=10_000)]
    counted: _Place | None = None
    idf: _Number | None = None
    weight: _Number | None = None


@checked_dataclass(config=_STRICT)
class Unlisted:
    """The number of matches that a list leaves out. In JSON, this number is an entry after the last match."""

    unlisted: Annotated[int, Field(ge=1, le=10**9)]


@cache
def _adapter() -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[list[MatchFields | Unlisted], Field(max_length=1_000)])


def match_fields(explanation: Explanation) -> list[dict[str, Any]]:
    """Return an explanation's matches as JSON; [] if it has no matches."""
    fields = [{name: value for name, value in asdict(one).items() if value is not None} for one in explanation.matches]
    return [*fields, {"unlisted": explanation.unlisted}] if explanation.unlisted else fields


def with_matches(explanation: Explanation, fields: Sequence[Mapping[str, Any]]) -> Explanation:
    """Return an explanation with matches added, from the JSON that `match_fields` wrote."""
    unlisted = sum(one["unlisted"] for one in fields if "unlisted" in one)
    matches = tuple(_match(one) for one in fields if "unlisted" not in one)
    return replace(explanation, matches=matches, unlisted=unlisted) if fields else explanation


def _match(fields: Mapping[str, Any]) -> Match:
    spans = {name: tuple(map(tuple, fields[name])) for name in ("places", "references")}
    return Match(**{**fields, **spans})


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
    for one in checked:
        texts = [candidate for _ in one.get("places", ())]
        texts += [references[number] if number < len(references) else "" for number, *_ in one.get("references", ())]
        spans = [*one.get("places", ()), *(span for _, *span in one.get("references", ()))]
        if not all(start < end <= len(text) for (start, end), text in zip(spans, texts, strict=True)):
            raise ValueError(f"the match {one['text']!r:.60} has a span outside the caption or the references")
    return checked
