"""A benchmark's figures for every metric: taus under the benchmark's own rule, or accuracies a category of pairs."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.correlation import BENCHMARKS, DRAWS, Benchmark, Correlation, Observations, correlate, observations
from core.errors import NotFound
from core.joining import JudgedScore
from core.pairwise import PAIRWISE_BENCHMARKS, PairwiseAccuracy, pairwise_accuracy
from core.types import Variant

BENCHMARK_NAMES = (*(benchmark.name for benchmark in BENCHMARKS), *PAIRWISE_BENCHMARKS)
VARIANTS: tuple[Variant, ...] = ("smoothed", "raw")


def by_metric(rows: Iterable[JudgedScore]) -> dict[str, list[JudgedScore]]:
    """Return the scores of each metric; a metric scored under several settings is named by its signatures."""
    signatures: dict[str, dict[str, list[JudgedScore]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        signatures[row.score.metric][row.score.signature].append(row)
    return {
        (metric if len(versions) == 1 else signature): scores
        for metric, versions in signatures.items()
        for signature, scores in versions.items()
    }


def rule_of(name: str, rows: Sequence[JudgedScore]) -> Benchmark | None:
    """Return how a benchmark makes its taus, None where it counts pairs.

    A name that is no benchmark's takes the rule that its data suggest: pairs, every judgement, else the mean.
    """
    known = next((benchmark for benchmark in BENCHMARKS if benchmark.name == name), None)
    if known is not None or name in PAIRWISE_BENCHMARKS or any(row.pair for row in rows):
        return known
    return Benchmark(name, "c", per_judgement=any(len(row.judgements) > 1 for row in rows))


def figures(
    name: str, rows: Sequence[JudgedScore], draws: int = DRAWS
) -> tuple[list[Correlation], list[PairwiseAccuracy]]:
    """Return a benchmark's figures for every metric and variant: taus, or accuracies a category."""
    benchmark = rule_of(name, rows)
    taus: list[Correlation] = []
    accuracies: list[PairwiseAccuracy] = []
    for metric, scores in by_metric(rows).items():
        for variant in VARIANTS:
            usable = _valued(scores, variant)
            if usable and benchmark:
                taus.append(correlate(_observations(usable, benchmark), benchmark, metric, variant, draws))
            elif usable:
                accuracies += _accuracies(scores, name, metric, variant)
    return taus, accuracies


def observed(rows: Sequence[JudgedScore], benchmark: Benchmark, variant: Variant) -> Observations:
    """Return what the benchmark correlates; scores without that variant are left out."""
    return _observations(_valued(rows, variant), benchmark)


def _observations(usable: Sequence[tuple[float, JudgedScore]], benchmark: Benchmark) -> Observations:
    judged = [benchmark.judged(row.human, row.judgements) for _, row in usable]
    return observations([value for value, _ in usable], [row.image for _, row in usable], judged)


def _valued(rows: Iterable[JudgedScore], variant: Variant) -> list[tuple[float, JudgedScore]]:
    return [(value, row) for row in rows if (value := row.value(variant)) is not None]


def _accuracies(rows: Sequence[JudgedScore], name: str, metric: str, variant: Variant) -> list[PairwiseAccuracy]:
    """Compare the two scores of every pair that has both; those of one category are counted together."""
    scores: dict[str, dict[str, dict[bool, float]]] = defaultdict(lambda: defaultdict(dict))
    for value, row in _valued(rows, variant):
        if row.pair and row.pair.preferred is not None:
            is_preferred = row.pair.position == row.pair.preferred
            scores[row.pair.category or name][row.pair.key][is_preferred] = value
    found = []
    for category, pairs in scores.items():
        whole = [both for both in pairs.values() if len(both) == 2]
        preferred, other = [both[True] for both in whole], [both[False] for both in whole]
        found.append(pairwise_accuracy(preferred, other, name, category, metric, variant))
    return found


def check_benchmark(name: str) -> str:
    """Return the name of a benchmark. Raises NotFound."""
    if name not in BENCHMARK_NAMES:
        raise NotFound(f"There is no benchmark {name!r}; there are {', '.join(BENCHMARK_NAMES)}.")
    return name
