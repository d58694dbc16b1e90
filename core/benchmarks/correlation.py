"""Agreement of a metric with human judgement: Kendall's tau as each benchmark computes it, with intervals.

Both taus are always given. Tau-c counts tied scores as pairs that were not ordered, tau-b leaves them out:
smoothing breaks ties, so that FLEUR's gain from 34.9 to 53.0 in tau-c turns into a loss in tau-b.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.arrays import Floats
from core.datasets.benchmark import Benchmark, Tau
from core.errors import BadData
from core.statistics.bootstrap import CONFIDENCE, SEED, Interval, percentile_interval
from core.statistics.kendall import PairedRanks, Taus, paired_ranks, tau_draws, tau_once
from core.statistics.tau_influence import taus_without_draws
from core.types import Variant

DRAWS = 1000
ALIKE = "no interval: in more than 5 % of the draws all scores or all judgements are equal"


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """What is correlated; all of shape (observations,)."""

    score: Floats  # on the metric's own scale
    human: Floats  # on any scale: only its order counts
    image: NDArray[Any]  # of each observation, the cluster that a bootstrap draws


@dataclass(frozen=True, slots=True)
class Correlation:
    """Kendall's tau of a metric with human judgement. None: undefined, for the reason in `note`."""

    benchmark: str
    metric: str
    variant: Variant
    n: int  # observations
    tau_b: float | None  # [-1, 1]
    tau_c: float | None  # [-1, 1]
    ties: int  # pairs of observations with equal scores
    interval_b: Interval | None  # 95 %, bootstrap over images
    interval_c: Interval | None
    convention: Tau  # which of the two the benchmark reports
    note: str = ""

    @property
    def interval(self) -> Interval | None:
        """Interval of the tau that the benchmark reports."""
        return self.interval_b if self.convention == "b" else self.interval_c

    def as_json(self) -> dict[str, Any]:
        """Return the documented fields, tau and interval times 100."""
        low, high = (self.interval.low, self.interval.high) if self.interval else (None, None)
        fields = {"benchmark": self.benchmark, "metric": self.metric, "variant": self.variant, "n": self.n}
        fields |= {"tau_b": _percent(self.tau_b), "tau_c": _percent(self.tau_c), "ties": self.ties}
        return fields | {"ci_low": _percent(low), "ci_high": _percent(high)}


@dataclass(frozen=True, slots=True)
class TauDifference:
    """How much better the first metric orders the same observations. None: undefined, for the reason in `note`."""

    tau: Tau
    n: int
    difference: float | None  # first - second
    interval: Interval | None  # 95 %, images drawn for both metrics at once
    p: float | None  # two-sided: twice the smaller share of draws on either side of zero
    p_at_most: bool = False  # no draw lay beyond zero: p is as small as so many draws can tell, or smaller
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A metric's taus, of its data as they are and of bootstrap draws of the images."""

    n: int  # observations
    ties: int  # pairs of observations with equal scores
    whole: Taus | None  # shape (1,); None: undefined, for the reason in `note`
    draws: Taus | None  # shape (draws,); None: nothing was drawn
    note: str = ""


def draw(data: Observations, draws: int = DRAWS, seed: int = SEED) -> Drawn:
    """Count the data and bootstrap draws of them; equal seeds and images give equal draws for every metric."""
    found, ranks = _counted(data)
    return replace(found, draws=tau_draws(ranks, draws, seed)) if draws and ranks and not found.note else found


def _counted(data: Observations) -> tuple[Drawn, PairedRanks | None]:
    """Count the data; the ranks are None where no tau is defined."""
    note = undefined(data.score, data.human)
    if note:
        return Drawn(len(data.score), _equal_pairs(data.score), None, None, note), None
    ranks = paired_ranks(data.score, data.human, data.image)
    whole = tau_once(ranks)
    alone = "no interval: all observations are of one image" if ranks.clusters < 2 else ""
    return Drawn(int(whole.n[0]), int(whole.ties[0]), whole, None, alone), ranks


