"""Exclude a rater from a study.

A person excludes the rater, or the server does so after too many failed gold items (with known answers).
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
    """Exclude a rater's ratings from results, and release unfinished items.

    The rater's answers stay stored. failed_gold: the server excludes the rater because of failed gold items (with known
    answers).
    """
    mine = {"study_id": of.study, "rater_id": rater_id}
    release(connection, of, rater_id, "excluded", now)
    here = (ExclusionRow.study_id == of.study, ExclusionRow.rater_id == rater_id)
    connection.execute(delete(ExclusionRow).where(*here))
    connection.execute(insert(ExclusionRow).values(**mine, at=now, reason=reason, failed_gold=failed_gold))


def stop_after_gold(connection: Connection, study: int) -> int | None:
    """Return after how many failed gold items a rater is excluded.

    Gold items have known answers. None: no limit.
    """
    number: int | None = connection.scalar(_STOP_AFTER, {"study": study})
    return number


def stop_at_gold(connection: Connection, study: int, rater: Rater, item: int, now: datetime) -> None:
    """Exclude a rater who has failed too many gold items.

    Gold items have known answers. The function does nothing if the study has no limit. item: the item that the rater
    has just finished. This item does not count as failed yet, because the rater may still correct the answers. If a
    person has readmitted the rater, gold items do not exclude the rater again.
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
    """Return the gold items that a rater has finished wrongly.

    Gold items have known answers, and at least one of the rater's answers differs from them. Gold items that are no
    longer used are omitted.
    """
    rows: list[Any] = list(connection.execute(_GOLD_ANSWERS, {"study": study, "rater": rater.id}).all())
    return {row.item_id for row in rows if not is_right(row.expected, [(row.criterion, row.point)])}
