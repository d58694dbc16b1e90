"""Read the items that raters reported. The manager of a study sees these items."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from core.json_types import UtcTime
from core.studies.asking.item_report import ReportReason
from storage.engine.database import Database
from storage.rating.assignment.assignment_rules import assignment_rules
from storage.tables import ControlRow, ItemReportRow, ItemRow, RaterRow, SampleRow


@dataclass(frozen=True, slots=True)
class RaterReport:
    """One rater's report on an item."""

    code: str  # code of the rater
    reason: ReportReason
    words: str
    skipped: bool
    at: UtcTime


@dataclass(frozen=True, slots=True)
class ReportedItem:
    """An item with its reports."""

    item: int  # id
    number: int | None  # number of the item in the study, from 1; None for practice and gold
    role: str  # role of the item: item, training, gold or repeat
    key: str  # key of the sample
    sample: int  # id
    caption: str
    reasons: Mapping[ReportReason, int]  # key: reason; value: how often raters gave it
    skips: int
    reports: tuple[RaterReport, ...]  # latest first


class ReportedItems:
    """Operations on a study's reported items."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, study_id: int) -> tuple[ReportedItem, ...]:
        """Return reported items. Raises NotFound.

        The items with most reports come first.
        """
        with self._database.read() as connection:
            assignment_rules(connection, study_id)
            reports: dict[int, list[RaterReport]] = {}
            for row in connection.execute(_REPORTS.where(ItemReportRow.study_id == study_id)):
                given = RaterReport(row.code, row.reason, row.words, row.skipped, row.at)
                reports.setdefault(row.item_id, []).append(given)
            reported = ItemRow.id.in_(select(ItemReportRow.item_id).where(ItemReportRow.study_id == study_id))
            rows = connection.execute(_ITEMS.where(ItemRow.study_id == study_id, reported)).all()
        items = [_item(row, reports.get(row.id, [])) for row in rows]
        return tuple(sorted(items, key=lambda one: (-len(one.reports), one.number is None, one.number or 0, one.item)))


_REPORTS = (
    select(*ItemReportRow.__table__.columns, RaterRow.code)
    .join(RaterRow, RaterRow.id == ItemReportRow.rater_id)
    .order_by(ItemReportRow.at.desc(), RaterRow.code)
)
_ITEMS = (
    select(ItemRow.id, ItemRow.place, ControlRow.role)
    .add_columns(SampleRow.id.label("sample"), SampleRow.key, SampleRow.candidate)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .outerjoin(ControlRow, ControlRow.item_id == ItemRow.id)
)


def _item(row: Any, reports: list[RaterReport]) -> ReportedItem:
    return ReportedItem(
        item=row.id,
        number=row.place + 1 if row.place >= 0 else None,
        role=row.role or "item",
        key=row.key,
        sample=row.sample,
        caption=row.candidate,
        reasons=Counter(report.reason for report in reports),
        skips=sum(report.skipped for report in reports),
        reports=tuple(reports),
    )
