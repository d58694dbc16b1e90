"""Pairwise accuracy: how often a metric prefers the caption that people prefer.

Pascal-50S and FOIL use this measure. These benchmarks count equal scores as wrong, although a guess would be right in
half of the cases. So ties are also counted separately, and a second accuracy counts a tie as half right.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Floats, Ints
from core.benchmarks.columns import JudgedColumn
from core.benchmarks.pair_scores import PairScores, pair_scores
from core.datasets import BENCHMARKS
from core.errors import BadData
from core.statistics.bootstrap import Interval, percentile_interval, two_sided_p
from core.statistics.drawn_shares import drawn_shares
from core.types import Variant

MEAN = "mean"  # name of an extra category: the unweighted mean over a benchmark's categories


@dataclass(frozen=True, slots=True)
class PairwiseAccuracy:
    """Accuracy of a metric on one category of pairs.

    A value is None if there are no pairs.
    """

    benchmark: str
    category: str  # in Pascal-50S: HC, HI, HM, MM or the mean of these categories; elsewhere: the benchmark's name
    metric: str
    variant: Variant
    n: int  # pairs
    accuracy: float | None  # share of pairs whose preferred caption has the higher score, [0, 1]
    ties: int  # pairs with equal scores
    accuracy_half_credit: float | None  # accuracy if each tie counts as half right, [0, 1]
    interval: Interval | None = None  # 95 % interval of the accuracy, bootstrap over images

    def as_json(self) -> dict[str, Any]:
        """Return the fields of the documented JSON output. Accuracies are multiplied by 100.

        "ci_low" and "ci_high" are the ends of an interval. "ci_of" names the field to which this interval belongs.
        """
        fields = {"benchmark": self.benchmark, "category": self.category, "metric": self.metric}
        ends = (None, None) if self.interval is None else (100 * self.interval.low, 100 * self.interval.high)
        return {
            **fields,
            "variant": self.variant,
            "n": self.n,
            "accuracy": None if self.accuracy is None else 100 * self.accuracy,
            "ties": self.ties,
            "accuracy_half_credit": None if self.accuracy_half_credit is None else 100 * self.accuracy_half_credit,
            "ci_of": "accuracy",
            "ci_low": ends[0],
            "ci_high": ends[1],
        }


@dataclass(frozen=True, slots=True)
class AccuracyDifference:
    """Difference between the pairwise accuracies of two scores in one category of pairs.

    The accuracy of a score says how often it orders two captions as people do. Only pairs with both scores are counted.
    """

    category: str
    n: int  # pairs
    difference: float | None  # first score's accuracy - second score's accuracy, [-1, 1]; None: no pair has both scores
    interval: Interval | None  # 95 % interval of the difference, bootstrap over images
    p: float | None  # two-sided p value, from the bootstrap draws
    p_at_most: bool = False  # True: no bootstrap draw crossed zero, so p is an upper bound


def pairwise_accuracy(
    preferred: ArrayLike, other: ArrayLike, benchmark: str, category: str, metric: str, variant: Variant = "smoothed"
) -> PairwiseAccuracy:
    """Return how often a metric gives the higher score to the caption that people prefer.

    preferred, other: (pairs,), the scores of the preferred and of the other caption.
    """
    better, worse = np.asarray(preferred, dtype=float), np.asarray(other, dtype=float)
    if better.shape != worse.shape:
        raise BadData(
            f"Each pair needs two scores, found {better.size} scores of the better and {worse.size} of the worse "
            "captions"
        )
    n, right, ties = better.size, int((better > worse).sum()), int((better == worse).sum())
    strict, half = (right / n, (right + ties / 2) / n) if n else (None, None)
    return PairwiseAccuracy(benchmark, category, metric, variant, n, strict, ties, half)


def accuracies(column: JudgedColumn, name: str, metric: str, variant: Variant) -> list[PairwiseAccuracy]:
    """Return a metric's accuracy for each category of pairs in which both captions have a score.

    For a benchmark with several categories, the last row is the mean of the categories.
    """
    pairs = pair_scores(column, name, variant)
    drawn = _drawn(pairs, pairs.right)
    rows = []
    for place, category in enumerate(pairs.categories):
        here = pairs.category == place
        row = pairwise_accuracy(pairs.preferred[here], pairs.other[here], name, category, metric, variant)
        rows.append(replace(row, interval=_interval(drawn, [place])))
    if rows and _has_mean(pairs.categories):
        rows.append(replace(mean_accuracy(rows), interval=_interval(drawn, [*range(len(rows))])))
    return rows


def accuracy_differences(first: PairScores, second: PairScores) -> list[AccuracyDifference]:
    """Compare the accuracy of two scores in each category, on the pairs that have both scores.

    For a benchmark with several categories, the last row is the mean of the categories.
    """
    _, left, right = np.intersect1d(first.sample, second.sample, assume_unique=True, return_indices=True)
    gain, category = first.right[left] - second.right[right], first.category[left]
    shared = replace(first, category=category, sample=first.sample[left], image=first.image[left])
    drawn, counts = _drawn(shared, gain), np.bincount(category, minlength=len(first.categories))
    sums = np.bincount(category, weights=gain, minlength=len(first.categories))
    with np.errstate(invalid="ignore"):
        means = sums / counts
    groups = [(name, [place]) for place, name in enumerate(first.categories)]
    groups += [(MEAN, [*range(len(groups))])] if _has_mean(first.categories) else []
    return [_difference(name, places, counts, means, drawn) for name, places in groups]


def _difference(name: str, places: list[int], counts: Ints, means: Floats, drawn: Floats | None) -> AccuracyDifference:
    n, mean = int(counts[places].sum()), float(means[places].mean())
    if not np.isfinite(mean):
        return AccuracyDifference(name, n, None, None, None)
    p = (None, False) if drawn is None else two_sided_p(drawn[:, places].mean(axis=1))
    return AccuracyDifference(name, n, mean, _interval(drawn, places), *p)


def _drawn(pairs: PairScores, outcome: Floats) -> Floats | None:
    return drawn_shares(outcome, pairs.category, len(pairs.categories), pairs.image)


def _interval(drawn: Floats | None, places: list[int]) -> Interval | None:
    return None if drawn is None else percentile_interval(drawn[:, places].mean(axis=1))


def _has_mean(categories: Sequence[str]) -> bool:
    return any(sorted(one.categories) == sorted(categories) for one in BENCHMARKS if one.categories)


def mean_accuracy(rows: Sequence[PairwiseAccuracy]) -> PairwiseAccuracy:
    """Return the unweighted mean of a metric's accuracies over categories, as papers print it.

    The mean is None if a category has no pair.
    """
    strict = [row.accuracy for row in rows if row.accuracy is not None]
    halves = [row.accuracy_half_credit for row in rows if row.accuracy_half_credit is not None]
    return replace(
        rows[0],
        category=MEAN,
        n=sum(row.n for row in rows),
        accuracy=float(np.mean(strict)) if len(strict) == len(rows) else None,
        ties=sum(row.ties for row in rows),
        accuracy_half_credit=float(np.mean(halves)) if len(halves) == len(rows) else None,
    )
