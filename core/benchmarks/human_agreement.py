"""People beside one another, as metrics are set beside people: what a metric's agreement can be measured by."""

import numpy as np

from core.benchmarks.columns import JudgedColumn
from core.benchmarks.correlation import Observations
from core.statistics.agreement import Agreement, agreement

SAME = 9  # decimals to which means are told apart: adding floats in another order must not part what is tied


def among_people(column: JudgedColumn) -> Agreement:
    """Return how far the single judgements of each caption agree.

    Who gave which judgement is not known, and no coefficient asks: a caption's judgements are told apart by their
    places, so that the `raters` of the answer are only the most judgements that a caption has.
    """
    unit, place = _units(column)
    return agreement(unit, place, column.judgements)


def others_mean(column: JudgedColumn) -> Observations:
    """Return each judgement beside the mean of the others of its caption, as if that mean were a metric's score.

    One entry a judgement, as where benchmarks set a metric beside single judgements; captions with one judgement
    are left out.
    """
    unit, _ = _units(column)
    several = column.counts[unit] > 1
    of = unit[several]
    own = column.judgements[several]
    sums = np.bincount(unit, weights=column.judgements, minlength=len(column.counts))
    mean = (sums[of] - own) / (column.counts[of] - 1)
    return Observations(mean.round(SAME), own, column.image[of])


def _units(column: JudgedColumn) -> tuple[np.ndarray, np.ndarray]:
    """Return of which sample each judgement is, and its place among that sample's; both (judgements,)."""
    unit = np.repeat(np.arange(len(column.counts)), column.counts)
    starts = np.cumsum(column.counts) - column.counts
    return unit, np.arange(len(unit)) - starts[unit]
