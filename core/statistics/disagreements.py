"""Differences of two scores: how large they are, and which score is nearer to human judgement."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.statistics.bootstrap import Interval
from core.statistics.error_scales import shares_below
from core.statistics.influence import clustered_mean_interval

Mask = NDArray[np.bool_]
Side = Literal["first", "second"]


def distance(first: Floats, second: Floats) -> Floats:
    """Return |first - second| of scores on [0, 1], shape (samples,); NaN if one of the scores is missing."""
    return np.asarray(np.abs(first - second))


def rank_shift(first: Floats, second: Floats) -> Floats:
    """Return each sample's rank by the first score minus its rank by the second score.

    Only samples with both scores are ranked, and ranks are divided by the number of these samples. All other samples
    get NaN.
    """
    both = np.isfinite(first) & np.isfinite(second)
    found = np.full(len(first), np.nan)
    found[both] = shares_below(first[both]) - shares_below(second[both])
    return found


def only_right(side: Side, first: Floats, second: Floats, tolerance: float) -> Floats:
    """Return by how much one score is nearer to human judgement.

    side: which of the two scores must be right, while the other score is wrong. On a sample where this is so, the
    result is the wrong score's |error| minus the right score's |error|. On all other samples it is NaN. A score is
    right if its |error| is below the tolerance. first, second: the scores' errors, (samples,), NaN: unknown.
    """
    right, wrong = np.abs((first, second) if side == "first" else (second, first))
    return np.where((right < tolerance) & (wrong >= tolerance), wrong - right, np.nan)


@dataclass(frozen=True, slots=True)
class RightTogether:
    """How often each of two scores is right (close to human judgement).

    Only samples with both scores and a human judgement are counted.
    """

    n: int
    both: int
    first: int  # number of samples on which only the first metric is right
    second: int
    neither: int
    share_first: Interval | None  # 95 % interval, bootstrap over images: share of samples with the first metric right
    share_second: Interval | None
    difference: Interval | None  # 95 % interval of share_first - share_second, both computed from the same draws


def right_together(first: Floats, second: Floats, image: Ints, tolerance: float) -> RightTogether:
    """Count the samples on which each of two scores is right.

    first, second: the scores' errors, (samples,), NaN: unknown. image: (samples,). A score is right if its |error| is
    below the tolerance.
    """
    has_both = np.isfinite(first) & np.isfinite(second)
    one, other = np.abs(first[has_both]) < tolerance, np.abs(second[has_both]) < tolerance
    parts: tuple[Floats, ...] = (one.astype(float), other.astype(float), one.astype(float) - other)
    intervals = [clustered_mean_interval(part, image[has_both]) if has_both.any() else None for part in parts]
    counts = [int(count.sum()) for count in (one & other, one & ~other, ~one & other, ~one & ~other)]
    return RightTogether(len(one), counts[0], counts[1], counts[2], counts[3], *intervals)
