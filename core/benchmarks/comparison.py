"""Which of two metrics agrees better with people: paired comparisons on the samples that both scored."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.benchmarks.columns import JudgedColumn
from core.benchmarks.correlation import DRAWS, Benchmark, Tau, TauDifference, tau_difference
from core.benchmarks.figures import observed
from core.statistics.bootstrap import SEED
from core.types import Variant


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """How much better one metric agrees with people than another."""

    first: str
    second: str
    result: TauDifference


def metric_differences(
    columns: Mapping[str, JudgedColumn],
    benchmark: Benchmark,
    tau: Tau | None = None,
    variant: Variant = "smoothed",
    draws: int = DRAWS,
    seed: int = SEED,
) -> tuple[MetricDifference, ...]:
    """Compare every pair of metrics by the benchmark's tau, or the one asked for."""
    found = []
    for first, second in combinations(columns, 2):
        one, other = (observed(of, benchmark, variant) for of in shared(columns[first], columns[second], variant))
        result = tau_difference(one, other.score, tau or benchmark.tau, draws, seed)
        found.append(MetricDifference(first, second, result))
    return tuple(found)


def shared(first: JudgedColumn, second: JudgedColumn, variant: Variant) -> tuple[JudgedColumn, JudgedColumn]:
    """Return the samples that both metrics scored, in one order."""
    scored = [column.where(np.isfinite(column.score(variant))) for column in (first, second)]
    _, left, right = np.intersect1d(scored[0].sample, scored[1].sample, assume_unique=True, return_indices=True)
    return scored[0].at(left), scored[1].at(right)
