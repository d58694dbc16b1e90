"""Store that a rater left a study, by the rater's own decision or by a manager's report."""

from datetime import datetime

from sqlalchemy import Connection, func, insert, select, update

from storage.rating.assignment.assignment_rules import AssignmentRules
from storage.rating.assignment.released_items import release
from storage.tables import AssignmentRow, VisitRow


def leave(connection: Connection, of: AssignmentRules, rater_id: int, now: datetime) -> int:
    """Store that a rater left, and release the rater's open items.

    Return the number of these items. If the rater has left before, the stored time of leaving does not change. Call
    this function in a writing transaction.
    """
    mine = (VisitRow.study_id == of.study, VisitRow.rater_id == rater_id)
    left = update(VisitRow).where(*mine).values(returned_at=func.coalesce(VisitRow.returned_at, now))
    if not connection.execute(left).rowcount:
        # No visit is stored, so the time of arrival is unknown. The time of the first item is used.
        has = (AssignmentRow.study_id == of.study, AssignmentRow.rater_id == rater_id)
        came = connection.scalar(select(func.min(AssignmentRow.given_at)).where(*has)) or now
        values = {"study_id": of.study, "rater_id": rater_id, "came_at": came, "returned_at": now}
        connection.execute(insert(VisitRow).values(values))
    return release(connection, of, rater_id, "returned", now)
