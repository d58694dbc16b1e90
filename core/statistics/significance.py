"""Paired tests between metrics: Wilcoxon's signed-rank test, and Holm's correction."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from core.arrays import Floats

EXACT_WITH_TIES = 13  # maximum number of differences for the exact test with ties; for more, the normal law suffices
ROUNDING = 9  # number of decimals to which differences are compared, because rounding errors in means would break ties


@dataclass(frozen=True, slots=True)
class SignedRank:
    """Outcome of a two-sided Wilcoxon signed-rank test.

    p is None if it is undefined. Then `note` gives the reason.
    """

    mean_difference: float | None  # mean difference over all pairs of values, including pairs with the difference 0
    statistic: float | None  # min(W+, W-)
    p: float | None  # before correction
    note: str = ""


def signed_rank(first: Floats, second: Floats) -> SignedRank:
    """Test with Wilcoxon's signed-rank test whether paired values differ.

    first, second: (pairs,). Pairs with equal values are dropped (Wilcoxon's own rule). Equal differences get their mean
    rank. The p value is exact if no two differences are equal, or if there are at most 13 differences. Otherwise it
    comes from the normal approximation, corrected for equal differences.
    """
    difference = np.round(first - second, ROUNDING)
    if difference.size == 0:
        return SignedRank(None, None, None, "no item was rated for both metrics")
    mean, moved = float(difference.mean()), difference[difference != 0]
    if moved.size == 0:
        return SignedRank(mean, None, None, "both metrics have the same mean rating on every item rated for both")
    statistic, p = _wilcoxon(moved)
    return SignedRank(mean, statistic, p, _dropped(difference.size - moved.size))


def _wilcoxon(moved: Floats) -> tuple[float, float]:
    ranks = scipy.stats.rankdata(np.abs(moved))
    if len(moved) <= EXACT_WITH_TIES and len(set(ranks)) < len(ranks):
        return _exact_with_ties(ranks, moved > 0)
    result = scipy.stats.wilcoxon(moved)  # scipy's test is exact up to 50 differences if there are no ties
    return float(result.statistic), float(result.pvalue)


def _exact_with_ties(ranks: Floats, positive: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the test statistic and the exact p value for tied differences.

    A sign pattern makes each difference positive or negative. The sum of a pattern is the sum of the ranks of those
    differences that the pattern makes positive. A sum is extreme if it is at least as far from the mean sum as the
    observed sum. The p value is the share of sign patterns with an extreme sum. This function does not try the patterns
    one by one as scipy would, because that takes a second.
    """
    steps = (2 * ranks).astype(int)  # doubled to get whole numbers, because tied differences have ranks such as 2.5
    ways = np.ones(1)  # ways[sum]: number of sign patterns whose positive ranks, doubled, have this sum
    for step in steps:
        ways = np.pad(ways, (0, step)) + np.pad(ways, (step, 0))
    reached = int(steps[positive].sum())
    tail = min(ways[: reached + 1].sum(), ways[reached:].sum())
    return min(reached, int(steps.sum()) - reached) / 2, float(min(1.0, 2 * tail / ways.sum()))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p values adjusted by Holm's step-down method, in the same order.

    None stays None and is not counted as a test.
    """
    defined = [i for i, p in enumerate(p_values) if p is not None]
    ordered = sorted(defined, key=lambda i: p_values[i] or 0.0)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(ordered):
        highest = max(highest, min(1.0, (len(defined) - rank) * (p_values[i] or 0.0)))
        adjusted[i] = highest
    return adjusted


def _dropped(zeros: int) -> str:
    return f"{zeros} items with the same mean rating for both metrics are not counted" if zeros else ""
