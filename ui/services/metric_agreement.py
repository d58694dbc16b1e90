"""How far metrics agree with people, for the Analyse page and the report; figures are kept while the data stay.

Figures are made metric by metric and pair by pair, so that the page can show each as soon as it is there.
"""

from collections.abc import Hashable, Mapping, Sequence
from contextlib import nullcontext
from functools import lru_cache
from itertools import combinations
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadSetting, NotFound
from storage.analysis.columns import judged_samples
from ui.services.analysis import Analyst

if TYPE_CHECKING:
    from core.benchmarks.columns import JudgedColumn
    from core.benchmarks.comparison import MetricDifference
    from core.benchmarks.correlation import Benchmark, Correlation, Drawn
    from core.benchmarks.pairwise import PairwiseAccuracy
    from core.types import Variant

DATASETS_KEPT = 2  # whose judgements stay in memory
COLUMNS_KEPT = 16  # judged scores of one metric in one part of a data set; at 42,166 samples some 3 MB
DRAWN_KEPT = 256  # taus of 1,000 draws of one metric in one part of a data set: 32 kB
FIGURES_KEPT = 256  # figures of one metric, or of two, in one part of a data set

_Part = tuple[str, bytes | None, Hashable]  # data set, mask of its samples or None for all, stamp


class AgreementDesk:
    """Works out agreement for one workplace; remembers it until the data or the slice change."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self._turn = Lock()  # one thread computes, the others then find it done
        self._judged = lru_cache(DATASETS_KEPT)(self._read_judged)
        self._column = lru_cache(COLUMNS_KEPT)(self._make_column)
        self._rule = lru_cache(FIGURES_KEPT)(self._choose_rule)
        self._drawn = lru_cache(DRAWN_KEPT)(self._draw)
        self._difference = lru_cache(FIGURES_KEPT)(self._compare)
        self._accuracies = lru_cache(FIGURES_KEPT)(self._count)

    def correlations(
        self,
        dataset: str,
        metrics: Sequence[str],
        benchmark: str | None,
        slice_name: str | None = None,
        intervals: bool = True,
    ) -> dict[str, Any]:
        """Return every figure of agreement, ours beside the published ones. Raises NotFound, BadSetting.

        Without `intervals` there are neither these nor comparisons of metrics, and the answer comes at once.
        """
        from core.benchmarks.figures import check_benchmark
        from ui.services.correlation import Correlated
        from ui.services.correlation_json import correlated_json

        name = check_benchmark(benchmark) if benchmark else dataset
        table = self._analyst.table(dataset)
        names = [table.metric(metric).name for metric in metrics]
        part = self._part(dataset, slice_name)
        self._check(part, names)
        rule = self._rule(name, part)
        with self._turn if intervals else nullcontext():
            taus = tuple(tau for metric in names for tau in self._taus(rule, metric, part, intervals))
            pairs = combinations(names, 2) if rule and intervals else ()
            differences = tuple(self._difference(rule, *metrics, part) for metrics in pairs if rule)
            found = () if rule else tuple(row for metric in names for row in self._accuracies(name, metric, part))
        if not any(row.n for row in taus) and not any(row.n for row in found):
            raise BadSetting(f"{dataset} has no judgements of the kind that {name} counts: choose another convention.")
        return correlated_json(Correlated(name, taus, found, differences, ()), table.metrics)

    def _part(self, dataset: str, slice_name: str | None) -> _Part:
        stamp = self._analyst.stamp(dataset)
        mask = self._analyst.members(dataset, slice_name).mask.tobytes() if slice_name else None
        return dataset, mask, stamp

    def _check(self, part: _Part, metrics: Sequence[str]) -> None:
        dataset = part[0]
        columns = [self._column(metric, part) for metric in metrics]
        if not any(len(column.sample) for column in columns):
            raise BadSetting(f"Nothing of {dataset} is both scored and chosen: choose a metric, or a wider slice.")
        if not any(column.is_judged for column in columns):
            raise BadSetting(f"People have not judged these samples of {dataset}, so there is nothing to agree with.")

    def _read_judged(self, dataset: str, _stamp: Hashable) -> "Mapping[str, JudgedColumn]":
        from core.benchmarks.columns import with_scores

        table = self._analyst.table(dataset)
        return with_scores(judged_samples(self._analyst.workplace.repository.database, dataset), table)

    def _make_column(self, metric: str, part: _Part) -> "JudgedColumn":
        """Return what a metric has scored of a part of a data set. Raises NotFound where an import came in between."""
        dataset, mask, stamp = part
        column = self._judged(dataset, stamp).get(metric)
        chosen = None if mask is None else np.frombuffer(mask, dtype=bool)
        if column is None or (chosen is not None and len(chosen) != len(column.sample)):
            raise NotFound(f"The scores of {dataset} have just changed: load the page again.")
        scored = np.isfinite(column.smoothed)
        return column.where(scored if chosen is None else scored & chosen)

    def _choose_rule(self, benchmark: str, part: _Part) -> "Benchmark | None":
        """Return one rule for every metric, whichever are looked at: their figures stand side by side."""
        from core.benchmarks.figures import rule_of

        dataset, _, stamp = part
        return rule_of(benchmark, (self._column(metric, part) for metric in self._judged(dataset, stamp)))

    def _draw(self, rule: "Benchmark", metric: str, variant: "Variant", part: _Part, intervals: bool) -> "Drawn":
        from core.benchmarks.correlation import DRAWS, draw
        from core.benchmarks.figures import observed

        return draw(observed(self._column(metric, part), rule, variant), DRAWS if intervals else 0)

    def _taus(self, rule: "Benchmark | None", metric: str, part: _Part, intervals: bool) -> "list[Correlation]":
        from core.benchmarks.correlation import correlation
        from core.benchmarks.figures import scored_variants

        variants = scored_variants(self._column(metric, part)) if rule else ()
        return [correlation(self._drawn(rule, metric, v, part, intervals), rule, metric, v) for v in variants if rule]

    def _count(self, benchmark: str, metric: str, part: _Part) -> "tuple[PairwiseAccuracy, ...]":
        from core.benchmarks.figures import accuracies, scored_variants

        column = self._column(metric, part)
        return tuple(row for v in scored_variants(column) for row in accuracies(column, benchmark, metric, v))

    def _compare(self, rule: "Benchmark", first: str, second: str, part: _Part) -> "MetricDifference":
        """Compare two metrics; where both have scored the same samples, what was drawn of each is compared."""
        from core.benchmarks.comparison import MetricDifference, metric_differences
        from core.benchmarks.correlation import difference

        one, other = self._column(first, part), self._column(second, part)
        if not np.array_equal(one.sample, other.sample):
            (found,) = metric_differences({first: one, second: other}, rule)
            return found
        left, right = (self._drawn(rule, metric, "smoothed", part, True) for metric in (first, second))
        return MetricDifference(first, second, difference(left, right, rule.tau))
