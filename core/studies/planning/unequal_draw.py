"""Draw a fixed number of units (such as samples) with unequal chances.

The method is systematic sampling with unequal probabilities in random order (Madow 1949; Hartley and Rao 1962). Each
unit's chance of being drawn is known exactly, and the number of drawn units is fixed. Means are weighted by the inverse
chances, so that estimates stay unbiased (Hájek 1971). Chances are stored as whole numbers: CERTAIN stands for a chance
of 1. So every processor draws the same units.
"""

import random
from collections.abc import Mapping, Sequence

import numpy as np

from core.arrays import Floats

CERTAIN = 2**32  # stands for a chance of 1: the unit is always selected
FLOOR = 0.5  # share of the total probability that all units get in equal parts, so that no unit's weight becomes large


def disagreements(scores: Mapping[str, Sequence[float]]) -> Floats:
    """Return how much metrics disagree on each unit, [0, 0.5], shape (units,).

    The measure is the standard deviation of the ranks that the metrics give the unit. scores: for each of two or more
    metrics, the score of every unit. Ranks are divided by the number of units, so metrics on different scales can be
    compared. Equal scores get their mean rank.
    """
    ranks = np.array([_ranks(np.asarray(of_metric, float)) for of_metric in scores.values()])
    spread: Floats = ranks.std(axis=0)
    return spread


def chances(measure: Sequence[float] | Floats, number: int, floor: float = FLOOR) -> list[int]:
    """Return each unit's chance of being drawn, as a whole number from 1 to CERTAIN.

    The chances add up to number * CERTAIN. measure: 0 or more for each unit; a larger measure gives a larger chance.
    number: how many units to draw, 1 to len(measure). floor: the share of the chances that is divided equally among all
    units, (0, 1].
    """
    sizes = np.asarray(measure, float)
    total = float(sizes.sum())
    by_size = sizes / total if total else np.full(len(sizes), 1 / len(sizes))
    shares: Floats = floor / len(sizes) + (1 - floor) * by_size
    certain = np.zeros(len(sizes), bool)
    while True:
        rest = ~certain
        wanted = (number - certain.sum()) * shares / float(shares[rest].sum() or 1.0)
        over = rest & (wanted >= 1)
        if not over.any():
            break
        certain |= over
    exact = np.where(certain, 1.0, wanted) * CERTAIN
    whole = np.maximum(exact.astype(np.int64), 1)
    missing = number * CERTAIN - int(whole.sum())
    order = np.argsort(-(exact - whole), kind="stable")
    step = 1 if missing > 0 else -1
    for place in order[::step].tolist() * 2:  # change single chances by 1 until the rounded chances have the right sum
        if missing == 0:
            break
        if 1 <= whole[place] + step <= CERTAIN:
            whole[place] += step
            missing -= step
    return [int(one) for one in whole]


def drawn(of: Sequence[int], seed: int) -> list[int]:
    """Draw units, and return their indices in random order.

    of: the chance of each unit, as a whole number; CERTAIN stands for a chance of 1. The sum of the chances is CERTAIN
    times the number of units to draw. The same chances and seed give the same draw.
    """
    generator = random.Random(seed)
    order = list(range(len(of)))
    generator.shuffle(order)
    found, reached, mark = [], 0, generator.randrange(CERTAIN)
    for unit in order:
        reached += of[unit]
        if reached > mark:
            found.append(unit)
            mark += CERTAIN
    generator.shuffle(found)
    return found


def _ranks(values: Floats) -> Floats:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return ((last - (counts - 1) / 2) / len(values))[place.ravel()]
