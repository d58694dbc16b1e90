"""Bootstrap shares within categories. Each draw takes whole clusters (images).

A category's share is the mean of its outcomes. For example, an outcome is about a pair of captions. It is 1 if a metric
orders the pair as people do, otherwise 0. Clusters with the same outcomes in the same categories can be exchanged, so
they are counted as one kind. There are few kinds, so draws take nearly the same time for a thousand images as for a
million.
"""

import numpy as np

from core.arrays import Floats, Ints
from core.statistics.bootstrap import SEED, draw_kinds

DRAWS = 1000  # number of bootstrap draws, the same as for Kendall's tau


def drawn_shares(
    outcome: Floats, category: Ints, categories: int, cluster: Ints, draws: int = DRAWS, seed: int = SEED
) -> Floats | None:
    """Return the mean outcome of each category in each bootstrap draw, shape (draws, categories).

    outcome, category, cluster: (n,); category: 0 to categories - 1. A mean is NaN if the draw has no cluster with the
    category. Returns None for fewer than two clusters, because one cluster does not show how clusters differ.
    """
    distinct, place = np.unique(cluster, return_inverse=True)
    if len(distinct) < 2:
        return None
    cell, shape = place.ravel() * categories + category, (len(distinct), categories)
    counts = np.bincount(cell, minlength=shape[0] * categories).reshape(shape)
    sums = np.bincount(cell, weights=outcome, minlength=shape[0] * categories).reshape(shape)
    first, frequency = _kinds(np.hstack([sums, counts]))
    with np.errstate(invalid="ignore"):
        return np.concatenate(
            [(drawn @ sums[first]) / (drawn @ counts[first]) for drawn in draw_kinds(frequency, draws, seed)]
        )


def _kinds(rows: Floats) -> tuple[Ints, Ints]:
    """Return, for each distinct row, the index of its first occurrence and the number of its occurrences.

    Columns are ranked one after another, because sorting whole rows is slow.
    """
    kind = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        values, rank = np.unique(column, return_inverse=True)
        kind = np.unique(kind * len(values) + rank.ravel(), return_inverse=True)[1].ravel()
    _, first, frequency = np.unique(kind, return_index=True, return_counts=True)
    return first, frequency
