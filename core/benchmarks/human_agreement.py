"""Agreement of people with each other, as a reference value for the agreement of metrics with people.

The figures are computed in the same way as those of metrics.
"""

import numpy as np

from core.benchmarks.columns import JudgedColumn
from core.benchmarks.correlation import Observations
from core.statistics.rater_agreement import Agreement, agreement

SAME = 9  # number of decimals for comparing mean judgements, because the order of addition changes later digits


def among_people(column: JudgedColumn) -> Agreement:
    """Return how much people agree in their judgements of the same caption.

    The raters are anonymous, so their number is unknown. In the result, `raters` is therefore the largest number of
    judgements of one caption. The coefficients of agreement do not need the raters' identities.
    """
    unit, place = _units(column)
    return agreement(unit, place, column.judgements)


def others_mean(column: JudgedColumn) -> Observations:
    """Return each judgement, and the mean of the caption's other judgements.

    The mean takes the place of a metric's score. There is one entry per judgement, as in benchmarks that compare
    metrics with single judgements. Captions with only one judgement are skipped.
    """
    unit, _ = _units(column)
    several = column.counts[unit] > 1
    of = unit[several]
    own = column.judgements[several]
    sums = np.bincount(unit, weights=column.judgements, minlength=len(column.counts))
    mean = (sums[of] - own) / (column.counts[of] - 1)
    return Observations(mean.round(SAME), own, column.image[of])


def _units(column: JudgedColumn) -> tuple[np.ndarray, np.ndarray]:
    """Return each judgement's sample, and its index among the sample's judgements.

    Both arrays have shape (judgements,).
    """
    unit = np.repeat(np.arange(len(column.counts)), column.counts)
    starts = np.cumsum(column.counts) - column.counts
    return unit, np.arange(len(unit)) - starts[unit]
