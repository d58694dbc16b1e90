"""Define tables for raters, assignments, events and current ratings."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.base import LONG, Table, where


class RaterRow(Table):
    """A rater, known by a short code only."""

    __tablename__ = "raters"
    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime]


class ParticipationRow(Table):
    """A rater's participation in a study."""

    __tablename__ = "participations"
    __table_args__ = (UniqueConstraint("study_id", "number"),)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"), primary_key=True)
    number: Mapped[int]  # rater's number in order of joining: 0, 1, 2 ...; also the seed of the rater's order of items
    seen_at: Mapped[datetime | None]  # when the rater last requested items; answers store their own times


class ExclusionRow(Table):
    """A rater whose ratings are excluded from results and reports. The ratings are kept."""

    __tablename__ = "exclusions"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "rater_id"], ["participations.study_id", "participations.rater_id"]),
        CheckConstraint("length(reason) > 0", name="reason"),
    )
    study_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    reason: Mapped[str]


class AssignmentRow(Table):
    """An item given to a rater, with the order of its panels (explanations or captions).

    An assignment can be released, so that another rater gets the item. Its rater then no longer counts as one of the
    item's raters, but the rater's answers are kept. This rater may finish the item anyway. The item then gets a new
    position in this rater's order, and counts as one of this rater's finished items. The rater counts as one of the
    item's raters again only if the item still needs another rater.
    """

    __tablename__ = "assignments"
    __table_args__ = (
        UniqueConstraint("item_id", "rater_id"),
        UniqueConstraint("study_id", "rater_id", "place"),
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        ForeignKeyConstraint(["study_id", "rater_id"], ["participations.study_id", "participations.rater_id"]),
        Index("ix_assignments_unfinished", "study_id", "rater_id", "place", **where("finished_at IS NULL")),
    )
    id: Mapped[str] = mapped_column(primary_key=True)  # see storage.rating.assignment_ids
    study_id: Mapped[int]
    item_id: Mapped[int]
    rater_id: Mapped[int]
    place: Mapped[int]  # position in the rater's order: 1, 2, 3 ...; negative: the item was given back unfinished
    # Number that selects the order of the panels, so that each order is about equally frequent among the raters of an
    # item.
    slot: Mapped[int] = mapped_column(server_default=text("0"))
    panels: Mapped[list[Any]]  # score_id of the item's ItemScoreRows, first panel first
    revealed_at: Mapped[datetime | None]  # when the hidden picture was shown
    finished_at: Mapped[datetime | None]  # when the last missing answer was given
    released_at: Mapped[datetime | None]  # from this time, other raters could get the item
    given_at: Mapped[datetime]  # when the rater got the item
    note: Mapped[str]


class RatingRow(Table):
    """The current answer to one question."""

    __tablename__ = "ratings"
    __table_args__ = (
        ForeignKeyConstraint(["item_id", "rater_id"], ["assignments.item_id", "assignments.rater_id"]),
        ForeignKeyConstraint(["item_id", "score_id"], ["item_scores.item_id", "item_scores.score_id"]),
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        ForeignKeyConstraint(
            ["study_id", "criterion", "lowest", "highest"],
            ["study_criteria.study_id", "study_criteria.criterion", "study_criteria.lowest", "study_criteria.highest"],
        ),
        CheckConstraint("point BETWEEN lowest AND highest", name="point"),
        CheckConstraint("typeof(point) = 'integer'", name="whole").ddl_if(dialect="sqlite"),
        CheckConstraint("duration_ms >= 0", name="duration"),
        # The index contains every column that a mean rating needs, so that no whole row is read. Its columns are in the
        # order in which ratings are summed.
        Index(None, "study_id", "criterion", "item_id", "point"),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    score_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    criterion: Mapped[str] = mapped_column(primary_key=True)
    study_id: Mapped[int]
    lowest: Mapped[int]
    highest: Mapped[int]
    point: Mapped[int]
    started_at: Mapped[datetime]  # when the rater first saw the item
    submitted_at: Mapped[datetime]  # when this answer was given
    duration_ms: Mapped[int] = mapped_column(LONG)  # milliseconds for which the item was in view until this answer
    # True: regions were shown on the picture when the rater answered.
    regions_shown: Mapped[bool] = mapped_column(server_default=false())
    # True: the picture was shown before this answer.
    picture_shown: Mapped[bool] = mapped_column(server_default=false())
    late: Mapped[bool] = mapped_column(server_default=false())  # True: the answer arrived after the study had closed


class EventRow(Table):
    """One action of a rater in a study. Rows are only added."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("rater_id", "request_key"),
        CheckConstraint("kind IN ('rating', 'reveal', 'note', 'report')", name="kind"),
        CheckConstraint(
            "(kind = 'rating') = (new_point IS NOT NULL) AND (kind = 'rating') = (criterion IS NOT NULL)", name="rating"
        ),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    request_key: Mapped[str]  # key that the browser makes for each action; an action with a known key changes nothing
    at: Mapped[datetime]  # when the rater performed the action
    received_at: Mapped[datetime]  # when the server stored the action
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"))
    assignment_id: Mapped[str] = mapped_column(ForeignKey("assignments.id"), index=True)
    kind: Mapped[str]
    score_id: Mapped[int | None] = mapped_column(ForeignKey("scores.id"), index=True)
    criterion: Mapped[str | None]
    old_point: Mapped[int | None]
    new_point: Mapped[int | None]
    text: Mapped[str | None]  # a note's text, or JSON of a report


class EpochRow(Table):
    """The database's epoch: a random text by which pages notice that an older database may have been restored.

    The text changes whenever this may have happened. The table has at most one row.
    """

    __tablename__ = "epochs"
    __table_args__ = (CheckConstraint("id = 1", name="one"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    epoch: Mapped[str]  # random text; changes when an older copy of the database may have been restored
    began_at: Mapped[datetime]


class ErasureRow(Table):
    """The erasure of a rater's or a study's data. Rows are only added.

    `open` is True only while the data are being erased. Events can be deleted only during this time.
    """

    __tablename__ = "erasures"
    __table_args__ = (CheckConstraint("(rater_id IS NULL) <> (study IS NULL)", name="of_one"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("raters.id"))  # the erased rater; NULL: a study was erased
    study: Mapped[int | None]  # former number of the erased study; NULL: a rater was erased
    ratings_kept: Mapped[bool]
    events_gone: Mapped[int]
    open: Mapped[bool]  # True only within the transaction that erases the rater's or the study's rows


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
