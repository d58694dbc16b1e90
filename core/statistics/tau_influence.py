"""Intervals of Kendall's taus over very many clusters, without bootstrap draws.

core.statistics.bootstrap explains the method. A tau consists of sums over pairs of observations. So the influence of a
cluster is the influence of all pairs that contain the cluster's observations. Each pair is counted once.
"""

import numpy as np

from core.arrays import Floats
from core.statistics.bootstrap import LARGE, Interval, interval_without_draws
from core.statistics.kendall import PairedRanks, Taus, bits


def taus_without_draws(ranks: PairedRanks, whole: Taus) -> tuple[Interval | None, Interval | None]:
    """Return the 95 % intervals of tau-b and tau-c of the data.

    Returns None in the same cases as `interval_without_draws`. The formula of tau-c contains the number of distinct
    scores and judgements. This number is treated as constant.
    """
    if ranks.clusters < LARGE or not np.isfinite([whole.tau_b[0], whole.tau_c[0]]).all():
        return None, None
    weight = np.ones(ranks.cells) if ranks.by_score.repeats is None else ranks.by_score.repeats.astype(float)
    n, tau_b, tau_c = weight.sum(), float(whole.tau_b[0]), float(whole.tau_c[0])
    surplus = _surplus_of_cells(ranks, weight)
    same_score, same_level = (np.bincount(rank, weights=weight) for rank in (ranks.score, ranks.human))
    untied = [(n**2 - (same**2).sum()) / 2 for same in (same_score, same_level)]
    classes = min(len(same_score), len(same_level))
    of_pairs = (n - same_score[ranks.score]) / untied[0] + (n - same_level[ranks.human]) / untied[1]
    of_b = surplus / np.sqrt(untied[0] * untied[1]) - tau_b * of_pairs / 2
    of_c = 2 * classes / ((classes - 1) * n**2) * surplus - 2 * tau_c / n
    influences = (np.bincount(ranks.by_score.cluster, weights=weight * one) for one in (of_b, of_c))
    first, second = map(interval_without_draws, (tau_b, tau_c), influences)
    return first, second


def _surplus_of_cells(ranks: PairedRanks, weight: Floats) -> Floats:
    """Return each cell's number of concordant minus discordant pairs.

    A cell consists of equal observations of one cluster. Only one observation of the cell is counted, in pairs with all
    observations of other cells. The result has the shape (cells,).
    """
    surplus = np.zeros(ranks.cells)
    for bit in bits(ranks):
        in_order = weight[bit.order]
        group = np.searchsorted(bit.groups, bit.runs[:-1], side="right") - 1  # for each run of cells, its group's index
        found = []
        for others in (~bit.has_bit, bit.has_bit):  # cells with this bit have the higher judgements in their group
            before = np.concatenate([[0.0], np.cumsum(in_order * others)])
            smaller = before[bit.runs[:-1]] - before[bit.groups[:-1]][group]
            greater = before[bit.groups[1:]][group] - before[bit.runs[1:]]
            found.append(np.repeat(smaller - greater, np.diff(bit.runs)))
        surplus[bit.order] += np.where(bit.has_bit, found[0], -found[1])
    return surplus
