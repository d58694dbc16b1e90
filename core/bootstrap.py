"""Percentile bootstrap over clusters (items, images, units), the same for every statistic.

Observations of one item belong together, so whole items are drawn, never single ratings. Clusters that
contribute the same numbers are interchangeable: how often each kind is drawn follows a multinomial law,
which gives the same distribution as drawing clusters one by one and costs far less.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DRAWS = 2000
SEED = 20240101
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval on the scale of its statistic."""

    low: float
    high: float


def percentile_interval(values: Floats, confidence: float = CONFIDENCE) -> Interval | None:
    """Return the percentile interval of the drawn values, or None when most draws are undefined (NaN)."""
    defined = values[np.isfinite(values)]
    if defined.size == 0 or 2 * defined.size < values.size:
        return None
    tail = 50 * (1 - confidence)
    low, high = np.percentile(defined, [tail, 100 - tail])
    return Interval(float(low), float(high))


def draw_kinds(kinds: Ints, draws: int, seed: int) -> Ints:
    """Return how often each kind of cluster is drawn, shape (draws, kinds).

    `kinds` counts the clusters of every kind; each draw takes as many clusters as there are.
    """
    total = int(kinds.sum())
    return np.random.default_rng(seed).multinomial(total, kinds / total, size=draws)


def mean_interval(sums: Floats, counts: Ints, draws: int = DRAWS, seed: int = SEED) -> Interval | None:
    """Return the interval of sum/count over clusters, given each cluster's sum and count (count >= 1).

    None with fewer than two clusters: one cluster says nothing about how clusters differ.
    """
    if len(sums) < 2:
        return None
    kinds, frequency = np.unique(np.column_stack([sums, counts]), axis=0, return_counts=True)
    drawn = draw_kinds(frequency, draws, seed)
    return percentile_interval((drawn @ kinds[:, 0]) / (drawn @ kinds[:, 1]))
