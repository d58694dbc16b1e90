"""Kendall's, Pearson's and Spearman's correlations of two columns, in O(n log n) time.

Kendall's tau-b and tau-c come with the influence of each observation. The formulas and the treatment of ties are those
of scipy.stats.kendalltau. A tau consists of sums over pairs of
observations. So the influence of an observation follows from the pairs that contain it.

Pairs are counted by the bits of the judgement's rank. Each pair is counted at the highest bit in which its two ranks
differ. K levels of judgement take log2(K) passes: two for the four levels of Flickr8k-Expert.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from core.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Kendall:
    """Both taus of two columns. A tau is NaN if all values of a column are equal."""

    n: int  # observations
    ties: int  # pairs of observations with equal scores
    tau_b: float  # [-1, 1]
    tau_c: float
    influence_b: Floats  # (observations,), see core.statistics.intervals
    influence_c: Floats  # the number of distinct values in the formula of tau-c is treated as constant

    def tau(self, kind: str) -> tuple[float, Floats]:
        """Return tau-b or tau-c with the influence of each observation. kind: "b" or "c"."""
        return (self.tau_b, self.influence_b) if kind == "b" else (self.tau_c, self.influence_c)


def kendall(score: ArrayLike, human: ArrayLike) -> Kendall:
    """Return Kendall's taus of scores and judgements, (observations,) each."""
    x, y = (np.unique(np.asarray(column), return_inverse=True)[1].ravel() for column in (score, human))
    n = len(x)
    same_x, same_y = np.bincount(x), np.bincount(y)
    pairs, ties_x, ties_y = (int(m) for m in (n * (n - 1) // 2, _tied(same_x), _tied(same_y)))
    classes = min(len(same_x), len(same_y))
    if classes < 2:
        nothing = np.full(n, np.nan)
        return Kendall(n, ties_x, np.nan, np.nan, nothing, nothing)
    balance = pair_balance(x, y)
    surplus = int(balance.sum()) // 2
    tau_b = surplus / np.sqrt(pairs - ties_x) / np.sqrt(pairs - ties_y)
    tau_c = 2 * surplus / (n**2 * (classes - 1) / classes)
    untied = (n - same_x[x]) / (pairs - ties_x) + (n - same_y[y]) / (pairs - ties_y)
    of_b: Floats = balance / float(np.sqrt(pairs - ties_x) * np.sqrt(pairs - ties_y)) - float(tau_b) * untied / 2
    of_c: Floats = balance.astype(float) * (2 * classes / ((classes - 1) * n**2)) - 2 * tau_c / n
    return Kendall(n, ties_x, float(np.clip(tau_b, -1, 1)), float(np.clip(tau_c, -1, 1)), of_b, of_c)


def _tied(counts: Ints) -> int:
    return int((counts * (counts - 1)).sum()) // 2


def pair_balance(x: Ints, y: Ints) -> Ints:
    """Return for each observation how many of its pairs are concordant, minus the number of discordant pairs.

    x, y: (observations,), ranks from 0.
    """
    by_x = np.argsort(x, kind="stable")
    x, y = x[by_x], y[by_x].astype(np.min_scalar_type(y.max(initial=0)))  # numpy sorts small numbers in linear time
    balance = np.zeros(len(x), dtype=np.int64)
    bits = int(y.max(initial=0)).bit_length()
    for bit in range(bits):
        order = np.argsort(y >> (bit + 1), kind="stable")  # groups of equal higher bits, each sorted by x
        group, has_bit = (y[order] >> (bit + 1)).astype(np.int64), (y[order] >> bit) & 1 == 1
        run = group * (int(x[-1]) + 1) + x[order]  # equal in group and x
        (starts, ends), (first, last) = _runs(group), _runs(run)
        lower, upper = (np.concatenate([[0], np.cumsum(one)]) for one in (~has_bit, has_bit))
        below = lower[first] - lower[starts] - (lower[ends] - lower[last])
        above = upper[ends] - upper[last] - (upper[first] - upper[starts])
        balance[order] += np.where(has_bit, below, above)
    found = np.empty_like(balance)
    found[by_x] = balance
    return found


def _runs(ordered: Ints) -> tuple[Ints, Ints]:
    """Return for each place of a sorted array where its run of equal values begins, and where it ends."""
    starts = np.concatenate([[0], np.flatnonzero(np.diff(ordered)) + 1])
    sizes = np.diff(starts, append=len(ordered))
    return np.repeat(starts, sizes), np.repeat(starts + sizes, sizes)


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
    return pearson(scipy.stats.rankdata(first), scipy.stats.rankdata(second))
