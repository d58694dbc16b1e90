"""Read data for the analysis: score tables, and raters' answers by sample and by study."""

from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from sqlalchemy import func, select

from core.analysis.captioners import Captioners
from core.analysis.omissions import Mentions
from core.analysis.score_table import MetricColumn, ScoreTable, Version, column_names, metric_labels, part_column
from core.arrays import Floats, Ints
from core.benchmarks.columns import JudgedColumn
from storage.analysis.captioners import captioners, names_of
from storage.analysis.columns import judged_samples, part_counts, part_values, score_table, versions
from storage.analysis.mentions import explanations, mentions, telling_metrics, truncated
from storage.analysis.own_columns import own_columns, own_values, samples_with
from storage.analysis.rated_samples import RatedStudy, SampleRating, mean_points, rated_studies, ratings_of_sample
from storage.analysis.report_stamp import ratings_stamp, report_stamp
from storage.analysis.scored_datasets import ScoredDataset, scored_datasets
from storage.data.conventions import stored_benchmark
from storage.data.datasets import find_dataset
from storage.data.hidden_datasets import VISIBLE
from storage.engine.database import Database
from storage.tables import (
    DatasetRow,
    EpochRow,
    ImageRow,
    SampleRow,
    ScoreRow,
)

MOST_OWN_VALUES = 100  # a researcher's own column with more different values than this is not offered as a filter
MOST_NAMES = 500  # maximum number of captioners in lists and titles
PARTS_KEPT = 16  # for each score table, maximum number of score parts (such as precision) whose columns stay in memory


