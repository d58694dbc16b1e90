"""Read data for the analysis: score tables, and raters' answers by sample and by study."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, func, select

from core.analysis.score_table import MetricColumn, ScoreTable, Version, column_names, metric_labels, part_column
from storage.analysis.captioners import captioners, names_of
from storage.analysis.columns import judged_samples, part_counts, part_values, score_table, versions
from storage.analysis.mentions import explanations, mentions, telling_metrics, truncated
from storage.analysis.own_columns import own_columns, own_values, samples_with
from storage.analysis.rated_samples import SampleRating, mean_points, rated_studies, ratings_of_sample
from storage.analysis.report_stamp import ratings_stamp, report_stamp
from storage.analysis.scored_datasets import ScoredDataset, scored_datasets
from storage.data.datasets import find_dataset, stored_benchmark
from storage.data.hidden_datasets import VISIBLE
from storage.engine.database import Database
from storage.tables import DatasetRow, EpochRow, ImageRow, SampleRow, ScoreRow

PARTS_KEPT = 16  # for each score table, maximum number of score parts (such as precision) whose columns stay in memory
P = ParamSpec("P")
T = TypeVar("T")


def _of_dataset(
    read: Callable[Concatenate[Connection, int, P], T],
) -> "Callable[Concatenate[Analysis, str, P], T]":
    """Make a method that reads from the data set with a name. The method raises NotFound.

    read: takes a connection, the data set's id and further arguments.
    """

    def method(self: "Analysis", dataset: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with self._database.read() as connection:
            return read(connection, find_dataset(connection, dataset), *args, **kwargs)

    method.__doc__ = read.__doc__
    return method


def _stamp(connection: Connection, dataset_id: int) -> Hashable:
    """Return a value that changes with a data set's samples, scores and errors, and after a restore."""
    epoch = select(EpochRow.epoch).scalar_subquery()
    found = connection.execute(select(DatasetRow.id, DatasetRow.changes, epoch).where(DatasetRow.id == dataset_id))
    return tuple(found.one())


def _image_names(connection: Connection, dataset_id: int) -> dict[int, str]:
    """Return the pictures' names in a data set's source; key: image id."""
    names = select(ImageRow.id, ImageRow.name).where(ImageRow.dataset_id == dataset_id)
    return {image: name for image, name in connection.execute(names)}


def _telling_metrics(connection: Connection, dataset_id: int) -> tuple[str, ...]:
    """Return the metrics that state which picture regions a caption mentions, as named in score tables."""
    named = column_names((*version,) for version in versions(connection, dataset_id))
    telling = telling_metrics(connection, dataset_id)
    return tuple(name for version, name in named.items() if version in telling)


def _unscored(connection: Connection, dataset_id: int) -> tuple[str, ...]:
    """Return a data set's metrics that have errors but no score."""
    tried = select(ScoreRow.metric).join(SampleRow).where(SampleRow.dataset_id == dataset_id)
    tried = tried.group_by(ScoreRow.metric).order_by(ScoreRow.metric)
    return tuple(connection.scalars(tried.having(func.count(ScoreRow.value) == 0)))


def _labels(connection: Connection, dataset_id: int) -> Mapping[Version, str]:
    """Return a short name for each metric of a data set; key: the metric's name and the signature of its scores."""
    return metric_labels((*row,) for row in versions(connection, dataset_id))


class Analysis:
    """Operations that read a whole data set."""

    stamp = _of_dataset(_stamp)
    captioners = _of_dataset(captioners)
    captioner_names = _of_dataset(names_of)
    own_columns = _of_dataset(own_columns)
    own_values = _of_dataset(own_values)
    samples_with = _of_dataset(samples_with)
    judged = _of_dataset(judged_samples)
    image_names = _of_dataset(_image_names)
    telling_metrics = _of_dataset(_telling_metrics)
    mentions = _of_dataset(mentions)
    explanations = _of_dataset(explanations)
    truncated = _of_dataset(truncated)
    mean_points = _of_dataset(mean_points)
    report_stamp = _of_dataset(report_stamp)
    studies = _of_dataset(rated_studies)
    unscored = _of_dataset(_unscored)
    labels = _of_dataset(_labels)

    def __init__(self, database: Database) -> None:
        self._database = database

    def table(self, dataset: str) -> ScoreTable:
        """Return a data set's samples, judgements and scores as columns. Raises NotFound.

        The parts of a score, such as its precision, are read when a caller first asks for them.
        """
        with self._database.read() as connection:
            table = score_table(connection, find_dataset(connection, dataset))
        return replace(table, part=lru_cache(PARTS_KEPT)(partial(self._part, table)))

    def _part(self, table: ScoreTable, metric: str, part: str) -> MetricColumn | None:
        own = table.metrics[metric]
        with self._database.read() as connection:
            values = part_values(connection, table.ids, own, part)
        return None if values is None else part_column(own, part, values)

    def part_counts(self, table: ScoreTable, metric: str) -> Mapping[str, int]:
        """Count how many samples have each part of a metric's score. Raises NotFound.

        key: name of the part, such as "precision"; value: number of samples.
        """
        with self._database.read() as connection:
            return part_counts(connection, table.ids, table.metric(metric))

    def ratings(self, sample_id: int) -> tuple[SampleRating, ...]:
        """Return every rating of a sample's explanations, newest study first."""
        with self._database.read() as connection:
            return ratings_of_sample(connection, sample_id)

    def ratings_stamp(self) -> Hashable:
        """Return a value that changes with every rating, and when ratings are excluded or included."""
        with self._database.read() as connection:
            return ratings_stamp(connection)

    def scored_datasets(self) -> tuple[ScoredDataset, ...]:
        """Return the data sets that have at least one score, judged and large ones first."""
        with self._database.read() as connection:
            return scored_datasets(connection)

    def benchmark(self, dataset: str) -> str | None:
        """Return the benchmark whose files a data set was imported from; None if it is unknown."""
        with self._database.read() as connection:
            return stored_benchmark(connection, dataset)

    def imported_from(self, benchmark: str) -> tuple[str, ...]:
        """Return the names of the data sets that were imported from a benchmark's files, sorted."""
        query = select(DatasetRow.name).where(VISIBLE, DatasetRow.benchmark == benchmark).order_by(DatasetRow.name)
        with self._database.read() as connection:
            return tuple(connection.scalars(query))
