"""Run a metric that asks a vision-language model: from samples to outcomes, in batches.

FLEUR and EXPERT share this code. Both ask the model twice, for the score and for the explanation. They differ only in
their prompts (Script). A sample with an error does not stop the scoring of the other samples.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from PIL import Image

from core.costs import timed
from core.errors import BadImage, ErrorKind, NoScore, error_kind
from core.images.pictures import file_of, open_rgb
from core.metrics.vlm_options import Conduct
from core.models.vlm.protocol import Conversations, Reply, Vlm
from core.score_reading.sampled import mean_of_answers
from core.score_reading.smoothing import Smoothed, smooth
from core.types import EvaluationError, Explanation, ImageRef, Outcome, Sample, Score


@dataclass(frozen=True, slots=True)
class Rationales:
    """The texts of a parsed explanation."""

    texts: Mapping[str, str]  # key: "overall" or a criterion; value: what the explanation says about it
    missing: tuple[str, ...] = ()  # keys without a text in the answer


def smoothed(reply: Reply | NoScore, half: bool) -> Smoothed | NoScore:
    """Return the smoothed score of a model's reply, or the reason why there is no score.

    half: whether to compute in float16, as the published code does.
    """
    if isinstance(reply, NoScore):
        return reply
    if reply.sampled:
        return mean_of_answers(reply.sampled, written_score)
    try:
        return smooth(reply.pieces, reply.digits, half, reply.unreported)
    except NoScore as error:
        return error


def written_score(answer: str) -> float | NoScore:
    """Return the unsmoothed score written in an answer, or the reason why there is no score."""
    try:
        return smooth((*answer,), (np.zeros(10),) * len(answer)).raw
    except NoScore as error:
        return error


def printed(value: float) -> str:
    """Return a score as the published code writes it in its prompt.

    The score is a float16, written with all its digits, such as "0.833984375".
    """
    return str(float(np.float16(value)))


def score_for_prompt(score: Smoothed, raw: bool) -> str:
    """Return the score as text for the explanation prompt. raw: use the unsmoothed score."""
    return str(score.raw) if raw else printed(score.value)


@dataclass(frozen=True, slots=True)
class Script:
    """The prompts of a metric, and how to parse the answers."""

    metric: str
    score_prompt: Callable[[Sample], str]
    why_prompt: Callable[[Sample], str]
    read: Callable[[str], Rationales]  # parses the model's explanation
    smooth: Callable[[Reply | NoScore, bool], Smoothed | NoScore] = smoothed  # computes the score from the reply
    shown: Callable[[Smoothed, bool], str] = (
        score_for_prompt  # returns the score to insert into the explanation prompt, raw or smoothed
    )


def converse(
    conversations: Conversations, script: Script, conduct: Conduct, samples: Sequence[Sample]
) -> list[Outcome]:
    """Ask the model for scores and explanations of a batch of samples.

    Returns one outcome per sample, in order. The samples of a batch share computation.
    """
    explanations: dict[int, str | NoScore] = {}
    if conduct.explanation_first:
        explanations = dict(enumerate(conversations.ask([script.why_prompt(sample) for sample in samples])))
        conversations.record([answer if isinstance(answer, str) else "" for answer in explanations.values()])
    replies = conversations.ask_score([script.score_prompt(sample) for sample in samples])
    with timed("reading"):
        results = [script.smooth(reply, conduct.half) for reply in replies]
    if conduct.explain and not conduct.explanation_first:
        explanations = _explain(conversations, script, conduct, samples, results)
    with timed("reading"):
        outcomes = [_outcome(script, conduct, result, explanations.get(row)) for row, result in enumerate(results)]
    return [replace(outcome, usage=usage) for outcome, usage in zip(outcomes, conversations.usages, strict=True)]


def _explain(
    conversations: Conversations,
    script: Script,
    conduct: Conduct,
    samples: Sequence[Sample],
    results: Sequence[Smoothed | NoScore],
) -> dict[int, str | NoScore]:
    """Ask for explanations of the existing scores.

    Returns the answers by the sample's index. A sample without a score gets no explanation.
    """
    scores = {row: result for row, result in enumerate(results) if isinstance(result, Smoothed)}
    if not scores:
        return {}
    conversations.keep(list(scores))
    shown_scores = [script.shown(score, conduct.feed_raw) for score in scores.values()]
    conversations.record(shown_scores)
    return dict(zip(scores, conversations.ask([script.why_prompt(samples[row]) for row in scores]), strict=True))


def _outcome(
    script: Script, conduct: Conduct, result: Smoothed | NoScore, explanation: str | NoScore | None
) -> Outcome:
    for problem in (result, explanation):
        if isinstance(problem, NoScore):
            return EvaluationError(script.metric, conduct.signature, error_kind(problem), str(problem))
    assert isinstance(result, Smoothed) and not isinstance(explanation, NoScore)
    if explanation is None:
        return Score(script.metric, result.value, conduct.signature, components=result.components)
    read = script.read(explanation)
    components = {**result.components, **{f"missing_{name}": 1.0 for name in read.missing}}
    return Score(
        script.metric, result.value, conduct.signature, components=components, explanation=Explanation(read.texts)
    )


Problem = tuple[ErrorKind, str]  # (kind, message) of an EvaluationError


def judge(vlm: Vlm, script: Script, conduct: Conduct, samples: Sequence[Sample]) -> Iterator[Outcome]:
    """Yield one outcome per sample, in order.

    Captions of the same picture should follow each other in `samples`, because then the picture is processed once.
    """
    for batch in batches(samples, conduct.batch_size):
        yield from _judge_batch(vlm, script, conduct, batch)


def batches(samples: Sequence[Sample], size: int) -> Iterator[list[Sample]]:
    """Split samples into batches of at most `size`, in order.

    Captions of one picture are kept in the same batch if they fit.
    """
    batch: list[Sample] = []
    for _, run in groupby(samples, key=lambda sample: sample.image):
        captions = list(run)
        if batch and len(batch) + len(captions) > size:
            yield batch
            batch = []
        batch += captions
        while len(batch) > size:
            yield batch[:size]
            batch = batch[size:]
    if batch:
        yield batch


def _judge_batch(vlm: Vlm, script: Script, conduct: Conduct, batch: Sequence[Sample]) -> list[Outcome]:
    pictures: dict[ImageRef, Image.Image] = {}
    problems: dict[ImageRef, Problem] = {}
    for image in dict.fromkeys(sample.image for sample in batch):
        try:
            pictures[image] = open_rgb(file_of(image), drop_alpha=True)
        except BadImage as error:
            problems[image] = (error_kind(error), str(error))
    found = [problems.get(sample.image) or _control_text(sample, vlm.control_texts) for sample in batch]
    able = [sample for sample, problem in zip(batch, found, strict=True) if problem is None]
    judged = iter(_converse(vlm, script, conduct, able, pictures) if able else ())
    return [
        EvaluationError(script.metric, conduct.signature, *problem) if problem else next(judged) for problem in found
    ]


def _control_text(sample: Sample, control_texts: frozenset[str]) -> Problem | None:
    # A special token of the model in a caption, such as "</s>" or "<image>", would change the prompt's structure.
    texts = "\n".join((sample.candidate, *sample.references))
    held = sorted(text for text in control_texts if text in texts)
    return (
        (
            "control_text",
            (
                f"The text contains {held[0]!r}, which the model would read as a special token. Only plain text can be "
                "scored."
            ),
        )
        if held
        else None
    )


def _converse(
    vlm: Vlm, script: Script, conduct: Conduct, samples: Sequence[Sample], pictures: Mapping[ImageRef, Image.Image]
) -> list[Outcome]:
    shown = list(dict.fromkeys(sample.image for sample in samples))
    rows = [shown.index(sample.image) for sample in samples]
    return converse(vlm.open([pictures[image] for image in shown], rows), script, conduct, samples)