def correlate(
    data: Observations,
    benchmark: Benchmark,
    metric: str,
    variant: Variant = "smoothed",
    draws: int = DRAWS,
    seed: int = SEED,
) -> Correlation:
    """Return both taus with their ties and intervals; without draws there are no intervals."""
    return correlation(draw(data, draws, seed), benchmark, metric, variant)


def correlate_without_draws(
    data: Observations, benchmark: Benchmark, metric: str, variant: Variant = "smoothed"
) -> Correlation:
    """Return both taus with their ties; with intervals only where a thousand images or more give them without draws."""
    found, ranks = _counted(data)
    taus = correlation(found, benchmark, metric, variant)
    if ranks is None or found.whole is None:
        return taus
    interval_b, interval_c = taus_without_draws(ranks, found.whole)
    return replace(taus, interval_b=interval_b, interval_c=interval_c)


def correlation(found: Drawn, benchmark: Benchmark, metric: str, variant: Variant = "smoothed") -> Correlation:
    """Return what was drawn as a benchmark's figures of a metric."""
    tau_b, tau_c = (float(found.whole.tau_b[0]), float(found.whole.tau_c[0])) if found.whole else (None, None)
    drawn = (found.draws.tau_b, found.draws.tau_c) if found.draws else ()
    interval_b, interval_c = map(tau_interval, drawn) if drawn else (None, None)
    values = (found.n, tau_b, tau_c, found.ties, interval_b, interval_c)
    note = found.note or (ALIKE if drawn and interval_b is None else "")
    return Correlation(benchmark.name, metric, variant, *values, benchmark.tau, note)


def tau_interval(drawn: Floats) -> Interval | None:
    """Return the 95 % interval of drawn taus; None where so many are undefined that it could not hold 95 %."""
    return percentile_interval(drawn) if np.isfinite(drawn).mean() >= CONFIDENCE else None


def tau_difference(
    first: Observations, second: ArrayLike, tau: Tau, draws: int = DRAWS, seed: int = SEED
) -> TauDifference:
    """Compare two metrics on the same observations: `second` is the other metric's score of each of `first`'s."""
    return difference(*drawn_together(first, second, draws, seed), tau)


def drawn_together(first: Observations, second: ArrayLike, draws: int = DRAWS, seed: int = SEED) -> tuple[Drawn, Drawn]:
    """Draw two metrics' taus of the same observations; `second` is the other metric's score of each of `first`'s."""
    other = np.asarray(second, dtype=float)
    if other.shape != first.score.shape:
        raise BadData(f"expected {len(first.score)} scores of the second metric, found {len(other)}")
    return draw(first, draws, seed), draw(replace(first, score=other), draws, seed)


def difference(first: Drawn, second: Drawn, tau: Tau) -> TauDifference:
    """Compare what was drawn, by one seed, of two metrics on the same observations."""
    if first.whole is None or second.whole is None:
        return TauDifference(tau, first.n, None, None, None, note=first.note or second.note)
    whole = float((_tau(first.whole, tau) - _tau(second.whole, tau))[0])
    if first.draws is None or second.draws is None:
        return TauDifference(tau, first.n, whole, None, None, note=first.note)
    drawn = _tau(first.draws, tau) - _tau(second.draws, tau)
    return TauDifference(tau, first.n, whole, tau_interval(drawn), *_two_sided(drawn))


def undefined(score: Floats, human: Floats) -> str:
    """Return why no tau can be computed, or nothing."""
    if len(score) < 2:
        return "fewer than two scored judgements"
    if np.ptp(score) == 0:
        return "all scores are equal, so they order nothing"
    return "all human judgements are equal, so there is no order to agree with" if np.ptp(human) == 0 else ""


def _tau(taus: Taus, tau: Tau) -> Floats:
    return taus.tau_b if tau == "b" else taus.tau_c


def _two_sided(drawn: Floats) -> tuple[float, bool]:
    """Return the bootstrap p value, and whether it is the smallest that so many draws can give.

    One draw is added to each side, since a share of draws is never surely zero.
    """
    defined = drawn[np.isfinite(drawn)]
    smaller = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (len(defined) + 1)), smaller == 0


def _equal_pairs(score: Floats) -> int:
    counts = np.unique(score, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value
