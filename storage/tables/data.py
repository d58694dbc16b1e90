"""What was imported: data sets, pictures with their regions, samples, scores."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.base import Table


class DatasetRow(Table):
    """A data set: a name for what was imported together."""

    __tablename__ = "datasets"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    notice: Mapped[str]  # what everybody who sees its scores should know; empty for nothing
    created_at: Mapped[datetime]
    # counts what was written to its samples and outcomes, so that what is computed from them is known to be of today
    changes: Mapped[int] = mapped_column(server_default=text("0"))
    hidden: Mapped[str | None]  # who works at it (storage.data.hidden); NULL where everybody may see it


class DatasetCountRow(Table):
    """How much a data set has. Triggers keep the numbers (migration 0030); nobody else writes them."""

    __tablename__ = "dataset_counts"
    __table_args__ = ({"sqlite_with_rowid": False},)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id", ondelete="CASCADE"), primary_key=True)
    # samples, unanimous, found, missing, annotated; by metric scores, errors, explained; judged: samples with either
    counted: Mapped[str] = mapped_column(primary_key=True)
    metric: Mapped[str] = mapped_column(primary_key=True)  # "" of what is not counted by metric
    number: Mapped[int]


class ImageRow(Table):
    """A picture of a data set. Without a path it was not found when it was imported."""

    __tablename__ = "images"
    __table_args__ = (
        UniqueConstraint("dataset_id", "name"),
        CheckConstraint("(path IS NULL) = (sha256 IS NULL)", name="found_or_missing"),
        CheckConstraint("(path IS NULL) = (width IS NULL) AND (width IS NULL) = (height IS NULL)", name="known_size"),
        CheckConstraint("width > 0 AND height > 0", name="size"),
        Index(None, "id", "height", "width", unique=True),  # so that annotations can point at a picture of their size
        Index(None, "sha256"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    name: Mapped[str]
    path: Mapped[str | None]
    sha256: Mapped[str | None]
    width: Mapped[int | None]
    height: Mapped[int | None]
    vocabulary: Mapped[list[Any]] = mapped_column(server_default="[]")  # labels looked for when it was annotated


class AnnotationRow(Table):
    """An annotated region of a picture that was found."""

    __tablename__ = "annotations"
    __table_args__ = (
        ForeignKeyConstraint(["image_id", "height", "width"], ["images.id", "images.height", "images.width"]),
        CheckConstraint("place >= 0", name="place"),
        CheckConstraint("length(rle) > 0", name="mask"),
        CheckConstraint("length(label) > 0", name="label"),
        CheckConstraint("is_crowd IN (0, 1)", name="crowd").ddl_if(dialect="sqlite"),  # others know a boolean
    )
    image_id: Mapped[int] = mapped_column(primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)  # 0, 1, 2 ... in the order of the source
    rle: Mapped[str]  # compressed COCO run-length encoding
    height: Mapped[int]  # px, as the picture's
    width: Mapped[int]
    label: Mapped[str | None]
    is_crowd: Mapped[bool]


class SampleRow(Table):
    """An image with a candidate caption."""

    __tablename__ = "samples"
    __table_args__ = (
        UniqueConstraint("dataset_id", "key"),
        CheckConstraint("human BETWEEN 0 AND 1", name="human"),
        Index(None, "dataset_id", "id", "human"),  # a data set in the order of import, and what its errors are made of
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    image_id: Mapped[int] = mapped_column(ForeignKey("images.id"), index=True)
    key: Mapped[str]
    candidate: Mapped[str]
    references: Mapped[list[Any]]
    human: Mapped[float | None]
    judgements: Mapped[list[Any]]
    # key, position, preferred, category of one of two captions to choose between
    pair: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class ScoreRow(Table):
    """A metric's score of a sample, or why there is none."""

    __tablename__ = "scores"
    __table_args__ = (
        UniqueConstraint("sample_id", "signature"),
        CheckConstraint("(value IS NULL) = (error_kind IS NOT NULL)", name="value_or_error"),
        CheckConstraint("(error_kind IS NULL) = (error_message IS NULL)", name="error"),
        CheckConstraint("value BETWEEN scale_low AND scale_high", name="within_scale"),
        CheckConstraint("scale_low < scale_high", name="scale"),
        Index(None, "metric", "sample_id", "value", "scale_low", "scale_high"),  # so that no sort reads the whole rows
        Index(None, "metric", "value", "sample_id"),  # in the order of scores
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"))
    metric: Mapped[str]
    signature: Mapped[str]
    value: Mapped[float | None]
    scale_low: Mapped[float]
    scale_high: Mapped[float]
    components: Mapped[dict[str, Any]]
    rationales: Mapped[dict[str, Any]]
    phrases: Mapped[list[Any]]
    regions: Mapped[list[Any]]
    cut: Mapped[float | None]  # support from which phrases and regions count; NULL without regions
    encoder: Mapped[str | None]  # what compared phrases with regions; NULL without regions
    explained: Mapped[bool]  # whether there are words to rate
    error_kind: Mapped[str | None]  # one of core.errors.ErrorKind
    error_message: Mapped[str | None]
    # tokens as the server counted them, core.costs.Usage; NULL where no server answered, or it was stored before 0.2
    usage: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    seconds: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # by part; NULL: not measured
