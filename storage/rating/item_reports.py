"""Store raters' reports on items, and items that they skip; read them for the study's manager.

A skipped item is finished for its rater, but its assignment is released. So the rater does not count as one of the
item's raters, and another rater gets the item.
"""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from core.errors import InvalidRating
from core.studies.asking.item_report import ReportReason, report_of
from storage.rating.assignment import has_room
from storage.rating.rules import Rules
from storage.study_types import Rater, Save
from storage.tables import AssignmentRow, ItemReportRow, ItemRow, RaterRow, SampleRow


@dataclass(frozen=True, slots=True)
class ReportedItem:
    """A rater's report on an item."""

    item: int | str  # number of the item in the study, from 1; "practice" or "gold" for other items
    caption: str
    code: str  # code of the rater
    reason: ReportReason
    words: str
    skipped: bool


def reported_items(connection: Connection, study_id: int) -> tuple[ReportedItem, ...]:
    """Return the reports on items of a study, in the order of the items. Practice and gold items come last."""
    query = (
        select(*ItemReportRow.__table__.columns, RaterRow.code, ItemRow.place, ItemRow.role, SampleRow.candidate)
        .join(RaterRow, RaterRow.id == ItemReportRow.rater_id)
        .join(ItemRow, ItemRow.id == ItemReportRow.item_id)
        .join(SampleRow, SampleRow.id == ItemRow.sample_id)
        .where(ItemReportRow.study_id == study_id)
        .order_by(ItemRow.place < 0, ItemRow.place, RaterRow.code)
    )
    rows = [(row, row.role if row.place < 0 else row.place + 1) for row in connection.execute(query)]
    return tuple(ReportedItem(item, row.candidate, row.code, row.reason, row.words, row.skipped) for row, item in rows)


def report_item(
    connection: Connection, of: Rules, rater: Rater, row: Any, save: Save, at: datetime, is_complete: bool
) -> dict[str, Any]:
    """Store or withdraw a rater's report on an item.

    Return what the action's row in `events` contains. row: the assignment, with the item's role. is_complete: whether
    every question of the item has an answer. Raises InvalidRating.
    """
    report = report_of(save.said)
    mine = (ItemReportRow.item_id == row.item_id, ItemReportRow.rater_id == rater.id)
    was_skipped = bool(connection.scalar(select(ItemReportRow.skipped).where(*mine)))
    skips = report is not None and report.skip
    if skips and row.role == "practice":
        raise InvalidRating("Practice cannot be skipped. Send the report without skipping.")
    connection.execute(delete(ItemReportRow).where(*mine))
    if report is not None:
        values = {"item_id": row.item_id, "rater_id": rater.id, "study_id": row.study_id, "at": at}
        values |= {"reason": report.reason, "words": report.words, "skipped": report.skip}
        connection.execute(insert(ItemReportRow).values(values))
    if skips and not was_skipped:
        finished = func.coalesce(AssignmentRow.finished_at, at) if row.place > 0 else None
        skipped = {"finished_at": finished, "released_at": func.coalesce(AssignmentRow.released_at, at)}
        connection.execute(update(AssignmentRow).where(AssignmentRow.id == save.assignment).values(skipped))
    elif was_skipped and not skips:
        _take_up_again(connection, of, row, save.assignment, at, is_complete)
    seen = {"in_sight_ms": save.in_sight_ms}  # the time in which a rater writes a report is also work
    return {"text": json.dumps(seen if report is None else asdict(report) | seen)}


def _take_up_again(
    connection: Connection, of: Rules, row: Any, assignment: str, at: datetime, is_complete: bool
) -> None:
    """Open a skipped item again for the rater who skipped it.

    The item counts for the study again if its limit of raters is not reached.
    """
    values: dict[str, Any] = {"finished_at": at if is_complete else None}
    if row.place > 0 and has_room(connection, of, row.item_id):
        values["released_at"] = None
    connection.execute(update(AssignmentRow).where(AssignmentRow.id == assignment).values(values))
