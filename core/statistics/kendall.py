"""Kendall's tau with repeated observations, fast enough for a bootstrap.

A bootstrap draws whole images. Each draw has the same observations, but counts some of them several times and others
not at all. So all data are sorted only once, and the orders are stored as indices. A draw then takes a few passes over
the data, which use whole numbers. Sums of whole numbers are exact, and faster than sums of floats.

Pairs of observations are counted by the bits (binary digits) of the human judgement's rank. Each pair is counted at the
highest bit in which the two ranks differ. The observation without this bit has the lower judgement. K levels of
judgement take log2(K) passes: two for the four levels of Flickr8k-Expert.

Formulas and treatment of ties are those of scipy.stats.kendalltau.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.arrays import Floats, Ints
from core.long_work.progress import report
from core.statistics.bootstrap import DRAWING, draw_clusters

CACHED = 2**18  # maximum count of numbers in a batch of draws; larger batches do not fit in the processor's cache

Places = NDArray[np.int32]  # int32 instead of the int64 of `Ints`, because it takes half the memory


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Cells (equal observations of one cluster) in some order.

    Each cell has its cluster and its number of observations.
    """

    cluster: Places
    repeats: Ints | None  # number of equal observations that form each cell; None: each cell is one observation

    def at(self, places: Ints) -> "_Cells":
        """Return the cells at these positions, in the order of the positions."""
        return _Cells(self.cluster[places], None if self.repeats is None else self.repeats[places])

    def drawn(self, multiplicity: Ints) -> Ints:
        """Return each cell's number of observations in each draw, shape (draws, cells)."""
        once = multiplicity.take(self.cluster, axis=1)
        return once if self.repeats is None else once * self.repeats


@dataclass(frozen=True, slots=True, eq=False)
class _Pass:
    """The counts for one pass over the observations.

    Each pass looks at one bit of the rank of the human judgement. A cell consists of equal observations of one cluster.
    Upper cells are those in whose rank this bit is 1. Lower cells are those in whose rank it is 0. Cells whose ranks
    have the same higher bits form a group. Upper and lower cells are each ordered by group, then by score.
    """

    bit: int
    lower: _Cells
    upper: _Cells
    smaller: Places  # for each upper cell, number of lower cells in earlier groups, or in its group with smaller scores
    not_greater: Places | None  # like `smaller`, but also counts lower cells of the same group and score; None: no ties


@dataclass(frozen=True, slots=True, eq=False)
class PairedRanks:
    """Observations prepared to count their pairs.

    Equal observations of a cluster form one cell. Cells are ordered by score.
    """

    score: Places  # (cells,) rank of the cell's score among the distinct scores
    human: Places  # (cells,)
    clusters: int
    by_score: _Cells
    scores: Ints  # for each distinct score, the index of its first cell in by_score
    by_level: _Cells
    levels: Ints  # for each distinct judgement, the index of its first cell in by_level

    @property
    def cells(self) -> int:
        """Number of cells."""
        return len(self.score)


@dataclass(frozen=True, slots=True, eq=False)
class Taus:
    """Kendall's tau-b and tau-c of every draw, shape (draws,).

    A tau is NaN if all scores or all judgements are equal.
    """

    n: Ints  # observations
    ties: Ints  # pairs of observations with equal scores
    tau_b: Floats  # [-1, 1]
    tau_c: Floats  # [-1, 1]


def paired_ranks(score: ArrayLike, human: ArrayLike, cluster: ArrayLike) -> PairedRanks:
    """Sort the observations, so that their pairs can be counted fast.

    score, human, cluster: (observations,).
    """
    x, y, cluster_of, repeats = _merged(*(_ranked(np.asarray(column)) for column in (score, human, cluster)))
    by_score = _Cells(cluster_of.astype(np.int32), repeats if repeats.max(initial=1) > 1 else None)
    level = np.argsort(y, kind="stable")
    clusters, by_level = int(cluster_of.max(initial=-1)) + 1, by_score.at(level)
    ranks = x.astype(np.int32), y.astype(np.int32)
    return PairedRanks(*ranks, clusters, by_score, _starts(x), by_level, _starts(y[level]))


