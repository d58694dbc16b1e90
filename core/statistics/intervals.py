"""Intervals and tests without random draws: of figures over clusters (images), and of shares.

The influence of a cluster says how much a figure changes, to first order, if the cluster is counted once more (the
infinitesimal jackknife: Efron 1982, "The Jackknife, the Bootstrap and Other Resampling Plans", chapter 6). The variance
of the figure is the sum of the squared influences. Intervals and p values use Student's t distribution with one degree
of freedom less than there are clusters. The influence of a difference is the difference of the influences, so a paired
test needs nothing else. A p value has no smallest possible value.
"""

from math import sqrt

import numpy as np
import pandas as pd
import scipy

from core.arrays import Floats, Ints
from core.statistics.bootstrap import Interval

Z = 1.959963984540054  # 97.5 % quantile of the standard normal distribution
FEWEST, MOST_SHARE = 5, 0.75  # among at least 5 clusters, one with more of the variance than this decides the interval


def is_decided_by_one(influence: Floats) -> bool:
    """Return whether one cluster has nearly all of the variance, so that no interval can be trusted."""
    squares = influence**2
    return len(influence) >= FEWEST and float(squares.max()) > MOST_SHARE * float(squares.sum())


def interval(figure: float, influence: Floats, low: float = -np.inf, high: float = np.inf) -> Interval | None:
    """Return the 95 % interval of a figure; None for fewer than two clusters, or if one cluster decides it.

    influence: (clusters,). low, high: ends of the figure's range.
    """
    if len(influence) < 2 or not np.isfinite(figure) or is_decided_by_one(influence):
        return None
    half = float(scipy.special.stdtrit(len(influence) - 1, 0.975)) * _standard_error(influence)
    return Interval(max(low, figure - half), min(high, figure + half))


def p_value(figure: float, influence: Floats) -> float | None:
    """Return the two-sided p value for the hypothesis that a figure is 0; None as for `interval`."""
    if len(influence) < 2 or not np.isfinite(figure) or is_decided_by_one(influence):
        return None
    error = _standard_error(influence)
    if error == 0:
        return 1.0 if figure == 0 else 0.0
    return float(2 * scipy.special.stdtr(len(influence) - 1, -abs(figure) / error))


def _standard_error(influence: Floats) -> float:
    return float(np.sqrt((influence**2).sum() * len(influence) / (len(influence) - 1)))


def by_cluster(influence: Floats, cluster: Ints) -> Floats:
    """Add up the influences of each cluster's observations."""
    place = pd.factorize(cluster, sort=True)[0]  # faster than np.unique, because clusters are few
    return np.bincount(place, weights=influence).astype(float)


def clustered_mean_interval(values: Floats, cluster: Ints, low: float, high: float = 1) -> Interval | None:
    """Return the 95 % interval of a mean over clusters; None as for `interval`. low, high: ends of the range."""
    if not len(values):
        return None
    mean = float(values.mean())
    return interval(mean, by_cluster((values - values.mean()) / len(values), cluster), low, high)


def wilson(share: float, n: int) -> Interval | None:
    """Return Wilson's 95 % score interval of a share of n observations.

    Source: Wilson, 1927. Returns None if n is 0. Unlike a bootstrap interval, it is also valid for few observations and
    for shares of 0 and 1.
    """
    if n == 0:
        return None
    spread = Z**2 / n
    middle = share + spread / 2
    half = Z * sqrt(share * (1 - share) / n + spread / (4 * n))
    # for shares of 0 and 1, one end of the interval is exactly 0 or 1, without rounding errors
    low = 0.0 if share == 0 else (middle - half) / (1 + spread)
    high = 1.0 if share == 1 else (middle + half) / (1 + spread)
    return Interval(low, high)
