"""Exclude a rater from a study."""

from datetime import datetime

from sqlalchemy import Connection, delete, insert

from storage.rating.assignment.assignment_rules import AssignmentRules
from storage.rating.assignment.released_items import release
from storage.tables import ExclusionRow


def exclude_rater(connection: Connection, of: AssignmentRules, rater_id: int, reason: str, now: datetime) -> None:
    """Exclude a rater's ratings from results, and release unfinished items. The rater's answers stay stored."""
    mine = {"study_id": of.study, "rater_id": rater_id}
    release(connection, of, rater_id, "excluded", now)
    here = (ExclusionRow.study_id == of.study, ExclusionRow.rater_id == rater_id)
    connection.execute(delete(ExclusionRow).where(*here))
    connection.execute(insert(ExclusionRow).values(**mine, at=now, reason=reason))
