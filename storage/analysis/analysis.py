"""Read data for the analysis: score tables, and raters' answers by sample and by study."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, false, func, or_, select

from core.analysis.captioners import Captioners
from core.analysis.omissions import Mentions
from core.analysis.score_table import MetricColumn, ScoreTable, Version, column_names, metric_labels, part_column
from core.arrays import Floats, Ints
from core.benchmarks.columns import JudgedColumn
from storage.analysis.captioners import captioners, names_of
from storage.analysis.columns import judged_samples, part_counts, part_values, score_table, versions
from storage.analysis.mentions import explanations, mentions, telling_metrics, truncated
from storage.analysis.own_columns import own_columns, samples_with
from storage.analysis.report_stamp import SHARED, ratings_stamp, report_stamp
from storage.data.conventions import stored_benchmark
from storage.data.hidden_datasets import VISIBLE
from storage.data.samples import find_dataset
from storage.engine.database import Database
from storage.rating.results.excluded_ratings import counted
from storage.rating.studies.deleting import SEEN
from storage.tables import (
    DatasetCountRow,
    DatasetRow,
    EpochRow,
    ImageRow,
    ItemRow,
    RaterRow,
    RatingRow,
    SampleRow,
    ScoreRow,
    StudyCriterionRow,
    StudyRow,
)

MOST_OWN_VALUES = 100  # maximum number of different values of an own column for which it is offered as a filter
MOST_NAMES = 500  # maximum number of captioners in lists and titles
PARTS_KEPT = 16  # maximum number of parts' columns in memory for each score table


@dataclass(frozen=True, slots=True)
class SampleRating:
    """A rater's answer about one explanation of a sample."""

    study_id: int
    study: str
    metric: str
    rater: str
    criterion: str
    point: int


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


@dataclass(frozen=True, slots=True)
class RatedStudy:
    """A study of a data set, with the criteria for its raters."""

    id: int
    name: str
    criteria: tuple[str, ...]


