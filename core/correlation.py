"""Agreement of a metric with human judgement: Kendall's tau as each benchmark computes it, with intervals.

Both taus are always given. Tau-c counts tied scores as pairs that were not ordered, tau-b leaves them out:
smoothing breaks ties, so that FLEUR's gain from 34.9 to 53.0 in tau-c turns into a loss in tau-b.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.bootstrap import SEED, Floats, Interval, percentile_interval
from core.errors import BadData, NotFound
from core.kendall import Taus, paired_ranks, tau_draws, tau_once
from core.types import Variant

DRAWS = 1000
Tau = Literal["b", "c"]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """How a benchmark turns human judgements and scores into one tau."""

    name: str
    tau: Tau
    per_judgement: bool = False  # every single judgement is an observation, the score repeated; else the mean

    def judged(self, human: float | None, judgements: Sequence[float]) -> tuple[float, ...]:
        """Return what people's side of a sample's observations is: each judgement, or the one human score."""
        return tuple(judgements) if self.per_judgement else () if human is None else (human,)


BENCHMARKS = (
    Benchmark("flickr8k-expert", "c", per_judgement=True),  # CLIPScore, section 4.1: three experts a pair, not averaged
    Benchmark("flickr8k-cf", "b"),  # on the fraction of yes answers
    Benchmark("composite", "c"),  # all three image sets in one pass
    Benchmark("polaris", "c"),
    Benchmark("nebula", "c"),
)


def benchmark_named(name: str) -> Benchmark:
    """Return a benchmark by name. Raises NotFound."""
    for benchmark in BENCHMARKS:
        if benchmark.name == name:
            return benchmark
    raise NotFound(f"no benchmark is named {name!r}; there are {', '.join(b.name for b in BENCHMARKS)}")


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """What is correlated; all of shape (observations,)."""

    score: Floats  # on the metric's own scale
    human: Floats  # on any scale: only its order counts
    image: NDArray[Any]  # image of each observation, the cluster that a bootstrap draws


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
    note: str = ""


def observations(score: Sequence[float], image: Sequence[str], judged: Sequence[Sequence[float]]) -> Observations:
    """Return one observation a judgement; the three have one entry a sample. A NaN judgement is left out."""
    lengths = {len(score), len(image), len(judged)}
    if len(lengths) > 1:
        raise BadData(f"expected one score, image and list of judgements a sample, found {sorted(lengths)} of them")
    cells = [(s, h, i) for s, i, humans in zip(score, image, judged, strict=True) for h in humans if not np.isnan(h)]
    scores, human, images = zip(*cells, strict=True) if cells else ((), (), ())
    return Observations(np.array(scores, dtype=float), np.array(human, dtype=float), np.array(images, dtype=object))


def correlate(
    data: Observations,
    benchmark: Benchmark,
    metric: str,
    variant: Variant = "smoothed",
    draws: int = DRAWS,
    seed: int = SEED,
) -> Correlation:
    """Return both taus with their ties and intervals; without draws there are no intervals."""
    name, tau, note = benchmark.name, benchmark.tau, undefined(data.score, data.human)
    if note:
        ties = _equal_pairs(data.score)
        return Correlation(name, metric, variant, len(data.score), None, None, ties, None, None, tau, note)
    ranks = paired_ranks(data.score, data.human, data.image)
    whole = tau_once(ranks)
    n, ties, tau_b, tau_c = int(whole.n[0]), int(whole.ties[0]), float(whole.tau_b[0]), float(whole.tau_c[0])
    if ranks.clusters < 2:
        note = "no interval: all observations are of one image"
        return Correlation(name, metric, variant, n, tau_b, tau_c, ties, None, None, tau, note)
    if not draws:
        return Correlation(name, metric, variant, n, tau_b, tau_c, ties, None, None, tau)
    drawn = tau_draws(ranks, draws, seed)
    interval_b, interval_c = percentile_interval(drawn.tau_b), percentile_interval(drawn.tau_c)
    return Correlation(name, metric, variant, n, tau_b, tau_c, ties, interval_b, interval_c, tau)


def tau_difference(
    first: Observations, second: ArrayLike, tau: Tau, draws: int = DRAWS, seed: int = SEED
) -> TauDifference:
    """Compare two metrics on the same observations: `second` is the other metric's score of each of `first`'s."""
    other = np.asarray(second, dtype=float)
    if other.shape != first.score.shape:
        raise BadData(f"expected {len(first.score)} scores of the second metric, found {len(other)}")
    note = undefined(first.score, first.human) or undefined(other, first.human)
    if note:
        return TauDifference(tau, len(other), None, None, None, note)
    both = [paired_ranks(score, first.human, first.image) for score in (first.score, other)]
    difference = np.subtract(*(_tau(tau_once(ranks), tau) for ranks in both))
    if both[0].clusters < 2:
        return TauDifference(tau, len(other), float(difference[0]), None, None, "all observations are of one image")
    drawn = np.subtract(*(_tau(tau_draws(ranks, draws, seed), tau) for ranks in both))
    return TauDifference(tau, len(other), float(difference[0]), percentile_interval(drawn), _two_sided(drawn))


def undefined(score: Floats, human: Floats) -> str:
    """Return why no tau can be computed, or nothing."""
    if len(score) < 2:
        return "fewer than two scored judgements"
    if np.ptp(score) == 0:
        return "all scores are equal, so they order nothing"
    return "all human judgements are equal, so there is no order to agree with" if np.ptp(human) == 0 else ""


def _tau(taus: Taus, tau: Tau) -> Floats:
    return taus.tau_b if tau == "b" else taus.tau_c


def _two_sided(drawn: Floats) -> float:
    """Return the bootstrap p value; one draw is added to each side, since a share of draws is never surely zero."""
    defined = drawn[np.isfinite(drawn)]
    smaller = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (len(defined) + 1))


def _equal_pairs(score: Floats) -> int:
    counts = np.unique(score, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value
