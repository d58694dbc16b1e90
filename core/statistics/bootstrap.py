"""Percentile bootstrap over clusters (items or units).

Observations of one item depend on each other. So whole items are drawn, never single ratings.

Clusters with the same numbers can be exchanged, so they are counted as one kind. How often each kind is drawn follows a
multinomial distribution. This gives the same distribution as drawing clusters one by one, and is much faster.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints

DRAWS = 2000
SEED = 20240101
TAIL = 50 * (1 - 0.95)  # per cent of the values below a 95 % interval, and above it
BATCH = 2_000_000  # maximum count of numbers in memory (16 MB), so that memory does not grow with the draws


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval on the scale of its statistic."""

    low: float
    high: float


def percentile_interval(values: Floats) -> Interval | None:
    """Return the 95 % percentile interval of bootstrapped values.

    Returns None if more than half of the values are undefined (NaN).
    """
    defined = values[np.isfinite(values)]
    if defined.size == 0 or 2 * defined.size < values.size:
        return None
    low, high = np.percentile(defined, [TAIL, 100 - TAIL])
    return Interval(float(low), float(high))


def draw_kinds(frequency: Ints, draws: int, seed: int) -> Iterator[Ints]:
    """Yield in batches how often each kind of cluster is drawn.

    frequency: (kinds,), number of clusters of each kind. A batch has the shape (some draws, kinds). Each draw takes as
    many clusters as the data have.
    """
    total, generator = int(frequency.sum()), np.random.default_rng(seed)
    batch = max(1, BATCH // len(frequency))
    for start in range(0, draws, batch):
        yield generator.multinomial(total, frequency / total, size=min(batch, draws - start))


def mean_interval(sums: Floats, counts: Ints | Floats, draws: int = DRAWS, seed: int = SEED) -> Interval | None:
    """Return the interval of a mean over clusters: sum / count.

    sums, counts: each cluster's sum and count (count >= 1), or its weighted sum and sum of weights. Returns None for
    fewer than two clusters, because one cluster does not show how clusters differ.
    """
    if len(sums) < 2:
        return None
    kinds, frequency = np.unique(np.column_stack([sums, counts]), axis=0, return_counts=True)
    batches = draw_kinds(frequency, draws, seed)
    return percentile_interval(np.concatenate([(drawn @ kinds[:, 0]) / (drawn @ kinds[:, 1]) for drawn in batches]))
