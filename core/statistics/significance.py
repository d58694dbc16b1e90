"""Paired tests between metrics: Wilcoxon's signed-rank test, and Holm's correction."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from core.arrays import Floats

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
    rank. The p value is exact for at most 13 differences, or for at most 50 if no two are equal. Otherwise it is that
    of the normal approximation, corrected for equal differences.
    """
    difference = np.round(first - second, ROUNDING)
    if difference.size == 0:
        return SignedRank(None, None, None, "no item was rated for both metrics")
    mean, moved = float(difference.mean()), difference[difference != 0]
    if moved.size == 0:
        return SignedRank(mean, None, None, "both metrics have the same mean rating on every item rated for both")
    found = scipy.stats.wilcoxon(moved)
    return SignedRank(mean, float(found.statistic), float(found.pvalue), _dropped(difference.size - moved.size))


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
    return f"items not counted, because both metrics have the same mean rating: {zeros}" if zeros else ""
