"""Agreement of a metric with human judgement: Kendall's tau as each benchmark computes it.

Both tau-b and tau-c are always reported, with intervals. Tau-c counts two equal scores as a pair that the metric failed
to order. Tau-b leaves such pairs out. Smoothing makes equal scores different, which raises tau-c and can lower tau-b.
So FLEUR's smoothing raises its tau-c from 34.9 to 53.0, but lowers its tau-b.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.datasets.benchmark import Benchmark, Tau
from core.statistics.bootstrap import CONFIDENCE, SEED, Interval, percentile_interval, two_sided_p
from core.statistics.kendall import PairedRanks, Taus, paired_ranks, tau_draws, tau_once
from core.statistics.linear_correlation import pearson, spearman
from core.statistics.tau_influence import taus_without_draws
from core.types import Variant

DRAWS = 1000
ALIKE = "no interval, because in more than 5 % of the resamples all scores or all judgements are equal"


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """The values to correlate, all of shape (observations,)."""

    score: Floats  # scores on the metric's own scale
    human: Floats  # judgements on any scale, because only the order counts
    image: NDArray[Any]  # the image of each observation; the bootstrap resamples images


@dataclass(frozen=True, slots=True)
class Correlation:
    """Kendall's tau of a metric with human judgement.

    A value is None if it is undefined. Then `note` gives the reason.
    """

    benchmark: str
    metric: str
    variant: Variant
    n: int  # observations
    tau_b: float | None  # [-1, 1]
    tau_c: float | None  # [-1, 1]
    ties: int  # pairs of observations with equal scores
    interval_b: Interval | None  # 95 % interval of tau-b, bootstrap over images
    interval_c: Interval | None
    convention: Tau  # the tau that the benchmark reports
    note: str = ""
    pearson: float | None = None  # [-1, 1]
    spearman: float | None = None  # [-1, 1]

    @property
    def interval(self) -> Interval | None:
        """Return the interval of the tau that the benchmark reports."""
        return self.interval_b if self.convention == "b" else self.interval_c

    def as_json(self) -> dict[str, Any]:
        """Return the fields of the documented JSON output. Correlations and intervals are multiplied by 100.

        "ci_low" and "ci_high" are the ends of an interval. "ci_of" names the field to which this interval belongs.
        """
        low, high = (self.interval.low, self.interval.high) if self.interval else (None, None)
        fields = {"benchmark": self.benchmark, "metric": self.metric, "variant": self.variant, "n": self.n}
        fields |= {"tau_b": _percent(self.tau_b), "tau_c": _percent(self.tau_c), "ties": self.ties}
        fields |= {"ci_of": f"tau_{self.convention}", "ci_low": _percent(low), "ci_high": _percent(high)}
        return fields | {"pearson": _percent(self.pearson), "spearman": _percent(self.spearman)}


@dataclass(frozen=True, slots=True)
class TauDifference:
    """Difference between the taus of two metrics on the same observations.

    It is positive if the first metric agrees better. A value is None if it is undefined. Then `note` gives the reason.
    """

    tau: Tau
    n: int
    difference: float | None  # first - second
    interval: Interval | None  # 95 % interval of the difference; both metrics use the same resampled images
    p: float | None  # two-sided p value: twice the share of draws above zero or below zero, whichever is smaller
    p_at_most: bool = False  # True: no bootstrap draw crossed zero, so p is an upper bound
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A metric's taus, computed from the data and from bootstrap draws of the images."""

    n: int  # observations
    ties: int  # pairs of observations with equal scores
    whole: Taus | None  # taus of the data, as arrays of shape (1,); None: undefined, `note` gives the reason
    draws: Taus | None  # taus of the bootstrap draws, shape (draws,); None: no draws
    note: str = ""
    pearson: float | None = None  # Pearson correlation of all observations, without bootstrap draws
    spearman: float | None = None


def draw(data: Observations, draws: int = DRAWS, seed: int = SEED) -> Drawn:
    """Compute the taus of the data and of bootstrap draws.

    The same seed and images give the same draws of images for every metric.
    """
    counted, ranks = _counted(data)
    if ranks is not None:
        of = data.score, data.human
        counted = replace(counted, pearson=pearson(*of), spearman=spearman(*of))
    return replace(counted, draws=tau_draws(ranks, draws, seed)) if draws and ranks and not counted.note else counted


