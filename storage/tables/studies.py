"""Define tables for studies: their questions (form), their items and their schedules."""

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
    true,
)
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.base import Table, where


class StudyRow(Table):
    """A set of items to rate, and how they were selected."""

    __tablename__ = "studies"
    __table_args__ = (
        CheckConstraint("form IN ('single', 'side_by_side')", name="form"),
        CheckConstraint("raters_per_item > 0", name="raters_per_item"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    form: Mapped[str]
    veil: Mapped[bool]
    overlay: Mapped[bool] = mapped_column(server_default=false())  # True: raters see a metric's regions on the picture
    # True: all explanations have the same layout, and their numbers are rounded.
    uniform: Mapped[bool] = mapped_column(server_default=false())
    raters_per_item: Mapped[int | None]
    seed: Mapped[int]
    strata: Mapped[list[Any]]  # strata as [[name, number of selected items], ...]
    created_at: Mapped[datetime]


class StudyCourseRow(Table):
    """A study's state, deadline and limits. Every study has one row."""

    __tablename__ = "study_courses"
    __table_args__ = (
        CheckConstraint("state IN ('draft', 'running', 'paused', 'closed')", name="state"),
        CheckConstraint("items_per_rater > 0", name="items_per_rater"),
        CheckConstraint("hold_hours > 0", name="hold_hours"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    state: Mapped[str]  # core.studies.planning.life_cycle.State
    deadline: Mapped[datetime | None]  # no items are given out after this time
    items_per_rater: Mapped[int | None]  # maximum items per rater; NULL: no limit
    hold_hours: Mapped[float]  # hours of inactivity before other raters get a rater's unfinished items
    contact: Mapped[str] = mapped_column(server_default=text("''"))  # whom raters can ask; empty: nobody is named
    new_raters: Mapped[bool] = mapped_column(server_default=true())  # False: only raters already at work get items


class StudyFormRow(Table):
    """A copy of a study's form file (its questions), made when the study was created.

    Studies without a row use EXPERT's form.
    """

    __tablename__ = "study_forms"
    __table_args__ = (
        CheckConstraint("version > 0", name="version"),
        CheckConstraint("length(sha256) = 64", name="sha256"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    key: Mapped[str]
    version: Mapped[int]  # version of the form's text: 1 for the first text stored for this key, then 2 ...
    sha256: Mapped[str]  # SHA-256 of the text
    text: Mapped[str]


class StudyCriterionRow(Table):
    """A criterion of a study, with its allowed points."""

    __tablename__ = "study_criteria"
    __table_args__ = (
        UniqueConstraint("study_id", "criterion", "lowest", "highest"),
        CheckConstraint("lowest >= -1 AND lowest < highest", name="points"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    criterion: Mapped[str] = mapped_column(primary_key=True)
    place: Mapped[int]
    lowest: Mapped[int]  # lowest point; 0: raters may abstain; -1: raters may also answer that the picture is missing
    highest: Mapped[int]


class ItemRow(Table):
    """A sample that raters rate in a study."""

    __tablename__ = "items"
    __table_args__ = (
        UniqueConstraint("study_id", "place"),
        UniqueConstraint("study_id", "id"),
        Index("ix_items_takers", "study_id", "takers", **where("place >= 0")),
        Index("ix_items_reopened", "study_id", "reopened", **where("reopened = 1", "reopened")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"))
    place: Mapped[int]  # position of the item in the order of selection: 0, 1, 2 ...
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"), index=True)
    stratum: Mapped[str]
    # Number of raters who have the item. Database triggers count them.
    takers: Mapped[int] = mapped_column(server_default=text("0"))
    reopened: Mapped[bool] = mapped_column(server_default=false())  # True: item once had enough raters, now needs more


class ControlRow(Table):
    """A control item: a training item, or a gold item (with known answers).

    No result includes control items. They exist only after a person approved them.
    """

    __tablename__ = "controls"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        CheckConstraint("role IN ('training', 'gold')", name="role"),
        Index(None, "study_id", "role"),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int]
    role: Mapped[str]  # core.studies.planning.control_places.Role
    turned: Mapped[bool] = mapped_column(server_default=false())  # True: scores are shown reversed, low scores as high
    expected: Mapped[dict[str, Any]]  # key: criterion; value: [lowest, highest] correct point
    approved_by: Mapped[str]
    approved_at: Mapped[datetime]
    retired_at: Mapped[datetime | None]  # from this time, raters no longer get the item, and no result or check uses it


class StudyQualityRow(Table):
    """How often raters of a study get control items.

    A study without a row uses the defaults.
    """

    __tablename__ = "study_quality"
    __table_args__ = (CheckConstraint("gold_every > 0", name="gold_every"),)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    gold_every: Mapped[int | None]  # N: one gold item in every N items; NULL: no gold items


class ItemScoreRow(Table):
    """What raters rate on an item: a score with its explanation, or a caption without a score."""

    __tablename__ = "item_scores"
    __table_args__ = (
        CheckConstraint("score_id = coalesce(score, -caption)", name="rated"),
        CheckConstraint("(score IS NULL) <> (caption IS NULL)", name="one"),
    )
    item_id: Mapped[int] = mapped_column(ForeignKey("items.id"), primary_key=True)
    # Id of the score; for a caption without a score, the negative of the sample's id.
    score_id: Mapped[int] = mapped_column(primary_key=True)
    place: Mapped[int]  # position of the explanation in the order of metrics, from 0; raters see another order
    score: Mapped[int | None] = mapped_column(ForeignKey("scores.id"), index=True)
    caption: Mapped[int | None] = mapped_column(ForeignKey("samples.id"), index=True)
