"""Take unfinished items back from raters, and exclude raters from results.

Items are taken back when the rater leaves or is inactive, or when a manager decides it.
"""

from datetime import datetime

from sqlalchemy import Connection, exists, func, select, update

from core.studies.design import UNANSWERED_HOLD
from storage.rating.raters import come
from storage.rating.rules import Rules
from storage.tables import AssignmentRow, EventRow, ParticipationRow, VisitRow


def release(connection: Connection, of: Rules, rater_id: int, now: datetime) -> int:
    """Take a rater's unfinished items back. Return the number of these items.

    Call this function in a writing transaction. Answers stay stored, and finished items stay with the rater. If every
    rater rates every item, nobody else could get the items, so nothing happens.
    """
    if not of.is_shared:
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
    return len(freed)


def release_expired(connection: Connection, of: Rules, now: datetime) -> int:
    """Take items back from all raters who were inactive too long. Return the number of items.

    The study's design limits the inactivity. For a rater without any answer, the limit is UNANSWERED_HOLD.
    """
    released = 0
    for rater_id, last in _silent(connection, of, now).items():
        if last is not None and last > now - of.design.hold:
            # the last action's time is stored here and not with each answer, so that saving an answer is fast
            mine = (ParticipationRow.study_id == of.study, ParticipationRow.rater_id == rater_id)
            connection.execute(update(ParticipationRow).where(*mine).values(seen_at=last))
        else:
            released += release(connection, of, rater_id, now)
    return released


def _silent(connection: Connection, of: Rules, now: datetime) -> dict[int, datetime | None]:
    """Return raters with open items who sent no requests recently, and when each last answered; None: never."""
    if not of.is_shared:
        return {}
    limit = now - of.design.hold
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
    last_answer = (
        select(func.max(EventRow.received_at))
        .join(AssignmentRow, AssignmentRow.id == EventRow.assignment_id)
        .where(AssignmentRow.study_id == of.study)
    )
    return {
        rater_id: connection.scalar(last_answer.where(EventRow.rater_id == rater_id))
        for rater_id in connection.scalars(silent).all()
    }


def leave(connection: Connection, of: Rules, rater_id: int, now: datetime) -> int:
    """Store that a rater left, and release the rater's open items. Return the number of these items.

    If the rater has left before, the stored time of leaving does not change. Call this function in a writing
    transaction.
    """
    has = (AssignmentRow.study_id == of.study, AssignmentRow.rater_id == rater_id)
    first = connection.scalar(select(func.min(AssignmentRow.given_at)).where(*has))
    come(connection, of.study, rater_id, first or now)  # without a visit, the first item is the first known time
    mine = (VisitRow.study_id == of.study, VisitRow.rater_id == rater_id)
    connection.execute(update(VisitRow).where(*mine).values(returned_at=func.coalesce(VisitRow.returned_at, now)))
    return release(connection, of, rater_id, now)
