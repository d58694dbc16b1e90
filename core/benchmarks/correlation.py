"""Agreement of a metric with human judgement: Kendall's tau as each benchmark computes it.

Both tau-b and tau-c are always reported, with intervals. Tau-c counts two equal scores as a pair that the metric failed
to order. Tau-b leaves such pairs out. Smoothing makes equal scores different, which raises tau-c and can lower tau-b.
So FLEUR's smoothing raises its tau-c from 34.9 to 53.0, but lowers its tau-b.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.analysis.score_table import ScoreTable
from core.arrays import Floats
from core.datasets.benchmark import Benchmark, Quantity, Tau
from core.statistics import influence
from core.statistics.bootstrap import Interval
from core.statistics.correlations import Kendall, kendall, pearson, spearman
from core.statistics.rater_agreement import Agreement, agreement
from core.types import Variant

Unit = Literal["captions", "judgements", "pairs"]
Scored = tuple[str, Variant]  # (column name, variant); variant: "smoothed", "raw" or a component of the score
SAME = 9  # number of decimals for comparing mean judgements, because the order of addition changes later digits


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """The values to correlate, all of shape (observations,)."""

    score: Floats  # scores on the metric's own scale
    human: Floats  # judgements on any scale, because only the order counts
    image: NDArray[Any]  # the image of each observation; intervals are over images


@dataclass(frozen=True, slots=True)
class Correlation:
    """Kendall's tau of a metric with human judgement.

    A value is None if it is undefined. Then `note` gives the reason.
    """

    benchmark: str
    metric: str
    variant: Variant
    n: int  # observations
    unit: Unit  # what `n` counts
    tau_b: float | None  # [-1, 1]
    tau_c: float | None
    ties: int  # pairs of observations with equal scores
    interval_b: Interval | None  # 95 % interval of tau-b over images
    interval_c: Interval | None
    note: str = ""
    pearson: float | None = None  # [-1, 1]
    spearman: float | None = None


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


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """A score's taus on some observations, before they are put into a table."""

    data: Observations
    taus: Kendall
    note: str  # why no tau, or no interval, is defined

    def interval(self, tau: Tau) -> Interval | None:
        """Return the 95 % interval of a tau over images."""
        value, each = self.taus.tau(tau)
        return influence.interval(value, influence.by_cluster(each, self.data.image), -1, 1)


def unit_of(rule: Benchmark) -> Unit:
    """Return what a benchmark's rule counts."""
    return "pairs" if rule.counts_pairs else "judgements" if rule.per_judgement else "captions"


def observed(table: ScoreTable, score: Floats, rule: Benchmark) -> Observations:
    """Return scores, (samples,), and the judgements to correlate them with.

    The benchmark's rule decides whether a score is paired with each judgement or with the mean judgement. Samples
    without a score or a judgement are skipped.
    """
    place, human = np.arange(len(table)), table["human"]
    if rule.per_judgement:
        place, human = np.repeat(place, table["counts"]), table.judgements
    has_both = np.isfinite(score[place]) & ~np.isnan(human)
    place = place[has_both]
    return Observations(score[place], human[has_both], table["cluster"][place])


def counted(data: Observations) -> Counted:
    """Compute the taus of some observations."""
    note = undefined(data.score, data.human)
    if not note and len(np.unique(data.image)) < 2:
        note = "no interval, because all observations are of one image"
    taus = kendall(data.score, data.human)
    if not note and influence.is_decided_by_one(influence.by_cluster(taus.influence_b, data.image)):
        note = "no interval, because one image decides the result"
    return Counted(data, taus, note)


def undefined(score: Floats, human: Floats) -> str:
    """Return why no tau is defined; "" if it is defined."""
    if len(score) < 2:
        return "fewer than two samples have both a score and a human judgement"
    if np.ptp(score) == 0:
        return "all scores are equal"
    return "all human judgements are equal" if np.ptp(human) == 0 else ""


def correlation(
    found: Counted, rule: Benchmark, metric: str, variant: Variant = "smoothed", intervals: bool = True
) -> Correlation:
    """Return a score's correlations with people. intervals: False skips the intervals."""
    taus = found.taus
    names = rule.name, metric, variant, taus.n, unit_of(rule)
    if np.isnan(taus.tau_b):
        return Correlation(*names, None, None, taus.ties, None, None, found.note)
    ends = (found.interval("b"), found.interval("c")) if intervals else (None, None)
    linear = pearson(found.data.score, found.data.human), spearman(found.data.score, found.data.human)
    return Correlation(*names, taus.tau_b, taus.tau_c, taus.ties, *ends, found.note, *linear)


def tau_difference(first: Counted, second: Counted, tau: Tau) -> Difference:
    """Compare two scores of the same observations by one tau."""
    (one, of_one), (other, of_other) = first.taus.tau(tau), second.taus.tau(tau)
    quantity: Quantity = "tau_b" if tau == "b" else "tau_c"
    if np.isnan(one + other):
        return Difference(quantity, first.taus.n, None, note=first.note or second.note)
    each = influence.by_cluster(of_one - of_other, first.data.image)
    by, n = one - other, first.taus.n
    return Difference(quantity, n, by, influence.interval(by, each, -2, 2), influence.p_value(by, each))


def others_mean(table: ScoreTable) -> Observations:
    """Return each single judgement, and the mean of the caption's other judgements in place of a metric's score.

    Captions with only one judgement are skipped.
    """
    counts, own = table["counts"], table.judgements
    unit = np.repeat(np.arange(len(counts)), counts)
    sums = np.bincount(unit, weights=own, minlength=len(counts))
    several = counts[unit] > 1
    of, own = unit[several], own[several]
    return Observations(((sums[of] - own) / (counts[of] - 1)).round(SAME), own, table["cluster"][of])


def among_people(table: ScoreTable) -> Agreement:
    """Return how much people agree in their judgements of the same caption.

    Raters are anonymous, so `raters` in the result is the largest number of judgements of one caption. The coefficients
    of agreement do not need the raters' identities.
    """
    counts = table["counts"]
    unit = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(unit)) - (np.cumsum(counts) - counts)[unit]
    return agreement(unit, place, table.judgements)
