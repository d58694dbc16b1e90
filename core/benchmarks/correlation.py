"""Agreement of a metric with human judgement: Kendall's tau as each benchmark computes it.

Both tau-b and tau-c are always reported, with intervals. Tau-c counts two equal scores as a pair that the metric failed
to order. Tau-b leaves such pairs out. Smoothing makes equal scores different, which raises tau-c and can lower tau-b.
So FLEUR's smoothing raises its tau-c from 34.9 to 53.0, but lowers its tau-b.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.score_table import ScoreTable
from core.arrays import Floats
from core.datasets.base import Benchmark, Quantity, Tau
from core.statistics import intervals
from core.statistics.bootstrap import Interval
from core.statistics.correlations import Kendall, kendall
from core.statistics.rater_agreement import Agreement, agreement
from core.types import Variant

Scored = tuple[str, Variant]  # (column name, variant); variant: "smoothed", "raw" or a component of the score
SAME = 9  # number of decimals for comparing mean judgements, because the order of addition changes later digits


@dataclass(frozen=True, slots=True, eq=False)
class Correlation:
    """Scores beside human judgements, each (observations,), and Kendall's taus of them."""

    score: Floats  # on the metric's own scale
    human: Floats  # on any scale, because only the order counts
    image: NDArray[Any]  # the image of each observation; intervals are over images
    taus: Kendall
    note: str  # why no tau, or no interval, is defined

    @property
    def n(self) -> int:
        """Number of observations."""
        return self.taus.n

    def tau(self, kind: Tau) -> float | None:
        """Return tau-b or tau-c, [-1, 1]; None if it is undefined."""
        value, _ = self.taus.tau(kind)
        return None if np.isnan(value) else value

    def interval(self, kind: Tau) -> Interval | None:
        """Return the 95 % interval of a tau over images."""
        value, each = self.taus.tau(kind)
        return intervals.interval(value, intervals.by_cluster(each, self.image), -1, 1)


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference in agreement with people between two scores on the same observations.

    It is positive if the first score agrees better. A value is None if it is undefined. Then `note` gives the reason.
    """

    quantity: Quantity
    n: int
    difference: float | None  # first - second
    interval: Interval | None = None  # 95 % interval over images
    p: float | None = None  # two-sided
    category: str = ""  # category of caption pairs; "": a tau
    note: str = ""
    first: Scored = ("", "")  # the scores that are compared
    second: Scored = ("", "")
    p_holm: float | None = None  # p after Holm's correction over all comparisons of the same quantity and category


def correlation(score: Floats, human: Floats, image: NDArray[Any]) -> Correlation:
    """Return the taus of scores and judgements, (observations,) each."""
    taus = kendall(score, human)
    if len(score) < 2:
        note = "fewer than two samples have both a score and a human judgement"
    elif np.ptp(score) == 0:
        note = "all scores are equal"
    elif np.ptp(human) == 0:
        note = "all human judgements are equal"
    elif (image == image[0]).all():
        note = "no interval, because all observations are of one image"
    elif intervals.is_decided_by_one(intervals.by_cluster(taus.influence_b, image)):
        note = "no interval, because one image decides the result"
    else:
        note = ""
    return Correlation(score, human, image, taus, note)


def observed(table: ScoreTable, score: Floats, rule: Benchmark) -> Correlation:
    """Correlate scores, (samples,), with the judgements of a table.

    The benchmark's rule decides whether a score is paired with each judgement or with the mean judgement. Samples
    without a score or a judgement are skipped.
    """
    place, human = np.arange(len(table)), table["human"]
    if rule.per_judgement:
        place, human = np.repeat(place, table["counts"]), table.judgements
    has_both = np.isfinite(score[place]) & ~np.isnan(human)
    place = place[has_both]
    return correlation(score[place], human[has_both], table["cluster"][place])


def tau_difference(first: Correlation, second: Correlation, tau: Tau) -> Difference:
    """Compare two scores of the same observations by one tau."""
    (one, of_one), (other, of_other) = first.taus.tau(tau), second.taus.tau(tau)
    quantity: Quantity = "tau_b" if tau == "b" else "tau_c"
    if np.isnan(one + other):
        return Difference(quantity, first.n, None, note=first.note or second.note)
    each = intervals.by_cluster(of_one - of_other, first.image)
    by = one - other
    return Difference(quantity, first.n, by, intervals.interval(by, each, -2, 2), intervals.p_value(by, each))


def others_mean(table: ScoreTable) -> Correlation:
    """Correlate each single judgement with the mean of the caption's other judgements, in place of a metric's score.

    Captions with only one judgement are skipped.
    """
    counts, own = table["counts"], table.judgements
    unit = np.repeat(np.arange(len(counts)), counts)
    sums = np.bincount(unit, weights=own, minlength=len(counts))
    several = counts[unit] > 1
    of, own = unit[several], own[several]
    return correlation(((sums[of] - own) / (counts[of] - 1)).round(SAME), own, table["cluster"][of])


def among_people(table: ScoreTable) -> Agreement:
    """Return how much people agree in their judgements of the same caption.

    Raters are anonymous, so `raters` in the result is the largest number of judgements of one caption. The coefficients
    of agreement do not need the raters' identities.
    """
    counts = table["counts"]
    unit = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(unit)) - (np.cumsum(counts) - counts)[unit]
    return agreement(unit, place, table.judgements)
