"""Percentile bootstrap over clusters (items, images, units), the same for every statistic.

Observations of one item depend on each other. So whole items are drawn, never single ratings.

Clusters with the same numbers can be exchanged, so they are counted as one kind. How often each kind is drawn follows a
multinomial distribution. This gives the same distribution as drawing clusters one by one, and is much faster.

With a thousand clusters or more, means of drawn clusters are normally distributed. So their interval needs no draws.
It follows from their variance, which is the sum of the squared influences of all clusters (the infinitesimal
jackknife, Efron 1982, "The Jackknife, the Bootstrap and Other Resampling Plans", chapter 6). With 1,000 draws, an end
of the interval is uncertain by 8 % of the standard error. Without draws, the interval has no such uncertainty.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.long_work.progress import report

DRAWS = 2000
SEED = 20240101
CONFIDENCE = 0.95
CACHED = 2**16  # maximum count of numbers in a batch of draws; larger batches do not fit in the processor's cache
DRAWING = "Resampling images for intervals"  # name of this step in progress messages
LARGE = 1_000  # minimum number of clusters for which the interval of a mean is computed without draws
MOST_SKEWNESS = 0.1  # largest allowed skewness of resampled means; 0.1 shifts an interval's end by 0.05 standard errors
MOST_SHARE = 0.02  # largest allowed share of the variance from one cluster; above it, resampled means may not be normal
_NORMAL_97_5 = 1.959963984540054  # 97.5 % quantile of the standard normal distribution
BATCH = 2_000_000  # maximum count of numbers in memory (16 MB), so that memory does not grow with the draws


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval on the scale of its statistic."""

    low: float
    high: float


def percentile_interval(values: Floats, confidence: float = CONFIDENCE) -> Interval | None:
    """Return the percentile interval of bootstrapped values.

    Returns None if more than half of the values are undefined (NaN).
    """
    defined = values[np.isfinite(values)]
    if defined.size == 0 or 2 * defined.size < values.size:
        return None
    tail = 50 * (1 - confidence)
    low, high = np.percentile(defined, [tail, 100 - tail])
    return Interval(float(low), float(high))


def two_sided_p(values: Floats) -> tuple[float, bool]:
    """Return the p value of a difference from its bootstrapped values.

    The p value is twice the share of draws on the side of zero that has fewer draws. One draw is added, because no
    number of draws can prove a probability of zero. Also returns whether this is the smallest possible p.
    """
    defined = values[np.isfinite(values)]
    smaller = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (len(defined) + 1)), smaller == 0


def interval_without_draws(figure: float, influence: NDArray[Any]) -> Interval | None:
    """Return the 95 % interval of a statistic over many clusters, without draws.

    figure: the statistic's value. influence: (clusters,), how much the value changes, to first order, if a cluster is
    drawn one more time. Returns None if there are too few clusters, or if their influences are too unequal.
    """
    if len(influence) < LARGE:
        return None
    variance = influence**2
    total = float(variance.sum())
    skewness = abs(float((variance * influence).sum()))  # not yet divided by the variance to the power of 1.5
    if skewness > MOST_SKEWNESS * total**1.5 or float(variance.max()) > MOST_SHARE * total:
        return None
    half = _NORMAL_97_5 * total**0.5
    return Interval(figure - half, figure + half)


def draw_kinds(frequency: Ints, draws: int, seed: int) -> Iterator[Ints]:
    """Yield in batches how often each kind of cluster is drawn.

    frequency: (kinds,), number of clusters of each kind. A batch has the shape (some draws, kinds). Each draw takes as
    many clusters as the data have.
    """
    total, generator = int(frequency.sum()), np.random.default_rng(seed)
    batch = max(1, BATCH // len(frequency))
    for start in range(0, draws, batch):
        yield generator.multinomial(total, frequency / total, size=min(batch, draws - start))


def draw_clusters(clusters: int, draws: int, seed: int, batch: int) -> Iterator[Ints]:
    """Yield in batches how often each cluster is drawn.

    A batch has the shape (at most `batch` draws, clusters).
    """
    generator = np.random.default_rng(seed)
    for start in range(0, draws, batch):
        rows = min(batch, draws - start)
        drawn = generator.integers(clusters, size=(rows, clusters), dtype=np.int32)  # same draws as with int64
        yield np.array([np.bincount(row, minlength=clusters) for row in drawn], dtype=np.int64)


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


CLUSTER_DRAWS = 1000  # as many draws as for Kendall's tau; more would take seconds with tens of thousands of pictures


def clustered_mean_interval(
    values: Floats, cluster: Ints, draws: int = CLUSTER_DRAWS, seed: int = SEED
) -> Interval | None:
    """Return the interval of the mean of values, from a bootstrap that draws whole clusters.

    values: (n,). cluster: (n,), each value's cluster. Returns None for fewer than two clusters.

    Clusters are drawn one by one. Counting equal clusters as one kind would not help, because nearly all values differ.
    With a thousand clusters or more, the interval is computed without draws.
    """
    distinct, place = np.unique(cluster, return_inverse=True)
    if len(distinct) < 2:
        return None
    counts, sums = np.bincount(place.ravel()), np.bincount(place.ravel(), weights=values)
    if known := _mean_without_draws(sums, counts):
        return known
    both = sums + 1j * counts  # one complex number (sum, count) per cluster, because two look-ups would take longer
    generator, means = np.random.default_rng(seed), np.empty(draws)
    rows = max(1, CACHED // len(distinct))
    for start in range(0, draws, rows):
        report(DRAWING, start, draws)
        size = min(rows, draws - start), len(distinct)
        drawn = generator.integers(len(distinct), size=size, dtype=np.int32)  # gives the same numbers as np.int64
        added = both.take(drawn).sum(axis=1)
        means[start : start + rows] = added.real / added.imag
    return percentile_interval(means)


def clustered_mean_intervals(
    columns: Sequence[Floats], cluster: Ints, draws: int = CLUSTER_DRAWS, seed: int = SEED
) -> list[Interval | None]:
    """Return the interval of the mean of each column, from a bootstrap that draws whole clusters.

    The results equal those of `clustered_mean_interval`, up to rounding. The clusters are drawn once for all columns.
    """
    distinct, place = np.unique(cluster, return_inverse=True)
    if len(distinct) < 2:
        return [None] * len(columns)
    added = [np.bincount(place.ravel(), weights=column) for column in (*columns, np.ones(len(cluster)))]
    known = [_mean_without_draws(sums, added[-1]) for sums in added[:-1]]
    if all(known):
        return known
    of_cluster = np.column_stack(added)
    means = np.empty((draws, len(columns)))
    for one, drawn in enumerate(draw_clusters(len(distinct), draws, seed, 1)):
        report(DRAWING, one, draws)
        sums = drawn[0].astype(float) @ of_cluster
        means[one] = sums[:-1] / sums[-1]
    return [interval or percentile_interval(column) for interval, column in zip(known, means.T, strict=True)]


def _mean_without_draws(sums: NDArray[Any], counts: NDArray[Any]) -> Interval | None:
    """Return the interval of sum / count over clusters, without draws.

    Returns None in the same cases as `interval_without_draws`.
    """
    if len(sums) < LARGE:
        return None
    size = float(counts.sum())
    mean = float(sums.sum()) / size
    return interval_without_draws(mean, (sums - mean * counts) / size)
