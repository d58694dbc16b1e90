"""Read data for the analysis: score tables, raters' answers, and the data sets that can be analysed."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, false, func, or_, select

from core.analysis.score_table import Parts, ScoreTable, Version, metric_labels
from storage.analysis import columns, explained, ratings
from storage.data.datasets import find_dataset, stored_benchmark
from storage.data.hidden_datasets import VISIBLE
from storage.engine.database import Operations
from storage.tables import DatasetCountRow, DatasetRow, SampleRow, ScoreRow

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ScoredDataset:
    """A data set with scores, which can be analysed."""

    name: str
    samples: int
    judged: bool  # True: people judged the captions, or chose between two captions
    rated: bool  # True: people judged captions separately, not in pairs
    annotated: int  # number of pictures with regions
    notice: str  # a warning for everyone who sees the data set's data, or ""
    captioners: bool  # True: at least two captioners are known
    benchmark: str | None  # benchmark whose files were imported into the data set; None: unknown


def _of_dataset(read: Callable[Concatenate[Connection, int, P], T]) -> "Callable[Concatenate[Analysis, str, P], T]":
    """Make a method that reads from the data set with a name. The method raises NotFound.

    read: takes a connection, the data set's id and further arguments.
    """

    def method(self: "Analysis", dataset: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with self._database.read() as connection:
            return read(connection, find_dataset(connection, dataset), *args, **kwargs)

    method.__doc__ = read.__doc__
    return method


def _labels(connection: Connection, dataset_id: int) -> Mapping[Version, str]:
    """Return a short name for each metric of a data set; key: the metric's name and the signature of its scores."""
    return metric_labels(columns.versions(connection, dataset_id))


class Analysis(Operations):
    """Operations that read a whole data set."""

    stamp = _of_dataset(ratings.data_stamp)
    mean_points = _of_dataset(ratings.mean_points)
    studies = _of_dataset(ratings.rated_studies)
    captioner_names = _of_dataset(columns.captioner_names)
    own_values = _of_dataset(columns.own_values)
    telling_metrics = _of_dataset(explained.telling_metrics)
    mentions = _of_dataset(explained.mentions)
    explanations = _of_dataset(explained.explanations)
    labels = _of_dataset(_labels)

    def report_stamp(self) -> Hashable:
        """Return a value that changes with ratings and error codes of any data set."""
        with self._database.read() as connection:
            return ratings.report_stamp(connection)

    def table(self, dataset: str) -> ScoreTable:
        """Return a data set's samples, judgements and scores as columns. Raises NotFound.

        The components of a metric's scores, such as precision, are read when a caller first asks for them.
        """
        with self._database.read() as connection:
            table = columns.score_table(connection, find_dataset(connection, dataset))
        return replace(table, parts=lru_cache(partial(self._parts, table)))

    def _parts(self, table: ScoreTable, metric: str) -> Parts:
        with self._database.read() as connection:
            return columns.parts(connection, table["id"], table.metrics[metric])

    def scored_datasets(self) -> tuple[ScoredDataset, ...]:
        """Return the data sets that have a score. Judged data sets come first, and large ones before small ones."""
        of_dataset = SampleRow.dataset_id == DatasetRow.id
        samples = select(func.count()).where(of_dataset).scalar_subquery()
        scored = select(ScoreRow.id).join(SampleRow).where(of_dataset).exists()
        rated = select(SampleRow.id).where(of_dataset, SampleRow.human.is_not(None)).exists()
        judged = or_(rated, select(SampleRow.id).where(of_dataset, SampleRow.pair.is_not(None)).exists())
        of_annotated = DatasetCountRow.dataset_id == DatasetRow.id, DatasetCountRow.counted == "annotated"
        annotated = select(func.coalesce(func.sum(DatasetCountRow.number), 0)).where(*of_annotated).scalar_subquery()
        named = of_dataset, SampleRow.system.is_not(None)
        first, last = (select(of(SampleRow.system)).where(*named).scalar_subquery() for of in (func.min, func.max))
        several = func.coalesce(first < last, false())
        facts = (judged, rated, annotated, DatasetRow.notice, several, DatasetRow.benchmark)
        query = select(DatasetRow.name, samples, *facts).where(VISIBLE, scored)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(judged.desc(), samples.desc(), DatasetRow.name))
            return tuple(ScoredDataset(*row) for row in rows)

    def benchmark(self, dataset: str) -> str | None:
        """Return the benchmark whose files a data set was imported from; None if it is unknown."""
        with self._database.read() as connection:
            return stored_benchmark(connection, dataset)

    def imported_from(self, benchmark: str) -> tuple[str, ...]:
        """Return the names of the data sets that were imported from a benchmark's files, sorted."""
        query = select(DatasetRow.name).where(VISIBLE, DatasetRow.benchmark == benchmark).order_by(DatasetRow.name)
        with self._database.read() as connection:
            return tuple(connection.scalars(query))
