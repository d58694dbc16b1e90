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
class RaterReport:
    """One rater's report on an item."""

    code: str  # code of the rater
    reason: ReportReason
    words: str
    skipped: bool


@dataclass(frozen=True, slots=True)
class ReportedItem:
    """An item with its reports."""

    number: int | None  # number of the item in the study, from 1; None for practice and gold
    role: str  # role of the item: item, practice or gold
    caption: str
    reports: tuple[RaterReport, ...]  # latest first

    @property
    def skips(self) -> int:
        """The number of raters who skipped the item."""
        return sum(report.skipped for report in self.reports)


def reported_items(connection: Connection, study_id: int) -> tuple[ReportedItem, ...]:
    """Return the reported items of a study. The items with most reports come first."""
    reports: dict[int, list[RaterReport]] = {}
    items: dict[int, Any] = {}
    for row in connection.execute(_REPORTS.where(ItemReportRow.study_id == study_id)):
        items[row.item_id] = row
        reports.setdefault(row.item_id, []).append(RaterReport(row.code, row.reason, row.words, row.skipped))
    order = sorted(items, key=lambda one: (-len(reports[one]), items[one].place < 0, items[one].place, one))
    found = ((items[one], tuple(reports[one])) for one in order)
    return tuple(
        ReportedItem(row.place + 1 if row.place >= 0 else None, row.role, row.candidate, of) for row, of in found
    )


_REPORTS = (
    select(*ItemReportRow.__table__.columns, RaterRow.code, ItemRow.place, ItemRow.role)
    .add_columns(SampleRow.candidate)
    .join(RaterRow, RaterRow.id == ItemReportRow.rater_id)
    .join(ItemRow, ItemRow.id == ItemReportRow.item_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .order_by(ItemReportRow.at.desc(), RaterRow.code)
)


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
