"""Write samples as rows of Capscope's own format."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from core.captions.shared_words_json import match_fields
from core.costs import usage_fields
from core.types import EvaluationError, Outcome, Pair, Sample

encoded = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make a new encoder for each row


def line_of(sample: Sample, key: str | None, outcomes: Sequence[Outcome], pair: Pair | None) -> str:
    """Return a sample as a line of JSON Lines, with its line end."""
    return encoded(row_of(sample, key, outcomes, pair)) + "\n"


def row_of(sample: Sample, key: str | None, outcomes: Sequence[Outcome], pair: Pair | None) -> dict[str, object]:
    """Return a sample as a row of Capscope's own format.

    Empty fields are not written, and neither are phrases and regions of pictures.
    """
    row: dict[str, object] = {} if key is None else {"id": key}
    row["image"] = sample.image.name
    row["caption"] = sample.candidate
    if sample.system is not None:
        row["system"] = sample.system
    if sample.own:
        row["own"] = dict(sample.own)
    if sample.references:
        row["references"] = list(sample.references)
    if sample.human is not None:
        row["human"] = sample.human
    if sample.judgements:
        row["judgements"] = list(sample.judgements)
    if pair is not None:
        row["pair"] = _given(asdict(pair))
    if outcomes:
        row["scores"] = [_score_row(outcome) for outcome in outcomes]
    return row


def _score_row(outcome: Outcome) -> dict[str, object]:
    row: dict[str, object] = {"metric": outcome.metric, "signature": outcome.signature}
    if isinstance(outcome, EvaluationError):
        row["error"] = {"kind": outcome.kind, "message": outcome.message}
    else:
        row["value"] = outcome.value
        row["scale"] = list(outcome.scale)
        if outcome.components:
            row["components"] = {
                name: list(number) if isinstance(number, tuple) else number
                for name, number in outcome.components.items()
            }
        if outcome.explanation.rationales:
            row["rationales"] = dict(outcome.explanation.rationales)
        if outcome.explanation.matches:
            row["matches"] = match_fields(outcome.explanation)
    if outcome.usage is not None or outcome.seconds:
        row |= _cost_row(outcome)
    return row


def _cost_row(outcome: Outcome) -> dict[str, object]:
    return _given({"usage": usage_fields(outcome.usage), "seconds": dict(outcome.seconds)})


def _given(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None and value != [] and value != {}}
