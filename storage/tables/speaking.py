"""Define the table of raters' reports on items."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.base import Table


class ItemReportRow(Table):
    """A rater's report that something is wrong with an item. A newer report by the same rater replaces it."""

    __tablename__ = "item_reports"
    __table_args__ = (
        ForeignKeyConstraint(["item_id", "rater_id"], ["assignments.item_id", "assignments.rater_id"]),
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        CheckConstraint("reason IN ('broken_picture', 'offensive', 'cannot_judge', 'other')", name="reason"),
        Index(None, "study_id", "item_id"),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int]
    reason: Mapped[str]  # core.studies.asking.item_report.ReportReason
    words: Mapped[str]
    skipped: Mapped[bool]  # True: the rater does not answer the item's questions
    at: Mapped[datetime]
