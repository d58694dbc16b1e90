"""Read raters' answers for the analysis.

This module reads the ratings of a sample, the rated studies of a data set, and each sample's mean rating on a
criterion.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, func, select

from core.arrays import Floats, Ints
from storage.analysis.chunks import placed
from storage.rating.results.excluded_ratings import counted
from storage.rating.studies.deleting import SEEN
from storage.tables import ItemRow, RaterRow, RatingRow, ScoreRow, StudyCriterionRow, StudyRow


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
class RatedStudy:
    """A study of a data set, with the criteria on which its raters judge explanations."""

    id: int
    name: str
    criteria: tuple[str, ...]


def ratings_of_sample(connection: Connection, sample_id: int) -> tuple[SampleRating, ...]:
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
    return tuple(SampleRating(*row) for row in connection.execute(query))


def rated_studies(connection: Connection, dataset_id: int) -> tuple[RatedStudy, ...]:
    """Return the studies of a data set, newest first."""
    query = select(StudyRow.id, StudyRow.name, StudyCriterionRow.criterion).outerjoin(
        StudyCriterionRow, StudyCriterionRow.study_id == StudyRow.id
    )
    query = query.order_by(StudyRow.id.desc(), StudyCriterionRow.place)
    criteria: dict[tuple[int, str], list[str]] = defaultdict(list)
    for study, name, criterion in connection.execute(query.where(StudyRow.dataset_id == dataset_id, SEEN)):
        criteria[study, name] += [criterion] if criterion else []
    return tuple(RatedStudy(study, name, tuple(asked)) for (study, name), asked in criteria.items())


def mean_points(connection: Connection, dataset_id: int, criterion: str, ids: Ints) -> Floats:
    """Return the mean of raters' points on a criterion, for each sample.

    NaN: no rating of the sample counts. ids: sample ids, ascending. The mean covers the ratings of all
    explanations of the sample. Excluded ratings and abstentions (0) are left out.
    """
    total, count = np.zeros(len(ids)), np.zeros(len(ids))
    studies = connection.scalars(select(StudyRow.id).where(StudyRow.dataset_id == dataset_id, SEEN)).all()
    for study in studies:
        columns = zip(*connection.execute(_rated_items(study, criterion, counted(connection, study))), strict=True)
        sample, points, ratings = (np.array(column, dtype=np.int64) for column in tuple(columns) or ((),) * 3)
        place, there = placed(ids, sample)
        np.add.at(total, place[there], points[there])
        np.add.at(count, place[there], ratings[there])
    means: Floats = np.divide(total, count, out=np.full(len(ids), np.nan), where=count > 0)
    return means


def _rated_items(study: int, criterion: str, counted: Sequence[ColumnElement[bool]]) -> Any:
    """Return a query for the sums and numbers of items' ratings.

    For each item, the query returns its sample, the sum of the raters' points and the number of its ratings. It first
    computes the sums and numbers by item, in the order of an index. It looks up the samples afterwards.
    """
    this = (RatingRow.study_id == study, RatingRow.criterion == criterion, RatingRow.point > 0)
    sums = select(RatingRow.item_id, func.sum(RatingRow.point).label("points"), func.count().label("ratings"))
    items = sums.where(*this, *counted).group_by(RatingRow.item_id).subquery()
    return select(ItemRow.sample_id, items.c.points, items.c.ratings).join_from(
        items, ItemRow, ItemRow.id == items.c.item_id
    )
