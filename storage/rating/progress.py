"""How far the raters of a study have come."""

from typing import Any

from sqlalchemy import Connection, func, select

from storage.rating.queue import still_free
from storage.tables import AssignmentRow, ParticipationRow, RaterRow, RatingRow
from storage.types import RaterProgress


def raters_progress(connection: Connection, study_id: int) -> tuple[RaterProgress, ...]:
    """Return every rater's progress, in the order of joining."""
    rows = connection.execute(_progress_query(study_id)).all()
    free = [still_free(connection, study_id, row.id, row.offered) for row in rows]
    return tuple(_progress(row, more) for row, more in zip(rows, free, strict=True))


def _progress_query(study_id: int) -> Any:
    assigned = (
        select(
            AssignmentRow.rater_id,
            func.count(AssignmentRow.finished_at).label("done"),
            func.count().label("assigned"),
        )
        .where(AssignmentRow.study_id == study_id)
        .group_by(AssignmentRow.rater_id)
        .subquery()
    )
    longest = (
        select(
            RatingRow.rater_id,
            RatingRow.item_id,
            func.max(RatingRow.duration_ms).label("ms"),
            func.max(RatingRow.submitted_at).label("last"),
        )
        .where(RatingRow.study_id == study_id)
        .group_by(RatingRow.rater_id, RatingRow.item_id)
        .subquery()
    )
    spent = select(longest.c.rater_id, func.sum(longest.c.ms).label("ms"), func.max(longest.c.last).label("last"))
    rated = spent.group_by(longest.c.rater_id).subquery()
    return (
        select(
            RaterRow.id,
            RaterRow.code,
            func.coalesce(assigned.c.done, 0).label("done"),
            func.coalesce(assigned.c.assigned, 0).label("assigned"),
            ParticipationRow.offered,
            func.coalesce(rated.c.ms, 0).label("ms"),
            rated.c.last,
        )
        .join(ParticipationRow, ParticipationRow.rater_id == RaterRow.id)
        .outerjoin(assigned, assigned.c.rater_id == RaterRow.id)
        .outerjoin(rated, rated.c.rater_id == RaterRow.id)
        .where(ParticipationRow.study_id == study_id)
        .order_by(ParticipationRow.number)
    )


def _progress(row: Any, free: int) -> RaterProgress:
    total = row.assigned + free
    return RaterProgress(code=row.code, done=row.done, total=total, minutes=row.ms / 60_000, last_seen=row.last)
