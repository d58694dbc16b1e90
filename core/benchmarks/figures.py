"""Figures of a benchmark for every metric.

The figures are Kendall's taus by the benchmark's rule, or accuracies for each category of pairs. The command line and
the Analyse page both use this module.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import get_args

import numpy as np

from core.analysis.column_names import split
from core.benchmarks.columns import JudgedColumn
from core.benchmarks.correlation import (
    Correlation,
    Counted,
    Difference,
    Observations,
    correlation,
    counted,
    tau_difference,
    unit_of,
)
from core.benchmarks.pairwise import PairwiseAccuracy, accuracies, accuracy_differences, pair_scores
from core.datasets import BENCHMARKS
from core.datasets.benchmark import Benchmark, Tau
from core.long_work.progress import report
from core.statistics.significance import holm
from core.types import RAW, Variant

Scored = tuple[str, Variant]  # (column name, variant); variant: "smoothed", "raw" or a component of the score
COMPARING = "Comparing metrics"


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """How much better one score agrees with people than another."""

    first: Scored
    second: Scored
    result: Difference
    p_holm: float | None = None  # p after Holm's correction over all comparisons of the same quantity and category


@dataclass(frozen=True, slots=True)
class Correlated:
    """A benchmark's figures (taus or accuracies) for some metrics."""

    benchmark: str
    rule: Benchmark | None  # None: accuracies of pairs
    taus: tuple[Correlation, ...]  # sorted by metric, smoothed before raw scores; empty for benchmarks with accuracies
    accuracies: tuple[PairwiseAccuracy, ...]
    differences: tuple[MetricDifference, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether the benchmark has no judgements to compute figures from."""
        return not any(row.n for row in self.taus) and not any(row.n for row in self.accuracies)


def correlated(
    benchmark: str,
    columns: Mapping[str, JudgedColumn],
    metrics: Sequence[str],
    intervals: bool = True,
    against: str | None = None,
) -> Correlated:
    """Return the figures of some metrics, or of components of their scores.

    A metric that smooths its scores also gets the figures of its raw scores. intervals: False skips intervals and
    comparisons. against: compare all other metrics with this one; None: compare all pairs of metrics.
    """
    rule = rule_of(benchmark, columns.values())
    metrics = [name for name in metrics if split(name)[1] != RAW or split(name)[0] not in metrics]
    variants = {metric: columns[metric].variants for metric in metrics}
    scores = [(metric, variant) for metric in metrics for variant in variants[metric]]
    compared = _pairs(metrics, variants, against) if intervals else []
    if rule is None:
        rows = tuple(row for metric, of in scores for row in accuracies(columns[metric], benchmark, metric, of))
        pairs = {score: pair_scores(columns[score[0]], benchmark, score[1]) for score in scores}
        found = [(pair, one) for pair in compared for one in accuracy_differences(*(pairs[score] for score in pair))]
        return Correlated(benchmark, None, (), rows, _corrected(found))
    if note := _unjudged(columns.values(), rule):
        missing = (Correlation(rule.name, *of, 0, unit_of(rule), None, None, 0, None, None, note) for of in scores)
        return Correlated(benchmark, rule, tuple(missing), ())
    own = {score: counted(observed(columns[score[0]], rule, score[1])) for score in scores}
    taus = tuple(correlation(own[score], rule, *score, intervals) for score in scores)
    differences = []
    for place, pair in enumerate(compared):
        report(COMPARING, place, len(compared))
        differences += [
            (pair, tau_difference(*both, tau)) for both in [_shared(pair, own, columns, rule)] for tau in get_args(Tau)
        ]
    return Correlated(benchmark, rule, taus, (), _corrected(differences))


def _pairs(
    metrics: Sequence[str], variants: Mapping[str, Sequence[Variant]], against: str | None
) -> list[tuple[Scored, Scored]]:
    """Return the pairs of scores to compare: of every two metrics, then each metric's smoothed and raw scores."""
    own: list[Scored] = [(metric, variants[metric][0]) for metric in metrics if variants[metric]]
    between = [
        pair if against is None or pair[0][0] == against else pair[::-1]
        for pair in combinations(own, 2)
        if against is None or against in (pair[0][0], pair[1][0])
    ]
    within = [((metric, of[0]), (metric, of[1])) for metric, of in variants.items() if len(of) == 2]
    return [*between, *within]


def _corrected(found: Sequence[tuple[tuple[Scored, Scored], Difference]]) -> tuple[MetricDifference, ...]:
    """Return differences with Holm's correction, one quantity and category after the other."""
    families: dict[tuple[str, str], list[tuple[tuple[Scored, Scored], Difference]]] = defaultdict(list)
    for pair, one in found:
        families[one.quantity, one.category].append((pair, one))
    return tuple(
        MetricDifference(*pair, one, p)
        for family in families.values()
        for (pair, one), p in zip(family, holm([one.p for _, one in family]), strict=True)
    )


def _shared(
    pair: tuple[Scored, Scored], own: Mapping[Scored, Counted], columns: Mapping[str, JudgedColumn], rule: Benchmark
) -> tuple[Counted, Counted]:
    """Return the taus of two scores on the samples that have both."""
    first, second = (own[score] for score in pair)
    if len(first.data.score) == len(second.data.score) and np.array_equal(first.data.image, second.data.image):
        one, other = (np.isfinite(columns[name].score(variant)) for name, variant in pair)
        if np.array_equal(one, other):
            return first, second
    both = shared(*((columns[name], variant) for name, variant in pair))
    left, right = (counted(observed(column, rule, variant)) for column, (_, variant) in zip(both, pair, strict=True))
    return left, right


def _unjudged(columns: Iterable[JudgedColumn], rule: Benchmark) -> str:
    """Return how many judged captions lack the kind of judgement that a rule counts; "" if none lacks it."""
    of_each = [(np.isfinite(one.human), one.counts > 0) for one in columns]
    if rule.per_judgement:
        missing = max((int((has_mean & ~has_single).sum()) for has_mean, has_single in of_each), default=0)
        needed = f"no single judgements, but the rule of {rule.name} needs them"
    else:
        missing = max((int((has_single & ~has_mean).sum()) for has_mean, has_single in of_each), default=0)
        needed = "only single judgements on an unknown scale; import them again with --human-scale"
    return f"{missing:,} judged captions have {needed}" if missing else ""


def rule_of(name: str, columns: Iterable[JudgedColumn]) -> Benchmark | None:
    """Return the rule by which a benchmark computes taus; None if it uses pairwise accuracy.

    name: the benchmark. A benchmark that Capscope does not know counts pairs if its data have pairs. Otherwise each
    caption counts once, with the mean of its judgements.
    """
    known = next((benchmark for benchmark in BENCHMARKS if benchmark.name == name), None)
    if known is not None:
        return None if known.counts_pairs else known
    return None if any(column.has_pairs for column in columns) else Benchmark(name, "c")


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
