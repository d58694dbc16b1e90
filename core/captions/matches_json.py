"""Matches (words that a caption shares with references) as JSON, for the database and exported files."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from core.types import Explanation, Match


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
