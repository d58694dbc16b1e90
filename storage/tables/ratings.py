"""What raters do: who takes part, what they were given, every event, and what stands of it."""

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


class AdjudicationRow(Table):
    """What somebody decided about one question on which raters lie apart. Rows are only added; the newest counts."""

    __tablename__ = "adjudications"
    __table_args__ = (
        ForeignKeyConstraint(["item_id", "score_id"], ["item_scores.item_id", "item_scores.score_id"]),
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        ForeignKeyConstraint(
            ["study_id", "criterion", "lowest", "highest"],
            ["study_criteria.study_id", "study_criteria.criterion", "study_criteria.lowest", "study_criteria.highest"],
        ),
        CheckConstraint("point BETWEEN lowest AND highest", name="point"),
        CheckConstraint("reason IN ('ambiguous', 'guideline', 'careless', 'subjective')", name="reason"),
        CheckConstraint("length(adjudicator) > 0", name="adjudicator"),
        Index(None, "study_id", "item_id"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int]
    item_id: Mapped[int]
    score_id: Mapped[int]
    criterion: Mapped[str]
    lowest: Mapped[int]
    highest: Mapped[int]
    point: Mapped[int]
    reason: Mapped[str]  # core.studies.results.disputes.Reason: why raters were apart
    words: Mapped[str]  # of the adjudicator's own
    adjudicator: Mapped[str]  # an account's name; "this machine" where nobody signs in
    at: Mapped[datetime]


class RaterRow(Table):
    """A rater, known by a short code only."""

    __tablename__ = "raters"
    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime]


class ParticipationRow(Table):
    """A rater in a study."""

    __tablename__ = "participations"
    __table_args__ = (UniqueConstraint("study_id", "number"),)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"), primary_key=True)
    number: Mapped[int]  # 0, 1, 2 ... in the order of joining; the seed of the rater's own order
    seen_at: Mapped[datetime | None]  # when they last asked for items; what they answered later says more
    pilot: Mapped[bool] = mapped_column(server_default=false())  # joined while the study was tried out
    reached: Mapped[int] = mapped_column(server_default=text("0"))  # place in their order, see assignment.next_items


class ExclusionRow(Table):
    """A rater whose ratings count neither for the items nor in reports; they are kept."""

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
    """An item given to a rater, with the order in which its panels stand.

    One that is released counts for its item no more, which goes to another rater; what was answered stays. If its
    rater finishes it all the same, it has a place again and counts for the rater, though not for the item.
    """

    __tablename__ = "assignments"
    __table_args__ = (
        UniqueConstraint("item_id", "rater_id"),
        UniqueConstraint("study_id", "rater_id", "place"),
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        ForeignKeyConstraint(["study_id", "rater_id"], ["participations.study_id", "participations.rater_id"]),
        Index("ix_assignments_unfinished", "study_id", "rater_id", "place", **where("finished_at IS NULL")),
    )
    id: Mapped[str] = mapped_column(primary_key=True)  # random, so that nobody can guess another one
    study_id: Mapped[int]
    item_id: Mapped[int]
    rater_id: Mapped[int]
    place: Mapped[int]  # 1, 2, 3 ... in the rater's own order; below 0: given back unfinished
    slot: Mapped[int] = mapped_column(server_default=text("0"))  # balances the order of panels over an item's raters
    panels: Mapped[list[Any]]  # score_id of the item's ItemScoreRows, first panel first
    revealed_at: Mapped[datetime | None]  # when the veil was lifted from the picture
    finished_at: Mapped[datetime | None]  # when the last missing answer came
    released_at: Mapped[datetime | None]  # from when on the item is for others
    given_at: Mapped[datetime | None]  # when its rater got the item; NULL in rows from before this was stored
    note: Mapped[str]


class RatingRow(Table):
    """The present answer to one question."""

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
        # All that a mean rating is made of, in the order in which it is added up: the rows themselves stay unread.
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
    started_at: Mapped[datetime]  # when the item was put before the rater
    submitted_at: Mapped[datetime]  # when this answer was given
    duration_ms: Mapped[int] = mapped_column(LONG)  # time with the item in sight until this answer
    regions_shown: Mapped[bool] = mapped_column(server_default=false())  # over the picture, at this answer
    picture_shown: Mapped[bool | None]  # by the time of this answer; NULL: the browser did not say
    late: Mapped[bool] = mapped_column(server_default=false())  # it reached the server after the study had closed


class EventRow(Table):
    """One thing a rater did. Rows are only ever added."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("rater_id", "request_key"),
        CheckConstraint("kind IN ('rating', 'reveal', 'note', 'sentence', 'whole')", name="kind"),
        CheckConstraint(
            "(kind = 'rating') = (new_point IS NOT NULL) AND (kind = 'rating') = (criterion IS NOT NULL)", name="rating"
        ),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    request_key: Mapped[str]  # made by the browser once a save, so that a repeated one does nothing
    at: Mapped[datetime]  # when the rater did it
    received_at: Mapped[datetime]  # when the server stored it
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"))
    assignment_id: Mapped[str] = mapped_column(ForeignKey("assignments.id"), index=True)
    kind: Mapped[str]
    score_id: Mapped[int | None] = mapped_column(ForeignKey("scores.id"), index=True)
    criterion: Mapped[str | None]
    old_point: Mapped[int | None]
    new_point: Mapped[int | None]
    text: Mapped[str | None]  # of a note; of a sentence or a whole explanation all that was said of it, as JSON


class EpochRow(Table):
    """The database's epoch. The table has at most one row."""

    __tablename__ = "epochs"
    __table_args__ = (CheckConstraint("id = 1", name="one"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    epoch: Mapped[str]  # changes whenever the database may have gone back to an earlier time
    began_at: Mapped[datetime]


class ReleaseRow(Table):
    """Items that a rater had and has no more, all at once."""

    __tablename__ = "releases"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "rater_id"], ["participations.study_id", "participations.rater_id"]),
        CheckConstraint("why IN ('expired', 'returned', 'timed_out', 'by_hand', 'excluded')", name="why"),
        CheckConstraint("items > 0", name="items"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    study_id: Mapped[int]
    rater_id: Mapped[int]
    why: Mapped[str]  # core.studies.planning.life_cycle.Release
    items: Mapped[int]


class ErasureRow(Table):
    """That a rater's or a study's data were erased. Rows are only added; one that is open lets events be taken away."""

    __tablename__ = "erasures"
    __table_args__ = (CheckConstraint("(rater_id IS NULL) <> (study IS NULL)", name="of_one"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("raters.id"))  # who has no code any more
    study: Mapped[int | None]  # the number that it had
    ratings_kept: Mapped[bool]
    events_gone: Mapped[int]
    open: Mapped[bool]  # while it is at work, in one transaction
