"""Define tables for studies and their items."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.base import NEVER, Table


class StudyRow(Table):
    """A set of items to rate, and the design by which they were selected and are given out."""

    __tablename__ = "studies"
    __table_args__ = (
        CheckConstraint("state IN ('draft', 'running', 'paused', 'closed')", name="state"),
        CheckConstraint("raters_per_item > 0", name="raters_per_item"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    state: Mapped[str]  # core.studies.design.State
    design: Mapped[str]  # core.studies.design.StudyDesign as JSON, with the text of the form
    raters_per_item: Mapped[int | None]  # as in the design, because the triggers that count items' raters read it
    strata: Mapped[list[Any]]  # strata as [[name, number of selected captions], ...]
    created_at: Mapped[datetime]
    # Text that changes with each change of the settings (storage.rating.rules).
    stamp: Mapped[str] = mapped_column(server_default=NEVER)


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
        CheckConstraint("role IN ('item', 'practice', 'gold')", name="role"),
        CheckConstraint("(role = 'item') = (place >= 0)", name="place"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"))
    # Position in the order of selection: 0, 1, 2 ...; negative for items that do not count in results. Practice items
    # come in ascending order.
    place: Mapped[int]
    role: Mapped[str] = mapped_column(server_default=text("'item'"))  # core.studies.planning.gold.Role
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"), index=True)
    stratum: Mapped[str]
    # Number of raters who have the item. Database triggers count them.
    takers: Mapped[int] = mapped_column(server_default=text("0"))


class GoldRow(Table):
    """What is known of a gold item. Gold items exist only after a person approved them."""

    __tablename__ = "gold_items"
    __table_args__ = (ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),)
    item_id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int]
    turned: Mapped[bool] = mapped_column(server_default=false())  # True: scores are shown reversed, low scores as high
    expected: Mapped[dict[str, Any]]  # key: criterion; value: [lowest, highest] correct point
    approved_by: Mapped[str]
    approved_at: Mapped[datetime]
    retired_at: Mapped[datetime | None]  # from this time, raters no longer get the item, and no result or check uses it


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
