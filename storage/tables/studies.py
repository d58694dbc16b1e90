"""What a study is: its form, its items, and how it goes on."""

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

from storage.tables.base import Table, where


class StudyRow(Table):
    """A set of items to be rated, and how they were drawn."""

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
    overlay: Mapped[bool] = mapped_column(server_default=false())  # raters see a metric's regions on the picture
    uniform: Mapped[bool] = mapped_column(server_default=false())  # explanations in one layout, numbers rounded
    raters_per_item: Mapped[int | None]
    seed: Mapped[int]
    strata: Mapped[list[Any]]  # [[name, items drawn], ...]
    created_at: Mapped[datetime]


class StudyCourseRow(Table):
    """How a study goes: whether it gives out items, how many to whom and until when. Every study has one."""

    __tablename__ = "study_courses"
    __table_args__ = (
        CheckConstraint("state IN ('draft', 'pilot', 'running', 'paused', 'closed', 'archived')", name="state"),
        CheckConstraint("pilot_items > 0", name="pilot_items"),
        CheckConstraint("(state <> 'pilot') OR (pilot_items IS NOT NULL)", name="pilot"),
        CheckConstraint("items_per_rater > 0", name="items_per_rater"),
        CheckConstraint("hold_hours > 0", name="hold_hours"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    state: Mapped[str]  # core.studies.planning.life_cycle.State
    deadline: Mapped[datetime | None]  # from when on nothing is given out
    pilot_items: Mapped[int | None]  # how many of the first items a pilot gives out
    items_per_rater: Mapped[int | None]  # NULL: as many as there are
    hold_hours: Mapped[float]  # of inactivity before a rater's unfinished items go to others
    controls_included: Mapped[bool] = mapped_column(server_default=false())  # in items_per_rater


class StudyFormRow(Table):
    """The form of a study, as its file was when the study was made. Studies from before have EXPERT's."""

    __tablename__ = "study_forms"
    __table_args__ = (
        CheckConstraint("version > 0", name="version"),
        CheckConstraint("length(sha256) = 64", name="sha256"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    key: Mapped[str]
    version: Mapped[int]  # 1, 2 ... of the texts that studies have had under that key
    sha256: Mapped[str]  # of the text
    text: Mapped[str]


class StudyCriterionRow(Table):
    """A criterion of a study, with the points that may be stored for it."""

    __tablename__ = "study_criteria"
    __table_args__ = (
        UniqueConstraint("study_id", "criterion", "lowest", "highest"),
        CheckConstraint("lowest >= -1 AND lowest < highest", name="points"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    criterion: Mapped[str] = mapped_column(primary_key=True)
    place: Mapped[int]
    lowest: Mapped[int]  # 0: raters may abstain; -1: they may also answer that the picture is missing
    highest: Mapped[int]


class ItemRow(Table):
    """A sample of a study."""

    __tablename__ = "items"
    __table_args__ = (
        UniqueConstraint("study_id", "place"),
        UniqueConstraint("study_id", "id"),
        Index("ix_items_takers", "study_id", "takers", **where("place >= 0")),
        Index("ix_items_reopened", "study_id", "reopened", **where("reopened = 1", "reopened")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"))
    place: Mapped[int]  # 0, 1, 2 ... in the drawn order
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"), index=True)
    stratum: Mapped[str]
    takers: Mapped[int] = mapped_column(server_default=text("0"))  # raters who hold it, kept by triggers; no pilots
    reopened: Mapped[bool] = mapped_column(server_default=false())  # had all its raters once, and has not now


class ControlRow(Table):
    """What tells an item that is put in from the study's own: training, gold, the repeat of another one.

    It counts in no result. Gold and training are there only once somebody has approved them; repeats are made when a
    rater's turn comes.
    """

    __tablename__ = "controls"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        ForeignKeyConstraint(["study_id", "original_id"], ["items.study_id", "items.id"]),
        CheckConstraint("role IN ('training', 'gold', 'repeat')", name="role"),
        CheckConstraint("(role = 'repeat') = (original_id IS NOT NULL)", name="original"),
        CheckConstraint("(role = 'repeat') = (approved_at IS NULL)", name="approved"),
        CheckConstraint("(approved_at IS NULL) = (approved_by IS NULL)", name="approved_by"),
        Index(None, "study_id", "role"),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int]
    role: Mapped[str]  # core.studies.rater_quality.measures.Role
    original_id: Mapped[int | None] = mapped_column(unique=True)  # the item that a repeat repeats
    turned: Mapped[bool] = mapped_column(server_default=false())  # its scores are shown turned: the low ones high
    expected: Mapped[dict[str, Any]]  # criterion -> [lowest, highest] that is right; {} for a repeat
    approved_by: Mapped[str | None]
    approved_at: Mapped[datetime | None]
    retired_at: Mapped[datetime | None]  # from when on it is given to nobody and counts nowhere


class StudyQualityRow(Table):
    """How the raters of a study are watched; a study without a row is watched as by default."""

    __tablename__ = "study_quality"
    __table_args__ = (
        CheckConstraint("gold_every > 0", name="gold_every"),
        CheckConstraint("repeat_every > 0", name="repeat_every"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    thresholds: Mapped[dict[str, Any]]  # core.studies.rater_quality.flags.Thresholds; what is missing is as by default
    gold_every: Mapped[int | None]  # one gold item in every so many items; NULL: none
    repeat_every: Mapped[int | None]  # one repeat in every so many items; NULL: none


class ItemScoreRow(Table):
    """What is to be rated on an item: a score with its explanation, or a caption alone."""

    __tablename__ = "item_scores"
    __table_args__ = (
        CheckConstraint("score_id = coalesce(score, -caption)", name="rated"),
        CheckConstraint("(score IS NULL) <> (caption IS NULL)", name="one"),
    )
    item_id: Mapped[int] = mapped_column(ForeignKey("items.id"), primary_key=True)
    score_id: Mapped[int] = mapped_column(primary_key=True)  # the score's id; of a caption alone minus its sample's
    place: Mapped[int]  # 0, 1 ... as the metrics were asked for; raters see another order
    score: Mapped[int | None] = mapped_column(ForeignKey("scores.id"), index=True)
    caption: Mapped[int | None] = mapped_column(ForeignKey("samples.id"), index=True)
