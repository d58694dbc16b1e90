"""Compare a score with human judgement along the score's scale.

The module computes bins of neighbouring scores, and a non-decreasing fit.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.statistics.bootstrap import Interval
from core.statistics.error_scales import isotonic_fit
from core.statistics.influence import clustered_mean_interval

BINS = 10


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """A bin: a group of samples with neighbouring scores."""

    n: int
    low: float  # lowest score in the bin, [0, 1]
    high: float  # highest score
    score: float  # mean score
    human: float  # mean human judgement, [0, 1]
    interval: Interval | None  # 95 % interval of the mean human judgement, bootstrap over images; None: one image only


@dataclass(frozen=True, slots=True)
class Calibration:
    """How well a score matches human judgement. Score and judgement are on [0, 1]."""

    n: int
    bins: tuple[CalibrationBin, ...]  # bins in order of rising score
    fit: tuple[tuple[float, float], ...]  # (score, human) at the bends of the monotonic fit to all samples


def calibration(score: Floats, human: Floats, image: Ints, bins: int = BINS) -> Calibration | None:
    """Return how a score compares with human judgement; None if no sample has both values.

    score, human, image: (samples,). The samples are divided into bins of about equal size. Samples with equal scores
    are in the same bin.
    """
    has_both = np.isfinite(score) & np.isfinite(human)
    score, human, image = score[has_both], human[has_both], image[has_both]
    if not len(score):
        return None
    bin_of = _bins(score, bins)
    found = tuple(_bin(score[bin_of == one], human[bin_of == one], image[bin_of == one]) for one in np.unique(bin_of))
    return Calibration(
        n=len(score),
        bins=found,
        fit=tuple(_bends(*isotonic_fit(score, human))),
    )


def _bends(at: Floats, fitted: Floats) -> Iterator[tuple[float, float]]:
    """Yield the points where the fitted curve changes: both ends of each run of equal fitted values."""
    same = np.diff(fitted) == 0
    inner = np.concatenate([[False], same]) & np.concatenate([same, [False]])
    yield from zip(at[~inner].tolist(), fitted[~inner].tolist(), strict=True)


def _bins(score: Floats, bins: int) -> Ints:
    """Return for each score the number of its bin.

    The bin of a score depends on its rank among all samples. Samples with equal scores get the same bin: the bin of the
    middle one.
    """
    _, place, counts = np.unique(score, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    return np.minimum(bins - 1, (bins * middle / len(score)).astype(np.int64))[place.ravel()]


def _bin(score: Floats, human: Floats, image: Ints) -> CalibrationBin:
    interval = clustered_mean_interval(human, image)
    ends = float(score.min()), float(score.max())
    return CalibrationBin(len(score), *ends, float(score.mean()), float(human.mean()), interval)
