"""What the Analyse page asks for: correlations, plots, the largest errors. Score tables are kept while data stay."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadSetting
from core.score_table import Mask, ScoreTable, by_error
from core.slices import SampleColumns, Slice, select
from storage.judged import judged_scores
from ui.correlating import correlate_rows
from ui.correlation_json import correlated_json
from ui.services import Workplace

if TYPE_CHECKING:
    from core.joining import JudgedScore

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

    def table(self, dataset: str, slice_name: str | None = None) -> ScoreTable:
        """Return a data set's score table, or the part of it that a saved slice holds. Raises NotFound."""
        with self._tables:
            whole = self._table(dataset, self.workplace.repository.analysis.stamp(dataset))
        if not slice_name:
            return whole
        return whole.where(self.mask(dataset, whole, self.workplace.repository.slices.named(dataset, slice_name)))

    def mask(self, dataset: str, whole: ScoreTable, chosen: Slice) -> Mask:
        """Return which samples of a data set a slice holds, saved or not."""
        repository = self.workplace.repository
        # Ratings and codes are read only for a slice that asks for them: there can be a million ratings.
        points = repository.analysis.mean_points(dataset) if chosen.criterion else {}
        codes = repository.codings.by_sample(dataset) if chosen.code else {}
        ids = whole.ids.tolist()
        columns = SampleColumns(
            captions=whole.captions,
            human=whole.human,
            levels=whole.levels,
            scores={name: column.value for name, column in whole.metrics.items()},
            errors={name: np.abs(whole.error(name)) for name in whole.metrics},
            ratings={name: np.array([means.get(i, np.nan) for i in ids]) for name, means in points.items()},
            codes=[codes.get(i, ()) for i in ids] if codes else (),
        )
        return select(chosen, columns)

    def correlations(
        self, dataset: str, metrics: Sequence[str], benchmark: str | None, slice_name: str | None = None
    ) -> dict[str, Any]:
        """Return every figure of agreement, ours beside the published ones. Raises NotFound, BadSetting."""
        part = tuple(self.table(dataset, slice_name).ids.tolist()) if slice_name else None
        with self._figures:
            stamp = self.workplace.repository.analysis.stamp(dataset)
            return self._correlations(dataset, tuple(metrics), benchmark, part, stamp)

    def errors(self, dataset: str, metric: str, offset: int, limit: int, slice_name: str | None = None) -> ErrorPage:
        """Return a page of the samples by falling |metric - human|. Raises NotFound."""
        table = self.table(dataset, slice_name)
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
        self,
        dataset: str,
        metrics: tuple[str, ...],
        benchmark: str | None,
        part: tuple[int, ...] | None,
        stamp: Hashable,
    ) -> dict[str, Any]:
        from core.benchmarks import check_benchmark

        name = check_benchmark(benchmark) if benchmark else dataset
        by_name, table = self._rows(dataset, stamp), self.table(dataset)
        rows = [row for metric in metrics for row in by_name[table.metric(metric).name]]
        if part is not None:
            kept = set(part)
            rows = [row for row in rows if row.sample in kept]
        if not rows:
            raise BadSetting(f"Nothing of {dataset} is both scored and chosen: choose a metric, or a wider slice.")
        if not any(row.judgements or row.pair or row.human is not None for row in rows):
            raise BadSetting(f"People have not judged these samples of {dataset}, so there is nothing to agree with.")
        return correlated_json(correlate_rows(name, rows, []))
