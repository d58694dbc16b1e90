"""Ask a vision-language model twice about each caption, for a score and for an explanation, and read both answers.

FLEUR, EXPERT and the general judge share this. They differ in their prompts (Script). A sample with an error does not
stop the scoring of the other samples.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from PIL import Image

from core.costs import summed, timed
from core.errors import BadImage, BadSetting, ErrorKind, NoScore, error_kind
from core.images.pictures import file_of, open_rgb
from core.models import ModelSettings, check_options
from core.models.vlm import VLM_OPTIONS, Chat, Reply, Turn, Vlm
from core.score_reading.score_text import score_is_complete
from core.score_reading.smoothing import Smoothed, printed, smooth
from core.signature import signature
from core.types import EvaluationError, Explanation, ImageRef, Outcome, Sample, Score

Allowed = Mapping[str, tuple[str, ...]]  # key: option; value: allowed values, the default first; (): any text
Rationales = Mapping[str, str]  # key: "overall" or a criterion; value: what the explanation says about it
Problem = tuple[ErrorKind, str]  # (kind, message) of an EvaluationError


def smoothed(reply: Reply, half: bool) -> Smoothed | NoScore:
    """Return the smoothed score of a model's reply, or the reason why there is no score.

    Tokens after the complete score are not read. half: compute in float16, as the published code does.
    """
    ends = (end for end in range(1, len(reply.pieces) + 1) if score_is_complete("".join(reply.pieces[:end])))
    end = next(ends, len(reply.pieces))
    try:
        return smooth(reply.pieces[:end], reply.digits[:end], half, reply.unreported[:end])
    except NoScore as error:
        return error


@dataclass(frozen=True, slots=True)
class Script:
    """The prompts of a metric, and how to read the answers."""

    metric: str
    signature: str
    ask_score: Callable[[Sample], str]
    ask_why: Callable[[Sample], str]
    read_why: Callable[[str], Rationales]
    read_score: Callable[[Reply, bool], Smoothed | NoScore] = smoothed
    shown: Callable[[Smoothed], str] = lambda score: printed(score.value)  # the score in the explanation prompt
    criteria: tuple[str, ...] = ("overall",)  # keys that an explanation should have
    reason_first: bool = False


def chosen(options: Mapping[str, str], allowed: Allowed) -> dict[str, str]:
    """Return every option with its value, or its default. Raises BadSetting for an unknown name or value."""
    known = {**VLM_OPTIONS, **allowed}
    check_options(options, known)
    for name, value in options.items():
        if known[name] and value not in known[name]:
            raise BadSetting(f"{name} must be {' or '.join(known[name])}, found {value!r}.")
    return {name: options.get(name, values[0] if values else "") for name, values in known.items()}


def signed(metric: str, vlm: Vlm, settings: ModelSettings, prompts: tuple[str, str], reason_first: bool = False) -> str:
    """Return the signature of a metric that asks a model. prompts: for score and reason, with empty placeholders."""
    explains = settings.explain or reason_first
    asked = "\0".join(prompts if explains else prompts[:1])
    return signature(
        metric,
        **vlm.facts,
        prompt=hashlib.sha256(asked.encode()).hexdigest()[:8],
        smoothing="float16" if settings.strict_reference else "float64",
        strict=settings.strict_reference or None,
        order="explanation-first" if reason_first else None,
        explanation="smoothed" if explains and not reason_first else None,
    )


def one_line(caption: str) -> str:
    """Return a caption as it is inserted into prompts. Runs of white space become one space."""
    return " ".join(caption.split())


def asked(vlm: Vlm, script: Script, settings: ModelSettings, samples: Sequence[Sample]) -> Iterator[Outcome]:
    """Yield one outcome per sample, in order.

    Captions of the same picture should follow each other in `samples`, because then the picture is processed once.
    """
    for batch in batches(samples, settings.batch_size):
        yield from _asked(vlm, script, settings, batch)


def batches(samples: Sequence[Sample], size: int) -> Iterator[list[Sample]]:
    """Split samples into batches of at most `size`. Captions of one picture stay in one batch if they fit."""
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


def _asked(vlm: Vlm, script: Script, settings: ModelSettings, batch: Sequence[Sample]) -> list[Outcome]:
    pictures: dict[ImageRef, Image.Image] = {}
    problems: dict[ImageRef, Problem] = {}
    for image in dict.fromkeys(sample.image for sample in batch):
        try:
            pictures[image] = open_rgb(file_of(image), drop_alpha=True)
        except BadImage as error:
            problems[image] = (error_kind(error), str(error))
    found = [problems.get(sample.image) or _control_text(sample, vlm.control_texts) for sample in batch]
    able = [sample for sample, problem in zip(batch, found, strict=True) if problem is None]
    outcomes = iter(_conversations(vlm, script, settings, able, [pictures[sample.image] for sample in able]))
    return [EvaluationError(script.metric, script.signature, *one) if one else next(outcomes) for one in found]


def _control_text(sample: Sample, control_texts: frozenset[str]) -> Problem | None:
    """Return the error of a caption with a special token of the model, which would change the prompt's structure."""
    texts = "\n".join((sample.candidate, *sample.references))
    held = sorted(text for text in control_texts if text in texts)
    message = "The text contains {!r}, which the model would read as a special token. Only plain text can be scored."
    return ("control_text", message.format(held[0])) if held else None


