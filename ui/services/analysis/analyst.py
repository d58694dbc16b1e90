"""The columns of data sets (scores, human judgements, captions), cached until the data change, and slices of them."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Any

import numpy as np

from core.analysis.caption_facts import CaptionFacts
from core.analysis.captioners import Captioners
from core.analysis.column_names import split
from core.analysis.omissions import Mentions
from core.analysis.score_table import Mask, ScoreTable, falling
from core.analysis.slice_conditions import Lasso, Parting
from core.analysis.slices import SampleColumns, Slice, select
from core.arrays import Floats, Ints
from core.benchmarks.columns import Columns, with_scores
from core.datasets import BENCHMARKS, benchmark_named
from core.statistics import disagreements, error_scales
from core.types import ErrorScale
from ui.services.long_work import turn
from ui.services.workplace import Workplace

KEPT = 40  # maximum number of cached results
SAMPLES_KEPT = 12_000_000  # maximum number of samples in all cached results together: about 500 MB


class Analyst:
    """Reads the columns of one data folder's data sets, and computes masks, errors and differences from them."""

    def __init__(self, workplace: Workplace) -> None:
        self.workplace = workplace
        self._turn = Lock()  # one thread reads columns at a time, so that waiting threads find them in the cache
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()  # the newest result is at the end

    def kept(self, key: Hashable, samples: int, make: Callable[[], Any]) -> Any:
        """Return a cached result, or make it.

        key: must contain a stamp that changes with the data. samples: the size of the result.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        made = make()
        with self._lock:
            self._kept[key] = made, samples
            while len(self._kept) > 1 and (
                len(self._kept) > KEPT or sum(n for _, n in self._kept.values()) > SAMPLES_KEPT
            ):
                self._kept.popitem(last=False)
        return made

    def stamp(self, dataset: str) -> Hashable:
        """Return a value that changes when the data set's columns change. Raises NotFound."""
        return self.workplace.repository.analysis.stamp(dataset)

    def _of(self, what: str, dataset: str, *args: Hashable, make: Callable[[], Any]) -> Any:
        """Return a cached result that is as long as the data set."""
        return self.kept((what, dataset, self.stamp(dataset), *args), len(self.table(dataset)), make)

    def _read(self, dataset: str) -> tuple[ScoreTable, CaptionFacts]:
        stamp = self.stamp(dataset)

        def read() -> tuple[ScoreTable, CaptionFacts]:
            table = self.workplace.repository.analysis.table(dataset)
            return table, CaptionFacts(table.captions)

        with turn(self._turn, "Waiting until another page has read these samples and scores"):
            found: tuple[ScoreTable, CaptionFacts] = self.kept(("table", dataset, stamp), 0, read)
        return found

    def table(self, dataset: str, slice_name: str | None = None) -> ScoreTable:
        """Return a data set's score table, or only the samples of a slice. Raises NotFound."""
        whole, _ = self._read(dataset)
        within = self.chosen(dataset, slice_name)
        return whole if within is None else whole.where(within)

    def captions(self, dataset: str) -> CaptionFacts:
        """Return facts about a data set's captions. Raises NotFound."""
        return self._read(dataset)[1]

    def judged(self, dataset: str) -> Columns:
        """Return every metric's scores with the human judgements, in the score table's order. Raises NotFound."""
        table = self.table(dataset)

        def read() -> Columns:
            return with_scores(self.workplace.repository.analysis.judged(dataset), table)

        found: Columns = self._of("judged", dataset, make=read)
        return found

    def benchmark(self, dataset: str, chosen: str | None = None) -> str:
        """Return the benchmark whose rule applies to a data set. Raises NotFound for an unknown chosen one.

        By default it is the benchmark from whose files the data set was imported, else the data set's own name.
        """
        if chosen:
            return benchmark_named(chosen).name
        stored = self.workplace.repository.analysis.benchmark(dataset)
        return stored if stored in {benchmark.name for benchmark in BENCHMARKS} else dataset

    def captioners(self, dataset: str) -> Captioners:
        """Return who wrote each caption of a data set. Raises NotFound."""
        ids = self.table(dataset).ids
        read = self.workplace.repository.analysis.captioners
        found: Captioners = self._of("captioners", dataset, make=lambda: read(dataset, ids))
        return found

    def mentions(self, dataset: str, metric: str) -> Mentions:
        """Return which regions captions mention, according to a metric. Raises NotFound."""
        ids = self.table(dataset).ids

        def read() -> Mentions:
            found = self.workplace.repository.analysis.mentions(dataset, metric)
            return found.where(
                np.isin(found.sample, ids)
            )  # without samples that were imported after the table was read

        mentions: Mentions = self._of("mentions", dataset, metric, make=read)
        return mentions

    def codes(self, dataset: str) -> list[tuple[str, ...]]:
        """Return the error codes of each sample of a data set. Raises NotFound."""
        codes = self.workplace.repository.codings.by_sample(dataset)
        return [codes.get(sample, ()) for sample in self.table(dataset).ids.tolist()]

    def errors(self, dataset: str, score: str, scale: ErrorScale) -> Floats:
        """Return a score's errors over a whole data set, (samples,). Raises NotFound."""
        whole = self.table(dataset)

        def work() -> Floats:
            return error_scales.errors(scale, whole.metric(score).unit, whole.human, whole.images)

        found: Floats = self._of("errors", dataset, score, scale, make=work)
        return found

    def largest_errors(self, dataset: str, score: str, scale: ErrorScale, slice_name: str | None) -> Ints:
        """Return the indices of samples, largest |error| first. Errors are those over the whole data set."""
        return falling(np.abs(self.errors(dataset, score, scale)), self.chosen(dataset, slice_name))

    def gaps(self, dataset: str, chosen: Parting) -> Floats:
        """Return how far two scores of each sample differ, (samples,); NaN: a score is missing.

        `chosen` may require that one score is right (close to human judgement) and the other is not. Then the value is
        also NaN for all other samples. Raises NotFound.
        """
        whole = self.table(dataset)

        def work() -> Floats:
            if chosen.by in ("scores", "ranks"):
                units = (whole.metric(chosen.first).unit, whole.metric(chosen.second).unit)
                ranks = chosen.by == "ranks"
                return np.abs(disagreements.rank_shift(*units)) if ranks else disagreements.distance(*units)
            first, second = (self.errors(dataset, one, chosen.errors) for one in (chosen.first, chosen.second))
            side: disagreements.Side = "first" if chosen.by == "first right" else "second"
            return disagreements.only_right(side, first, second, chosen.tolerance)

        found: Floats = self._of("gaps", dataset, chosen, make=work)
        return found

    def pictures(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the address of each sample's thumbnail; samples whose picture was not found are omitted."""
        image_ids = self.workplace.repository.samples.picture_ids(ids)
        return {sample: f"/api/images/{image}/small" for sample, image in image_ids.items()}

    def chosen(self, dataset: str, slice_name: str | None) -> Mask | None:
        """Return which samples a saved slice selects; None for all samples. Raises NotFound."""
        return self.mask(dataset, self.workplace.repository.slices.named(dataset, slice_name)) if slice_name else None

    def mask(self, dataset: str, chosen: Slice) -> Mask:
        """Return which samples of a data set a slice selects. The slice may be saved or not. Raises NotFound."""
        (whole, captions), analysis = self._read(dataset), self.workplace.repository.analysis
        score = None if chosen.metric is None else whole.find(chosen.metric)
        columns = SampleColumns(
            captions=captions,
            human=whole.human,
            levels=whole.levels,
            scores={} if score is None else {score.name: score.value},
            errors={} if score is None else {score.name: np.abs(score.unit - whole.human)},
            ratings=self._ratings(dataset, chosen.criterion),
            codes=self.codes(dataset) if chosen.code else (),
            captioners=self.captioners(dataset) if chosen.system else None,
            truncated=_among(whole, analysis.truncated(dataset, chosen.truncated)) if chosen.truncated else None,
            own=_among(whole, analysis.samples_with(dataset, chosen.own.column, chosen.own.value))
            if chosen.own
            else None,
            explained=self._explained(dataset, chosen),
            gaps=self._gaps(dataset, whole, chosen.parting),
            drawn=_drawn(whole, chosen.lasso),
        )
        return select(chosen, columns)

    def _explained(self, dataset: str, chosen: Slice) -> Mask | None:
        if chosen.explanation is None:
            return None
        own, ids = None if chosen.metric is None else split(chosen.metric)[0], self.table(dataset).ids

        def read() -> CaptionFacts:
            return CaptionFacts(self.workplace.repository.analysis.explanations(dataset, ids, own))

        texts: CaptionFacts = self._of("explanations", dataset, own, make=read)
        return texts.say(chosen.explanation)

    def _gaps(self, dataset: str, whole: ScoreTable, chosen: Parting | None) -> Floats | None:
        """Return the differences by which a slice filters; None: no such filter, or a score no longer exists."""
        if chosen is None or whole.find(chosen.first) is None or whole.find(chosen.second) is None:
            return None
        return self.gaps(dataset, chosen)

    def _ratings(self, dataset: str, criterion: str | None) -> dict[str, Floats]:
        """Return samples' mean ratings on the criterion of a slice; key: the criterion."""
        if criterion is None:
            return {}
        analysis, ids = self.workplace.repository.analysis, self.table(dataset).ids
        rated = analysis.ratings_stamp()
        means = self._of("means", dataset, criterion, rated, make=lambda: analysis.mean_points(dataset, criterion, ids))
        return {criterion: means}


def _among(whole: ScoreTable, samples: frozenset[int]) -> Mask:
    return np.isin(whole.ids, sorted(samples))


def _drawn(whole: ScoreTable, lasso: Lasso | None) -> tuple[Floats, Floats] | None:
    """Return the values on both axes of the plot in which a line was drawn.

    None: there is no line, or a score that was plotted no longer exists.
    """
    if lasso is None:
        return None
    across, up = (_along(whole, axis) for axis in (lasso.x, lasso.y))
    return None if across is None or up is None else (across, up)


def _along(whole: ScoreTable, axis: str | None) -> Floats | None:
    if axis is None:
        return whole.human
    column = whole.find(axis)
    return None if column is None else column.value
