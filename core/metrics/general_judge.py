"""General judge: any chat model that reads pictures rates a caption with a whole number.

Papers about caption metrics compare their metrics with such judges. EXPERT, Appendix E.1, asks GPT-4o for a number from
0 to 10. Its prompt describes the meaning of every second number. G-VEval asks for a number from 0 to 100. The prompts
here follow these designs in Capscope's own words. So the figures that these papers print were measured with other
prompts.

The number is smoothed as in G-Eval. The model reports the most likely tokens at the number's position. The smoothed
number is the mean of the whole numbers among these tokens, weighted by their probabilities. The sum of these
probabilities is stored as ``mass``.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar, Self

from core.costs import summed
from core.datasets.benchmark import Published
from core.errors import ModelUnavailable, NoScore
from core.metrics.vlm_judge import Rationales, Script, judge
from core.metrics.vlm_options import Allowed, Conduct, caption_text, chosen, conduct
from core.models import Checkpoint, ModelSettings
from core.models.vlm.load import load_served
from core.models.vlm.protocol import Reply, Vlm
from core.score_reading.sampled import MEANINGS as SAMPLED
from core.score_reading.sampled import mean_of_answers
from core.score_reading.smoothing import Smoothed
from core.types import EvaluationError, Explanation, Outcome, Sample, Score

STEPS: Mapping[str, str] = {  # key: highest number of the scale; value: descriptions of the scale's numbers
    "10": (
        "0: The caption has nothing to do with the image.\n"
        "2: The caption names little of the image, and most of it is wrong.\n"
        "4: The caption is partly right, with serious mistakes or omissions.\n"
        "6: The caption is mostly right, but misses or mistakes something that matters.\n"
        "8: The caption is right and leaves out only details.\n"
        "10: The caption describes the image accurately, clearly and completely."
    ),
    "100": (
        "0: The caption has nothing to do with the image.\n"
        "25: The caption names little of the image, and most of it is wrong.\n"
        "50: The caption is partly right, with serious mistakes or omissions.\n"
        "75: The caption is right and leaves out only details.\n"
        "100: The caption describes the image accurately, clearly and completely."
    ),
}
ASPECTS: Mapping[str, str] = {  # EXPERT's three criteria; with criteria=each, the model judges each one separately
    "fluency": "Judge its fluency only: whether it is natural and grammatical, whatever the image shows.",
    "relevance": "Judge its relevance only: whether what it says is true of the image.",
    "descriptiveness": "Judge its descriptiveness only: whether it tells the important details of the image.",
}
PROMPT = (
    "Look at the image and rate the caption with a whole number from 0 to {top}.{aspect}\n\n"
    "{steps}\n\n"
    "Caption: {caption}\n\n"
    "Answer with the number only."
)
WHY = "Why? Give the reason in a few sentences."
OPTIONS: Allowed = {"scale": ("10", "100"), "criteria": ("together", "each")}
WHOLE_NUMBER = re.compile(r"(?<![\w.,/-])\d+(?![\w/]|[.,]\d)")


def prompt(top: str, aspect: str = "") -> str:
    """Return the prompt, with an empty placeholder for the caption.

    top: the highest number of the scale. aspect: the criterion to judge; "": the caption as a whole.
    """
    aspect_sentence = f" {ASPECTS[aspect]}" if aspect else ""
    steps = STEPS[top] if not aspect else f"0 is the worst, {top} the best."
    return PROMPT.replace("{top}", top).replace("{aspect}", aspect_sentence).replace("{steps}", steps)


def expected(reply: Reply | NoScore, top: int) -> Smoothed | NoScore:
    """Return the smoothed number of an answer, divided by the scale's maximum, or an error.

    Components: ``raw``, the number that the model wrote; ``mass``, the joint probability of the scale's whole numbers
    at the position of this number. If the model returns no probabilities, or writes the number in several tokens, the
    number is not smoothed and ``mass`` is missing.
    """
    if isinstance(reply, NoScore):
        return reply
    if reply.sampled:
        return mean_of_answers(reply.sampled, lambda answer: _written(answer, top))
    text = "".join(reply.pieces)
    numbers = [match for match in WHOLE_NUMBER.finditer(text) if int(match[0]) <= top]
    if not numbers:
        found = WHOLE_NUMBER.search(text) is not None
        message = f"The answer must be a whole number from 0 to {top}, but it is {text.strip()[:200]!r}."
        return NoScore("out_of_range" if found else "no_score", message)
    raw = int(numbers[0][0]) / top
    token = bisect_right(list(accumulate(len(piece) for piece in reply.pieces)), numbers[0].start())
    if not reply.likely or reply.pieces[token].strip() != numbers[0][0]:
        return Smoothed(raw, raw, {"raw": raw})
    chances = [
        (int(token_text.strip()), p) for token_text, p in reply.likely[token].items() if token_text.strip().isdecimal()
    ]
    within = [(value, p) for value, p in chances if value <= top]
    mass = sum(p for _, p in within)
    return Smoothed(sum(value * p for value, p in within) / mass / top, raw, {"raw": raw, "mass": mass})


def _written(answer: str, top: int) -> float | NoScore:
    """Return the number written in an answer, divided by the scale's maximum.

    Returns NoScore with the reason if there is no number.
    """
    found = expected(Reply((answer,), ()), top)
    return found if isinstance(found, NoScore) else found.raw


@dataclass(frozen=True)
class GeneralJudge:
    """A chat model on a server that returns one number, or one number for each criterion."""

    name: ClassVar[str] = "General judge"
    paper: ClassVar[str] = "https://arxiv.org/abs/2506.24016"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    needs_image: ClassVar[bool] = True
    requires_references: ClassVar[bool] = False
    shows_regions: ClassVar[bool] = False
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = ()
    meanings: ClassVar[Mapping[str, str]] = {
        "mass": "Probability that the answer is a number of the scale.",
        **SAMPLED,
    }
    published: ClassVar[tuple[Published, ...]] = ()

    vlm: Vlm
    settings: ModelSettings = ModelSettings()

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric with the server's model that `settings` names. Raises ModelUnavailable, BadSetting."""
        chosen(settings.options, OPTIONS)
        if settings.endpoint is None:
            raise ModelUnavailable(
                f"{cls.name} needs a model on a server. Add --endpoint URL or set CAPSCOPE_ENDPOINT."
            )
        return cls(load_served(settings, integers=True), settings)

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily, settings.batch_size at a time."""
        choice = chosen(self.settings.options, OPTIONS)
        conduct_ = self._conduct(choice)
        if choice["criteria"] == "together":
            yield from judge(self.vlm, self._script("", choice), conduct_, samples)
            return
        aspects = [judge(self.vlm, self._script(aspect, choice), conduct_, samples) for aspect in ASPECTS]
        for outcomes in zip(*aspects, strict=True):
            yield together(outcomes)

    def signature(self) -> str:
        """Return the signature of the metric's scores.

        The signature is a text that names everything that can change a score.
        """
        return self._conduct(chosen(self.settings.options, OPTIONS)).signature

    def _script(self, aspect: str, choice: Mapping[str, str]) -> Script:
        top, asked = choice["scale"], prompt(choice["scale"], aspect)
        return Script(
            self.name,
            lambda sample: asked.replace("{caption}", caption_text(sample.candidate, choice)),
            lambda sample: WHY,
            lambda answer: Rationales({aspect or "overall": answer.strip()}),
            lambda reply, half: expected(reply, int(top)),
            lambda score, raw: f"{int(top) * (score.raw if raw else score.value):g}",
        )

    def _conduct(self, choice: Mapping[str, str]) -> Conduct:
        aspects = tuple(ASPECTS) if choice["criteria"] == "each" else ("",)
        asked = "\0".join(prompt(choice["scale"], aspect) for aspect in aspects)
        return conduct(self.name, self.vlm, self.settings, choice, asked, WHY)


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the mean of the criteria's scores. Each criterion's score is a component.

    If a criterion has an error, returns the first error.
    """
    scores = [outcome for outcome in outcomes if isinstance(outcome, Score)]
    usage = summed(outcome.usage for outcome in outcomes)
    for outcome in outcomes:
        if isinstance(outcome, EvaluationError):
            return replace(outcome, usage=usage)
    parts = {aspect: score.value for aspect, score in zip(ASPECTS, scores, strict=True)}
    named = {
        f"{aspect} {name}": value
        for aspect, score in zip(ASPECTS, scores, strict=True)
        for name, value in score.components.items()
    }
    rationales = {name: text for score in scores for name, text in score.explanation.rationales.items()}
    mean = sum(parts.values()) / len(parts)
    return replace(scores[0], value=mean, components=parts | named, explanation=Explanation(rationales), usage=usage)
