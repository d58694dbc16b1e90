"""Pearson's and Spearman's correlation of two columns, in time O(n log n)."""

import numpy as np

from core.arrays import Floats


def pearson(first: Floats, second: Floats) -> float | None:
    """Return Pearson's r, [-1, 1]. Returns None for fewer than two values, or if all values of a column are equal.

    first, second: (n,), without NaN.
    """
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    x, y = first - first.mean(), second - second.mean()
    x, y = x / np.abs(x).max(), y / np.abs(y).max()  # divided, so that squares of very small values do not become 0
    return float(np.clip(x @ y / np.sqrt((x @ x) * (y @ y)), -1, 1))


def spearman(first: Floats, second: Floats) -> float | None:
    """Return Spearman's rho, [-1, 1]: Pearson's r of the ranks. Equal values get their mean rank.

    first, second: (n,), without NaN. Returns None in the same cases as `pearson`.
    """
    import scipy  # imported late, because it takes long

    return pearson(scipy.stats.rankdata(first), scipy.stats.rankdata(second))