def _conversations(
    vlm: Vlm, script: Script, settings: ModelSettings, samples: Sequence[Sample], images: Sequence[Image.Image]
) -> list[Outcome]:
    """Ask for scores and explanations of a batch of samples."""
    turns: list[list[Turn]] = [[] for _ in samples]
    given: list[list[Reply | NoScore]] = [[] for _ in samples]  # for each sample, to sum their tokens

    def ask(rows: Sequence[int], question: Callable[[Sample], str], scored: bool) -> dict[int, Reply | NoScore]:
        for row in rows:
            turns[row].append((question(samples[row]), None))
        answers = vlm.answers([Chat(images[row], tuple(turns[row])) for row in rows], scored) if rows else []
        for row, answer in zip(rows, answers, strict=True):
            given[row].append(answer)
        return dict(zip(rows, answers, strict=True))

    def record(row: int, answer: str) -> None:
        turns[row][-1] = (turns[row][-1][0], answer)

    every, reasons = list(range(len(samples))), dict[int, Reply | NoScore]()
    if script.reason_first:
        reasons = ask(every, script.ask_why, scored=False)
        for row, reason in reasons.items():
            record(row, reason.text if isinstance(reason, Reply) else "")
    scores = ask(every, script.ask_score, scored=True)
    with timed("reading"):
        half = settings.strict_reference
        read = [one if isinstance(one, NoScore) else script.read_score(one, half) for one in scores.values()]
    able = [row for row in every if not isinstance(read[row], NoScore)]
    if settings.explain and not script.reason_first:
        for row in able:
            score = read[row]
            assert isinstance(score, Smoothed)
            record(row, script.shown(score))
        reasons = ask(able, script.ask_why, scored=False)
    with timed("reading"):
        outcomes = [_outcome(script, read[row], reasons.get(row)) for row in every]
    usages = [summed(answer.usage for answer in answers) for answers in given]
    return [replace(outcome, usage=usage) for outcome, usage in zip(outcomes, usages, strict=True)]


def _outcome(script: Script, score: Smoothed | NoScore, reason: Reply | NoScore | None) -> Outcome:
    for problem in (score, reason):
        if isinstance(problem, NoScore):
            return EvaluationError(script.metric, script.signature, error_kind(problem), str(problem))
    assert isinstance(score, Smoothed) and not isinstance(reason, NoScore)
    if reason is None:
        return Score(script.metric, score.value, script.signature, components=score.components)
    texts = script.read_why(reason.text)
    missing = {f"missing_{name}": 1.0 for name in script.criteria if len(script.criteria) > 1 and name not in texts}
    components = {**score.components, **missing}
    return Score(script.metric, score.value, script.signature, components=components, explanation=Explanation(texts))
