"""Kendall's tau with repeated observations, quick enough to be bootstrapped.

A bootstrap draws whole images, so that each draw is the same data with other multiplicities. All sorting is
done once and kept as sparse matrices; a draw then costs a few passes over the data. Pairs of observations
are counted bit by bit of the human judgement's rank: two observations are told apart at the highest bit in
which their ranks differ, and there the one without the bit is the lower. With K levels of judgement that
takes log2(K) passes, two for the four levels of Flickr8k-Expert.

Formulas and treatment of ties are those of scipy.stats.kendalltau.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from core.arrays import Floats, Ints
from core.statistics.bootstrap import draw_clusters

CACHED = 2**17  # numbers in a batch of draws (1 MB): more of them leave the processor's cache and cost more each


@dataclass(frozen=True, slots=True, eq=False)
class _Pass:
    """One bit of the judgement's rank: the cells without it (lower), with it (upper), and who stands below whom."""

    lower: sparse.csr_array  # (lower cells, clusters) observations that one cluster adds, by group and score
    upper: sparse.csr_array  # (upper cells, clusters)
    balance: sparse.csr_array  # (upper cells, lower cells + 1) times cumulated lower = concordant - discordant


@dataclass(frozen=True, slots=True, eq=False)
class PairedRanks:
    """Observations prepared for counting; equal ones of a cluster make one cell."""

    cells: int
    clusters: int
    scores: sparse.csr_array  # (distinct scores, clusters) observations of that score in that cluster
    levels: sparse.csr_array  # (distinct judgements, clusters)
    passes: tuple[_Pass, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Taus:
    """Kendall's tau of every draw; all of shape (draws,), tau NaN where all scores or all judgements are tied."""

    n: Ints  # observations
    ties: Ints  # pairs of observations with equal scores
    tau_b: Floats  # [-1, 1]
    tau_c: Floats  # [-1, 1]


def paired_ranks(score: ArrayLike, human: ArrayLike, cluster: ArrayLike) -> PairedRanks:
    """Prepare observations: a score, a human judgement and a cluster each, shape (observations,)."""
    columns = [_ranked(np.asarray(column)) for column in (score, human, cluster)]
    cells, repeats = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    x, y, cluster_of = cells.T
    size = int(cluster_of.max(initial=-1)) + 1
    holdings = sparse.csr_array((repeats.astype(float), (np.arange(len(cells)), cluster_of)), shape=(len(cells), size))
    return PairedRanks(len(cells), size, _grouped(x) @ holdings, _grouped(y) @ holdings, tuple(_passes(x, y, holdings)))


def _ranked(column: NDArray[Any]) -> Ints:
    """Return the rank of every value among the distinct ones; names are looked up, as sorting them all is slow."""
    if column.dtype != object:
        return np.unique(column, return_inverse=True)[1].ravel()
    place = {name: rank for rank, name in enumerate(sorted(set(column.tolist())))}
    return np.array([place[name] for name in column.tolist()], dtype=np.int64)


def taus(ranks: PairedRanks, multiplicity: Ints) -> Taus:
    """Return tau-b and tau-c for each draw; `multiplicity`, shape (draws, clusters), says how often each counts."""
    drawn = np.ascontiguousarray(multiplicity.T, dtype=float)  # draws last, so that sparse products run along them
    scores, levels = ranks.scores @ drawn, ranks.levels @ drawn
    n = levels.sum(axis=0)
    pairs, tied_scores, tied_levels = n * (n - 1) / 2, _tied(scores), _tied(levels)
    surplus = sum((_surplus(one, drawn) for one in ranks.passes), np.zeros(len(n)))
    classes = np.minimum((scores > 0).sum(axis=0), (levels > 0).sum(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        tau_b = surplus / np.sqrt(pairs - tied_scores) / np.sqrt(pairs - tied_levels)
        tau_c = 2 * surplus / (n**2 * (classes - 1) / classes)
    return Taus(n.astype(np.int64), tied_scores.astype(np.int64), np.clip(tau_b, -1, 1), np.clip(tau_c, -1, 1))


def tau_once(ranks: PairedRanks) -> Taus:
    """Return the taus of the data as they are, shape (1,)."""
    return taus(ranks, np.ones((1, ranks.clusters), dtype=np.int64))


def tau_draws(ranks: PairedRanks, draws: int, seed: int) -> Taus:
    """Return the taus of `draws` bootstrap draws of clusters; equal seeds and clusters give equal draws."""
    batch = max(1, CACHED // max(ranks.cells, 1))
    parts = [taus(ranks, drawn) for drawn in draw_clusters(ranks.clusters, draws, seed, batch)]
    columns = [np.concatenate([getattr(part, name) for part in parts]) for name in ("n", "ties", "tau_b", "tau_c")]
    return Taus(*columns)


def _grouped(rank: Ints) -> sparse.csr_array:
    """Return the matrix, shape (ranks, cells), that adds up the cells of each rank."""
    return sparse.csr_array((np.ones(len(rank)), (rank, np.arange(len(rank)))))


def _passes(x: Ints, y: Ints, holdings: sparse.csr_array) -> Iterator[_Pass]:
    width = int(x.max(initial=0)) + 1
    for bit in range(int(y.max(initial=0)).bit_length()):
        has_bit, group = (y >> bit) & 1 == 1, (y >> (bit + 1)) * width
        key = group + x  # orders cells by group of ranks, then by score
        lower, upper = np.flatnonzero(~has_bit), np.flatnonzero(has_bit)
        lower = lower[np.argsort(key[lower])]
        yield _Pass(holdings[lower], holdings[upper], _balance(key[lower], key[upper], group[upper], width))


def _balance(lower: Ints, upper: Ints, group: Ints, width: int) -> sparse.csr_array:
    """Return the matrix that takes lower cells summed up to each place to (smaller - greater scores) of the group."""
    columns = [
        np.searchsorted(lower, upper),  # + all up to equal scores
        np.searchsorted(lower, group),  # - all before the group: smaller scores remain
        np.searchsorted(lower, upper, side="right"),  # + all up to greater scores
        np.searchsorted(lower, group + width),  # - all up to the group's end: greater scores, negative
    ]
    signs = np.repeat([1.0, -1.0, 1.0, -1.0], len(upper))
    rows = np.tile(np.arange(len(upper)), 4)
    return sparse.csr_array((signs, (rows, np.concatenate(columns))), shape=(len(upper), len(lower) + 1))


def _tied(counts: Floats) -> Floats:
    return np.asarray((counts * (counts - 1)).sum(axis=0) / 2)


def _surplus(one: _Pass, drawn: Floats) -> Floats:
    """Concordant less discordant pairs that this bit tells apart, shape (draws,)."""
    lower = one.lower @ drawn
    below = np.zeros((len(lower) + 1, lower.shape[1]))
    np.cumsum(lower, axis=0, out=below[1:])
    return np.asarray(np.einsum("ud,ud->d", one.upper @ drawn, one.balance @ below))
