"""Power of a study: the probability that it shows a difference between two metrics.

The power is simulated. Simulated studies are tested in the same way as core.studies.results.report tests real studies:
Wilcoxon's signed-rank test on each item's mean points, with Holm's correction over all pairs of metrics and all
criteria.
"""

from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, sqrt

import numpy as np
from scipy.stats import norm

from core.arrays import Floats
from core.errors import BadSetting
from core.statistics.rating_model import RatingModel
from core.statistics.significance import signed_rank_p
from core.studies.results.report import FEWEST_ITEMS

DRAWS = 1000
SEED = 1
MOST_ITEMS = 5000  # largest number of items for which the power is simulated
_RATINGS_AT_ONCE = 4_000_000  # maximum ratings in memory, about 100 MB


@dataclass(frozen=True, slots=True)
class PowerQuestion:
    """A planned study whose power is computed, and the difference to be found.

    Raises BadSetting for values out of range.
    """

    model: RatingModel
    difference: float  # difference of two metrics' mean ratings, in points of the scale
    items: int  # number of samples, each with an explanation of every metric
    raters_per_item: int
    metrics: int = 2
    criteria: int = 1
    alpha: float = 0.05

    def __post_init__(self) -> None:
        """Check the ranges of all values. Raises BadSetting."""
        limits = (("items", self.items, 1, MOST_ITEMS), ("raters per item", self.raters_per_item, 1, 100))
        more = (("metrics", self.metrics, 2, 10), ("criteria", self.criteria, 1, 20))
        for what, number, low, high in (*limits, *more):
            if not low <= number <= high:
                raise BadSetting(f"The number of {what} must be from {low} to {high}, found {number}.")
        if not 0 < self.alpha < 1:
            raise BadSetting(f"The significance level must be between 0 and 1, found {self.alpha}.")
        if not self.difference:
            raise BadSetting("No study can detect a difference of 0 points. Choose a larger difference.")
        self.model.shift(self.difference)

    @property
    def tests(self) -> int:
        """Return the number of tests that Holm's correction counts."""
        return self.criteria * self.metrics * (self.metrics - 1) // 2


@dataclass(frozen=True, slots=True)
class Power:
    """The share of simulated studies that show the difference between two metrics."""

    items: int
    power: float  # [0, 1]
    error: float  # standard error of the simulated power


def power(question: PowerQuestion, draws: int = DRAWS, seed: int = SEED) -> Power:
    """Return the probability that the first two metrics differ significantly on one criterion.

    In the simulation, the first metric is `difference` points above all other metrics on this criterion. On the other
    criteria no metrics differ, so the p values there are drawn uniformly from 0 to 1. With fewer than FEWEST_ITEMS
    items the power is 0, because the report then gives no p.
    """
    if question.items < FEWEST_ITEMS:
        return Power(question.items, 0.0, 0.0)
    each = question.items * question.metrics * question.raters_per_item
    step = max(1, _RATINGS_AT_ONCE // each)
    shown = 0
    for start in range(0, draws, step):
        size = min(step, draws - start)
        shown += int((_adjusted(question, size, seed + start) < question.alpha).sum())
    share = shown / draws
    return Power(question.items, share, sqrt(share * (1 - share) / draws))


def items_needed(question: PowerQuestion, wanted: float, draws: int = DRAWS, seed: int = SEED) -> int | None:
    """Return the smallest number of items with which the simulated power is at least `wanted`.

    Returns None if this number would be above MOST_ITEMS. The search starts at the number from the normal
    approximation. Then it halves the range of possible numbers until the range is within 2 %, because the simulation is
    not more precise.
    """
    high = min(max(FEWEST_ITEMS, _expected(question, wanted)), MOST_ITEMS)
    low = high
    while power(replace(question, items=high), draws, seed).power < wanted:
        if high == MOST_ITEMS:
            return None
        low, high = high, min(ceil(1.2 * high), MOST_ITEMS)
    while low == high:  # the first number of items already had enough power, so look for a smaller number
        low = max(FEWEST_ITEMS - 1, int(high / 1.2))
        if low >= FEWEST_ITEMS and power(replace(question, items=low), draws, seed).power >= wanted:
            high = low
    while high - low > max(1, ceil(high / 50)):
        middle = (low + high) // 2
        if power(replace(question, items=middle), draws, seed).power < wanted:
            low = middle
        else:
            high = middle
    return high


def _expected(question: PowerQuestion, wanted: float) -> int:
    """Return about how many items are needed for a wanted power.

    wanted: the power. The number is computed by the normal approximation, for a test with Bonferroni's correction.
    """
    model = question.model
    own = (1 - model.same_explanation) / question.raters_per_item
    spread = sqrt(2 * model.variance * (model.same_explanation - model.same_sample + own))
    needed = (norm.isf(question.alpha / 2 / question.tests) + norm.ppf(wanted)) * spread / question.difference
    return int(np.ceil(needed**2))


def _adjusted(question: PowerQuestion, draws: int, seed: int) -> Floats:
    """Return Holm's adjusted p for the difference of the first two metrics, in each simulated study.

    The shape is (draws,). The p is for the criterion on which the two metrics differ.
    """
    shifts = [question.model.shift(question.difference)] + [0.0] * (question.metrics - 1)
    points = question.model.points(shifts, question.items, question.raters_per_item, draws, seed)
    means = points.mean(axis=3)
    tested = [signed_rank_p(means[:, :, a] - means[:, :, b]) for a, b in combinations(range(question.metrics), 2)]
    others = np.random.default_rng([seed, 1]).random((question.tests - len(tested), draws))
    return _holm_of_first(np.vstack([tested, others]))


def _holm_of_first(p: Floats) -> Floats:
    """Return the p of the first test after Holm's correction, in each column: (tests, draws) -> (draws,).

    If the first p is undefined, the result is undefined. Other undefined p are not counted as tests.
    """
    defined = np.isfinite(p)
    known = np.where(defined, p, 1.0)
    order = np.sort(np.where(defined, p, 2.0), axis=0)  # undefined p values become 2, which sorts after every p
    left = np.maximum(defined.sum(axis=0) - np.arange(len(p))[:, None], 1)
    adjusted = np.minimum(np.maximum.accumulate(order * left, axis=0), 1.0)
    rank = (defined & (known < known[0])).sum(axis=0)
    return np.where(defined[0], adjusted[rank, np.arange(p.shape[1])], np.nan)
