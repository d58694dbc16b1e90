"""Convert outcomes (scores and errors) to and from the columns of a score's row."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from core.captions.matches_json import match_fields, with_matches
from core.costs import Seconds, Usage, usage_fields
from core.errors import ErrorKind
from core.types import Components, EvaluationError, Explanation, Mark, Outcome, Phrase, Region, Score, Thing


def outcome_columns(outcome: Outcome) -> dict[str, Any]:
    """Return ScoreRow's columns for a score or an error. The sample's id is not included."""
    common: dict[str, Any] = {"metric": outcome.metric, "signature": outcome.signature}
    common |= {"usage": usage_fields(outcome.usage), "seconds": dict(outcome.seconds) or None}
    if isinstance(outcome, EvaluationError):
        empty: dict[str, Any] = {"components": {}, "rationales": {}, "phrases": [], "regions": []}
        empty |= {"cut": None, "encoder": None}
        nothing = {"value": None, "scale_low": 0.0, "scale_high": 1.0}
        return (
            common
            | nothing
            | empty
            | {"explained": False, "error_kind": outcome.kind, "error_message": outcome.message}
        )
    explanation = outcome.explanation
    return common | {
        "value": outcome.value,
        "scale_low": outcome.scale[0],
        "scale_high": outcome.scale[1],
        "components": dict(outcome.components),
        "rationales": dict(explanation.rationales),
        "phrases": [*map(phrase_columns, explanation.phrases), *match_fields(explanation)],
        "regions": [
            [r.rle, *r.size, r.label, r.is_full, r.support, r.phrase, r.mentioned, r.reason]
            for r in explanation.regions
        ],
        "cut": explanation.cut,
        "encoder": explanation.encoder,
        "explained": any(text.strip() for text in explanation.rationales.values()),
        "error_kind": None,
        "error_message": None,
    }


def outcome_of(row: Any) -> Outcome:
    """Return the score or the error in a row with ScoreRow's columns."""
    usage, seconds = None if row.usage is None else Usage(**row.usage), row.seconds or {}
    components = {k: tuple(v) if isinstance(v, list) else v for k, v in row.components.items()}
    phrases = tuple(phrase_of(columns, row.cut) for columns in row.phrases if isinstance(columns, list))
    regions = tuple(region_of(columns, row.cut) for columns in row.regions)
    explanation = Explanation(row.rationales, phrases, regions, row.cut, row.encoder)
    explanation = with_matches(explanation, [fields for fields in row.phrases if isinstance(fields, dict)])
    scale, error = (row.scale_low, row.scale_high), (row.error_kind, row.error_message)
    return outcome_from(row.metric, row.signature, row.value, scale, components, explanation, *error, usage, seconds)


def outcome_from(
    metric: str,
    signature: str,
    value: float | None,
    scale: tuple[float, float],
    components: Components,
    explanation: Explanation,
    error_kind: str | None,
    error_message: str | None,
    usage: Usage | None,
    seconds: Seconds,
) -> Outcome:
    """Return a score, or an error if `value` is None."""
    if value is None:
        return EvaluationError(metric, signature, cast(ErrorKind, error_kind), str(error_message), usage, seconds)
    return Score(metric, value, signature, scale, components, explanation, usage, seconds)


def phrase_columns(phrase: Phrase) -> list[Any]:
    """Return a phrase's fields as a list for storage as JSON."""
    things = [[thing.text, *thing.span, thing.mark] for thing in phrase.things]
    return [
        phrase.text,
        *phrase.span,
        phrase.support,
        phrase.region,
        phrase.mark,
        things,
        phrase.kind,
        phrase.shown,
        phrase.reason,
        list(phrase.regions),
        list(phrase.denied) if phrase.denied else None,
        phrase.compared,
    ]


def phrase_of(columns: Sequence[Any], cut: float | None) -> Phrase:
    """Return a phrase from its JSON list.

    Older versions did not store whether a phrase is correct, so this is decided here. Such a phrase is correct if its
    support (how well the picture supports it) is at least `cut`. If `cut` is None, the phrase is not judged. Older
    versions also stored only the best of the phrase's regions.
    """
    text, start, end, support, region, *later = columns
    mark: Mark = later[0] if later else "not judged" if cut is None else "correct" if support >= cut else "incorrect"
    things = tuple(Thing(t, (a, b), m) for t, a, b, m in later[1]) if later else ()
    words, regions = later[2:5], tuple(later[5]) if len(later) > 5 else ()
    phrase = Phrase(text, (start, end), support, region, mark, things, *words)
    span = later[6] if len(later) > 6 else None
    denied = (span[0], span[1]) if span else None
    return replace(phrase, regions=regions, denied=denied, compared=later[7] if len(later) > 7 else True)


def region_of(columns: Sequence[Any], cut: float | None) -> Region:
    """Return a region from its JSON list.

    Older versions did not store whether the caption mentions a region. Such a region counts as mentioned if its support
    (how well its best phrase fits it) is at least `cut`.
    """
    rle, height, width, label, is_full, support, phrase, *later = columns
    mentioned = later[0] if later else cut is not None and support >= cut
    return Region(rle, (height, width), label, is_full, support, phrase, mentioned, *later[1:])
