"""Changes of a metric's score when captions are edited: how often and how much the score falls."""

from dataclasses import dataclass

from core.arrays import Floats, Ints
from core.statistics.bootstrap import Interval, clustered_mean_interval

SAME = 1e-9  # smallest change of a score that counts, as a share of the metric's scale; less is a rounding error


@dataclass(frozen=True, slots=True)
class Falls:
    """How often and how much one metric's scores fall after one kind of edit."""

    n: int  # number of pairs of a caption and its edited caption that both have scores
    fell: float | None  # share of pairs whose score fell, [0, 1]; None: no pair
    same: float | None
    rose: float | None
    before: float | None  # mean score of the captions, on the metric's scale
    fall: float | None  # mean of before - after, on the metric's scale; negative: edited captions score higher
    interval: Interval | None  # 95 % interval of the mean fall, bootstrap over images; None: fewer than two images


def falls(before: Floats, after: Floats, image: Ints, scale: tuple[float, float]) -> Falls:
    """Return how often and how much scores fall when captions are edited.

    before, after: (pairs,), finite, on the metric's scale. Each pair has the score of a caption and the score of the
    edited caption. image: (pairs,), the image of each pair. A bootstrap draw takes all pairs of an image together.
    """
    if not len(before):
        return Falls(0, None, None, None, None, None, None)
    fall = before - after
    least = SAME * (scale[1] - scale[0])
    fell, rose = float((fall > least).mean()), float((fall < -least).mean())
    interval = clustered_mean_interval(fall, image)
    return Falls(
        len(fall), fell, float((abs(fall) <= least).mean()), rose, float(before.mean()), float(fall.mean()), interval
    )
