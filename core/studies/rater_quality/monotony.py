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
SHORT = 8  # answers to each criterion from which a rater is judged by each criterion alone
_NONE = -9  # not answered
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

    point: 0 for abstained; counts: whether the answer is one of a colleague beside whom others may be set. An item's
    answers stand together, in the order of the criteria.
    """
    found = Runs(np.full(raters, np.nan), np.zeros(raters, dtype=np.int64))
    chances = np.full(len(point), np.nan)
    for number, scale in enumerate(scales):
        of = criterion == number
        mine, given = rater[of], point[of]
        questions = np.unique(unit[of], return_inverse=True)[1]
        chances[of] = _chances(mine, questions, given, counts[of], scale + 1, raters)
        _note_runs(found, mine, given, chances[of], (scale + 1) * len(scales))
    answered = np.zeros((len(scales), raters), dtype=np.int64)
    np.add.at(answered, (criterion, rater), 1)
    of = (answered.max(axis=0, initial=0) < SHORT)[rater]
    _given_the_answer_before(chances, rater, unit, criterion, point, counts, raters)
    _note_runs(found, rater[of], point[of], chances[of], max(scales, default=0) + 1)
    return found


def _note_runs(found: Runs, rater: Ints, point: Ints, chances: Floats, ways: int) -> None:
    """Write down each rater's most improbable run if it is less probable than what `found` has.

    ways: in how many ways a run can be made beside the place where it begins.
    """
    if not len(point):
        return
    first = np.flatnonzero((np.diff(rater, prepend=-1) != 0) | (np.diff(point, prepend=-1) != 0))
    lengths, whose = np.diff(first, append=len(point)), rater[first]
    logs = np.add.reduceat(np.log(chances), first) + np.log(np.bincount(rater)[whose] * ways)
    for run in np.flatnonzero((lengths >= FEWEST) & ~np.isnan(logs)):
        chance, best = np.exp(min(logs[run], 0)), found.chance[whose[run]]
        if np.isnan(best) or chance < best:
            found.chance[whose[run]], found.length[whose[run]] = chance, lengths[run]


def _given_the_answer_before(
    chances: Floats, rater: Ints, unit: Ints, criterion: Ints, point: Ints, counts: Bools, raters: int
) -> None:
    """Raise the chance of each answer that equals the rater's answer to the criterion before, of the same unit.

    Who finds one thing good often finds the next good, too. The chance becomes the share of colleagues who gave this
    point to the criterion among those who gave it to the criterion before, over all units, with one answer added whose
    chance stays what it was.
    """
    if not len(point):
        return
    row = np.unique(rater * (unit.max() + 1) + unit, return_inverse=True)[1]
    table = np.full((row.max() + 1, criterion.max() + 1), _NONE)
    table[row, criterion] = point
    before = np.where(criterion > 0, table[row, criterion - 1], _NONE)
    for number in range(1, table.shape[1]):
        for value in np.unique(point):
            same = (criterion == number) & (before == value)
            of_colleague = np.bincount(rater[same & counts], minlength=raters)
            equal = np.bincount(rater[same & counts & (point == value)], minlength=raters)
            asked = same & (point == value)
            others, agreeing = of_colleague.sum() - of_colleague, equal.sum() - equal
            share = (agreeing[rater] + chances) / (others[rater] + 1)
            chances[asked] = np.maximum(chances, share)[asked]


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
