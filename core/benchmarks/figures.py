"""A benchmark's figures for every metric: taus under the benchmark's own rule, or accuracies a category of pairs.

The command line and the Analyse page both take their figures from here.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from core.benchmarks.columns import VARIANTS, JudgedColumn
from core.benchmarks.correlation import (
    DRAWS,
    Correlation,
    Drawn,
    Observations,
    TauDifference,
    correlation,
    difference,
    draw,
    tau_difference,
)
from core.benchmarks.pairwise import PairwiseAccuracy, mean_accuracy, pairwise_accuracy
from core.datasets import BENCHMARKS
from core.datasets.benchmark import Benchmark
from core.types import Variant


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """How much better one metric agrees with people than another."""

    first: str
    second: str
    result: TauDifference


@dataclass(frozen=True, slots=True)
class Correlated:
    """Figures of a benchmark for some metrics."""

    benchmark: str
    taus: tuple[Correlation, ...]  # metric by metric, smoothed before raw; empty where pairs are counted
    accuracies: tuple[PairwiseAccuracy, ...]
    differences: tuple[MetricDifference, ...]  # between every two metrics, by the benchmark's own tau

    @property
    def is_empty(self) -> bool:
        """Whether nobody has judged what the benchmark counts."""
        return not any(row.n for row in self.taus) and not any(row.n for row in self.accuracies)


class BenchmarkFigures:
    """A benchmark's figures of judged metrics; each is made when it is first asked for, and kept."""

    def __init__(self, benchmark: str, columns: Mapping[str, JudgedColumn], draws: int = DRAWS) -> None:
        """One rule holds for all `columns`, whichever are looked at: their figures stand side by side."""
        self.benchmark, self.columns, self._draws = benchmark, columns, draws
        self.rule = rule_of(benchmark, columns.values())
        self._drawn, self._compared, self._counted = cache(self._draw), cache(self._compare), cache(self._count)

    def of(self, metrics: Sequence[str], intervals: bool = True) -> Correlated:
        """Return figures of some of the metrics; without intervals there are no comparisons either, and it is quick."""
        taus = tuple(tau for metric in metrics for tau in self._taus(metric, intervals))
        counted = tuple(row for metric in metrics for row in self._counted(metric)) if self.rule is None else ()
        pairs = combinations(metrics, 2) if self.rule and intervals else ()
        return Correlated(self.benchmark, taus, counted, tuple(self._compared(*pair) for pair in pairs))

    def _taus(self, metric: str, intervals: bool) -> list[Correlation]:
        if self.rule is None:
            return []
        variants = scored_variants(self.columns[metric])
        return [correlation(self._drawn(metric, v, intervals), self.rule, metric, v) for v in variants]

    def _draw(self, metric: str, variant: Variant, intervals: bool) -> Drawn:
        assert self.rule is not None
        return draw(observed(self.columns[metric], self.rule, variant), self._draws if intervals else 0)

    def _count(self, metric: str) -> tuple[PairwiseAccuracy, ...]:
        column = self.columns[metric]
        return tuple(row for v in scored_variants(column) for row in accuracies(column, self.benchmark, metric, v))

    def _compare(self, first: str, second: str) -> MetricDifference:
        """Compare two metrics on what both scored; where that is all of both, what was drawn of each is compared."""
        assert self.rule is not None
        one, other = self.columns[first], self.columns[second]
        scored_all = np.isfinite(one.smoothed).all() and np.isfinite(other.smoothed).all()
        if scored_all and np.array_equal(one.sample, other.sample):
            left, right = (self._drawn(metric, "smoothed", True) for metric in (first, second))
            return MetricDifference(first, second, difference(left, right, self.rule.tau))
        left_seen, right_seen = (observed(of, self.rule, "smoothed") for of in shared(one, other, "smoothed"))
        found = tau_difference(left_seen, right_seen.score, self.rule.tau, self._draws)
        return MetricDifference(first, second, found)


def rule_of(name: str, columns: Iterable[JudgedColumn]) -> Benchmark | None:
    """Return how a benchmark makes its taus, None where it counts pairs.

    A name that is no benchmark's takes the rule that its data suggest: pairs, every judgement, else the mean.
    """
    every = tuple(columns)
    known = next((benchmark for benchmark in BENCHMARKS if benchmark.name == name), None)
    if known is not None:
        return None if known.counts_pairs else known
    if any(column.has_pairs for column in every):
        return None
    return Benchmark(name, "c", per_judgement=any((column.counts > 1).any() for column in every))


def shared(first: JudgedColumn, second: JudgedColumn, variant: Variant) -> tuple[JudgedColumn, JudgedColumn]:
    """Return the samples that both metrics scored, in one order."""
    scored = [column.where(np.isfinite(column.score(variant))) for column in (first, second)]
    _, left, right = np.intersect1d(scored[0].sample, scored[1].sample, assume_unique=True, return_indices=True)
    return scored[0].at(left), scored[1].at(right)


def scored_variants(column: JudgedColumn) -> tuple[Variant, ...]:
    """Return the variants of which there is a score."""
    return tuple(variant for variant in VARIANTS if np.isfinite(column.score(variant)).any())


def observed(column: JudgedColumn, benchmark: Benchmark, variant: Variant) -> Observations:
    """Return what the benchmark correlates; what has no score of that variant, or no judgement, is left out."""
    if benchmark.per_judgement:
        place, human = np.repeat(np.arange(len(column.sample)), column.counts), column.judgements
    else:
        place, human = np.arange(len(column.sample)), column.human
    score = column.score(variant)[place]
    known = np.isfinite(score) & ~np.isnan(human)
    return Observations(score[known], human[known], column.image[place[known]])


def accuracies(column: JudgedColumn, name: str, metric: str, variant: Variant) -> list[PairwiseAccuracy]:
    """Compare the two scores of every pair that has both, category by category.

    Where the categories are those of a benchmark that has some, their mean comes last.
    """
    scores: dict[str, dict[str, dict[bool, float]]] = defaultdict(lambda: defaultdict(dict))
    for pair, value in zip(column.pair.tolist(), column.score(variant).tolist(), strict=True):
        if pair and pair.preferred is not None and np.isfinite(value):
            scores[pair.category or name][pair.key][pair.position == pair.preferred] = value
    found = []
    for category, pairs in scores.items():
        whole = [both for both in pairs.values() if len(both) == 2]
        preferred, other = [both[True] for both in whole], [both[False] for both in whole]
        found.append(pairwise_accuracy(preferred, other, name, category, metric, variant))
    if any(sorted(one.categories) == sorted(scores) for one in BENCHMARKS if one.categories):
        found.append(mean_accuracy(found))
    return found
