"""General judge: any chat model that reads pictures rates a caption with a whole number.

Papers about caption metrics compare their metrics with such judges. EXPERT, Appendix E.1, asks GPT-4o for a number from
0 to 10, and describes the meaning of every second number. G-VEval asks for a number from 0 to 100. The prompts here
follow these designs in Capscope's own words. So the figures of these papers were measured with other prompts.

The number is smoothed as in G-Eval: it is the mean of the whole numbers that the model could have written, weighted by
their probabilities (`expected`).
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
from core.metrics.asking import Allowed, Script, asked, chosen, one_line, signed
from core.models import Checkpoint, ModelSettings
from core.models.vlm import Reply, Vlm, load_served
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
WHOLE_NUMBER = re.compile(r"(?<![\w.,/-])[0-9]+(?![\w/]|[.,][0-9])")
DIGITS = re.compile(r"[0-9]{1,3}")
MEAN_DIGIT = 4.5


def prompt(top: str, aspect: str = "") -> str:
    """Return the prompt, with an empty placeholder for the caption.

    top: the highest number of the scale. aspect: the criterion to judge; "": the caption as a whole.
    """
    aspect_sentence = f" {ASPECTS[aspect]}" if aspect else ""
    steps = STEPS[top] if not aspect else f"0 is the worst, {top} the best."
    return PROMPT.replace("{top}", top).replace("{aspect}", aspect_sentence).replace("{steps}", steps)


def read_number(reply: Reply, top: int) -> Smoothed | NoScore:
    """Return the smoothed number of an answer, divided by the scale's maximum, or an error.

    Components: ``raw``, the number that the model wrote; ``mass``, the joint probability of the scale's whole numbers
    at the position of this number.
    """
    numbers = [match for match in WHOLE_NUMBER.finditer(reply.text) if len(match[0]) < 9 and int(match[0]) <= top]
    if not numbers:
        found = WHOLE_NUMBER.search(reply.text) is not None
        message = f"The answer must be a whole number from 0 to {top}, but it is {reply.text.strip()[:200]!r}."
        return NoScore("out_of_range" if found else "no_score", message)
    written = numbers[0][0]
    raw = int(written) / top
    token = bisect_right(list(accumulate(map(len, reply.pieces))), numbers[0].start())
    if not reply.likely or not written.startswith(reply.pieces[token].strip()):
        return Smoothed(raw, raw, {"raw": raw})
    value, mass = expected(reply, token, written, top)
    return Smoothed(value / top, raw, {"raw": raw, "mass": mass})


def expected(reply: Reply, token: int, written: str, top: int) -> tuple[float, float]:
    """Return the mean of the numbers that the model could have written, and their joint probability.

    token: the index of the number's first token. written: the number that the model wrote.

    Some models write a whole number as one token. Their likeliest tokens are the possible numbers. Other models write
    each digit as a token. Then the number's next digits are read from the next tokens. For a first digit that the model
    did not write, the next digits are unknown. A 1 is read as the highest number, which begins with 1. Any other first
    digit is read with as many digits as the written number, as far as the scale allows, with the written number's mean
    next digit.
    """
    chances = [(text.strip(), p) for text, p in reply.likely[token].items() if DIGITS.fullmatch(text.strip())]
    by_digit = all(len(text) == 1 for text, _ in chances)
    first = reply.pieces[token].strip()
    weighted = []
    for text, p in chances:
        value: float = int(text)
        if by_digit and text == first and text != "0":
            value = _continued(reply, token + 1, text, top)
        elif by_digit and text == "1":
            value = top
        elif by_digit and len(written) > 1 and text != "0" and 10 * value <= top:
            value = 10 * value + (_mean_digit(reply, token + 1) if len(written) == 2 else MEAN_DIGIT)
        if value <= top:
            weighted.append((value, p))
    mass = sum(p for _, p in weighted)
    return sum(value * p for value, p in weighted) / mass, mass


def _continued(reply: Reply, token: int, so_far: str, top: int) -> float:
    """Return the mean of the numbers that begin with the digits `so_far`, by the probabilities of the next tokens."""
    if token >= len(reply.likely) or 10 * int(so_far) > top:
        return float(so_far)
    total = mass = 0.0
    written = reply.pieces[token].strip()
    for text, p in reply.likely[token].items():
        digit = text.strip()
        value = float(so_far)
        if text == digit and len(digit) == 1 and DIGITS.fullmatch(digit):  # a space before a digit ends the number
            longer = so_far + digit
            value = _continued(reply, token + 1, longer, top) if digit == written else float(longer)
        if value <= top:
            total, mass = total + value * p, mass + p
    return total / mass if mass else float(so_far)


def _mean_digit(reply: Reply, token: int) -> float:
    """Return the mean of the digits that the model could have written as this token."""
    chances = [(int(text), p) for text, p in reply.likely[token].items() if len(text) == 1 and DIGITS.fullmatch(text)]
    mass = sum(p for _, p in chances)
    return sum(digit * p for digit, p in chances) / mass if mass else MEAN_DIGIT


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
    meanings: ClassVar[Mapping[str, str]] = {"mass": "Probability that the answer is a number of the scale."}
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
        return cls(load_served(settings, judge=True), settings)

    def signature(self) -> str:
        """Return the signature of the metric's scores."""
        choice = chosen(self.settings.options, OPTIONS)
        aspects = tuple(ASPECTS) if choice["criteria"] == "each" else ("",)
        prompts = "\0".join(prompt(choice["scale"], aspect) for aspect in aspects)
        return signed(self.name, self.vlm, self.settings, (prompts, WHY))

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily, settings.batch_size at a time."""
        choice = chosen(self.settings.options, OPTIONS)
        if choice["criteria"] == "together":
            yield from asked(self.vlm, self._script("", choice["scale"]), self.settings, samples)
            return
        aspects = [asked(self.vlm, self._script(aspect, choice["scale"]), self.settings, samples) for aspect in ASPECTS]
        for outcomes in zip(*aspects, strict=True):
            yield together(outcomes)

    def _script(self, aspect: str, top: str) -> Script:
        question = prompt(top, aspect)
        return Script(
            self.name,
            self.signature(),
            ask_score=lambda sample: question.replace("{caption}", one_line(sample.candidate)),
            ask_why=lambda sample: WHY,
            read_why=lambda answer: {aspect or "overall": answer.strip()},
            read_score=lambda reply, half: read_number(reply, int(top)),
            shown=lambda score: f"{int(top) * score.value:g}",
        )


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the mean of the criteria's scores, each of which is a component, or the first error."""
    scores = [outcome for outcome in outcomes if isinstance(outcome, Score)]
    usage = summed(outcome.usage for outcome in outcomes)
    for outcome in outcomes:
        if isinstance(outcome, EvaluationError):
            return replace(outcome, usage=usage)
    parts: dict[str, float | tuple[float, ...]] = {}
    rationales: dict[str, str] = {}
    for aspect, score in zip(ASPECTS, scores, strict=True):
        parts |= {aspect: score.value} | {f"{aspect} {name}": value for name, value in score.components.items()}
        rationales |= score.explanation.rationales
    mean = sum(score.value for score in scores) / len(scores)
    return replace(scores[0], value=mean, components=parts, explanation=Explanation(rationales), usage=usage)
