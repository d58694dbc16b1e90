"""Store raters' reports on items, and items that they skip.

A skipped item is finished for its rater, but its assignment is released. So the rater does not count as one of the
item's raters, and another rater gets the item. An item that MOST_SKIPS raters skipped is withdrawn from the study.
"""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, exists, func, insert, select, update

from core.errors import InvalidRating, NotFound
from core.studies.asking.item_report import MOST_SKIPS, report_of
from storage.rating.assignment.assignment_rules import assignment_rules
from storage.rating.assignment.joining import holders
from storage.study_types import Rater, Save
from storage.tables import AssignmentRow, ControlRow, ItemReportRow, ItemRow


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
    seen = {"in_sight_ms": save.in_sight_ms}  # pay also covers the time in which a rater writes a report
    return {"text": json.dumps(seen if report is None else asdict(report) | seen)}


def withdraw(connection: Connection, study_id: int, item: int, at: datetime) -> None:
    """Withdraw an item from its study. Raises NotFound.

    Raters no longer get the item, and results exclude its answers.
    """
    taken = update(ItemRow).where(ItemRow.id == item, ItemRow.study_id == study_id, ItemRow.place >= 0)
    if not connection.execute(taken.values(withdrawn_at=func.coalesce(ItemRow.withdrawn_at, at))).rowcount:
        raise NotFound("This item does not belong to this study.")
    has = (AssignmentRow.item_id == item, AssignmentRow.released_at.is_(None))
    is_open = (*has, AssignmentRow.place > 0, AssignmentRow.finished_at.is_(None))
    connection.execute(update(AssignmentRow).where(*is_open).values(finished_at=at, released_at=at))
    connection.execute(update(AssignmentRow).where(*has).values(released_at=at))


def restore(connection: Connection, study_id: int, item: int) -> None:
    """Undo the withdrawal of an item. Raises NotFound.

    Raters get the item again. If an answer to the item was included in results before the withdrawal, results include
    it again.
    """
    mine = (ItemRow.id == item, ItemRow.study_id == study_id, ItemRow.place >= 0)
    row = connection.execute(select(ItemRow.withdrawn_at).where(*mine)).first()
    if row is None:
        raise NotFound("This item does not belong to this study.")
    if row.withdrawn_at is None:
        return
    counted = (AssignmentRow.item_id == item, AssignmentRow.released_at == row.withdrawn_at)
    connection.execute(
        update(AssignmentRow)
        .where(*counted, AssignmentRow.finished_at < row.withdrawn_at)
        .where(~_skipped(AssignmentRow.item_id, AssignmentRow.rater_id))
        .values(released_at=None)
    )
    connection.execute(update(ItemRow).where(*mine).values(withdrawn_at=None))


def _skipped(item: Any, rater: Any) -> Any:
    return exists().where(ItemReportRow.item_id == item, ItemReportRow.rater_id == rater, ItemReportRow.skipped)


def _skip(connection: Connection, row: Any, assignment: str, at: datetime) -> None:
    this = update(AssignmentRow).where(AssignmentRow.id == assignment)
    connection.execute(
        this.values(
            finished_at=func.coalesce(AssignmentRow.finished_at, at) if row.place > 0 else None,
            released_at=func.coalesce(AssignmentRow.released_at, at),
        )
    )
    skips = select(func.count()).where(ItemReportRow.item_id == row.item_id, ItemReportRow.skipped)
    is_own = connection.scalar(select(ItemRow.place >= 0).where(ItemRow.id == row.item_id))
    if is_own and (connection.scalar(skips) or 0) >= MOST_SKIPS:
        withdraw(connection, row.study_id, row.item_id, at)


def _take_up_again(connection: Connection, row: Any, assignment: str, at: datetime, is_complete: bool) -> None:
    """Open a skipped item again for the rater who skipped it.

    The item counts for the study again if it was not withdrawn and its limit of raters is not reached.
    """
    of = assignment_rules(connection, row.study_id)
    withdrawn = connection.scalar(select(ItemRow.withdrawn_at).where(ItemRow.id == row.item_id))
    has_room = of.raters_per_item is None or holders(connection, of, row.item_id) < of.raters_per_item
    values: dict[str, Any] = {"finished_at": at if is_complete else None}
    if has_room and withdrawn is None and row.place > 0:
        values["released_at"] = None
    connection.execute(update(AssignmentRow).where(AssignmentRow.id == assignment).values(values))


def _is_practice(connection: Connection, item: int) -> bool:
    training = select(ControlRow.item_id).where(ControlRow.item_id == item, ControlRow.role == "training")
    return connection.scalar(training) is not None
