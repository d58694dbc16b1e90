"""Items given back: by raters who leave, by hand, and by those who gave no sign of life for too long."""

from datetime import datetime

from sqlalchemy import Connection, exists, func, insert, select, update

from core.studies.planning.life_cycle import UNANSWERED_HOLD, Release
from storage.rating.assignment.assignment_rules import AssignmentRules
from storage.tables import AssignmentRow, EventRow, ParticipationRow, ReleaseRow


def release(connection: Connection, of: AssignmentRules, rater_id: int, why: Release, now: datetime) -> int:
    """Take a rater's unfinished items from them, in a transaction that writes; returns how many.

    What was answered stays, and what was finished stays the rater's. Where every rater rates every item there is
    nobody to give them to, and nothing happens.
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
    for place, row in enumerate(kept, 1):  # upwards, so that no two ever have one place
        if row.place != place:
            connection.execute(update(AssignmentRow).where(AssignmentRow.id == row.id).values(place=place))
    if freed:
        told = {"at": now, "study_id": of.study, "rater_id": rater_id, "why": why, "items": len(freed)}
        connection.execute(insert(ReleaseRow).values(told))
    return len(freed)


def release_expired(connection: Connection, of: AssignmentRules, now: datetime) -> int:
    """Release the items of all who gave no sign of life for as long as the study holds items; returns how many.

    A rater who has answered nothing of the study yet holds items for UNANSWERED_HOLD only.
    """
    if of.raters_per_item is None:
        return 0
    released = 0
    for rater_id, last in _silent(connection, of, now).items():
        if _is_alive(of, last, now):  # noted here, as a save should write nothing more than the answer
            mine = (ParticipationRow.study_id == of.study, ParticipationRow.rater_id == rater_id)
            connection.execute(update(ParticipationRow).where(*mine).values(seen_at=last))
        else:
            released += release(connection, of, rater_id, "expired", now)
    return released


def expired_raters(connection: Connection, of: AssignmentRules, now: datetime) -> tuple[int, ...]:
    """Return whose unfinished items release_expired would release."""
    if of.raters_per_item is None:
        return ()
    return tuple(rater for rater, last in _silent(connection, of, now).items() if not _is_alive(of, last, now))


def _silent(connection: Connection, of: AssignmentRules, now: datetime) -> dict[int, datetime | None]:
    """Return raters with open items who asked for nothing lately, and when they last answered."""
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
