"""What the Analyse page asks for: plots, slices, the largest errors; columns are kept while the data stay."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np

from core.analysis.caption_facts import CaptionFacts
from core.analysis.score_table import Mask, ScoreTable, by_error
from core.analysis.slices import SampleColumns, Slice, select
from core.arrays import Floats
from ui.services.workplace import Workplace

TABLES_KEPT = 4  # score tables in memory; one of 42,166 samples takes some 20 MB
MEANS_KEPT = 16  # mean ratings on a criterion: 0.3 MB each at 42,166 samples


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """A sample whose score and human judgement part."""

    id: int
    key: str
    caption: str
    human: float  # exact, [0, 1]
    value: float  # exact, rescaled to [0, 1]
    error: float  # value - human


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """Some of the samples with the largest errors."""

    total: int  # samples with a score and a human judgement
    first: int  # rank of the first row, from 1
    rows: tuple[ErrorRow, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """Which samples of a data set belong to a slice."""

    stamp: str  # of the columns that the mask belongs to
    mask: Mask  # (samples,) in the order of the columns


class Analyst:
    """Answers the page's questions about one workplace; remembers columns until an import or a rating changes them."""

    def __init__(self, workplace: Workplace) -> None:
        self.workplace = workplace
        self._turn = Lock()  # one thread reads a table, the others then find it there
        self._columns = lru_cache(TABLES_KEPT)(self._read_columns)
        self._means = lru_cache(MEANS_KEPT)(self._read_means)

    def stamp(self, dataset: str) -> Hashable:
        """Return a value that changes whenever the data set's columns do. Raises NotFound."""
        return self.workplace.repository.analysis.stamp(dataset)

    def table(self, dataset: str, slice_name: str | None = None) -> ScoreTable:
        """Return a data set's score table, or the part of it that a saved slice holds. Raises NotFound."""
        whole, _ = self._kept(dataset, self.stamp(dataset))
        return whole.where(self.members(dataset, slice_name).mask) if slice_name else whole

    def members(self, dataset: str, slice_name: str) -> Members:
        """Return which samples belong to a saved slice. Raises NotFound."""
        stamp = self.stamp(dataset)
        chosen = self.workplace.repository.slices.named(dataset, slice_name)
        return Members(str(stamp), self._mask(dataset, stamp, chosen))

    def is_by_error(self, dataset: str, slice_name: str) -> bool:
        """Return whether a saved slice chooses samples by how far a metric is from people. Raises NotFound."""
        return self.workplace.repository.slices.named(dataset, slice_name).error is not None

    def mask(self, dataset: str, chosen: Slice) -> Mask:
        """Return which samples of a data set a slice holds, saved or not. Raises NotFound."""
        return self._mask(dataset, self.stamp(dataset), chosen)

    def errors(self, dataset: str, metric: str, offset: int, limit: int, slice_name: str | None = None) -> ErrorPage:
        """Return a page of the samples by falling |metric - human|. Raises NotFound."""
        table = self.table(dataset, slice_name)
        order = by_error(table, metric)
        unit, error = table.metric(metric).unit, table.error(metric)
        rows = tuple(
            ErrorRow(
                id=int(table.ids[i]),
                key=table.keys[i],
                caption=table.captions[i],
                human=float(table.human[i]),
                value=float(unit[i]),
                error=float(error[i]),
            )
            for i in order[offset : offset + limit]
        )
        return ErrorPage(len(order), offset + 1, rows)

    def _mask(self, dataset: str, stamp: Hashable, chosen: Slice) -> Mask:
        whole, captions = self._kept(dataset, stamp)
        columns = SampleColumns(
            captions=captions,
            human=whole.human,
            levels=whole.levels,
            scores={name: column.value for name, column in whole.metrics.items()},
            errors={name: np.abs(whole.error(name)) for name in whole.metrics if name == chosen.metric},
            ratings=self._ratings(dataset, stamp, chosen.criterion),
            codes=self._codes(dataset, whole) if chosen.code else (),
        )
        return select(chosen, columns)

    def _ratings(self, dataset: str, stamp: Hashable, criterion: str | None) -> dict[str, Floats]:
        """Return the mean ratings on a slice's criterion; only a slice that asks for them has them read."""
        if criterion is None:
            return {}
        rated = self.workplace.repository.analysis.ratings_stamp()
        return {criterion: self._means(dataset, criterion, stamp, rated)}

    def _codes(self, dataset: str, whole: ScoreTable) -> list[tuple[str, ...]]:
        codes = self.workplace.repository.codings.by_sample(dataset)
        return [codes.get(sample, ()) for sample in whole.ids.tolist()]

    def _kept(self, dataset: str, stamp: Hashable) -> tuple[ScoreTable, CaptionFacts]:
        with self._turn:
            return self._columns(dataset, stamp)

    def _read_columns(self, dataset: str, _stamp: Hashable) -> tuple[ScoreTable, CaptionFacts]:
        table = self.workplace.repository.analysis.table(dataset)
        return table, CaptionFacts(table.captions)

    def _read_means(self, dataset: str, criterion: str, stamp: Hashable, _rated: Hashable) -> Floats:
        whole, _ = self._kept(dataset, stamp)
        return self.workplace.repository.analysis.mean_points(dataset, criterion, whole.ids)