@dataclass(frozen=True, slots=True, eq=False)
class Bit:
    """The order of cells for one bit of the judgement's rank.

    The higher bits define groups. Cells are ordered by group, then by score.
    """

    bit: int
    order: Ints  # (cells,) indices of the cells, sorted by group, then by score
    has_bit: NDArray[np.bool_]  # (cells,) in the order of `order`: True if bit number `bit` of the cell's rank is 1
    runs: Ints  # start of each run of cells with equal group and score; the last number is the end
    groups: Ints  # start of each group of cells; the last number is the end


def bits(ranks: PairedRanks) -> Iterator[Bit]:
    """Yield every bit of the judgements' ranks, with the order of the cells.

    A pair of cells is counted at the highest bit in which their ranks differ.
    """
    narrow = np.int16 if int(ranks.human.max(initial=0)) < 2**15 else np.int32  # 16-bit numbers are sorted faster
    human: NDArray[Any] = ranks.human.astype(narrow)
    for bit in range(int(ranks.human.max(initial=0)).bit_length()):
        order = np.argsort(human >> (bit + 1), kind="stable")
        group, score = human[order] >> (bit + 1), ranks.score[order]
        new_group = np.diff(group, prepend=-1) != 0
        new_run = new_group | (np.diff(score, prepend=-1) != 0)
        runs, groups = (np.append(np.flatnonzero(new), len(order)) for new in (new_run, new_group))
        yield Bit(bit, order, (human[order] >> bit) & 1 == 1, runs, groups)


def _passes(ranks: PairedRanks) -> Iterator[_Pass]:
    """Yield what must be counted for each bit.

    Bits are computed one at a time. If the caller uses each of them only once, only one bit is in memory at a time.
    """
    for one in bits(ranks):
        before = np.concatenate([[0], np.cumsum(~one.has_bit, dtype=np.int32)])  # lower cells before each cell
        sizes = np.diff(one.runs)
        smaller, up_to = (
            np.repeat(before[ends], sizes)[one.has_bit].astype(np.int32) for ends in (one.runs[:-1], one.runs[1:])
        )
        lower, upper = one.order[~one.has_bit], one.order[one.has_bit]
        equal = None if np.array_equal(smaller, up_to) else up_to
        yield _Pass(one.bit, ranks.by_score.at(lower), ranks.by_score.at(upper), smaller, equal)


