"""Confidence intervals of shares."""

from math import sqrt

from core.statistics.bootstrap import Interval

Z = 1.959963984540054  # of the standard normal law, 97.5 %


def wilson(share: float, n: int) -> Interval | None:
    """Return Wilson's 95 % score interval of a share of n observations (Wilson, 1927); None where n is 0.

    Unlike a bootstrap it holds also for few observations and where nothing or everything was counted.
    """
    if n == 0:
        return None
    spread = Z**2 / n
    middle = share + spread / 2
    half = Z * sqrt(share * (1 - share) / n + spread / (4 * n))
    # the ends are exact where nothing, or everything, was counted
    low = 0.0 if share == 0 else (middle - half) / (1 + spread)
    high = 1.0 if share == 1 else (middle + half) / (1 + spread)
    return Interval(low, high)
