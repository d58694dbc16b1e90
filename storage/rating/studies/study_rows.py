"""Read studies from their rows."""

from collections import defaultdict
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select

from storage.engine.changes import NEVER
from storage.rating.assignment.assignment_rules import SCHEDULE_COLUMNS, schedule_of
from storage.rating.content.study_designs import design_options
from storage.rating.content.study_forms import asking, stored_form
from storage.study_types import Study
from storage.tables import (
    DatasetRow,
    ImageRow,
    ItemRow,
    ItemScoreRow,
    SampleRow,
    ScoreRow,
    StudyChangeRow,
    StudyCourseRow,
    StudyCriterionRow,
    StudyFormRow,
    StudyRow,
)

_OWN = (ItemRow.study_id == StudyRow.id, ItemRow.place >= 0)
_COUNTS = (
    select(func.count(func.coalesce(ItemScoreRow.caption, ItemRow.sample_id).distinct()))
    .join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    .where(*_OWN)
    .scalar_subquery()
    .label("captions"),
    select(func.count()).where(ItemRow.study_id == StudyRow.id, ItemRow.place >= 0).scalar_subquery().label("items"),
    select(func.max(ItemScoreRow.place))
    .join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    .where(ItemRow.study_id == StudyRow.id)
    .scalar_subquery()
    .label("last_panel"),
    select(func.count())
    .select_from(ItemRow)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(ImageRow, ImageRow.id == SampleRow.image_id)
    .where(ItemRow.study_id == StudyRow.id, ItemRow.place >= 0, ImageRow.path.is_(None))
    .scalar_subquery()
    .label("without_picture"),
)
_STUDIES = (
    select(
        *StudyRow.__table__.columns, *SCHEDULE_COLUMNS, DatasetRow.name.label("dataset"), DatasetRow.notice, *_COUNTS
    )
    .add_columns(StudyFormRow.text, StudyFormRow.version, func.coalesce(StudyChangeRow.stamp, NEVER).label("stamp"))
    .join(DatasetRow, DatasetRow.id == StudyRow.dataset_id)
    .join(StudyCourseRow, StudyCourseRow.study_id == StudyRow.id)
    .outerjoin(StudyFormRow, StudyFormRow.study_id == StudyRow.id)
    .outerjoin(StudyChangeRow, (StudyChangeRow.study_id == StudyRow.id) & (StudyChangeRow.part == "course"))
    .order_by(StudyRow.id.desc())
)
_CRITERIA = (
    select(StudyRow.id, StudyCriterionRow.criterion)
    .join(StudyCriterionRow, StudyCriterionRow.study_id == StudyRow.id)
    .order_by(StudyCriterionRow.place)
)
_METRICS = (
    select(StudyRow.id, ScoreRow.metric)
    .join(ItemRow, ItemRow.study_id == StudyRow.id)
    .join(ItemScoreRow, ItemScoreRow.item_id == ItemRow.id)
    .join(ScoreRow, ScoreRow.id == ItemScoreRow.score_id)
    .distinct()
    .order_by(ScoreRow.metric)
)

_METRICS_OF_CAPTION = (
    select(StudyRow.id, ItemRow.sample_id, func.count(ScoreRow.metric.distinct()).label("metrics"))
    .join(ItemRow, and_(*_OWN))
    .join(ItemScoreRow, ItemScoreRow.item_id == ItemRow.id)
    .join(ScoreRow, ScoreRow.id == ItemScoreRow.score_id)
    .group_by(StudyRow.id, ItemRow.sample_id)
)


def read_studies(connection: Connection, *of: ColumnElement[bool]) -> tuple[Study, ...]:
    """Return the studies that meet all conditions, newest first.

    The function needs only four SQL statements for any number of studies.
    """
    criteria, metrics = (_by_study(connection, query.where(*of)) for query in (_CRITERIA, _METRICS))
    captions = _METRICS_OF_CAPTION.where(*of).subquery()
    counts = select(captions.c.id, captions.c.metrics, func.count()).group_by(captions.c.id, captions.c.metrics)
    with_metrics = {(study, number): count for study, number, count in connection.execute(counts)}
    rows = connection.execute(_STUDIES.where(*of)).all()
    studies = [(row, criteria.get(row.id, ()), metrics.get(row.id, ())) for row in rows]
    return tuple(_study(*study, with_metrics.get((study[0].id, len(study[2])), 0)) for study in studies)


def _by_study(connection: Connection, query: Select[int, str]) -> dict[int, tuple[str, ...]]:
    by_study: dict[int, list[str]] = defaultdict(list)
    for study, name in connection.execute(query):
        by_study[study].append(name)
    return {study: tuple(names) for study, names in by_study.items()}


def _study(row: Any, criteria: tuple[str, ...], metrics: tuple[str, ...], pairs: int) -> Study:
    return Study(
        id=row.id,
        name=row.name,
        dataset=row.dataset,
        notice=row.notice,
        form=row.form,
        asks=asking(stored_form(row.form, row.text), criteria),
        version=row.version or 1,
        **design_options(row),
        strata=tuple((name, count) for name, count in row.strata),
        criteria=criteria,
        metrics=metrics,
        items=row.items,
        captions=row.captions,
        pairs=pairs if len(metrics) > 1 else 0,
        without_picture=row.without_picture,
        panels=(row.last_panel or 0) + 1,
        created_at=row.created_at,
        course=schedule_of(row),
        stamp=row.stamp,
    )
