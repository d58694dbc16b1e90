"""Ask a vision-language model about each caption, for a score and, if wanted, an explanation, and read the answers.

FLEUR, EXPERT and the general judge share this. They differ in their prompts and in how their answers are read. A sample
with an error does not stop the scoring of the other samples.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

from core.costs import Usage, summed, timed
from core.errors import BadImage, NoScore, error_kind
from core.images.pictures import file_of, open_rgb
from core.metrics.base import Metric
from core.models import ModelSettings
from core.models.vlm import Chat, Reply, Turn, Vlm
from core.score_reading.score_text import score_is_complete
from core.score_reading.smoothing import MEANINGS, Smoothed, printed, smooth
from core.signature import signature
from core.types import EvaluationError, Explanation, Outcome, Sample, Score, one_line

PLACE = re.compile(r"\{(candidate|caption|references)\}")  # places in prompts; the first two are for the caption
Rationales = Mapping[str, str]  # key: "overall" or a criterion; value: what the explanation says about it


@dataclass(slots=True)
class Talk:
    """A conversation about one sample, up to a problem."""

    sample: Sample
    image: Any = None  # PIL image in RGB; None: it cannot be opened
    problem: BadImage | NoScore | None = None
    turns: list[Turn] = field(default_factory=list)
    score: Smoothed | None = None
    why: Rationales | None = None  # None: the model was not asked for an explanation
    usages: list[Usage | None] = field(default_factory=list)


@dataclass(frozen=True)
class AskingMetric(Metric):
    """Base of the metrics that ask a vision-language model."""

    can_use_server: ClassVar[bool] = True
    meanings: ClassVar[Mapping[str, str]] = MEANINGS
    prompt: ClassVar[str]  # asks for a score, with places for the texts of a sample, see PLACE
    why: ClassVar[str]  # asks for an explanation
    criteria: ClassVar[tuple[str, ...]] = ()  # keys that an explanation should have

    vlm: Vlm
    settings: ModelSettings = ModelSettings()

    def read_score(self, reply: Reply) -> Smoothed:
        """Return the smoothed score of a model's reply. Raises NoScore.

        Tokens after the complete score are not read. With strict_reference, float16 is used as in the published code.
        """
        ends = (end for end in range(1, len(reply.pieces) + 1) if score_is_complete("".join(reply.pieces[:end])))
        end = next(ends, len(reply.pieces))
        half = self.settings.strict_reference
        return smooth(reply.pieces[:end], reply.digits[:end], half)

    def shown(self, score: Smoothed) -> str:
        """Return the score as it precedes the question for an explanation."""
        return printed(score.value)

    def read_why(self, answer: str) -> Rationales:
        """Return the texts of an explanation."""
        return {"overall": answer.strip()}

    @property
    def explains_first(self) -> bool:
        """Whether the model explains before it scores, also if no explanation is asked for."""
        return False

    def prompts(self) -> tuple[str, str]:
        """Return the questions for a score and for an explanation, with places for the texts of a sample."""
        return self.prompt, self.why

    def signature(self) -> str:
        """Return the signature of the metric's scores: the model, the prompts and the smoothing."""
        explains, strict = self.settings.explain or self.explains_first, self.settings.strict_reference
        asked = "\0".join(self.prompts() if explains else self.prompts()[:1])
        return signature(
            self.name,
            **self.vlm.facts,
            prompt=hashlib.sha256(asked.encode()).hexdigest()[:8],
            smoothing="float16" if strict else "float64",
            strict=strict or None,
            order="explanation-first" if self.explains_first else None,
            explanation="smoothed" if explains and not self.explains_first else None,
        )

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order. The model answers about all of them together.

        A picture is processed once for all its captions in `samples`.
        """
        signed, (prompt, why) = self.signature(), self.prompts()
        talks = _begun(samples, self.vlm.control_texts)
        if self.explains_first:
            self._ask(talks, why, self._hear_why, scored=False)
        self._ask(talks, prompt, self._hear_score, scored=True)
        if self.settings.explain and not self.explains_first:
            self._ask(talks, why, self._hear_why, scored=False)
        yield from (self._outcome(talk, signed) for talk in talks)

    def _ask(self, talks: Sequence[Talk], prompt: str, hear: Callable[[Talk, Reply], str], scored: bool) -> None:
        """Ask about each sample without a problem. hear: reads a reply, and returns it for the next question."""
        able = [
            (talk, filled(prompt, talk.sample.candidate, talk.sample.references)) for talk in talks if not talk.problem
        ]
        chats = [Chat(talk.image, (*talk.turns, (text, None))) for talk, text in able]
        for (talk, text), reply in zip(able, self.vlm.answers(chats, scored) if chats else (), strict=True):
            talk.usages.append(reply.usage)
            try:
                if isinstance(reply, NoScore):
                    raise reply
                with timed("reading"):
                    talk.turns.append((text, hear(talk, reply)))
            except NoScore as problem:
                talk.problem = problem

    def _hear_score(self, talk: Talk, reply: Reply) -> str:
        talk.score = self.read_score(reply)
        return self.shown(talk.score)

    def _hear_why(self, talk: Talk, reply: Reply) -> str:
        talk.why = self.read_why(reply.text)
        return reply.text

    def _outcome(self, talk: Talk, signed: str) -> Outcome:
        usage = summed(talk.usages)
        if talk.problem is not None:
            return EvaluationError(self.name, signed, error_kind(talk.problem), str(talk.problem), usage)
        assert talk.score is not None
        parts, explanation = talk.score.components, Explanation()
        if talk.why is not None:
            parts = {**parts, **{f"missing_{name}": 1.0 for name in self.criteria if name not in talk.why}}
            explanation = Explanation(talk.why)
        return Score(self.name, talk.score.value, signed, components=parts, explanation=explanation, usage=usage)


def filled(prompt: str, caption: str, references: Sequence[str] = ()) -> str:
    """Return a prompt with caption and references, in which braces stay as they are.

    Runs of white space in the caption become one space. The published codes of FLEUR and EXPERT do this for some
    benchmarks only. Each further reference has its own line.
    """
    texts = {"references": "\n".join(references)}
    return PLACE.sub(lambda place: texts.get(place[1], one_line(caption)), prompt)


def _begun(samples: Sequence[Sample], control_texts: frozenset[str]) -> list[Talk]:
    """Return conversations with their pictures, which captions of one picture share."""
    opened = lru_cache(None)(lambda image: open_rgb(file_of(image), drop_alpha=True))
    talks = [Talk(sample) for sample in samples]
    for talk in talks:
        try:
            talk.image, talk.problem = opened(talk.sample.image), _control_text(talk.sample, control_texts)
        except BadImage as error:
            talk.problem = error
    return talks


def _control_text(sample: Sample, control_texts: frozenset[str]) -> NoScore | None:
    """Return the error of a caption with a special token of the model, which would change the prompt's structure."""
    texts = "\n".join((sample.candidate, *sample.references))
    found = sorted(text for text in control_texts if text in texts)
    message = "The text contains {!r}, which the model would read as a special token. Only plain text can be scored."
    return NoScore("control_text", message.format(found[0])) if found else None
