"""Ask a vision-language model twice about each caption, for a score and for an explanation, and read both answers.

FLEUR, EXPERT and the general judge share this. They differ in their prompts (Script). A sample with an error does not
stop the scoring of the other samples.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Any, ClassVar

from core.costs import Usage, summed, timed
from core.errors import BadImage, BadSetting, NoScore, error_kind
from core.images.pictures import file_of, open_rgb
from core.metrics.base import Metric
from core.models import ModelSettings, check_options
from core.models.vlm import VLM_OPTIONS, Chat, Reply, Turn, Vlm
from core.score_reading.score_text import score_is_complete
from core.score_reading.smoothing import Smoothed, printed, smooth
from core.signature import signature
from core.types import EvaluationError, Explanation, ImageRef, Outcome, Sample, Score

Allowed = Mapping[str, tuple[str, ...]]  # key: option; value: allowed values, the default first; (): any text
Rationales = Mapping[str, str]  # key: "overall" or a criterion; value: what the explanation says about it


def smoothed(reply: Reply, half: bool) -> Smoothed:
    """Return the smoothed score of a model's reply. Raises NoScore.

    Tokens after the complete score are not read. half: compute in float16, as the published code does.
    """
    ends = (end for end in range(1, len(reply.pieces) + 1) if score_is_complete("".join(reply.pieces[:end])))
    end = next(ends, len(reply.pieces))
    return smooth(reply.pieces[:end], reply.digits[:end], half, reply.unreported[:end])


@dataclass(frozen=True, slots=True)
class Script:
    """The prompts of a metric, and how to read the answers."""

    ask_score: Callable[[Sample], str]
    ask_why: Callable[[Sample], str]
    read_why: Callable[[str], Rationales] = lambda answer: {"overall": answer.strip()}
    read_score: Callable[[Reply, bool], Smoothed] = smoothed
    shown: Callable[[Smoothed], str] = lambda score: printed(score.value)  # the score in the explanation prompt
    criteria: tuple[str, ...] = ("overall",)  # keys that an explanation should have
    reason_first: bool = False


@dataclass(frozen=True)
class AskingMetric(Metric):
    """Base of the metrics that ask a vision-language model. A subclass has a script and a signature."""

    can_use_server: ClassVar[bool] = True

    vlm: Vlm
    settings: ModelSettings = ModelSettings()

    def script(self) -> Script:
        """Return the metric's prompts. Raises BadSetting."""
        raise NotImplementedError

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily, settings.batch_size at a time.

        Captions of the same picture should follow each other in `samples`, because then the picture is processed once.
        """
        script, signed = self.script(), self.signature()
        for batch in batches(samples, self.settings.batch_size):
            for talk in held(self.vlm, script, self.settings, batch):
                yield talk.outcome(self.name, signed, script.criteria)

    def signed(self, prompts: tuple[str, str], reason_first: bool = False) -> str:
        """Return the metric's signature. prompts: for score and reason, with empty placeholders."""
        explains, strict = self.settings.explain or reason_first, self.settings.strict_reference
        asked = "\0".join(prompts if explains else prompts[:1])
        return signature(
            self.name,
            **self.vlm.facts,
            prompt=hashlib.sha256(asked.encode()).hexdigest()[:8],
            smoothing="float16" if strict else "float64",
            strict=strict or None,
            order="explanation-first" if reason_first else None,
            explanation="smoothed" if explains and not reason_first else None,
        )


@dataclass(slots=True)
class Talk:
    """A conversation about one sample, up to a problem."""

    sample: Sample
    image: Any  # PIL image in RGB; None: it cannot be opened
    problem: BadImage | NoScore | None
    turns: list[Turn] = field(default_factory=list)
    score: Smoothed | None = None
    why: Rationales | None = None  # None: the model was not asked for an explanation
    usages: list[Usage | None] = field(default_factory=list)

    def outcome(self, metric: str, signed: str, criteria: Sequence[str]) -> Outcome:
        """Return the score with its explanation, or the error."""
        usage = summed(self.usages)
        if self.problem is not None:
            return EvaluationError(metric, signed, error_kind(self.problem), str(self.problem), usage)
        assert self.score is not None
        if self.why is None:
            return Score(metric, self.score.value, signed, components=self.score.components, usage=usage)
        lacking = [name for name in criteria if len(criteria) > 1 and name not in self.why]
        parts = {**self.score.components, **{f"missing_{name}": 1.0 for name in lacking}}
        return Score(metric, self.score.value, signed, components=parts, explanation=Explanation(self.why), usage=usage)


def held(vlm: Vlm, script: Script, settings: ModelSettings, samples: Sequence[Sample]) -> list[Talk]:
    """Hold a conversation about each sample of a batch."""
    opened = lru_cache(None)(_opened)  # captions of one picture share its object
    talks = [Talk(sample, *opened(sample.image)) for sample in samples]
    for talk in talks:
        talk.problem = talk.problem or _control_text(talk.sample, vlm.control_texts)

    def ask(question: Callable[[Sample], str], read: Callable[[Talk, Reply], str], scored: bool) -> None:
        able = [(talk, question(talk.sample)) for talk in talks if talk.problem is None]
        chats = [Chat(talk.image, (*talk.turns, (text, None))) for talk, text in able]
        for (talk, text), reply in zip(able, vlm.answers(chats, scored) if chats else (), strict=True):
            talk.usages.append(reply.usage)
            try:
                if isinstance(reply, NoScore):
                    raise reply
                with timed("reading"):
                    talk.turns.append((text, read(talk, reply)))
            except NoScore as problem:
                talk.problem = problem

    def read_score(talk: Talk, reply: Reply) -> str:
        talk.score = script.read_score(reply, settings.strict_reference)
        return script.shown(talk.score)

    def read_why(talk: Talk, reply: Reply) -> str:
        talk.why = script.read_why(reply.text)
        return reply.text

    if script.reason_first:
        ask(script.ask_why, read_why, scored=False)
    ask(script.ask_score, read_score, scored=True)
    if settings.explain and not script.reason_first:
        ask(script.ask_why, read_why, scored=False)
    return talks


def _opened(image: ImageRef) -> tuple[Any, BadImage | None]:
    try:
        return open_rgb(file_of(image), drop_alpha=True), None
    except BadImage as error:
        return None, error


def _control_text(sample: Sample, control_texts: frozenset[str]) -> NoScore | None:
    """Return the error of a caption with a special token of the model, which would change the prompt's structure."""
    texts = "\n".join((sample.candidate, *sample.references))
    found = sorted(text for text in control_texts if text in texts)
    message = "The text contains {!r}, which the model would read as a special token. Only plain text can be scored."
    return NoScore("control_text", message.format(found[0])) if found else None


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


def chosen(options: Mapping[str, str], allowed: Allowed) -> dict[str, str]:
    """Return every option with its value, or its default. Raises BadSetting for an unknown name or value."""
    known = {**VLM_OPTIONS, **allowed}
    check_options(options, known)
    for name, value in options.items():
        if known[name] and value not in known[name]:
            raise BadSetting(f"{name} must be {' or '.join(known[name])}, found {value!r}.")
    return {name: options.get(name, values[0] if values else "") for name, values in known.items()}


def one_line(caption: str) -> str:
    """Return a caption as it is inserted into prompts. Runs of white space become one space."""
    return " ".join(caption.split())
