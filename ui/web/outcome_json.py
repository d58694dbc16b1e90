"""Scores and explanations as JSON: for the command line with masks, for the pages with outlines to draw."""

from typing import Any

from core.metrics.hice_options import support_cut
from core.regions import masks, outlines
from core.types import EvaluationError, Explanation, Outcome, Phrase, Region


def printed_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as `score --json` prints it, masks as COCO run-length encoding."""
    if isinstance(outcome, EvaluationError):
        return {"metric": outcome.metric, "error": _problem(outcome)}
    cut, explanation = support_cut(outcome.signature), outcome.explanation
    return {
        "metric": outcome.metric,
        "value": outcome.value,
        "signature": outcome.signature,
        "components": dict(outcome.components),
        "explanation": {
            "rationales": dict(explanation.rationales),
            "phrases": [_phrase(phrase) | {"correct": phrase.support >= cut} for phrase in explanation.phrases],
            "regions": [
                _region(region)
                | {"mentioned": region.support >= cut, "rle": {"size": list(region.size), "counts": region.rle}}
                for region in explanation.regions
            ],
        },
    }


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as the pages list it, without phrases and regions."""
    common = {"metric": outcome.metric, "signature": outcome.signature}
    if isinstance(outcome, EvaluationError):
        return common | {"error": _problem(outcome)}
    return common | {
        "value": outcome.value,
        "scale": outcome.scale,
        "components": dict(outcome.components),
        "rationales": [{"aspect": name, "text": text} for name, text in outcome.explanation.rationales.items()],
    }


def full_outcome_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as the pages show it; "links" is its explanation_json, or None where it has no regions."""
    if isinstance(outcome, EvaluationError) or not outcome.explanation.regions:
        return outcome_json(outcome) | {"links": None}
    return outcome_json(outcome) | {"links": explanation_json(outcome.explanation, support_cut(outcome.signature))}


def explanation_json(explanation: Explanation, cut: float) -> dict[str, Any]:
    """Return phrases and regions with outlines to draw, in the explanation's order. Raises BadMask.

    cut: support from which a phrase counts as correct and a region as mentioned; the page may move it.
    """
    return {
        "cut": cut,
        "size": list(explanation.regions[0].size) if explanation.regions else None,  # height, width in px
        "phrases": [_phrase(phrase) for phrase in explanation.phrases],
        "regions": [
            _region(region)
            | {
                "area": masks.area(region.rle, region.size),  # px
                "path": "" if region.is_full else outlines.svg_path(region.rle, region.size),
            }
            for region in explanation.regions
        ],
    }


def _problem(error: EvaluationError) -> dict[str, str]:
    return {"kind": error.kind, "message": error.message}


def _phrase(phrase: Phrase) -> dict[str, Any]:
    start, end = phrase.span
    return {"text": phrase.text, "start": start, "end": end, "support": phrase.support, "region": phrase.region}


def _region(region: Region) -> dict[str, Any]:
    return {
        "label": region.label,
        "is_full": region.is_full,
        "support": region.support,
        "phrase": region.phrase,
    }
