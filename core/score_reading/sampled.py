"""The mean of several sampled answers to one question."""

import math
from collections.abc import Callable, Sequence
from statistics import stdev

from core.errors import NoScore
from core.score_reading.smoothing import Smoothed

MEANINGS = {
    "sampled": "The score of each sampled answer.",
    "sampled_sd": "The standard deviation of the sampled answers' scores.",
    "unread": "The number of sampled answers without a score. The mean does not include them.",
}


def mean_of_answers(answers: Sequence[str | NoScore], read: Callable[[str], float | NoScore]) -> Smoothed | NoScore:
    """Return the mean of the answers' scores, in [0, 1].

    If no answer has a score, returns the first answer's NoScore. read: returns the score in an answer's text.
    Components: ``raw``, the mean; ``sampled``, each score; ``sampled_sd``, their standard deviation, for two scores or
    more; ``unread``, the number of answers without a score, if there are any.
    """
    found = [answer if isinstance(answer, NoScore) else read(answer) for answer in answers]
    values = tuple(value for value in found if not isinstance(value, NoScore))
    if not values:
        return next(value for value in found if isinstance(value, NoScore))
    mean = math.fsum(values) / len(values)
    parts: dict[str, float | tuple[float, ...]] = {"raw": mean, "sampled": values}
    parts |= {"sampled_sd": stdev(values)} if len(values) > 1 else {}
    parts |= {"unread": float(len(found) - len(values))} if len(values) < len(found) else {}
    return Smoothed(mean, mean, parts)