class Analysis:
    """Operations that read a whole data set."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stamp(self, dataset: str) -> Hashable:
        """Return a value that changes with samples and outcomes. Raises NotFound.

        The value changes with the samples, scores and errors of the data set. It also changes after a restore of the
        database.
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
        """Return each own column of a data set with its values.

        Own columns are the researcher's own, such as "split". At most `most` different values of a column are returned.
        Raises NotFound.
        """
        with self._database.read() as connection:
            return own_columns(connection, find_dataset(connection, dataset), most)

    def samples_with(self, dataset: str, column: str, value: str) -> frozenset[int]:
        """Return the samples that have a value in the researcher's own column. Raises NotFound."""
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
        query = (
            select(StudyRow.id, StudyRow.name, ScoreRow.metric, RaterRow.code, RatingRow.criterion, RatingRow.point)
            .join_from(RatingRow, ItemRow, ItemRow.id == RatingRow.item_id)
            .join(StudyRow, StudyRow.id == RatingRow.study_id)
            .join(ScoreRow, ScoreRow.id == RatingRow.score_id)
            .join(RaterRow, RaterRow.id == RatingRow.rater_id)
            .where(ItemRow.sample_id == sample_id, SEEN)
            .order_by(StudyRow.id.desc(), ScoreRow.metric, RaterRow.code, RatingRow.criterion)
        )
        with self._database.read() as connection:
            return tuple(SampleRating(*row) for row in connection.execute(query))

    def telling_metrics(self, dataset: str) -> tuple[str, ...]:
        """Return the metrics that state which regions captions mention. Raises NotFound.

        The metrics' names are written as in score tables.
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
        """Return each sample's mean rating on a criterion; NaN: not rated.

        ids: sample ids, ascending. Only studies that are shared with everyone count, because every account reads these
        means. The mean is over all ratings of all explanations of the sample. Excluded ratings and abstentions (0) do
        not count.
        """
        total, count = np.zeros(len(ids)), np.zeros(len(ids))
        with self._database.read() as connection:
            dataset_id = find_dataset(connection, dataset)
            studies = connection.scalars(
                select(StudyRow.id).where(StudyRow.dataset_id == dataset_id, SEEN, SHARED)
            ).all()
            for study in studies:
                columns = zip(
                    *connection.execute(_rated_items(study, criterion, counted(connection, study))), strict=True
                )
                sample, points, ratings = (np.array(column, dtype=np.int64) for column in tuple(columns) or ((),) * 3)
                place = np.searchsorted(ids, sample)
                np.add.at(total, place, points)
                np.add.at(count, place, ratings)
        means: Floats = np.divide(total, count, out=np.full(len(ids), np.nan), where=count > 0)
        return means

    def ratings_stamp(self) -> Hashable:
        """Return a value that changes with every rating.

        It also changes when ratings are excluded or included.
        """
        with self._database.read() as connection:
            return ratings_stamp(connection)

    def report_stamp(self, dataset: str) -> tuple[Hashable, Hashable]:
        """Return two values that change with a data set's reports.

        The first value changes with ratings. The second value changes with all other contents of reports. Neither value
        changes with the settings of studies. Raises NotFound.
        """
        with self._database.read() as connection:
            return report_stamp(connection, find_dataset(connection, dataset))

    def scored_datasets(self) -> tuple[ScoredDataset, ...]:
        """Return the data sets that have at least one score.

        Data sets with human judgements come first. Within both groups, the largest data sets come first.
        """
        samples = select(func.count()).where(SampleRow.dataset_id == DatasetRow.id).scalar_subquery()
        scored = select(ScoreRow.id).join(SampleRow).where(SampleRow.dataset_id == DatasetRow.id).exists()
        of_dataset = select(SampleRow.id).where(SampleRow.dataset_id == DatasetRow.id)
        rated = of_dataset.where(SampleRow.human.is_not(None)).exists()
        judged = or_(rated, of_dataset.where(SampleRow.pair.is_not(None)).exists())
        of_annotated = DatasetCountRow.dataset_id == DatasetRow.id, DatasetCountRow.counted == "annotated"
        annotated = select(func.coalesce(func.sum(DatasetCountRow.number), 0)).where(*of_annotated).scalar_subquery()
        named = SampleRow.dataset_id == DatasetRow.id, SampleRow.system.is_not(None)
        first, last = (select(of(SampleRow.system)).where(*named).scalar_subquery() for of in (func.min, func.max))
        several = func.coalesce(first < last, false())
        facts = (
            judged.label("judged"),
            rated.label("rated"),
            annotated,
            DatasetRow.notice,
            several,
            DatasetRow.benchmark,
        )
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

    def studies(self, dataset: str) -> tuple[RatedStudy, ...]:
        """Return the studies of a data set, newest first. Raises NotFound.

        A study that asks for evidence (judgements of sentences) may have no criteria.
        """
        query = select(StudyRow.id, StudyRow.name, StudyCriterionRow.criterion).outerjoin(
            StudyCriterionRow, StudyCriterionRow.study_id == StudyRow.id
        )
        query = query.order_by(StudyRow.id.desc(), StudyCriterionRow.place)
        criteria: dict[tuple[int, str], list[str]] = defaultdict(list)
        with self._database.read() as connection:
            dataset_id = find_dataset(connection, dataset)
            for study, name, criterion in connection.execute(query.where(StudyRow.dataset_id == dataset_id, SEEN)):
                criteria[study, name] += [criterion] if criterion else []
        return tuple(RatedStudy(study, name, tuple(asked)) for (study, name), asked in criteria.items())

    def unscored(self, dataset: str) -> tuple[str, ...]:
        """Return the metrics with only errors on a data set.

        They have no score there. Raises NotFound.
        """
        tried = select(ScoreRow.metric).join(SampleRow).group_by(ScoreRow.metric).order_by(ScoreRow.metric)
        with self._database.read() as connection:
            of = SampleRow.dataset_id == find_dataset(connection, dataset)
            return tuple(connection.scalars(tried.where(of).having(func.count(ScoreRow.value) == 0)))

    def labels(self, dataset: str) -> Mapping[Version, str]:
        """Return the short name of each metric of a data set.

        key: metric and signature of its scores. Raises NotFound.
        """
        with self._database.read() as connection:
            return metric_labels((*row,) for row in versions(connection, find_dataset(connection, dataset)))


def _rated_items(study: int, criterion: str, counted: Sequence[ColumnElement[bool]]) -> Any:
    """Return a query for each rated item's sample, points and ratings.

    The points are summed and the ratings are counted. The query sums by item in index order, and looks up the samples
    afterwards.
    """
    this = (RatingRow.study_id == study, RatingRow.criterion == criterion, RatingRow.point > 0)
    sums = select(RatingRow.item_id, func.sum(RatingRow.point).label("points"), func.count().label("ratings"))
    items = sums.where(*this, *counted).group_by(RatingRow.item_id).subquery()
    return select(ItemRow.sample_id, items.c.points, items.c.ratings).join_from(
        items, ItemRow, ItemRow.id == items.c.item_id
    )
