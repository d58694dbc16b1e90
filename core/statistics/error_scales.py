"""Compare a score with human judgement: errors on three scales, and bins along the score's scale.

A metric may order captions as people do, and yet its scores may be too high or too low everywhere. FLEUR's scores, for
example, are at most about 0.85. The plain difference between score and judgement includes this offset. The errors by
rank and after calibration do not.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from core.arrays import Floats, Ints
from core.statistics.bootstrap import Interval
from core.statistics.intervals import clustered_mean_interval
from core.types import ErrorScale

BINS = 10
FOLDS = 5  # number of parts into which images are divided; each part is calibrated on the other parts


def errors(scale: ErrorScale, score: Floats, human: Floats, image: Ints) -> Floats:
    """Return score - human of every sample, on one of three scales.

    All arrays have the shape (samples,); score and human are within [0, 1]; NaN: unknown.

    scale "plain": the values are unchanged. "rank": score and human are each replaced by the share of samples with a
    lower value; each sample with an equal value counts half. "calibrated": the score is replaced by the result of the
    function `calibrated`.
    """
    has_both = np.isfinite(score) & np.isfinite(human)
    differences = np.full(len(score), np.nan)
    if scale == "rank":
        differences[has_both] = shares_below(score[has_both]) - shares_below(human[has_both])
    else:
        compared = score if scale == "plain" else calibrated(score, human, image)
        differences[has_both] = compared[has_both] - human[has_both]
    return differences


def shares_below(values: Floats) -> Floats:
    """Return for each value which share of the other values is lower.

    values: (n,), without NaN. A value that is equal counts half. If all values differ, the lowest gets 0 and the
    highest 1. If there is only one value, it gets 0.5.
    """
    if len(values) < 2:
        return np.full(len(values), 0.5)
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    return np.asarray((below + (counts - 1) / 2)[place.ravel()] / (len(values) - 1))


def calibrated(score: Floats, human: Floats, image: Ints) -> Floats:
    """Return for each score the expected human judgement of captions with this score; NaN if unknown.

    The images are split into five parts. The relation of score and judgement is fitted to four parts, and used for the
    fifth. So a sample's own judgement is not in its fit. Otherwise scores with more distinct values would get smaller
    errors, for example a smoothed score compared with a raw score.
    """
    places = np.flatnonzero(np.isfinite(score) & np.isfinite(human))
    fitted = np.full(len(score), np.nan)
    part = np.unique(image[places], return_inverse=True)[1].ravel() % FOLDS
    for one in range(FOLDS):
        own, others = places[part == one], places[part != one]
        if len(own) and len(others):
            fitted[own] = np.interp(score[own], *isotonic_fit(score[others], human[others]))
    return fitted


def isotonic_fit(score: Floats, human: Floats) -> tuple[Floats, Floats]:
    """Return the distinct scores, rising, and the fitted human judgement for each.

    The isotonic fit never decreases, and its squared error is the smallest possible. Samples with equal scores are
    fitted as one value. Its weight is the number of these samples.
    """
    distinct, place, counts = np.unique(score, return_inverse=True, return_counts=True)
    means = np.bincount(place.ravel(), weights=human) / counts
    return distinct, np.asarray(scipy.optimize.isotonic_regression(means, weights=counts.astype(float)).x)


def only_right(right: Floats, wrong: Floats, tolerance: float) -> Floats:
    """Return by how much the score with the errors `right` is nearer to human judgement, (samples,).

    NaN, unless the score is right and the other score, with the errors `wrong`, is not. A score is right if its |error|
    is below the tolerance.
    """
    right, wrong = np.abs(right), np.abs(wrong)
    return np.where((right < tolerance) & (wrong >= tolerance), wrong - right, np.nan)


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
    return Calibration(found, tuple(_bends(*isotonic_fit(score, human))))


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
    interval = clustered_mean_interval(human, image, 0)
    ends = float(score.min()), float(score.max())
    return CalibrationBin(len(score), *ends, float(score.mean()), float(human.mean()), interval)
