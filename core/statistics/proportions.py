"""Confidence intervals of proportions."""

from math import sqrt

from core.statistics.bootstrap import Interval

Z = 1.959963984540054  # 97.5 % quantile of the standard normal distribution


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
