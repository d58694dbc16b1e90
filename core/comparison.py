"""Which of two metrics agrees better with people: paired comparisons on the samples that both scored."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from core.benchmarks import by_metric, observed
from core.bootstrap import SEED
from core.correlation import DRAWS, Benchmark, Tau, TauDifference, tau_difference
from core.joining import JudgedScore
from core.types import Variant


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """How much better one metric agrees with people than another."""

    first: str
    second: str
    result: TauDifference


def metric_differences(
    rows: Sequence[JudgedScore],
    benchmark: Benchmark,
    tau: Tau | None = None,
    variant: Variant = "smoothed",
    draws: int = DRAWS,
    seed: int = SEED,
) -> tuple[MetricDifference, ...]:
    """Compare every pair of metrics by the benchmark's tau, or the one asked for."""
    metrics = {metric: {row.sample: row for row in scores} for metric, scores in by_metric(rows).items()}
    found = []
    for first, second in combinations(metrics, 2):
        one, other = metrics[first], metrics[second]
        shared = [s for s in one if s in other and None not in (one[s].value(variant), other[s].value(variant))]
        left, right = (observed([scores[s] for s in shared], benchmark, variant) for scores in (one, other))
        result = tau_difference(left, right.score, tau or benchmark.tau, draws, seed)
        found.append(MetricDifference(first, second, result))
    return tuple(found)
