"""Figures of a benchmark for every metric: Kendall's taus by the benchmark's rule, or accuracies of pairs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import get_args

import numpy as np

from core.analysis.score_table import ScoreTable, split
from core.arrays import Floats
from core.benchmarks.correlation import Correlation, Difference, Scored, correlation, observed, tau_difference
from core.benchmarks.pairwise import PairwiseAccuracy, accuracies, accuracy_differences, pair_scores
from core.datasets import BENCHMARKS
from core.datasets.base import Benchmark, Tau
from core.statistics.significance import holm
from core.types import RAW


@dataclass(frozen=True, slots=True)
class Correlated:
    """A benchmark's figures (taus or accuracies) for some metrics."""

    benchmark: str
    rule: Benchmark | None  # None: accuracies of pairs
    taus: Mapping[Scored, Correlation]  # smoothed before raw scores; empty for benchmarks with accuracies
    accuracies: tuple[PairwiseAccuracy, ...] = ()
    differences: tuple[Difference, ...] = ()

    @property
    def n(self) -> int:
        """Number of observations or pairs of the score that has most of them; 0: there are no judgements."""
        return max([row.n for row in self.taus.values()] + [row.n for row in self.accuracies], default=0)

    @property
    def unit(self) -> str:
        """What the figures count: captions, judgements or pairs."""
        return "pairs" if self.rule is None else "judgements" if self.rule.per_judgement else "captions"


def correlated(
    benchmark: str, table: ScoreTable, metrics: Sequence[str], compare: bool = True, against: str | None = None
) -> Correlated:
    """Return the figures of some columns of a table.

    A metric that smooths its scores also gets the figures of its raw scores. compare: False skips comparisons. against:
    compare all other metrics with this one; None: compare all pairs of metrics.
    """
    rule = rule_of(benchmark, table)
    metrics = [name for name in metrics if split(name)[1] != RAW or split(name)[0] not in metrics]
    scores = {(name, variant): of for name in metrics for variant, of in table.metric(name).variants.items()}
    compared = _pairs([*scores], against) if compare else []
    if rule is None:
        pairs = dict(zip(scores, pair_scores(table, [*scores.values()], benchmark), strict=True))
        rows = tuple(row for one in scores for row in accuracies(pairs[one], *one))
        found = [(pair, one) for pair in compared for one in accuracy_differences(*(pairs[score] for score in pair))]
        return Correlated(benchmark, None, {}, rows, _corrected(found))
    if note := _unjudged(table, scores, rule):
        nothing = np.zeros(0)
        return Correlated(benchmark, rule, dict.fromkeys(scores, replace(correlation(*[nothing] * 3), note=note)))
    own = {one: observed(table, of, rule) for one, of in scores.items()}
    differences = []
    for pair in compared:
        both = _shared(pair, own, scores, table, rule)
        differences += [(pair, tau_difference(*both, tau)) for tau in get_args(Tau)]
    return Correlated(benchmark, rule, own, (), _corrected(differences))


def rule_of(name: str, table: ScoreTable) -> Benchmark | None:
    """Return the rule by which a benchmark computes taus; None if it uses pairwise accuracy.

    name: the benchmark. A benchmark that Capscope does not know counts pairs if its data have pairs. Otherwise each
    caption counts once, with the mean of its judgements.
    """
    known = next((benchmark for benchmark in BENCHMARKS if benchmark.name == name), None)
    if known is not None:
        return None if known.counts_pairs else known
    return None if table.has_pairs else Benchmark(name, "c")


def _pairs(scores: Sequence[Scored], against: str | None) -> list[tuple[Scored, Scored]]:
    """Return the pairs of scores to compare: of every two metrics, then each metric's smoothed and raw scores."""
    variants: dict[str, list[Scored]] = defaultdict(list)
    for one in scores:
        variants[one[0]].append(one)
    between = [
        pair if against is None or pair[0][0] == against else pair[::-1]
        for pair in combinations([of[0] for of in variants.values()], 2)
        if against is None or against in (pair[0][0], pair[1][0])
    ]
    return [*between, *((of[0], of[1]) for of in variants.values() if len(of) == 2)]


def _corrected(found: Sequence[tuple[tuple[Scored, Scored], Difference]]) -> tuple[Difference, ...]:
    """Return differences with Holm's correction, one quantity and category after the other."""
    families: dict[tuple[str, str], list[tuple[tuple[Scored, Scored], Difference]]] = defaultdict(list)
    for pair, one in found:
        families[one.quantity, one.category].append((pair, one))
    return tuple(
        replace(one, first=pair[0], second=pair[1], p_holm=p)
        for family in families.values()
        for (pair, one), p in zip(family, holm([one.p for _, one in family]), strict=True)
    )


def _shared(
    pair: tuple[Scored, Scored],
    own: Mapping[Scored, Correlation],
    scores: Mapping[Scored, Floats],
    table: ScoreTable,
    rule: Benchmark,
) -> tuple[Correlation, Correlation]:
    """Return the taus of two scores on the samples that have both."""
    one, other = (np.isfinite(scores[score]) for score in pair)
    if np.array_equal(one, other):
        return own[pair[0]], own[pair[1]]
    left, right = (observed(table, np.where(one & other, scores[score], np.nan), rule) for score in pair)
    return left, right


def _unjudged(table: ScoreTable, scores: Mapping[Scored, Floats], rule: Benchmark) -> str:
    """Return how many judged captions lack the kind of judgement that a rule counts; "" if none lacks it."""
    has_mean, has_single = np.isfinite(table["human"]), table["counts"] > 0
    lacking = has_mean & ~has_single if rule.per_judgement else has_single & ~has_mean
    missing = max((int((lacking & np.isfinite(of)).sum()) for of in scores.values()), default=0)
    needed = (
        f"no single judgements, but the rule of {rule.name} needs them"
        if rule.per_judgement
        else "only single judgements on an unknown scale; import them again with --human-scale"
    )
    return f"{missing:,} judged captions have {needed}" if missing else ""
