"""Estimate how improbable a rater's runs (equal answers in a row) are.

The probabilities come from other raters' answers to the same items. Always answering 3 is not suspicious if everybody
answers 3. It is suspicious after a few items if the other raters answer 1 and 4. So each answer of a run gets the
probability that another rater would give it. A run gets the product of these probabilities. The product times the
number of possible starting positions is an upper bound for the probability of such a run. docs/decisions/354 gives the
reasons for this method.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Floats, Ints

FEWEST = 5  # minimum number of equal answers in a run
SHORT = 8  # raters with fewer answers to every criterion are also judged by runs across all criteria
_NONE = -9  # no answer
_HIGHEST_KAPPA = 0.95  # maximum of the Fleiss' kappa that models answers; with 1, some answers would have probability 0


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Each rater's most improbable run (equal answers in a row) on one criterion."""

    chance: Floats  # upper bound of the run's probability, [0, 1]; nan: no run of FEWEST answers, or no other raters
    length: Ints  # number of answers in the run


def improbable_runs(
    rater: Ints, unit: Ints, criterion: Ints, point: Ints, counts: Bools, scales: Sequence[int], raters: int
) -> Runs:
    """Return each rater's most improbable run of equal answers.

    Raters are numbered 0 to raters - 1. The arrays have one entry per answer. Each rater's answers are together, in the
    order in which they were given. Answers about the same item are adjacent, in the order of the criteria. point: 0 for
    abstained. counts: whether the answer may be compared with other raters' answers.
    """
    runs = Runs(np.full(raters, np.nan), np.zeros(raters, dtype=np.int64))
    chances = np.full(len(point), np.nan)
    for number, scale in enumerate(scales):
        of = criterion == number
        mine, given = rater[of], point[of]
        questions = np.unique(unit[of], return_inverse=True)[1]
        chances[of] = _chances(mine, questions, given, counts[of], scale + 1, raters)
        _note_runs(runs, mine, given, chances[of], (scale + 1) * len(scales))
    answered = np.zeros((len(scales), raters), dtype=np.int64)
    np.add.at(answered, (criterion, rater), 1)
    of = (answered.max(axis=0, initial=0) < SHORT)[rater]
    _given_the_answer_before(chances, rater, unit, criterion, point, counts, raters)
    _note_runs(runs, rater[of], point[of], chances[of], max(scales, default=0) + 1)
    return runs


def _note_runs(runs: Runs, rater: Ints, point: Ints, chances: Floats, ways: int) -> None:
    """Update each rater's most improbable run in `runs`, if these answers contain a less probable run.

    ways: how many different runs can start at a given position.
    """
    if not len(point):
        return
    first = np.flatnonzero((np.diff(rater, prepend=-1) != 0) | (np.diff(point, prepend=-1) != 0))
    lengths, whose = np.diff(first, append=len(point)), rater[first]
    logs = np.add.reduceat(np.log(chances), first) + np.log(np.bincount(rater)[whose] * ways)
    for run in np.flatnonzero((lengths >= FEWEST) & ~np.isnan(logs)):
        chance, best = np.exp(min(logs[run], 0)), runs.chance[whose[run]]
        if np.isnan(best) or chance < best:
            runs.chance[whose[run]], runs.length[whose[run]] = chance, lengths[run]


def _given_the_answer_before(
    chances: Floats, rater: Ints, unit: Ints, criterion: Ints, point: Ints, counts: Bools, raters: int
) -> None:
    """Raise the probability of each answer that equals the rater's previous answer.

    The previous answer is that to the previous criterion, about the same unit (explanation). Raters who like one aspect
    often like the next aspect too. Let p be the original probability of the answer. The new probability is
    `(a + p) / (b + 1)`, if this is larger than p. Here b is how often other raters gave this point to the previous
    criterion, over all units. Of these b cases, a is the number in which the same rater gave this point to this
    criterion too.
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
    """Return how probable each answer to one criterion is, estimated from the answers of other raters.

    Other raters' answers to the same item get more weight if raters agree well (Fleiss' kappa). The remaining weight
    goes to the other raters' answers to all items. In other words, each item's answers are drawn from a Dirichlet
    distribution with intraclass correlation kappa. Returns NaN if there are no other raters.
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
    """Return Fleiss' kappa of counts with shape (questions, points), limited to 0 .. _HIGHEST_KAPPA.

    Returns 0 if kappa is undefined.
    """
    number = table.sum(axis=1)
    pairs = (number * (number - 1)).sum()
    if not pairs:
        return 0.0
    shares = table[number > 1].sum(axis=0) / number[number > 1].sum()
    agreed, chance = (table * (table - 1)).sum() / pairs, (shares**2).sum()
    if chance >= 1 - 1e-12:
        return 0.0
    return float(np.clip((agreed - chance) / (1 - chance), 0, _HIGHEST_KAPPA))
