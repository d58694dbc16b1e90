"""Read raters' progress in any number of studies with one statement."""

from collections import defaultdict
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, case, func, select

from storage.study_types import RaterProgress
from storage.tables import (
    AssignmentRow,
    ExclusionRow,
    ItemRow,
    ParticipationRow,
    RaterRow,
    RatingRow,
    StudyCourseRow,
    StudyRow,
    VisitRow,
)


def raters_progress(connection: Connection, *of: ColumnElement[bool]) -> dict[int, tuple[RaterProgress, ...]]:
    """Return the progress of every rater; key: study.

    The raters are in the order of joining. of: conditions that select the studies.
    """
    progress: dict[int, list[RaterProgress]] = defaultdict(list)
    for row in connection.execute(_progress_query().where(*of)):
        progress[row.study].append(_progress(row))
    return {study: tuple(raters) for study, raters in progress.items()}


def _progress_query() -> Select[Any]:
    assigned, rated, items = _assigned(), _rated(), _items()
    of_rater = (ParticipationRow.study_id, ParticipationRow.rater_id)
    return (
        select(
            StudyRow.id.label("study"),
            RaterRow.id,
            RaterRow.code,
            func.coalesce(assigned.c.done, 0).label("done"),
            func.coalesce(assigned.c.counted, 0).label("counted"),
            func.coalesce(assigned.c.assigned, 0).label("assigned"),
            func.coalesce(assigned.c.given_back, 0).label("given_back"),
            func.coalesce(assigned.c.open, 0).label("open"),
            VisitRow.returned_at,
            StudyRow.raters_per_item,
            StudyCourseRow.items_per_rater,
            func.coalesce(items.c.in_study, 0).label("items"),
            func.coalesce(rated.c.ms, 0).label("ms"),
            rated.c.last,
            ExclusionRow.reason,
        )
        .select_from(ParticipationRow)
        .join(RaterRow, RaterRow.id == ParticipationRow.rater_id)
        .join(StudyRow, StudyRow.id == ParticipationRow.study_id)
        .join(StudyCourseRow, StudyCourseRow.study_id == StudyRow.id)
        .outerjoin(items, items.c.study_id == StudyRow.id)
        .outerjoin(assigned, _same(assigned, *of_rater))
        .outerjoin(rated, _same(rated, *of_rater))
        .outerjoin(ExclusionRow, _same(ExclusionRow.__table__, *of_rater))
        .outerjoin(VisitRow, _same(VisitRow.__table__, *of_rater))
        .order_by(StudyRow.id, ParticipationRow.number)
    )


def _same(table: Any, study: Any, rater: Any) -> ColumnElement[bool]:
    return and_(table.c.study_id == study, table.c.rater_id == rater)


def _assigned() -> Any:
    """Select how many items each rater got, finished, and gave back.

    Also select how many of them are open. Only the study's own items are counted, not practice items, gold items (with
    known answers) and repeated items.
    """
    has = AssignmentRow.place > 0
    done = and_(has, AssignmentRow.finished_at.is_not(None))
    columns = (
        func.sum(case((done, 1), else_=0)).label("done"),
        func.sum(case((and_(done, AssignmentRow.released_at.is_(None)), 1), else_=0)).label("counted"),
        func.sum(case((has, 1), else_=0)).label("assigned"),
        func.sum(case((has, 0), else_=1)).label("given_back"),
        func.sum(case((and_(has, AssignmentRow.finished_at.is_(None)), 1), else_=0)).label("open"),
    )
    query = select(AssignmentRow.study_id, AssignmentRow.rater_id, *columns)
    query = query.join(ItemRow, ItemRow.id == AssignmentRow.item_id).where(ItemRow.place >= 0)
    return query.group_by(AssignmentRow.study_id, AssignmentRow.rater_id).subquery()


def _rated() -> Any:
    """Select how long each rater had items in view.

    Also select the time of the rater's last answer.
    """
    ratings = select(RatingRow.study_id, RatingRow.rater_id, RatingRow.item_id)
    answers: Select[Any] = ratings.add_columns(RatingRow.duration_ms, RatingRow.submitted_at)
    given = answers.subquery()
    of_item = (given.c.study_id, given.c.rater_id, given.c.item_id)
    longest = (func.max(given.c.duration_ms).label("ms"), func.max(given.c.submitted_at).label("last"))
    items = select(*of_item, *longest).group_by(*of_item).subquery()
    of_rater = (items.c.study_id, items.c.rater_id)
    sums = (func.sum(items.c.ms).label("ms"), func.max(items.c.last).label("last"))
    return select(*of_rater, *sums).group_by(*of_rater).subquery()


def _items() -> Any:
    query = select(ItemRow.study_id, func.count().label("in_study")).where(ItemRow.place >= 0)
    return query.group_by(ItemRow.study_id).subquery()


def _progress(row: Any) -> RaterProgress:
    """Return a rater's progress.

    If the number of raters per item is limited, the total is the number of items that the rater got. Items that were
    given back are included. Otherwise the total is the number of items that one rater of the study can get.
    """
    every = row.items if row.items_per_rater is None else min(row.items, row.items_per_rater)
    return RaterProgress(
        id=row.id,
        code=row.code,
        done=row.done,
        counted=row.counted,
        total=every if row.raters_per_item is None else min(every, row.assigned + row.given_back),
        minutes=int(row.ms) / 60_000,
        last_seen=row.last,
        excluded=row.reason,
        given_back=row.given_back,
        open=row.open,
        returned=row.returned_at is not None,
    )
