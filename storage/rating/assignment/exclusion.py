"""Exclude a rater from a study.

A person does this, or the server after too many failed gold items.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, insert, select

from storage.rating.assignment.assignment_rules import AssignmentRules, assignment_rules
from storage.rating.assignment.joining import participation
from storage.rating.assignment.released_items import release
from storage.rating.rater_quality.right_answers import is_right
from storage.study_types import Rater
from storage.tables import AssignmentRow, ControlRow, ExclusionRow, RatingRow, StudyQualityRow

_STUDY: BindParameter[int] = bindparam("study")
_RATER: BindParameter[int] = bindparam("rater")
_STOP_AFTER = select(StudyQualityRow.stop_after_gold).where(StudyQualityRow.study_id == _STUDY)
_GOLD_ANSWERS = (
    select(ControlRow.item_id, ControlRow.expected, RatingRow.criterion, RatingRow.point)
    .join(AssignmentRow, AssignmentRow.item_id == ControlRow.item_id)
    .join(RatingRow, (RatingRow.item_id == ControlRow.item_id) & (RatingRow.rater_id == AssignmentRow.rater_id))
    .where(ControlRow.study_id == _STUDY, ControlRow.role == "gold", ControlRow.retired_at.is_(None))
    .where(AssignmentRow.rater_id == _RATER, AssignmentRow.finished_at.is_not(None))
)


def exclude_rater(
    connection: Connection, of: AssignmentRules, rater_id: int, reason: str, now: datetime, failed_gold: bool = False
) -> None:
    """Exclude a rater's ratings from results, and release unfinished items. Answers stay stored.

    failed_gold: the server excludes the rater because of failed gold items.
    """
    mine = {"study_id": of.study, "rater_id": rater_id}
    release(connection, of, rater_id, "excluded", now)
    here = (ExclusionRow.study_id == of.study, ExclusionRow.rater_id == rater_id)
    connection.execute(delete(ExclusionRow).where(*here))
    connection.execute(insert(ExclusionRow).values(**mine, at=now, reason=reason, failed_gold=failed_gold))


def stop_after_gold(connection: Connection, study: int) -> int | None:
    """Return how many failed gold items stop a rater; None: no limit."""
    number: int | None = connection.scalar(_STOP_AFTER, {"study": study})
    return number


def stop_at_gold(connection: Connection, study: int, rater: Rater, item: int, now: datetime) -> None:
    """Exclude a rater who has failed too many gold items.

    Does nothing if the study has no limit. item: the item that the rater has just finished. This item does not count as
    failed yet, because the rater may still correct the answers. If a person has readmitted the rater, gold items do not
    stop the rater again.
    """
    most = stop_after_gold(connection, study)
    if most is None:
        return
    part = participation(connection, study, rater)
    if part is None or part.gold_lifted or part.excluded_at is not None:
        return
    failed = failed_gold(connection, study, rater) - {item}
    if len(failed) >= most:
        reason = f"failed {len(failed)} gold {'item' if len(failed) == 1 else 'items'}"
        exclude_rater(connection, assignment_rules(connection, study), rater.id, reason, now, failed_gold=True)


def failed_gold(connection: Connection, study: int, rater: Rater) -> set[int]:
    """Return the gold items in use that a rater has finished with a wrong answer."""
    rows: list[Any] = list(connection.execute(_GOLD_ANSWERS, {"study": study, "rater": rater.id}).all())
    return {row.item_id for row in rows if not is_right(row.expected, [(row.criterion, row.point)])}
