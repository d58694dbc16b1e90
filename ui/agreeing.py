"""How far metrics agree with people, for the Analyse page and the report; figures are kept while the data stay.

Figures are made metric by metric and pair by pair, so that the page can show each as soon as it is there.
"""

from collections.abc import Hashable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from threading import Lock
from typing import TYPE_CHECKING, Any

from core.errors import BadSetting
from storage.judged import judged_scores
from ui.analysing import Analyst

if TYPE_CHECKING:
    from core.comparison import MetricDifference
    from core.correlation import Correlation
    from core.joining import JudgedScore
    from core.pairwise import PairwiseAccuracy

    Figures = tuple[list[Correlation], list[PairwiseAccuracy]]

ROWS_KEPT = 2  # data sets whose judged scores stay in memory; 42,166 samples by three metrics take some 150 MB
FIGURES_KEPT = 256  # figures of one metric, or of two, in one part of a data set

_Part = tuple[str, bytes | None, Hashable]  # data set, mask of its samples or None for all, stamp


class AgreementDesk:
    """Works out agreement for one workplace; remembers it until the data or the slice change."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self._turn = Lock()  # one thread computes, the others then find it done
        self._rows = lru_cache(ROWS_KEPT)(self._read_rows)
        self._figures = lru_cache(FIGURES_KEPT)(self._make_figures)
        self._differences = lru_cache(FIGURES_KEPT)(self._make_differences)

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
        from core.benchmarks import check_benchmark
        from ui.correlating import Correlated
        from ui.correlation_json import correlated_json

        name = check_benchmark(benchmark) if benchmark else dataset
        table = self._analyst.table(dataset)
        names = [table.metric(metric).name for metric in metrics]
        part = self._part(dataset, slice_name)
        self._check(part, names)
        with self._turn if intervals else nullcontext():
            each = [self._figures(name, metric, part, intervals) for metric in names]
            both = combinations(names, 2) if intervals else ()
            pairs = [self._differences(name, *metrics, part) for metrics in both]
        taus = tuple(tau for found, _ in each for tau in found)
        accuracies = tuple(accuracy for _, found in each for accuracy in found)
        differences = tuple(difference for found in pairs for difference in found)
        if not any(row.n for row in taus) and not any(row.n for row in accuracies):
            raise BadSetting(f"{dataset} has no judgements of the kind that {name} counts: choose another convention.")
        return correlated_json(Correlated(name, taus, accuracies, differences, ()), table.metrics)

    def _part(self, dataset: str, slice_name: str | None) -> _Part:
        stamp = self._analyst.stamp(dataset)
        mask = self._analyst.members(dataset, slice_name).mask.tobytes() if slice_name else None
        return dataset, mask, stamp

    def _check(self, part: _Part, metrics: Sequence[str]) -> None:
        dataset = part[0]
        rows = [row for metric in metrics for row in self._of(metric, part)]
        if not rows:
            raise BadSetting(f"Nothing of {dataset} is both scored and chosen: choose a metric, or a wider slice.")
        if not any(row.judgements or row.pair or row.human is not None for row in rows):
            raise BadSetting(f"People have not judged these samples of {dataset}, so there is nothing to agree with.")

    def _of(self, metric: str, part: _Part) -> "list[JudgedScore]":
        dataset, mask, stamp = part
        rows = self._rows(dataset, stamp).get(metric, [])
        if mask is None:
            return rows
        ids = self._analyst.table(dataset).ids.tolist()
        kept = {sample for sample, chosen in zip(ids, mask, strict=True) if chosen}
        return [row for row in rows if row.sample in kept]

    def _read_rows(self, dataset: str, _stamp: Hashable) -> "dict[str, list[JudgedScore]]":
        from core.benchmarks import by_metric

        return by_metric(judged_scores(self._analyst.workplace.repository.database, dataset))

    def _make_figures(self, benchmark: str, metric: str, part: _Part, intervals: bool) -> "Figures":
        from core.benchmarks import figures
        from core.correlation import DRAWS

        taus, accuracies = figures(benchmark, self._of(metric, part), DRAWS if intervals else 0)
        # Among its own scores only a metric goes by its own name, also where the data set knows it by signatures.
        return [replace(row, metric=metric) for row in taus], [replace(row, metric=metric) for row in accuracies]

    def _make_differences(self, benchmark: str, first: str, second: str, part: _Part) -> "tuple[MetricDifference, ...]":
        from core.benchmarks import rule_of
        from core.comparison import metric_differences

        rows = [*self._of(first, part), *self._of(second, part)]
        rule = rule_of(benchmark, rows)
        found = metric_differences(rows, rule) if rule else ()
        return tuple(replace(one, first=first, second=second) for one in found)
