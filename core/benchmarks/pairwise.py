"""Pairwise accuracy: how often a metric prefers the caption that people prefer.

Pascal-50S and FOIL use this measure. These benchmarks count equal scores as wrong, although a guess would be right in
half of the cases. So ties are also counted separately, and a second accuracy counts a tie as half right.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import Floats, Ints
from core.benchmarks.columns import JudgedColumn
from core.benchmarks.correlation import Difference
from core.datasets import BENCHMARKS
from core.statistics import influence
from core.statistics.bootstrap import Interval
from core.types import Variant

MEAN = "mean"  # name of an extra category: the unweighted mean over a benchmark's categories


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """The values of one score for both captions of each pair.

    Only pairs in which both captions have the score are included. All arrays have shape (pairs,).
    """

    categories: tuple[str, ...]  # names; a category may have no pair in which both captions have the score
    category: Ints  # for each pair, the index of its category in `categories`
    sample: Ints  # for each pair, the sample id of the preferred caption, which identifies the pair in every column
    image: Ints
    preferred: Floats  # score of the caption that people prefer
    other: Floats

    @property
    def right(self) -> Floats:
        """1 for each pair whose preferred caption has the higher score, otherwise 0. Equal scores count as wrong."""
        return (self.preferred > self.other).astype(float)

    def at(self, places: Ints) -> "PairScores":
        """Return only the pairs with these indices."""
        numbers = self.category[places], self.sample[places], self.image[places]
        return PairScores(self.categories, *numbers, self.preferred[places], self.other[places])


@dataclass(frozen=True, slots=True)
class PairwiseAccuracy:
    """Accuracy of a metric on one category of pairs. A value is None if there are no pairs."""

    benchmark: str
    category: str  # in Pascal-50S: HC, HI, HM, MM or the mean of these categories; elsewhere: the benchmark's name
    metric: str
    variant: Variant
    n: int  # pairs
    accuracy: float | None  # share of pairs whose preferred caption has the higher score, [0, 1]
    ties: int  # pairs with equal scores
    accuracy_half_credit: float | None  # accuracy if each tie counts as half right, [0, 1]
    interval: Interval | None = None  # 95 % interval of the accuracy over images


def pair_scores(column: JudgedColumn, name: str, variant: Variant) -> PairScores:
    """Return the pairs of captions in which both captions have a score.

    name: the benchmark. Its name is the category of pairs that have no category.
    """
    score = column.score(variant)
    categories: dict[str, int] = {}
    places: tuple[dict[tuple[int, str], int], ...] = ({}, {})
    for place in np.flatnonzero(np.isfinite(score)).tolist():
        pair = column.pair[place]
        if pair is not None and pair.preferred is not None:
            known = categories.setdefault(pair.category or name, len(categories))
            places[pair.position == pair.preferred][known, pair.key] = place
    others, preferred = places
    whole = [(of[0], place, others[of]) for of, place in preferred.items() if of in others]
    category, better, worse = np.array(whole, dtype=np.int64).reshape(-1, 3).T
    return PairScores(
        tuple(categories), category, column.sample[better], column.image[better], score[better], score[worse]
    )


def accuracies(column: JudgedColumn, name: str, metric: str, variant: Variant) -> list[PairwiseAccuracy]:
    """Return a metric's accuracy for each category of pairs in which both captions have a score.

    For a benchmark with several categories, the last row is the mean of the categories.
    """
    pairs = pair_scores(column, name, variant)
    rows = []
    for place, category in enumerate(pairs.categories):
        here = pairs.category == place
        n, right, ties = (
            int(here.sum()),
            int(pairs.right[here].sum()),
            int((pairs.preferred == pairs.other)[here].sum()),
        )
        strict, half = (right / n, (right + ties / 2) / n) if n else (None, None)
        row = PairwiseAccuracy(name, category, metric, variant, n, strict, ties, half)
        rows.append(replace(row, interval=_interval(pairs, pairs.right, [place], 0)))
    if rows and has_mean(pairs.categories):
        rows.append(replace(mean_accuracy(rows), interval=_interval(pairs, pairs.right, [*range(len(rows))], 0)))
    return rows


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


def accuracy_differences(first: PairScores, second: PairScores) -> list[Difference]:
    """Compare the accuracy of two scores in each category, on the pairs that have both scores.

    For a benchmark with several categories, the last row is the mean of the categories.
    """
    _, left, right = np.intersect1d(first.sample, second.sample, assume_unique=True, return_indices=True)
    pairs, gain = first.at(left), first.right[left] - second.right[right]
    groups = [(name, [place]) for place, name in enumerate(first.categories)]
    groups += [(MEAN, [*range(len(groups))])] if has_mean(first.categories) else []
    found = []
    for category, places in groups:
        n = int(np.isin(pairs.category, places).sum())
        value, each = _mean(pairs, gain, places)
        ends = _interval(pairs, gain, places, -1)
        by = None if np.isnan(value) else value
        found.append(Difference("accuracy", n, by, ends, influence.p_value(value, each), category))
    return found


def has_mean(categories: Sequence[str]) -> bool:
    """Return whether papers print the mean over these categories."""
    return any(sorted(one.categories) == sorted(categories) for one in BENCHMARKS if one.categories)


def _mean(pairs: PairScores, outcome: Floats, places: Sequence[int]) -> tuple[float, Floats]:
    """Return the mean over categories of the categories' mean outcomes, and its influences by image."""
    means, each = [], np.zeros(len(outcome))
    for place in places:
        here = pairs.category == place
        means.append(float(outcome[here].mean()) if here.any() else np.nan)
        each[here] = (outcome[here] - means[-1]) / max(1, here.sum()) / len(places)
    used = np.isin(pairs.category, places)
    return float(np.mean(means)), influence.by_cluster(each[used], pairs.image[used])


def _interval(pairs: PairScores, outcome: Floats, places: Sequence[int], low: float) -> Interval | None:
    return influence.interval(*_mean(pairs, outcome, places), low, 1)
