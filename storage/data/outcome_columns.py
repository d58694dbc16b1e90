"""Outcomes, scores and errors alike, as the columns of a score's row and back."""

from typing import Any

from core.types import EvaluationError, Explanation, Outcome, Phrase, Region, Score


def outcome_columns(outcome: Outcome) -> dict[str, Any]:
    """Return ScoreRow's columns for a score or an error, without the sample."""
    common: dict[str, Any] = {"metric": outcome.metric, "signature": outcome.signature}
    if isinstance(outcome, EvaluationError):
        empty: dict[str, Any] = {"components": {}, "rationales": {}, "phrases": [], "regions": []}
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
        "phrases": [[p.text, *p.span, p.support, p.region] for p in explanation.phrases],
        "regions": [[r.rle, *r.size, r.label, r.is_full, r.support, r.phrase] for r in explanation.regions],
        "explained": any(text.strip() for text in explanation.rationales.values()),
        "error_kind": None,
        "error_message": None,
    }


def outcome_of(row: Any) -> Outcome:
    """Return the score or the error of a row that holds ScoreRow's columns."""
    if row.value is None:
        return EvaluationError(row.metric, row.signature, row.error_kind, row.error_message)
    components = {k: tuple(v) if isinstance(v, list) else v for k, v in row.components.items()}
    phrases = tuple(Phrase(text, (start, end), support, region) for text, start, end, support, region in row.phrases)
    regions = tuple(
        Region(rle, (height, width), label, is_full, support, phrase)
        for rle, height, width, label, is_full, support, phrase in row.regions
    )
    explanation = Explanation(row.rationales, phrases, regions)
    return Score(row.metric, row.value, row.signature, (row.scale_low, row.scale_high), components, explanation)
