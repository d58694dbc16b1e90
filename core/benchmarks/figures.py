"""A benchmark's figures for every metric: taus under the benchmark's own rule, or accuracies a category of pairs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from core.benchmarks.columns import VARIANTS, JudgedColumn
from core.benchmarks.correlation import BENCHMARKS, DRAWS, Benchmark, Correlation, Observations, correlate
from core.benchmarks.pairwise import PAIRWISE_BENCHMARKS, PairwiseAccuracy, pairwise_accuracy, pascal_mean
from core.errors import NotFound
from core.types import Variant

BENCHMARK_NAMES = (*(benchmark.name for benchmark in BENCHMARKS), *PAIRWISE_BENCHMARKS)


def rule_of(name: str, columns: Iterable[JudgedColumn]) -> Benchmark | None:
    """Return how a benchmark makes its taus, None where it counts pairs.

    A name that is no benchmark's takes the rule that its data suggest: pairs, every judgement, else the mean.
    """
    every = tuple(columns)
    known = next((benchmark for benchmark in BENCHMARKS if benchmark.name == name), None)
    if known is not None or name in PAIRWISE_BENCHMARKS or any(column.has_pairs for column in every):
        return known
    return Benchmark(name, "c", per_judgement=any((column.counts > 1).any() for column in every))


def figures(
    name: str, columns: Mapping[str, JudgedColumn], rule: Benchmark | None, draws: int = DRAWS
) -> tuple[list[Correlation], list[PairwiseAccuracy]]:
    """Return figures for every metric and variant: taus by the benchmark's rule, without one accuracies a category."""
    taus: list[Correlation] = []
    found: list[PairwiseAccuracy] = []
    for metric, column in columns.items():
        for variant in scored_variants(column):
            if rule:
                taus.append(correlate(observed(column, rule, variant), rule, metric, variant, draws))
            else:
                found += accuracies(column, name, metric, variant)
    return taus, found


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
    """Compare the two scores of every pair that has both, category by category; Pascal-50S's four end in their mean."""
    scores: dict[str, dict[str, dict[bool, float]]] = defaultdict(lambda: defaultdict(dict))
    for pair, value in zip(column.pair.tolist(), column.score(variant).tolist(), strict=True):
        if pair and pair.preferred is not None and np.isfinite(value):
            scores[pair.category or name][pair.key][pair.position == pair.preferred] = value
    found = []
    for category, pairs in scores.items():
        whole = [both for both in pairs.values() if len(both) == 2]
        preferred, other = [both[True] for both in whole], [both[False] for both in whole]
        found.append(pairwise_accuracy(preferred, other, name, category, metric, variant))
    mean = pascal_mean(found)
    return found if mean is None else [*found, mean]


def check_benchmark(name: str) -> str:
    """Return the name of a benchmark. Raises NotFound."""
    if name not in BENCHMARK_NAMES:
        raise NotFound(f"There is no benchmark {name!r}; there are {', '.join(BENCHMARK_NAMES)}.")
    return name
