"""Store raters' reports on items, and items that they skip.

A skipped item is finished for its rater, but its assignment is released. So the rater does not count as one of the
item's raters, and another rater gets the item.
"""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from core.errors import InvalidRating
from core.studies.asking.item_report import report_of
from storage.rating.assignment.assignment_rules import assignment_rules
from storage.rating.assignment.joining import holders
from storage.study_types import Rater, Save
from storage.tables import AssignmentRow, ControlRow, ItemReportRow


def report_item(
    connection: Connection, rater: Rater, row: Any, save: Save, at: datetime, is_complete: bool
) -> dict[str, Any]:
    """Store or withdraw a rater's report on an item.

    Return what the action's row in `events` contains. row: the assignment. is_complete: whether every question of the
    item has an answer. Raises InvalidRating.
    """
    report = report_of(save.said)
    mine = (ItemReportRow.item_id == row.item_id, ItemReportRow.rater_id == rater.id)
    was_skipped = bool(connection.scalar(select(ItemReportRow.skipped).where(*mine)))
    skips = report is not None and report.skip
    if skips and _is_practice(connection, row.item_id):
        raise InvalidRating("Practice cannot be skipped. Send the report without skipping.")
    connection.execute(delete(ItemReportRow).where(*mine))
    if report is not None:
        values = {"item_id": row.item_id, "rater_id": rater.id, "study_id": row.study_id, "at": at}
        values |= {"reason": report.reason, "words": report.words, "skipped": report.skip}
        connection.execute(insert(ItemReportRow).values(values))
    if skips and not was_skipped:
        _skip(connection, row, save.assignment, at)
    elif was_skipped and not skips:
        _take_up_again(connection, row, save.assignment, at, is_complete)
    seen = {"in_sight_ms": save.in_sight_ms}
    return {"text": json.dumps(seen if report is None else asdict(report) | seen)}


def _skip(connection: Connection, row: Any, assignment: str, at: datetime) -> None:
    this = update(AssignmentRow).where(AssignmentRow.id == assignment)
    connection.execute(
        this.values(
            finished_at=func.coalesce(AssignmentRow.finished_at, at) if row.place > 0 else None,
            released_at=func.coalesce(AssignmentRow.released_at, at),
        )
    )


def _take_up_again(connection: Connection, row: Any, assignment: str, at: datetime, is_complete: bool) -> None:
    """Open a skipped item again for the rater who skipped it.

    The item counts for the study again if its limit of raters is not reached.
    """
    of = assignment_rules(connection, row.study_id)
    has_room = of.raters_per_item is None or holders(connection, row.item_id) < of.raters_per_item
    values: dict[str, Any] = {"finished_at": at if is_complete else None}
    if has_room and row.place > 0:
        values["released_at"] = None
    connection.execute(update(AssignmentRow).where(AssignmentRow.id == assignment).values(values))


def _is_practice(connection: Connection, item: int) -> bool:
    training = select(ControlRow.item_id).where(ControlRow.item_id == item, ControlRow.role == "training")
    return connection.scalar(training) is not None
