"""Define tables for messages between raters and managers, and for raters' reports on items."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index
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


class MessageRow(Table):
    """A manager's message to one rater or all raters of a study. Raters read it on the rating page."""

    __tablename__ = "messages"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        CheckConstraint("length(text) > 0", name="text"),
        Index(None, "study_id"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"))
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("raters.id"))  # NULL: all raters of the study
    item_id: Mapped[int | None]  # item of the report that this message answers; NULL: it answers no report
    text: Mapped[str]
    author: Mapped[str]  # account name; "this machine" if nobody signs in
    at: Mapped[datetime]


class MessageReadRow(Table):
    """The fact that a rater has read a message, and the time."""

    __tablename__ = "message_reads"
    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"), primary_key=True)
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"), primary_key=True)
    at: Mapped[datetime]
