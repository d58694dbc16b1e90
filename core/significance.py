"""Paired tests between metrics: Wilcoxon's signed-rank test and Holm's correction for many tests."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from core.bootstrap import Floats

ROUNDING = 9  # decimals; means of a few ratings carry float dust that would break ties between differences


@dataclass(frozen=True, slots=True)
class SignedRank:
    """Outcome of a two-sided Wilcoxon signed-rank test. `p` None: undefined, for the reason in `note`."""

    mean_difference: float | None  # over all pairs, zero differences included
    statistic: float | None  # min(W+, W-)
    p: float | None  # before any correction
    note: str = ""


def signed_rank(first: Floats, second: Floats) -> SignedRank:
    """Test whether paired values differ; `first` and `second` have shape (pairs,).

    Zero differences are left out (Wilcoxon's own rule) and equal ones share their mid-rank. p is exact
    without ties or with at most 13 differences, else from the normal law corrected for ties.
    """
    difference = np.round(first - second, ROUNDING)
    if difference.size == 0:
        return SignedRank(None, None, None, "no item was rated for both metrics")
    mean, moved = float(difference.mean()), difference[difference != 0]
    if moved.size == 0:
        return SignedRank(mean, None, None, "both metrics have the same mean rating on every shared item")
    result = stats.wilcoxon(moved)
    return SignedRank(mean, float(result.statistic), float(result.pvalue), _dropped(difference.size - moved.size))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's step-down adjusted p values in the same order; None stays None and is not counted."""
    known = [i for i, p in enumerate(p_values) if p is not None]
    ordered = sorted(known, key=lambda i: p_values[i] or 0.0)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(ordered):
        highest = max(highest, min(1.0, (len(known) - rank) * (p_values[i] or 0.0)))
        adjusted[i] = highest
    return adjusted


def _dropped(zeros: int) -> str:
    return f"{zeros} shared items without a difference left out" if zeros else ""
