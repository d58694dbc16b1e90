"""What the Analyse page asks for: correlations, plots, the largest errors. Score tables are kept while data stay."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from core.errors import BadSetting
from core.score_table import ScoreTable, by_error
from storage.judged import judged_scores
from ui.correlating import correlate_rows
from ui.services import Workplace

if TYPE_CHECKING:
    from core.comparison import MetricDifference
    from core.joining import JudgedScore
    from core.types import Variant
    from ui.correlating import Correlated

TABLES_KEPT = 4  # score tables in memory; one of 42,166 samples takes some 20 MB
FIGURES_KEPT = 32  # correlations, which take a second or two each


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """Some of the samples with the largest errors."""

    total: int  # samples with a score and a human judgement
    first: int  # rank of the first row, from 1
    rows: tuple[dict[str, Any], ...]  # id, key, caption, human, value (exact, on [0, 1]), error


class Analyst:
    """Answers the page's questions about one workplace; remembers answers until an import changes the data."""

    def __init__(self, workplace: Workplace) -> None:
        self.workplace = workplace
        # One thread computes, the others then find it done; plots do not wait for correlations.
        self._tables, self._figures = Lock(), Lock()
        self._table = lru_cache(TABLES_KEPT)(self._read_table)
        self._rows = lru_cache(TABLES_KEPT)(self._read_rows)
        self._correlations = lru_cache(FIGURES_KEPT)(self._correlate)

    def table(self, dataset: str) -> ScoreTable:
        """Return a data set's score table. Raises NotFound."""
        with self._tables:
            return self._table(dataset, self.workplace.repository.analysis.stamp(dataset))

    def correlations(self, dataset: str, metrics: Sequence[str], benchmark: str | None) -> dict[str, Any]:
        """Return every figure of agreement, ours beside the published ones. Raises NotFound, BadSetting."""
        with self._figures:
            stamp = self.workplace.repository.analysis.stamp(dataset)
            return self._correlations(dataset, tuple(metrics), benchmark, stamp)

    def errors(self, dataset: str, metric: str, offset: int, limit: int) -> ErrorPage:
        """Return a page of the samples by falling |metric - human|. Raises NotFound."""
        table = self.table(dataset)
        order = by_error(table, metric)
        unit, error = table.metric(metric).unit, table.error(metric)
        rows = tuple(
            {
                "id": int(table.ids[i]),
                "key": table.keys[i],
                "caption": table.captions[i],
                "human": float(table.human[i]),
                "value": float(unit[i]),
                "error": float(error[i]),
            }
            for i in order[offset : offset + limit]
        )
        return ErrorPage(len(order), offset + 1, rows)

    def _read_table(self, dataset: str, _stamp: Hashable) -> ScoreTable:
        return self.workplace.repository.analysis.table(dataset)

    def _read_rows(self, dataset: str, _stamp: Hashable) -> "dict[str, list[JudgedScore]]":
        from core.benchmarks import by_metric

        return by_metric(judged_scores(self.workplace.repository.database, dataset))

    def _correlate(
        self, dataset: str, metrics: tuple[str, ...], benchmark: str | None, stamp: Hashable
    ) -> dict[str, Any]:
        from core.benchmarks import check_benchmark

        name = check_benchmark(benchmark) if benchmark else dataset
        by_name = self._rows(dataset, stamp)
        table = self.table(dataset)
        rows = [row for metric in metrics for row in by_name[table.metric(metric).name]]
        if not rows:
            raise BadSetting(f"Nothing of {dataset} is both scored and chosen: choose a metric, or a wider slice.")
        return correlated_json(correlate_rows(name, rows, []))


def correlated_json(found: "Correlated") -> dict[str, Any]:
    """Return correlations as the page and the report get them: taus and accuracies times 100."""
    taus = [
        row.as_json()
        | {"convention": row.convention, "note": row.note}
        | {"published": published_json(row.benchmark, row.metric, row.variant)}
        for row in found.taus
    ]
    accuracies = [
        row.as_json() | {"published": published_json(row.benchmark, row.metric, row.variant, row.category)}
        for row in found.accuracies
    ]
    return {
        "benchmark": found.benchmark,
        "taus": taus,
        "accuracies": accuracies,
        "differences": [difference_json(row) for row in found.differences],
        "remarks": found.remarks,
    }


def published_json(
    benchmark: str, metric: str, variant: "Variant", category: str | None = None
) -> list[dict[str, Any]]:
    """Return what papers printed of the same quantity, with the paper and its table."""
    from core.published import published

    return [
        {"quantity": number.quantity, "value": number.value, "paper": number.paper, "table": number.table}
        for number in published(benchmark, metric, variant)
        if number.category in (None, category)
    ]


def difference_json(row: "MetricDifference") -> dict[str, Any]:
    """Return the comparison of two metrics, tau and interval times 100."""
    found = row.result
    low, high = (100 * found.interval.low, 100 * found.interval.high) if found.interval else (None, None)
    difference = None if found.difference is None else 100 * found.difference
    figures = {"n": found.n, "difference": difference, "ci_low": low, "ci_high": high, "p": found.p}
    return {"first": row.first, "second": row.second, "tau": found.tau, "note": found.note} | figures
