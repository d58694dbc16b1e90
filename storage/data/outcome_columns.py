"""Convert outcomes (scores and errors) to and from the columns of a score's row."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, cast

from core.captions.matches_json import match_fields, with_matches
from core.costs import Usage
from core.errors import ErrorKind
from core.types import EvaluationError, Explanation, Mark, Outcome, Phrase, Region, Score, Thing


def outcome_columns(outcome: Outcome) -> dict[str, Any]:
    """Return ScoreRow's columns for a score or an error. The sample's id is not included."""
    score = outcome if isinstance(outcome, Score) else None
    error = outcome if isinstance(outcome, EvaluationError) else None
    explanation = score.explanation if score else Explanation()
    low, high = score.scale if score else (0.0, 1.0)
    return {
        "metric": outcome.metric,
        "signature": outcome.signature,
        "value": score.value if score else None,
        "scale_low": low,
        "scale_high": high,
        "components": dict(score.components) if score else {},
        "rationales": dict(explanation.rationales),
        "phrases": [*map(_phrase_values, explanation.phrases), *match_fields(explanation)],
        "regions": [
            [r.rle, *r.size, r.label, r.is_full, r.support, r.phrase, r.mentioned, r.reason]
            for r in explanation.regions
        ],
        "cut": explanation.cut,
        "encoder": explanation.encoder,
        "explained": any(text.strip() for text in explanation.rationales.values()),
        "error_kind": error.kind if error else None,
        "error_message": error.message if error else None,
        "usage": outcome.usage and asdict(outcome.usage),
        "seconds": dict(outcome.seconds) or None,
    }


def outcome_of(row: Any) -> Outcome:
    """Return the score or the error in a row with ScoreRow's columns."""
    usage = None if row.usage is None else Usage(row.usage["prompt"], row.usage["completion"])
    seconds = row.seconds or {}
    if row.value is None:
        kind = cast(ErrorKind, row.error_kind)
        return EvaluationError(row.metric, row.signature, kind, str(row.error_message), usage, seconds)
    components = {k: tuple(v) if isinstance(v, list) else v for k, v in row.components.items()}
    phrases = tuple(_phrase_of(*values) for values in row.phrases if isinstance(values, list))
    explanation = Explanation(row.rationales, phrases, tuple(map(region_of, row.regions)), row.cut, row.encoder)
    explanation = with_matches(explanation, [fields for fields in row.phrases if isinstance(fields, dict)])
    scale = row.scale_low, row.scale_high
    return Score(row.metric, row.value, row.signature, scale, components, explanation, usage, seconds)


def region_of(values: Sequence[Any]) -> Region:
    """Return a region from its JSON list."""
    rle, height, width, *others = values
    return Region(rle, (height, width), *others)


def _phrase_values(phrase: Phrase) -> list[Any]:
    of_encoder = (phrase.text, *phrase.span, phrase.support, phrase.region, phrase.mark)
    things = [[thing.text, *thing.span, thing.mark] for thing in phrase.things]
    words = (phrase.kind, phrase.shown, phrase.reason)
    return [*of_encoder, things, *words, phrase.regions, phrase.denied, phrase.compared]


def _phrase_of(text: str, start: int, end: int, support: float, region: int | None, mark: Mark, *others: Any) -> Phrase:
    things, kind, shown, reason, regions, denied, compared = others
    named = tuple(Thing(word, (first, last), verdict) for word, first, last, verdict in things)
    span = None if denied is None else (denied[0], denied[1])
    words = kind, shown, reason
    return Phrase(text, (start, end), support, region, mark, named, *words, tuple(regions), span, compared)
