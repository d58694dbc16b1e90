"""General judge: any chat model that reads pictures rates a caption with a whole number from 0 to 10.

Papers about caption metrics compare their metrics with such judges. EXPERT, Appendix E.1, asks GPT-4o for a number from
0 to 10, and describes the meaning of every second number. The prompt here follows this design in Capscope's own words.
So the figures of that paper were measured with another prompt.

The number is smoothed as in G-Eval: it is the mean of the whole numbers that the model could have written, weighted by
their probabilities (`expected`).
"""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar, Self

from core.errors import ModelUnavailable, NoScore
from core.metrics.asking import AskingMetric
from core.models import ModelSettings, check_options
from core.models.vlm import Reply, load_served
from core.score_reading.smoothing import MEANINGS, Smoothed

TOP = 10  # the highest number of the scale
PROMPT = (
    "Look at the image and rate the caption with a whole number from 0 to 10.\n\n"
    "0: The caption has nothing to do with the image.\n"
    "2: The caption names little of the image, and most of it is wrong.\n"
    "4: The caption is partly right, with serious mistakes or omissions.\n"
    "6: The caption is mostly right, but misses or mistakes something that matters.\n"
    "8: The caption is right and leaves out only details.\n"
    "10: The caption describes the image accurately, clearly and completely.\n\n"
    "Caption: {caption}\n\n"
    "Answer with the number only."
)
WHOLE_NUMBER = re.compile(r"(?<![\w.,/-])[0-9]+(?![\w/]|[.,][0-9])")
DIGITS = re.compile(r"[0-9]{1,3}")


def read_number(reply: Reply) -> Smoothed:
    """Return the smoothed number of an answer, divided by the scale's maximum. Raises NoScore.

    Components: ``raw``, the number that the model wrote; ``mass``, the joint probability of the scale's whole numbers
    at the position of this number.
    """
    found = list(WHOLE_NUMBER.finditer(reply.text))
    numbers = [match for match in found if len(match[0]) < 9 and int(match[0]) <= TOP]
    if not numbers:
        message = f"The answer must be a whole number from 0 to {TOP}, but it is {reply.text.strip()[:200]!r}."
        raise NoScore("out_of_range" if found else "no_score", message)
    written = numbers[0][0]
    raw = int(written) / TOP
    token = bisect_right(list(accumulate(map(len, reply.pieces))), numbers[0].start())
    if not reply.likely or not written.startswith(reply.pieces[token].strip()):
        return Smoothed(raw, raw, {"raw": raw})
    value, mass = expected(reply, token)
    return Smoothed(value / TOP, raw, {"raw": raw, "mass": mass})


def expected(reply: Reply, token: int) -> tuple[float, float]:
    """Return the mean of the numbers that the model could have written, and their joint probability.

    token: the index of the number's first token.

    Some models write 10 as one token. Their likeliest tokens are the possible numbers. Other models write 1 and 0. Then
    the probability of 10 is that of 0 as the next token, if the model wrote 1. If the model did not write 1, its next
    token is unknown, and a 1 is read as 10.
    """
    chances = [(text.strip(), p) for text, p in reply.likely[token].items() if DIGITS.fullmatch(text.strip())]
    by_digit = all(len(text) == 1 for text, _ in chances)
    weighted = []
    for text, p in chances:
        value = float(text)
        if by_digit and text == "1":
            value = _one_or_ten(reply, token + 1) if reply.pieces[token].strip() == "1" else TOP
        if value <= TOP:
            weighted.append((value, p))
    mass = sum(p for _, p in weighted)
    return sum(value * p for value, p in weighted) / mass, mass


def _one_or_ten(reply: Reply, token: int) -> float:
    """Return the mean of 1 and 10 by the probabilities of the token after a written 1."""
    if token >= len(reply.likely):
        return 1.0
    total = mass = 0.0
    for text, p in reply.likely[token].items():
        if text == "0" or not (len(text) == 1 and DIGITS.fullmatch(text)):  # any other digit would be above the scale
            total, mass = total + (TOP if text == "0" else 1.0) * p, mass + p
    return total / mass if mass else 1.0


@dataclass(frozen=True)
class GeneralJudge(AskingMetric):
    """A chat model on a server that returns one number."""

    name: ClassVar[str] = "General judge"
    paper: ClassVar[str] = "https://arxiv.org/abs/2506.24016"
    needs_server: ClassVar[bool] = True
    prompt: ClassVar[str] = PROMPT
    why: ClassVar[str] = "Why? Give the reason in a few sentences."
    meanings: ClassVar[Mapping[str, str]] = {
        "raw": MEANINGS["raw"],
        "mass": "Probability that the answer is a number of the scale.",
    }

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric with the server's model that `settings` names. Raises ModelUnavailable, BadSetting."""
        if settings.endpoint is None:
            raise ModelUnavailable(
                f"{cls.name} needs a model on a server. Add --endpoint URL or set CAPSCOPE_ENDPOINT."
            )
        check_options(settings.options, ())
        settings = replace(settings, strict_reference=False)  # there is no published code to follow
        return cls(load_served(settings, judge=True), settings)

    def read_score(self, reply: Reply) -> Smoothed:
        """Return the smoothed number, divided by the scale's maximum. Raises NoScore."""
        return read_number(reply)

    def shown(self, score: Smoothed) -> str:
        """Return the smoothed number."""
        return f"{TOP * score.value:g}"
