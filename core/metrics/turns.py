"""The two turns of a conversation about a caption: one for the score, one for the explanation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import NoScore
from core.metrics.vlm_options import Conduct
from core.models.vlm.protocol import Conversations, Reply
from core.smoothing import Smoothed, smooth
from core.types import EvaluationError, Explanation, Outcome, Sample, Score


@dataclass(frozen=True, slots=True)
class Rationales:
    """An explanation as its metric reads it."""

    texts: Mapping[str, str]  # by name: "overall", or a criterion
    missing: tuple[str, ...] = ()  # names of which the answer says nothing


@dataclass(frozen=True, slots=True)
class Script:
    """What a metric asks."""

    metric: str
    score_prompt: Callable[[Sample], str]
    why_prompt: Callable[[Sample], str]
    read: Callable[[str], Rationales]  # reads the model's explanation
    needs_references: bool = False


def converse(
    conversations: Conversations, script: Script, conduct: Conduct, samples: Sequence[Sample]
) -> list[Outcome]:
    """Hold both turns with a batch that shares its computation; one outcome a sample, in order."""
    explanations: dict[int, str] = {}
    if conduct.explanation_first:
        explanations = dict(enumerate(conversations.ask([script.why_prompt(sample) for sample in samples])))
        conversations.record(list(explanations.values()))
    replies = conversations.ask_score([script.score_prompt(sample) for sample in samples])
    results = [_smoothed(reply, conduct.half) for reply in replies]
    if conduct.explain and not conduct.explanation_first:
        explanations = _explain(conversations, script, conduct, samples, results)
    return [_outcome(script, conduct, result, explanations.get(row)) for row, result in enumerate(results)]


def printed(value: float) -> str:
    """Return a score as the published code told it to the model: a float16, in full, as "0.833984375"."""
    return str(float(np.float16(value)))


def _smoothed(reply: Reply, half: bool) -> Smoothed | NoScore:
    try:
        return smooth(reply.pieces, reply.digits, half)
    except NoScore as error:
        return error


def _explain(
    conversations: Conversations,
    script: Script,
    conduct: Conduct,
    samples: Sequence[Sample],
    results: Sequence[Smoothed | NoScore],
) -> dict[int, str]:
    """Ask for the reasons of those scores that there are; by row."""
    scores = {row: result for row, result in enumerate(results) if isinstance(result, Smoothed)}
    if not scores:
        return {}
    conversations.keep(list(scores))
    told = [str(score.raw) if conduct.feed_raw else printed(score.value) for score in scores.values()]
    conversations.record(told)
    return dict(zip(scores, conversations.ask([script.why_prompt(samples[row]) for row in scores]), strict=True))


def _outcome(script: Script, conduct: Conduct, result: Smoothed | NoScore, explanation: str | None) -> Outcome:
    if isinstance(result, NoScore):
        return EvaluationError(script.metric, conduct.signature, result.kind, str(result))
    if explanation is None:
        return Score(script.metric, result.value, conduct.signature, components=result.components)
    read = script.read(explanation)
    components = {**result.components, **{f"missing_{name}": 1.0 for name in read.missing}}
    return Score(
        script.metric, result.value, conduct.signature, components=components, explanation=Explanation(read.texts)
    )