def _counted(data: Observations) -> tuple[Drawn, PairedRanks | None]:
    """Compute the taus of the data, without bootstrap draws.

    Also returns the ranks of the scores and judgements, from which the taus are computed. The ranks are None if no tau
    is defined.
    """
    note = undefined(data.score, data.human)
    if note:
        return Drawn(len(data.score), _equal_pairs(data.score), None, None, note), None
    ranks = paired_ranks(data.score, data.human, data.image)
    whole = tau_once(ranks)
    alone = "no interval, because all observations are of one image" if ranks.clusters < 2 else ""
    return Drawn(int(whole.n[0]), int(whole.ties[0]), whole, None, alone), ranks


def correlate(
    data: Observations,
    benchmark: Benchmark,
    metric: str,
    variant: Variant = "smoothed",
    draws: int = DRAWS,
    seed: int = SEED,
) -> Correlation:
    """Return both taus (tau-b and tau-c) of a metric, with the number of ties and 95 % intervals.

    draws: the number of bootstrap draws; with 0 draws there are no intervals.
    """
    return correlation(draw(data, draws, seed), benchmark, metric, variant)


def correlate_without_draws(
    data: Observations, benchmark: Benchmark, metric: str, variant: Variant = "smoothed"
) -> Correlation:
    """Return both taus of a metric and the number of ties, without bootstrap draws.

    With a thousand or more images the result also has intervals. They come from a formula that replaces the draws.
    """
    counted, ranks = _counted(data)
    taus = correlation(counted, benchmark, metric, variant)
    if ranks is None or counted.whole is None:
        return taus
    interval_b, interval_c = taus_without_draws(ranks, counted.whole)
    return replace(taus, interval_b=interval_b, interval_c=interval_c)


def correlation(found: Drawn, benchmark: Benchmark, metric: str, variant: Variant = "smoothed") -> Correlation:
    """Return a metric's correlations on a benchmark.

    found: the metric's taus, with their values in bootstrap draws.
    """
    tau_b, tau_c = (float(found.whole.tau_b[0]), float(found.whole.tau_c[0])) if found.whole else (None, None)
    drawn = (found.draws.tau_b, found.draws.tau_c) if found.draws else ()
    interval_b, interval_c = map(tau_interval, drawn) if drawn else (None, None)
    values = (found.n, tau_b, tau_c, found.ties, interval_b, interval_c)
    note = found.note or (ALIKE if drawn and interval_b is None else "")
    return Correlation(benchmark.name, metric, variant, *values, benchmark.tau, note, found.pearson, found.spearman)


def tau_interval(drawn: Floats) -> Interval | None:
    """Return the 95 % interval of bootstrapped taus.

    Returns None if the tau is undefined in more than 5 % of the draws.
    """
    return percentile_interval(drawn) if np.isfinite(drawn).mean() >= CONFIDENCE else None


def difference(first: Drawn, second: Drawn, tau: Tau) -> TauDifference:
    """Compare two metrics by their bootstrap draws.

    The draws of both metrics must have the same seed and the same observations.
    """
    if first.whole is None or second.whole is None:
        return TauDifference(tau, first.n, None, None, None, note=first.note or second.note)
    whole = float((_tau(first.whole, tau) - _tau(second.whole, tau))[0])
    if first.draws is None or second.draws is None:
        return TauDifference(tau, first.n, whole, None, None, note=first.note)
    drawn = _tau(first.draws, tau) - _tau(second.draws, tau)
    return TauDifference(tau, first.n, whole, tau_interval(drawn), *two_sided_p(drawn))


def undefined(score: Floats, human: Floats) -> str:
    """Return the reason why no tau can be computed, or ""."""
    if len(score) < 2:
        return "fewer than two scored judgements"
    if np.ptp(score) == 0:
        return "all scores are equal, so they give no order"
    return "all human judgements are equal, so they give no order" if np.ptp(human) == 0 else ""


def _tau(taus: Taus, tau: Tau) -> Floats:
    return taus.tau_b if tau == "b" else taus.tau_c


def _equal_pairs(score: Floats) -> int:
    counts = np.unique(score, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value
