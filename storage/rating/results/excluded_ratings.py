"""Exclude ratings from results.

Excluded are ratings by excluded raters, of items that were taken back, and of control items (practice and gold items).
"""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, or_, select

from storage.tables import AssignmentRow, ExclusionRow, ItemRow, RatingRow


def reason(excluded: str | None, released: bool, role: str = "item") -> str:
    """Return in a few words why results exclude an answer.

    The result is empty if results include the answer. excluded: why the rater was
    excluded. released: the item was skipped or given to another rater.
    """
    if role != "item":
        return role
    if excluded is not None:
        return f"rater excluded: {excluded}"
    return "item released" if released else ""


def counted(connection: Connection, study: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that select the answers that results include.

    If the study has no excluded answers, the result is (). Without conditions, the
    database can compute a mean from an index alone.
    """
    left_out = _left_out().where(AssignmentRow.study_id == study)
    if connection.execute(left_out.limit(1)).first() is None:
        return ()
    same = (AssignmentRow.item_id == RatingRow.item_id, AssignmentRow.rater_id == RatingRow.rater_id)
    return (~_left_out().where(*same).correlate(RatingRow).exists(),)


def _left_out() -> Select[Any]:
    excluded = and_(ExclusionRow.study_id == AssignmentRow.study_id, ExclusionRow.rater_id == AssignmentRow.rater_id)
    query = select(AssignmentRow.id).outerjoin(ExclusionRow, excluded)
    query = query.join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    of_person = or_(AssignmentRow.released_at.is_not(None), ExclusionRow.at.is_not(None))
    return query.where(or_(of_person, ItemRow.place < 0))  # control items have negative places
