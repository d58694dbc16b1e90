"""Read raters' answers for the analysis, and values that change with the data that reports show."""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from core.arrays import Floats, Ints
from storage.rating.ratings import counted
from storage.tables import (
    AssignmentRow,
    CodingRow,
    DatasetRow,
    EpochRow,
    ErasureRow,
    EventRow,
    ExclusionRow,
    ItemRow,
    RatingRow,
    StudyCriterionRow,
    StudyRow,
)


@dataclass(frozen=True, slots=True)
class RatedStudy:
    """A study of a data set, with the criteria on which its raters judge explanations."""

    id: int
    name: str
    criteria: tuple[str, ...]


def rated_studies(connection: Connection, dataset_id: int) -> tuple[RatedStudy, ...]:
    """Return the studies of a data set, newest first."""
    query = select(StudyRow.id, StudyRow.name, StudyCriterionRow.criterion).outerjoin(
        StudyCriterionRow, StudyCriterionRow.study_id == StudyRow.id
    )
    query = query.order_by(StudyRow.id.desc(), StudyCriterionRow.place)
    criteria: dict[tuple[int, str], list[str]] = defaultdict(list)
    for study, name, criterion in connection.execute(query.where(StudyRow.dataset_id == dataset_id)):
        criteria[study, name] += [criterion] if criterion else []
    return tuple(RatedStudy(study, name, tuple(asked)) for (study, name), asked in criteria.items())


def mean_points(connection: Connection, dataset_id: int, criterion: str, ids: Ints) -> Floats:
    """Return the mean of raters' points on a criterion, for each sample; NaN: no rating of the sample counts.

    ids: sample ids. The mean covers the ratings of all explanations of the sample. Excluded ratings and abstentions (0)
    are left out. The query adds up ratings by item, in the order of an index, before it looks up the samples.
    """
    import pandas as pd  # imported late, because it is slow and most commands do not need it

    rows: list[Any] = []
    for study in connection.scalars(select(StudyRow.id).where(StudyRow.dataset_id == dataset_id)).all():
        this = (RatingRow.study_id == study, RatingRow.criterion == criterion, RatingRow.point > 0)
        sums = select(RatingRow.item_id, func.sum(RatingRow.point).label("points"), func.count().label("ratings"))
        items = sums.where(*this, *counted(connection, study)).group_by(RatingRow.item_id).subquery()
        query = select(ItemRow.sample_id, items.c.points, items.c.ratings)
        rows += connection.execute(query.join_from(items, ItemRow, ItemRow.id == items.c.item_id)).all()
    found = pd.DataFrame(rows, columns=["sample", "points", "ratings"], dtype="int64")
    sums = found.groupby("sample").sum().reindex(ids)
    means: Floats = (sums["points"] / sums["ratings"]).to_numpy(float)
    return means


def data_stamp(connection: Connection, dataset_id: int) -> Hashable:
    """Return a value that changes with a data set's samples, scores and errors, and after a restore."""
    epoch = select(EpochRow.epoch).scalar_subquery()
    found = connection.execute(select(DatasetRow.id, DatasetRow.changes, epoch).where(DatasetRow.id == dataset_id))
    return tuple(found.one())


def report_stamp(connection: Connection) -> Hashable:
    """Return a value that changes with ratings and error codes of any data set.

    It contains the newest event, because every rating stores an event (a log entry). Reassigned items, erasures and
    exclusions of raters store none, so they have their own entries. Settings of studies, samples, scores, codebooks and
    slices do not matter.
    """
    columns = (AssignmentRow.released_at, ExclusionRow.at, CodingRow.coded_at)
    found: list[Any] = [func.max(EventRow.id), func.max(ErasureRow.id)]
    found += [of(column) for column in columns for of in (func.count, func.max)]
    return tuple(connection.execute(select(*(select(one).scalar_subquery() for one in found))).one())
