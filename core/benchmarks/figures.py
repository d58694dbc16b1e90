"""Figures of a benchmark for every metric.

The figures are Kendall's taus by the benchmark's rule, or accuracies for each category of pairs. The command line and
the Analyse page both use this module.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import get_args

import numpy as np

from core.analysis.column_names import split
from core.benchmarks.columns import JudgedColumn
from core.benchmarks.correlation import (
    DRAWS,
    Correlation,
    Drawn,
    Observations,
    TauDifference,
    correlation,
    difference,
    draw,
)
from core.benchmarks.pair_scores import PairScores, pair_scores
from core.benchmarks.pairwise import AccuracyDifference, PairwiseAccuracy, accuracies, accuracy_differences
from core.datasets import BENCHMARKS
from core.datasets.benchmark import Benchmark, Tau
from core.statistics.significance import holm
from core.types import RAW, Variant

Scored = tuple[str, Variant]  # (column name, variant); variant: "smoothed", "raw" or a component of the score


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """How much better one metric agrees with people than another.

    A metric can also be compared with its own scores before smoothing.
    """

    first: Scored
    second: Scored
    result: TauDifference
    p_holm: float | None = None  # p after Holm's correction over all comparisons with the same tau


@dataclass(frozen=True, slots=True)
class MetricAccuracyDifference:
    """Difference between the pairwise accuracies of two scores in one category of pairs.

    The accuracy of a score says how often it orders two captions as people do.
    """

    first: Scored
    second: Scored
    result: AccuracyDifference
    p_holm: float | None = None  # p after Holm's correction over all comparisons in the same category


@dataclass(frozen=True, slots=True)
class Correlated:
    """A benchmark's figures (taus or accuracies) for some metrics."""

    benchmark: str
    taus: tuple[Correlation, ...]  # sorted by metric, smoothed before raw scores; empty for benchmarks with accuracies
    accuracies: tuple[PairwiseAccuracy, ...]
    differences: tuple[MetricDifference, ...]  # differences in a tau: of two metrics, or of smoothed and raw scores
    accuracy_differences: tuple[MetricAccuracyDifference, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether the benchmark has no judgements to compute figures from."""
        return not any(row.n for row in self.taus) and not any(row.n for row in self.accuracies)


class BenchmarkFigures:
    """Compute a benchmark's figures (taus or accuracies) for metrics with human judgements.

    Each figure is computed at the first request and then cached.
    """

    def __init__(self, benchmark: str, columns: Mapping[str, JudgedColumn], draws: int = DRAWS) -> None:
        """Choose the rule for this benchmark from all `columns`.

        Figures of different metrics are compared, so the rule must not depend on which metrics a user selects.
        """
        self.benchmark, self.columns, self._draws = benchmark, columns, draws
        self.rule = rule_of(benchmark, columns.values())
        self._drawn, self._compared, self._counted = cache(self._draw), cache(self._compare), cache(self._count)
        self._scored_pairs, self._outcomes = cache(self._score_pairs), cache(self._compare_pairs)

    def of(self, metrics: Sequence[str], intervals: bool = True) -> Correlated:
        """Return figures (taus or accuracies) of metrics, or of their scores' components.

        metrics: names of metrics or components. A metric that smooths its scores also gets the figures of its raw
        scores. intervals: if False, intervals and comparisons of metrics are skipped, so the call is fast.
        """
        metrics = [name for name in metrics if split(name)[1] != RAW or split(name)[0] not in metrics]
        taus = tuple(tau for metric in metrics for tau in self._taus(metric, intervals))
        counted = tuple(row for metric in metrics for row in self._counted(metric)) if self.rule is None else ()
        compared = self._differences(metrics) if self.rule and intervals else ()
        outcomes = self._accuracy_differences(metrics) if self.rule is None and intervals else ()
        return Correlated(self.benchmark, taus, counted, compared, outcomes)

    def _pairs(self, metrics: Sequence[str]) -> list[tuple[Scored, Scored]]:
        """Return all pairs of scores to compare.

        The scores of every two metrics are compared. For a metric that smooths its scores, these are the smoothed
        scores. Its smoothed scores are also compared with its raw scores.
        """
        variants = {metric: self.columns[metric].variants for metric in metrics}
        own: list[Scored] = [(metric, found[0]) for metric, found in variants.items() if found]
        within = [
            ((metric, one), (metric, other))
            for metric, found in variants.items()
            for one, other in [found] * (len(found) == 2)
        ]
        return [*combinations(own, 2), *within]

    def _accuracy_differences(self, metrics: Sequence[str]) -> tuple[MetricAccuracyDifference, ...]:
        pairs = self._pairs(metrics)
        results = [self._outcomes(*pair) for pair in pairs]
        by_category: dict[str, list[tuple[tuple[Scored, Scored], AccuracyDifference]]] = defaultdict(list)
        for pair, of_pair in zip(pairs, results, strict=True):
            for result in of_pair:
                by_category[result.category].append((pair, result))
        return tuple(
            MetricAccuracyDifference(*pair, result, p)
            for compared in by_category.values()
            for (pair, result), p in zip(compared, holm([result.p for _, result in compared]), strict=True)
        )

    def _differences(self, metrics: Sequence[str]) -> tuple[MetricDifference, ...]:
        pairs = self._pairs(metrics)
        rows: list[MetricDifference] = []
        for tau in get_args(Tau):
            results = [difference(*self._compared(*pair), tau) for pair in pairs]
            corrected = holm([result.p for result in results])
            rows += [
                MetricDifference(*pair, result, p) for pair, result, p in zip(pairs, results, corrected, strict=True)
            ]
        return tuple(rows)

    def _taus(self, metric: str, intervals: bool) -> list[Correlation]:
        if self.rule is None:
            return []
        variants = self.columns[metric].variants
        return [correlation(self._drawn(metric, v, intervals), self.rule, metric, v) for v in variants]

    def _draw(self, metric: str, variant: Variant, intervals: bool) -> Drawn:
        assert self.rule is not None
        return draw(observed(self.columns[metric], self.rule, variant), self._draws if intervals else 0)

    def _count(self, metric: str) -> tuple[PairwiseAccuracy, ...]:
        column = self.columns[metric]
        return tuple(row for v in column.variants for row in accuracies(column, self.benchmark, metric, v))

    def _score_pairs(self, score: Scored) -> PairScores:
        metric, variant = score
        return pair_scores(self.columns[metric], self.benchmark, variant)

    def _compare_pairs(self, first: Scored, second: Scored) -> list[AccuracyDifference]:
        return accuracy_differences(self._scored_pairs(first), self._scored_pairs(second))

    def _compare(self, first: Scored, second: Scored) -> tuple[Drawn, Drawn]:
        """Return the bootstrap draws of two scores, on the samples that have both scores.

        If a score exists only for these samples, the score's existing draws are reused.
        """
        assert self.rule is not None
        columns = [(self.columns[metric], variant) for metric, variant in (first, second)]
        both = shared(*columns)
        left, right = (observed(column, self.rule, of) for column, (_, of) in zip(both, columns, strict=True))
        return self._drawn_as(first, left), self._drawn_as(second, replace(left, score=right.score))

    def _drawn_as(self, score: Scored, data: Observations) -> Drawn:
        """Return bootstrap draws of a score's observations.

        If `data` has all observations of the score, its existing draws are reused.
        """
        assert self.rule is not None
        metric, variant = score
        own = observed(self.columns[metric], self.rule, variant)
        pairs = ((own.score, data.score), (own.human, data.human), (own.image, data.image))
        is_all = all(np.array_equal(one, other) for one, other in pairs)
        return self._drawn(metric, variant, True) if is_all else draw(data, self._draws)


def rule_of(name: str, columns: Iterable[JudgedColumn]) -> Benchmark | None:
    """Return the rule by which a benchmark computes taus; None if it uses pairwise accuracy.

    name: the benchmark. For a benchmark that Capscope does not know, the rule depends on its data. If the data have
    pairs, returns None. Otherwise the rule uses each judgement separately if any sample has several judgements, else
    the mean judgement.
    """
    every = tuple(columns)
    known = next((benchmark for benchmark in BENCHMARKS if benchmark.name == name), None)
    if known is not None:
        return None if known.counts_pairs else known
    if any(column.has_pairs for column in every):
        return None
    return Benchmark(name, "c", per_judgement=any((column.counts > 1).any() for column in every))


def shared(*columns: tuple[JudgedColumn, Variant]) -> tuple[JudgedColumn, JudgedColumn]:
    """Return both columns, with only the samples that have a score in both columns.

    columns: each column with the variant of its score. Both results have the same order of samples.
    """
    scored = [column.where(np.isfinite(column.score(variant))) for column, variant in columns]
    _, left, right = np.intersect1d(scored[0].sample, scored[1].sample, assume_unique=True, return_indices=True)
    return scored[0].at(left), scored[1].at(right)


def observed(column: JudgedColumn, benchmark: Benchmark, variant: Variant) -> Observations:
    """Return the scores of one variant, and the judgements to correlate them with.

    The benchmark's rule decides whether a score is paired with each judgement or with the mean judgement. Samples
    without a score or a judgement are skipped.
    """
    if benchmark.per_judgement:
        place, human = np.repeat(np.arange(len(column.sample)), column.counts), column.judgements
    else:
        place, human = np.arange(len(column.sample)), column.human
    score = column.score(variant)[place]
    has_both = np.isfinite(score) & ~np.isnan(human)
    return Observations(score[has_both], human[has_both], column.image[place[has_both]])
