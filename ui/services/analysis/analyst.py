"""The columns of data sets, and results computed from them, cached until the data change; and slices of the samples."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from core.analysis.caption_words import have, lengths, say
from core.analysis.omissions import Mentions
from core.analysis.score_table import Mask, ScoreTable, split
from core.analysis.slices import Slice
from core.arrays import Floats
from core.datasets import BENCHMARKS, benchmark_named
from core.statistics import error_scales
from core.types import ErrorScale
from ui.services.workplace import Workplace

T = TypeVar("T")
DATASETS = 4  # maximum number of data sets whose columns stay in memory
RESULTS = 40  # maximum number of results that stay in memory for each of them


@dataclass(slots=True)
class _Kept:
    stamp: Hashable
    table: ScoreTable
    results: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)  # the newest result is at the end


class Analyst:
    """Reads the columns of one data folder's data sets, and computes masks and errors from them."""

    def __init__(self, workplace: Workplace) -> None:
        self.workplace = workplace
        self.reads = workplace.repository.analysis
        self._turn = Lock()  # one thread reads columns at a time, so that waiting threads find them in the cache
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def _of(self, dataset: str) -> _Kept:
        """Return a data set's columns and results, read again if the data set changed. Raises NotFound."""
        stamp = self.reads.stamp(dataset)
        with self._turn:
            known = self._kept.pop(dataset, None)
            if known is None or known.stamp != stamp:
                known = _Kept(stamp, self.reads.table(dataset))
            self._kept[dataset] = known
            while len(self._kept) > DATASETS:
                self._kept.popitem(last=False)
        return known

    def cached(self, dataset: str, key: Hashable, make: Callable[[], T]) -> T:
        """Return a result that is cached until the data set's samples or scores change, or make it."""
        results = self._of(dataset).results
        made: T
        try:
            made = results[key]
        except KeyError:
            made = results[key] = make()
        while len(results) > RESULTS:
            results.popitem(last=False)
        return made

    def table(self, dataset: str, slice_name: str | None = None) -> ScoreTable:
        """Return a data set's score table, or only the samples of a slice. Raises NotFound."""
        whole, within = self._of(dataset).table, self.chosen(dataset, slice_name)
        return whole if within is None else whole.where(within)

    def benchmark(self, dataset: str, chosen: str | None = None) -> str:
        """Return the benchmark whose rule applies to a data set. Raises NotFound for an unknown chosen one.

        By default it is the benchmark from whose files the data set was imported, else the data set's own name.
        """
        if chosen:
            return benchmark_named(chosen).name
        stored = self.reads.benchmark(dataset)
        return stored if stored in {benchmark.name for benchmark in BENCHMARKS} else dataset

    def mentions(self, dataset: str, metric: str) -> Mentions:
        """Return which regions captions mention, according to a metric. Raises NotFound."""
        ids = self.table(dataset)["id"]
        return self.cached(dataset, ("mentions", metric), lambda: self.reads.mentions(dataset, metric).of(ids))

    def codes(self, dataset: str) -> list[tuple[str, ...]]:
        """Return the error codes of each sample of a data set. Raises NotFound."""
        codes = self.workplace.repository.codings.by_sample(dataset)
        return [codes.get(sample, ()) for sample in self.table(dataset)["id"].tolist()]

    def errors(self, dataset: str, score: str, scale: ErrorScale) -> Floats:
        """Return a score's errors over a whole data set, (samples,). Raises NotFound."""
        whole = self.table(dataset)

        def work() -> Floats:
            return error_scales.errors(scale, whole.metric(score).unit, whole["human"], whole["image"])

        return self.cached(dataset, ("errors", score, scale), work)

    def listed(self, samples: pd.DataFrame, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the rows of a list: id, key, picture (address of the thumbnail) and caption of samples, and values.

        samples: rows of a score table's samples. values: (rows,) each; key: head of the column. NaN becomes None.
        """
        images = self.workplace.repository.samples.picture_ids(samples["id"].tolist())
        pictures = [f"/api/images/{images[sample]}/small" if sample in images else None for sample in samples["id"]]
        cells = samples[["id", "key"]].assign(picture=pictures, caption=samples["caption"], **values).astype(object)
        rows: list[dict[str, Any]] = cells.where(cells.notna(), None).to_dict("records")
        return rows

    def chosen(self, dataset: str, slice_name: str | None) -> Mask | None:
        """Return which samples a saved slice selects; None for all samples. Raises NotFound."""
        if not slice_name:
            return None
        saved = self.workplace.repository.slices.named(dataset, slice_name)
        return self.cached(dataset, (saved, self.reads.report_stamp()), lambda: self.mask(dataset, saved))

    def mask(self, dataset: str, chosen: Slice) -> Mask:
        """Return which samples of a data set a slice selects. The slice may be saved or not. Raises NotFound."""
        whole = self.table(dataset)
        holds = np.ones(len(whole), dtype=bool)
        for condition in self._conditions(dataset, whole, chosen):
            holds &= condition
        return holds

    def _conditions(self, dataset: str, whole: ScoreTable, chosen: Slice) -> Iterator[Mask]:
        """Yield which samples meet each condition of a slice, (samples,).

        A condition on a score that no longer exists holds for no sample.
        """
        score, captions = whole.find(chosen.metric) if chosen.metric else None, whole["caption"]
        axes = (chosen.lasso.x, chosen.lasso.y) if chosen.lasso else ()
        if (score is None and (chosen.score or chosen.error)) or any(axis and not whole.find(axis) for axis in axes):
            yield np.zeros(len(whole), dtype=bool)
            return
        if score is not None and chosen.score is not None:
            yield chosen.score.holds(score.value)
        if score is not None and chosen.error is not None:
            yield chosen.error.holds(np.abs(score.unit - whole["human"]))
        if chosen.human is not None:
            yield chosen.human.holds(whole["human"])
        if chosen.criterion is not None and chosen.rating is not None:
            yield chosen.rating.holds(self.reads.mean_points(dataset, chosen.criterion, whole["id"]))
        if chosen.lasso is not None:
            yield chosen.lasso.holds(*(whole.metric(axis).value if axis else whole["human"] for axis in axes))
        if chosen.words is not None:
            yield chosen.words.holds(lengths(captions))
        if chosen.phrase is not None:
            yield have(captions, chosen.phrase)
        if chosen.caption is not None:
            yield say(captions, chosen.caption)
        if chosen.explanation is not None:
            by = None if chosen.metric is None else split(chosen.metric)[0]
            yield say(self.reads.explanations(dataset, whole["id"], by), chosen.explanation)
        if chosen.system is not None:
            yield (whole.samples["captioner"] == chosen.system).to_numpy()
        if chosen.own is not None:
            own = self.reads.own_values(dataset)
            of = own.index[own[chosen.own.column] == chosen.own.value] if chosen.own.column in own else []
            yield np.isin(whole["id"], of)
        if chosen.code is not None:
            yield np.array([chosen.code in given for given in self.codes(dataset)], dtype=bool)
