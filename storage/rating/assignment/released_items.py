"""Take unfinished items back from raters.

This happens when the rater leaves or is inactive, or when a manager decides it.
"""

from datetime import datetime

from sqlalchemy import Connection, delete, exists, func, insert, select, update

from core.studies.planning.life_cycle import UNANSWERED_HOLD, Release
from storage.rating.assignment.assignment_rules import AssignmentRules
from storage.tables import AssignmentRow, EventRow, ExclusionRow, ParticipationRow, ReleaseRow


def release(connection: Connection, of: AssignmentRules, rater_id: int, why: Release, now: datetime) -> int:
    """Take a rater's unfinished items back. Return the number of these items.

    Call this function in a writing transaction. Answers stay stored, and finished items stay with the rater. If every
    rater rates every item, nobody else could get the items, so nothing happens.
    """
    if of.raters_per_item is None:
        return 0
    mine = (AssignmentRow.study_id == of.study, AssignmentRow.rater_id == rater_id)
    columns = select(AssignmentRow.id, AssignmentRow.place, AssignmentRow.finished_at).where(*mine)
    rows = connection.execute(columns.order_by(AssignmentRow.place)).all()
    below = min(0, *(row.place for row in rows)) if rows else 0
    freed = [row for row in rows if row.place > 0 and row.finished_at is None]
    for nth, row in enumerate(freed, 1):
        values = {"place": below - nth, "released_at": now}
        connection.execute(update(AssignmentRow).where(AssignmentRow.id == row.id).values(values))
    kept = [row for row in rows if row.place > 0 and row.finished_at is not None]
    for place, row in enumerate(kept, 1):  # ascending, so that each new place is free and no two items share a place
        if row.place != place:
            connection.execute(update(AssignmentRow).where(AssignmentRow.id == row.id).values(place=place))
    if freed:
        event = {"at": now, "study_id": of.study, "rater_id": rater_id, "why": why, "items": len(freed)}
        connection.execute(insert(ReleaseRow).values(event))
    return len(freed)


def release_expired(connection: Connection, of: AssignmentRules, now: datetime) -> int:
    """Take items back from all raters who were inactive too long.

    Return the number of items. The study's settings limit the inactivity. For a rater without any answer, the limit is
    UNANSWERED_HOLD.
    """
    if of.raters_per_item is None:
        return 0
    released = 0
    for rater_id, last in _silent(connection, of, now).items():
        if _is_alive(
            of, last, now
        ):  # the last action's time is stored here and not with each answer, so that saving an answer is fast
            mine = (ParticipationRow.study_id == of.study, ParticipationRow.rater_id == rater_id)
            connection.execute(update(ParticipationRow).where(*mine).values(seen_at=last))
        else:
            released += release(connection, of, rater_id, "expired", now)
    return released


def expired_raters(connection: Connection, of: AssignmentRules, now: datetime) -> tuple[int, ...]:
    """Return the raters whose unfinished items release_expired would release."""
    if of.raters_per_item is None:
        return ()
    return tuple(rater for rater, last in _silent(connection, of, now).items() if not _is_alive(of, last, now))


def _silent(connection: Connection, of: AssignmentRules, now: datetime) -> dict[int, datetime | None]:
    """Return inactive raters with open items, and when each last answered.

    An inactive rater has sent no requests recently. None: the rater has not answered.
    """
    limit = now - of.course.hold
    open_item = exists().where(
        AssignmentRow.study_id == ParticipationRow.study_id,
        AssignmentRow.rater_id == ParticipationRow.rater_id,
        AssignmentRow.place > 0,
        AssignmentRow.finished_at.is_(None),
    )
    answered = exists().where(
        EventRow.rater_id == ParticipationRow.rater_id,
        AssignmentRow.id == EventRow.assignment_id,
        AssignmentRow.study_id == of.study,
    )
    seen_at = ParticipationRow.seen_at
    silent = select(ParticipationRow.rater_id).where(ParticipationRow.study_id == of.study, open_item)
    silent = silent.where(seen_at.is_(None) | (seen_at <= limit) | ((seen_at <= now - UNANSWERED_HOLD) & ~answered))
    return {rater_id: _last_answer(connection, of, rater_id) for rater_id in connection.scalars(silent).all()}


def _last_answer(connection: Connection, of: AssignmentRules, rater_id: int) -> datetime | None:
    return connection.scalar(
        select(func.max(EventRow.received_at))
        .join(AssignmentRow, AssignmentRow.id == EventRow.assignment_id)
        .where(AssignmentRow.study_id == of.study, EventRow.rater_id == rater_id)
    )


def _is_alive(of: AssignmentRules, last: datetime | None, now: datetime) -> bool:
    return last is not None and last > now - of.course.hold


def exclude_rater(connection: Connection, of: AssignmentRules, rater_id: int, reason: str, now: datetime) -> None:
    """Exclude a rater's ratings from results, and release unfinished items. The rater's answers stay stored."""
    release(connection, of, rater_id, "excluded", now)
    here = (ExclusionRow.study_id == of.study, ExclusionRow.rater_id == rater_id)
    connection.execute(delete(ExclusionRow).where(*here))
    connection.execute(insert(ExclusionRow).values(study_id=of.study, rater_id=rater_id, at=now, reason=reason))
