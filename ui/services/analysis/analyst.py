"""Compute plots, slices and errors for the Analyse page.

Columns (scores and human judgements of a data set's samples) are cached until the data change.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np

from core.analysis.caption_facts import CaptionFacts
from core.analysis.captioners import Captioners
from core.analysis.column_names import split
from core.analysis.score_table import Mask, ScoreTable, falling
from core.analysis.slice_conditions import Lasso, Parting
from core.analysis.slices import SampleColumns, Slice, select
from core.arrays import Floats, Ints
from core.statistics import disagreements, error_scales
from core.types import ErrorScale
from ui.services.analysis.kept_results import Kept
from ui.services.long_work import turn
from ui.services.workplace import Workplace

TABLES_KEPT = 4  # maximum number of small score tables in the cache
SAMPLES_KEPT = (
    2_000_000  # maximum number of samples in all cached tables; a million samples with two metrics take 130 MB
)
MEANS_KEPT = (
    16  # maximum number of small columns in the cache: mean ratings of a criterion, errors, gaps between scores
)
MEANS_SAMPLES = 8_000_000  # maximum number of samples in all cached columns together: 64 MB
TEXTS_KEPT = 1  # maximum number of data sets whose explanations are cached, because these can take 20 MB


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """The samples of a data set that belong to a slice (saved filter)."""

    stamp: str  # version of the data set's columns from which `mask` was computed
    mask: Mask  # (samples,) in the order of the columns; True: the saved filter selects the sample


class Analyst:
    """Computes the Analyse page's results for one opened data folder.

    Columns (scores and human judgements of a data set's samples) are cached until the data change.
    """

    def __init__(self, workplace: Workplace) -> None:
        self.workplace = workplace
        self._turn = Lock()  # one thread reads a table at a time, so that waiting threads find the table in the cache
        self._columns = Kept(
            self._read_columns, TABLES_KEPT, SAMPLES_KEPT, lambda table_and_facts: len(table_and_facts[0])
        )
        self._means = Kept(self._read_means, MEANS_KEPT, MEANS_SAMPLES)
        self._errors = Kept(self._work_out_errors, MEANS_KEPT, MEANS_SAMPLES)
        self._gaps = Kept(self._work_out_gaps, MEANS_KEPT, MEANS_SAMPLES)
        self._captioners = Kept(self._read_captioners, MEANS_KEPT, MEANS_SAMPLES)
        self._texts = lru_cache(TEXTS_KEPT)(self._read_texts)

    def stamp(self, dataset: str) -> Hashable:
        """Return a value that changes when the data set's columns change. Raises NotFound."""
        return self.workplace.repository.analysis.stamp(dataset)

    def table(self, dataset: str, slice_name: str | None = None) -> ScoreTable:
        """Return a data set's score table. Raises NotFound.

        slice_name: return only the samples of this slice (saved filter); None: all samples.
        """
        whole, _ = self._kept(dataset, self.stamp(dataset))
        return whole.where(self.members(dataset, slice_name).mask) if slice_name else whole

    def members(self, dataset: str, slice_name: str) -> Members:
        """Return the samples that belong to a saved slice. Raises NotFound."""
        stamp = self.stamp(dataset)
        chosen = self.workplace.repository.slices.named(dataset, slice_name)
        return Members(str(stamp), self._mask(dataset, stamp, chosen))

    def is_by_error(self, dataset: str, slice_name: str) -> bool:
        """Return whether a saved slice selects samples by a metric's error. Raises NotFound."""
        return self.workplace.repository.slices.named(dataset, slice_name).by_error

    def captions(self, dataset: str) -> CaptionFacts:
        """Return facts about a data set's captions. Raises NotFound."""
        return self._kept(dataset, self.stamp(dataset))[1]

    def codes(self, dataset: str) -> list[tuple[str, ...]]:
        """Return the error codes of each sample of a data set. Raises NotFound."""
        return self._codes(dataset, self.table(dataset))

    def captioners(self, dataset: str) -> Captioners:
        """Return who wrote each caption of a data set. Raises NotFound."""
        return self._captioners(dataset, self.stamp(dataset))

    def signed_errors(self, dataset: str, score: str, scale: ErrorScale) -> Floats:
        """Return a score's errors over a whole data set, (samples,). Raises NotFound."""
        return self._errors(dataset, score, scale, self.stamp(dataset))

    def gaps(self, dataset: str, chosen: Parting) -> Floats:
        """Return how far two scores of each sample differ.

        Shape: (samples,). The value is NaN if a score is missing. `chosen` may require that one score is right (close
        to human judgement) and the other is not. Then the value is also NaN for all other samples. Raises NotFound.
        """
        return self._gaps(dataset, chosen, self.stamp(dataset))

    def pictures(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the address of each sample's thumbnail; key: sample id.

        Samples whose picture was not found are omitted.
        """
        image_ids = self.workplace.repository.samples.picture_ids(ids)
        return {sample: f"/api/images/{image}/small" for sample, image in image_ids.items()}

    def mask(self, dataset: str, chosen: Slice) -> Mask:
        """Return which samples of a data set a slice selects. Raises NotFound.

        The slice may be saved or not.
        """
        return self._mask(dataset, self.stamp(dataset), chosen)

    def ranked_errors(
        self, dataset: str, metric: str, slice_name: str | None, scale: ErrorScale
    ) -> tuple[ScoreTable, Floats, Ints]:
        """Return a data set's samples, ranked by their error.

        The result has the data set's columns, each sample's error, and the samples' indices, largest |error| first.
        Errors of ranks and errors of calibrated scores are always computed over the whole data set. This also holds if
        a slice (saved filter) is chosen. Raises NotFound.
        """
        stamp = self.stamp(dataset)
        whole, _ = self._kept(dataset, stamp)
        error = self._errors(dataset, metric, scale, stamp)
        return whole, error, falling(np.abs(error), self._chosen(dataset, stamp, slice_name))

    def chosen(self, dataset: str, slice_name: str | None) -> Mask | None:
        """Return which samples a saved slice selects; None for all samples. Raises NotFound."""
        return self._chosen(dataset, self.stamp(dataset), slice_name)

    def _chosen(self, dataset: str, stamp: Hashable, slice_name: str | None) -> Mask | None:
        if not slice_name:
            return None
        return self._mask(dataset, stamp, self.workplace.repository.slices.named(dataset, slice_name))

    def _mask(self, dataset: str, stamp: Hashable, chosen: Slice) -> Mask:
        whole, captions = self._kept(dataset, stamp)
        score = None if chosen.metric is None else whole.find(chosen.metric)
        columns = SampleColumns(
            captions=captions,
            human=whole.human,
            levels=whole.levels,
            scores={} if score is None else {score.name: score.value},
            errors={} if score is None else {score.name: np.abs(score.unit - whole.human)},
            ratings=self._ratings(dataset, stamp, chosen.criterion),
            codes=self._codes(dataset, whole) if chosen.code else (),
            captioners=self._captioners(dataset, stamp) if chosen.system else None,
            truncated=self._truncated(dataset, whole, chosen),
            own=self._own(dataset, whole, chosen),
            explained=self._explained(dataset, stamp, chosen),
            gaps=self._gaps_of(dataset, stamp, whole, chosen.parting),
            drawn=_drawn(whole, chosen.lasso),
        )
        return select(chosen, columns)

    def _truncated(self, dataset: str, whole: ScoreTable, chosen: Slice) -> Mask | None:
        if chosen.truncated is None:
            return None
        cut = self.workplace.repository.analysis.truncated(dataset, chosen.truncated)
        return np.isin(whole.ids, sorted(cut))

    def _own(self, dataset: str, whole: ScoreTable, chosen: Slice) -> Mask | None:
        if chosen.own is None:
            return None
        samples = self.workplace.repository.analysis.samples_with(dataset, chosen.own.column, chosen.own.value)
        return np.isin(whole.ids, sorted(samples))

    def _explained(self, dataset: str, stamp: Hashable, chosen: Slice) -> Mask | None:
        own = None if chosen.metric is None else split(chosen.metric)[0]
        return None if chosen.explanation is None else self._texts(dataset, own, stamp).say(chosen.explanation)

    def _gaps_of(self, dataset: str, stamp: Hashable, whole: ScoreTable, chosen: Parting | None) -> Floats | None:
        """Return the differences between two scores by which a slice filters.

        None if the slice has no such filter, or if a score no longer exists.
        """
        if chosen is None or whole.find(chosen.first) is None or whole.find(chosen.second) is None:
            return None
        return self._gaps(dataset, chosen, stamp)

    def _work_out_errors(self, dataset: str, score: str, scale: ErrorScale, stamp: Hashable) -> Floats:
        whole, _ = self._kept(dataset, stamp)
        return error_scales.errors(scale, whole.metric(score).unit, whole.human, whole.images)

    def _work_out_gaps(self, dataset: str, chosen: Parting, stamp: Hashable) -> Floats:
        whole, _ = self._kept(dataset, stamp)
        if chosen.by in ("scores", "ranks"):
            units = (whole.metric(chosen.first).unit, whole.metric(chosen.second).unit)
            ranks = chosen.by == "ranks"
            return np.abs(disagreements.rank_shift(*units)) if ranks else disagreements.distance(*units)
        first, second = (self._errors(dataset, one, chosen.errors, stamp) for one in (chosen.first, chosen.second))
        return disagreements.only_right(
            "first" if chosen.by == "first right" else "second", first, second, chosen.tolerance
        )

    def _read_texts(self, dataset: str, metric: str | None, stamp: Hashable) -> CaptionFacts:
        whole, _ = self._kept(dataset, stamp)
        return CaptionFacts(self.workplace.repository.analysis.explanations(dataset, whole.ids, metric))

    def _ratings(self, dataset: str, stamp: Hashable, criterion: str | None) -> dict[str, Floats]:
        """Return samples' mean ratings on a criterion; key: the criterion.

        A slice (saved filter) may filter samples by these ratings. criterion None: the slice does not, so nothing is
        read and the result is empty.
        """
        if criterion is None:
            return {}
        rated = self.workplace.repository.analysis.ratings_stamp()
        return {criterion: self._means(dataset, criterion, stamp, rated)}

    def _codes(self, dataset: str, whole: ScoreTable) -> list[tuple[str, ...]]:
        codes = self.workplace.repository.codings.by_sample(dataset)
        return [codes.get(sample, ()) for sample in whole.ids.tolist()]

    def _kept(self, dataset: str, stamp: Hashable) -> tuple[ScoreTable, CaptionFacts]:
        with turn(self._turn, "Waiting until another page has read these samples and scores"):
            return self._columns(dataset, stamp)

    def _read_columns(self, dataset: str, _stamp: Hashable) -> tuple[ScoreTable, CaptionFacts]:
        table = self.workplace.repository.analysis.table(dataset)
        return table, CaptionFacts(table.captions)

    def _read_captioners(self, dataset: str, stamp: Hashable) -> Captioners:
        whole, _ = self._kept(dataset, stamp)
        return self.workplace.repository.analysis.captioners(dataset, whole.ids)

    def _read_means(self, dataset: str, criterion: str, stamp: Hashable, _rated: Hashable) -> Floats:
        whole, _ = self._kept(dataset, stamp)
        return self.workplace.repository.analysis.mean_points(dataset, criterion, whole.ids)


def _drawn(whole: ScoreTable, lasso: Lasso | None) -> tuple[Floats, Floats] | None:
    """Return the values on both axes of the plot of a lasso.

    A lasso is a closed line that a user drew in a plot of two columns. None: there is no lasso, or a score that was
    plotted no longer exists.
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
