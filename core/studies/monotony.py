"""How improbable a rater's runs of equal answers are, by what colleagues answer to the same items.

Always giving 3 is no fault where everybody gives 3, and plain after a few items where colleagues give 1 and 4. So each
answer of a run gets the chance that a colleague would give it, and a run the product of these. docs/decisions/354 says
why the product times the number of places where a run can begin bounds the chance of such a run.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Floats, Ints

FEWEST = 5  # equal answers in a row that are judged
_HIGHEST_KAPPA = 0.95  # so that no answer is impossible


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Each rater's most improbable run of equal answers to one criterion."""

    chance: Floats  # an upper bound, [0, 1]; nan: no run of FEWEST answers, or no colleagues
    length: Ints  # answers in it


def improbable_runs(
    rater: Ints, unit: Ints, criterion: Ints, point: Ints, counts: Bools, scales: Sequence[int], raters: int
) -> Runs:
    """Return the runs of raters 0 .. raters-1; one entry an answer, each rater's in their order and together.

    point: 0 for abstained; counts: whether the answer is one of a colleague beside whom others may be set.
    """
    logs, length = np.full(raters, np.inf), np.zeros(raters, dtype=np.int64)
    for number, scale in enumerate(scales):
        of = criterion == number
        mine, given = rater[of], point[of]
        chances = _chances(mine, np.unique(unit[of], return_inverse=True)[1], given, counts[of], scale + 1, raters)
        first = np.flatnonzero((np.diff(mine, prepend=-1) != 0) | (np.diff(given, prepend=-1) != 0))
        if not len(first):
            continue
        lengths = np.diff(first, append=len(mine))
        ways = np.bincount(mine, minlength=raters) * (scale + 1) * len(scales)
        found = np.add.reduceat(np.log(chances), first) + np.log(ways[mine[first]])
        for run in np.flatnonzero((lengths >= FEWEST) & ~np.isnan(found)):
            if found[run] < logs[mine[first[run]]]:
                logs[mine[first[run]]], length[mine[first[run]]] = found[run], lengths[run]
    return Runs(np.where(np.isinf(logs), np.nan, np.exp(np.minimum(logs, 0))), length)


def _chances(rater: Ints, question: Ints, point: Ints, counts: Bools, points: int, raters: int) -> Floats:
    """Return the chance of each answer to one criterion by colleagues' answers; nan where there are no colleagues.

    Colleagues' answers to the same item count by how well raters agree (Fleiss' kappa); the rest is what colleagues
    answer to all items. This is the next answer's distribution if each item's answers are drawn from a Dirichlet
    distribution, whose intraclass correlation kappa is.
    """
    table = np.zeros((question.max(initial=-1) + 1, points))
    np.add.at(table, (question[counts], point[counts]), 1)
    own = np.zeros((raters, points))
    np.add.at(own, (rater[counts], point[counts]), 1)
    others = table.sum(axis=0) - own
    overall = (others + 1) / (others.sum(axis=1, keepdims=True) + points)
    overall[others.sum(axis=1) == 0] = np.nan
    same = table[question]
    same[np.arange(len(point)), point] -= counts
    kappa = fleiss_kappa(table)
    places = np.arange(len(point)), point
    if not kappa:
        return np.asarray(overall[rater][places])
    prior = (1 - kappa) / kappa
    return np.asarray((same[places] + prior * overall[rater][places]) / (same.sum(axis=1) + prior))


def fleiss_kappa(table: Floats) -> float:
    """Return Fleiss' kappa of counts, shape (questions, points), from 0 to _HIGHEST_KAPPA; 0 where undefined."""
    number = table.sum(axis=1)
    pairs = (number * (number - 1)).sum()
    if not pairs:
        return 0.0
    shares = table[number > 1].sum(axis=0) / number[number > 1].sum()
    agreed, chance = (table * (table - 1)).sum() / pairs, (shares**2).sum()
    if chance >= 1 - 1e-12:
        return 0.0
    return float(np.clip((agreed - chance) / (1 - chance), 0, _HIGHEST_KAPPA))