class Analysis:
    """Operations that read a whole data set."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stamp(self, dataset: str) -> Hashable:
        """Return a value that changes with the contents of a data set.

        The value changes with the data set's samples, scores and errors. It also changes after a restore of the
        database. Raises NotFound.
        """
        epoch = select(EpochRow.epoch).scalar_subquery()
        with self._database.read() as connection:
            dataset_id = find_dataset(connection, dataset)
            return tuple(
                connection.execute(
                    select(DatasetRow.id, DatasetRow.changes, epoch).where(DatasetRow.id == dataset_id)
                ).one()
            )

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

    def captioners(self, dataset: str, ids: Ints) -> Captioners:
        """Return the captioner of each sample. Raises NotFound.

        ids: sample ids, ascending.
        """
        with self._database.read() as connection:
            return captioners(connection, find_dataset(connection, dataset), ids)

    def captioner_names(self, dataset: str, most: int = MOST_NAMES) -> tuple[str, ...]:
        """Return at most `most` captioners of a data set, sorted by name. Raises NotFound."""
        with self._database.read() as connection:
            return names_of(connection, find_dataset(connection, dataset), most)

    def own_columns(self, dataset: str, most: int = MOST_OWN_VALUES) -> Mapping[str, tuple[str, ...]]:
        """Return the researcher's own columns of a data set, with their values.

        One example of such a column is "split". A column with more than `most` different values is omitted. Raises
        NotFound.
        """
        with self._database.read() as connection:
            return own_columns(connection, find_dataset(connection, dataset), most)

    def own_values(self, dataset: str) -> Mapping[str, Mapping[int, str]]:
        """Return the values of the researcher's own columns; key: column, then sample id. Raises NotFound."""
        with self._database.read() as connection:
            return own_values(connection, find_dataset(connection, dataset))

    def samples_with(self, dataset: str, column: str, value: str) -> frozenset[int]:
        """Return the ids of samples with a certain value in a column.

        column: one of the researcher's own columns of the data set, such as "split". Raises NotFound.
        """
        with self._database.read() as connection:
            return samples_with(connection, find_dataset(connection, dataset), column, value)

    def judged(self, dataset: str) -> JudgedColumn:
        """Return the human judgements of a data set, without scores. Raises NotFound.

        They are sorted by rising sample ids.
        """
        with self._database.read() as connection:
            return judged_samples(connection, find_dataset(connection, dataset))

    def image_names(self, dataset: str) -> dict[int, str]:
        """Return the pictures' names in a data set's source; key: image id. Raises NotFound."""
        names = select(ImageRow.id, ImageRow.name)
        with self._database.read() as connection:
            of = ImageRow.dataset_id == find_dataset(connection, dataset)
            return {image: name for image, name in connection.execute(names.where(of))}

    def ratings(self, sample_id: int) -> tuple[SampleRating, ...]:
        """Return every rating of a sample's explanations, newest study first."""
        with self._database.read() as connection:
            return ratings_of_sample(connection, sample_id)

    def telling_metrics(self, dataset: str) -> tuple[str, ...]:
        """Return the metrics that state which picture regions a caption mentions.

        The metrics' names are written as in score tables. Raises NotFound.
        """
        with self._database.read() as connection:
            dataset_id = find_dataset(connection, dataset)
            named = column_names((*version,) for version in versions(connection, dataset_id))
            telling = telling_metrics(connection, dataset_id)
        return tuple(name for version, name in named.items() if version in telling)

    def mentions(self, dataset: str, metric: str) -> Mentions:
        """Return which regions each caption mentions according to a metric. Raises NotFound."""
        with self._database.read() as connection:
            return mentions(connection, find_dataset(connection, dataset), metric)

    def explanations(self, dataset: str, ids: Ints, metric: str | None = None) -> list[str]:
        """Return each sample's explanations as one text; "" if there are none. Raises NotFound.

        metric: the explanations of this metric; None: of all metrics.
        """
        with self._database.read() as connection:
            texts = explanations(connection, find_dataset(connection, dataset), metric)
        return [texts.get(sample, "") for sample in ids.tolist()]

    def truncated(self, dataset: str, metric: str) -> frozenset[int]:
        """Return the samples whose caption a metric truncated. metric: its name in score tables. Raises NotFound."""
        with self._database.read() as connection:
            return truncated(connection, find_dataset(connection, dataset), metric)

    def mean_points(self, dataset: str, criterion: str, ids: Ints) -> Floats:
        """Return the mean of raters' points on a criterion, for each sample.

        NaN: no rating of the sample counts. ids: sample ids, ascending. Raises NotFound.
        """
        with self._database.read() as connection:
            return mean_points(connection, find_dataset(connection, dataset), criterion, ids)

    def ratings_stamp(self) -> Hashable:
        """Return a value that changes with every rating.

        It also changes when ratings are excluded or included.
        """
        with self._database.read() as connection:
            return ratings_stamp(connection)

    def report_stamp(self, dataset: str) -> tuple[Hashable, Hashable]:
        """Return two values that show whether a data set's reports have changed.

        The first value changes with ratings. The second value changes with the other data from which reports are made,
        but not with the settings of studies. See storage.analysis.report_stamp. Raises NotFound.
        """
        with self._database.read() as connection:
            return report_stamp(connection, find_dataset(connection, dataset))

    def scored_datasets(self) -> tuple[ScoredDataset, ...]:
        """Return the data sets that have at least one score.

        Data sets with human judgements come first. Within both groups, the largest data sets come first.
        """
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

    def studies(self, dataset: str) -> tuple[RatedStudy, ...]:
        """Return the studies of a data set, newest first. Raises NotFound."""
        with self._database.read() as connection:
            return rated_studies(connection, find_dataset(connection, dataset))

    def unscored(self, dataset: str) -> tuple[str, ...]:
        """Return a data set's metrics that have errors but no score.

        Raises NotFound.
        """
        tried = select(ScoreRow.metric).join(SampleRow).group_by(ScoreRow.metric).order_by(ScoreRow.metric)
        with self._database.read() as connection:
            of = SampleRow.dataset_id == find_dataset(connection, dataset)
            return tuple(connection.scalars(tried.where(of).having(func.count(ScoreRow.value) == 0)))

    def labels(self, dataset: str) -> Mapping[Version, str]:
        """Return a short name for each metric of a data set.

        key: the metric's name and the signature of its scores. A signature is a text with all settings that can change
        a score. Raises NotFound.
        """
        with self._database.read() as connection:
            return metric_labels((*row,) for row in versions(connection, find_dataset(connection, dataset)))