def _merged(x: Ints, y: Ints, cluster: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return distinct triples (x, y, cluster), ordered by x, with their counts.

    The arguments have one entry per observation. Observations with the same three values form one cell.
    """
    order = np.lexsort((cluster, y, x))
    columns = x[order], y[order], cluster[order]
    starts = np.flatnonzero(np.concatenate([[True], np.any([np.diff(one) != 0 for one in columns], axis=0)])[: len(x)])
    repeats = np.diff(np.append(starts, len(x)))
    return columns[0][starts], columns[1][starts], columns[2][starts], repeats


def _starts(ranks: Ints) -> Ints:
    """Return the index of the first occurrence of each rank.

    ranks: sorted from lowest to highest. Ranks are counted from 0.
    """
    return np.searchsorted(ranks, np.arange(int(ranks.max(initial=-1)) + 1))


def _ranked(column: NDArray[Any]) -> Ints:
    """Return each value's rank among the distinct values.

    If the values are names, only distinct names are sorted, because sorting all names would be slow.
    """
    if column.dtype != object:
        return np.unique(column, return_inverse=True)[1].ravel()
    place = {name: rank for rank, name in enumerate(sorted(set(column.tolist())))}
    return np.array([place[name] for name in column.tolist()], dtype=np.int64)


def taus(ranks: PairedRanks, multiplicity: Ints) -> Taus:
    """Return tau-b and tau-c for each bootstrap draw.

    multiplicity: (draws, clusters), how often each cluster is in each draw.
    """
    return _taus(ranks, multiplicity, _passes(ranks))


def _taus(ranks: PairedRanks, multiplicity: Ints, passes: Iterable[_Pass]) -> Taus:
    scores = _added(ranks.by_score.drawn(multiplicity), ranks.scores)
    levels = _added(ranks.by_level.drawn(multiplicity), ranks.levels)
    n = levels.sum(axis=1).astype(float)
    pairs, tied_scores, tied_levels = n * (n - 1) / 2, _tied(scores), _tied(levels)
    surplus = sum((_surplus(one, multiplicity, levels) for one in passes), np.zeros(len(n)))
    classes = np.minimum((scores > 0).sum(axis=1), (levels > 0).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        tau_b = surplus / np.sqrt(pairs - tied_scores) / np.sqrt(pairs - tied_levels)
        tau_c = 2 * surplus / (n**2 * (classes - 1) / classes)
    return Taus(n.astype(np.int64), tied_scores.astype(np.int64), np.clip(tau_b, -1, 1), np.clip(tau_c, -1, 1))


def tau_once(ranks: PairedRanks) -> Taus:
    """Return the taus of the data themselves, shape (1,)."""
    return taus(ranks, np.ones((1, ranks.clusters), dtype=np.int64))


def tau_draws(ranks: PairedRanks, draws: int, seed: int) -> Taus:
    """Return the taus of `draws` bootstrap draws of clusters.

    Equal seeds and clusters give equal draws. Reports progress. Raises Cancelled if the user cancelled.
    """
    batch = max(1, CACHED // max(ranks.cells, 1))
    parts: list[Taus] = []
    passes = tuple(_passes(ranks))
    for drawn in draw_clusters(ranks.clusters, draws, seed, batch):
        report(DRAWING, len(parts) * batch, draws)
        parts.append(_taus(ranks, drawn, passes))
    columns = [np.concatenate([getattr(part, name) for part in parts]) for name in ("n", "ties", "tau_b", "tau_c")]
    return Taus(*columns)


def _added(counts: Ints, starts: Ints) -> Ints:
    """Return sums over ranges of columns, each range from one start to the next start.

    If few columns are summed at a time, differences of cumulative sums are faster than numpy's reduceat.
    """
    if len(starts) == counts.shape[1]:
        return counts
    sums = np.cumsum(counts, axis=1).take(np.append(starts[1:], counts.shape[1]) - 1, axis=1)
    sums[:, 1:] -= sums[:, :-1].copy()
    return np.asarray(sums)


def _tied(counts: Ints) -> Floats:
    return np.asarray((counts * (counts - 1)).sum(axis=1) / 2, dtype=float)


def _surplus(one: _Pass, multiplicity: Ints, levels: Ints) -> Floats:
    """Return concordant minus discordant pairs at this bit, shape (draws,).

    For each upper cell, lower cells with smaller scores are concordant, and lower cells with greater scores are
    discordant. Both numbers follow from the number of lower cells before a position. The positions are where the group
    begins, where the cell's score begins and ends, and where the group ends.
    """
    before = np.zeros((len(multiplicity), len(one.lower.cluster) + 1), dtype=np.int64)
    np.cumsum(one.lower.drawn(multiplicity), axis=1, out=before[:, 1:])
    ends = before.take(one.smaller, axis=1)
    ends += ends if one.not_greater is None else before.take(one.not_greater, axis=1)
    within = np.einsum("du,du->d", one.upper.drawn(multiplicity), ends)
    return np.asarray(within - _by_group(one.bit, levels), dtype=float)


def _by_group(bit: int, levels: Ints) -> Ints:
    """Return the part of `_surplus` that depends only on groups, shape (draws,).

    An observation is upper if this bit of its judgement's rank is 1, and lower if the bit is 0. Observations whose
    ranks have the same higher bits form a group. The part is the sum of u * (s + e) over all groups. Here u is the
    number of upper observations in the group. The number s counts the lower observations before the start of the group.
    The number e counts the lower observations before the end of the group.
    """
    groups = (levels.shape[1] - 1 >> bit + 1) + 1
    padded = np.zeros((len(levels), groups << bit + 1), dtype=np.int64)
    padded[:, : levels.shape[1]] = levels
    lower, upper = np.moveaxis(padded.reshape(len(levels), groups, 2, 1 << bit).sum(axis=3), 2, 0)
    end = np.cumsum(lower, axis=1)
    return np.asarray(np.einsum("dg,dg->d", upper, end + end - lower))
