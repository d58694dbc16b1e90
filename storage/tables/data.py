"""Define tables for imported data, and for error codes and slices (saved filters) that researchers add to them."""

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

from storage.tables.base import Table, where


class DatasetRow(Table):
    """A named set of imported samples."""

    __tablename__ = "datasets"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    notice: Mapped[str]  # warning for everyone who sees the data set's scores; empty: none
    created_at: Mapped[datetime]
    # number of changes of the data set's samples and outcomes; a new number makes computed results outdated
    changes: Mapped[int] = mapped_column(server_default=text("0"))
    hidden: Mapped[
        str | None
    ]  # the job that makes this hidden data set (storage.data.hidden_datasets); NULL: everyone may see it
    benchmark: Mapped[str | None]  # the benchmark whose files were imported; NULL: none


class DatasetCountRow(Table):
    """Counts of a data set's samples and scores. Only triggers write them (storage.tables.triggers)."""

    __tablename__ = "dataset_counts"
    __table_args__ = ({"sqlite_with_rowid": False},)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id", ondelete="CASCADE"), primary_key=True)
    # What is counted. For the whole data set: samples; and found, missing and annotated (pictures). For each metric:
    # scores, errors, explained.
    counted: Mapped[str] = mapped_column(primary_key=True)
    metric: Mapped[str] = mapped_column(primary_key=True)  # "" for counts without a metric
    number: Mapped[int]


class ImageRow(Table):
    """A picture of a data set. Its path is NULL if the picture was not found at import."""

    __tablename__ = "images"
    __table_args__ = (
        UniqueConstraint("dataset_id", "name"),
        CheckConstraint("(path IS NULL) = (sha256 IS NULL)", name="found_or_missing"),
        CheckConstraint("(path IS NULL) = (width IS NULL) AND (width IS NULL) = (height IS NULL)", name="known_size"),
        CheckConstraint("width > 0 AND height > 0", name="size"),
        Index(None, "id", "height", "width", unique=True),  # annotations refer to a picture together with its size
        Index(None, "sha256"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    name: Mapped[str]
    path: Mapped[str | None]
    sha256: Mapped[str | None]
    width: Mapped[int | None]
    height: Mapped[int | None]
    # Number of the picture's annotated regions. Only triggers write it (storage.tables.triggers).
    regions: Mapped[int] = mapped_column(server_default=text("0"))
    vocabulary: Mapped[list[Any]] = mapped_column(server_default="[]")  # labels that the image's annotators looked for


class AnnotationRow(Table):
    """An annotated region of a picture whose file was found."""

    __tablename__ = "annotations"
    __table_args__ = (
        ForeignKeyConstraint(["image_id", "height", "width"], ["images.id", "images.height", "images.width"]),
        CheckConstraint("place >= 0", name="place"),
        CheckConstraint("length(rle) > 0", name="mask"),
        CheckConstraint("length(label) > 0", name="label"),
        CheckConstraint("is_crowd IN (0, 1)", name="crowd").ddl_if(dialect="sqlite"),  # SQLite has no Boolean type
    )
    image_id: Mapped[int] = mapped_column(primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)  # position of the region in the source's order: 0, 1, 2 ...
    rle: Mapped[str]  # mask of the region in compressed COCO run-length encoding
    height: Mapped[int]  # mask's height in px, equal to the picture's
    width: Mapped[int]
    label: Mapped[str | None]
    is_crowd: Mapped[bool]


class SampleRow(Table):
    """An image with a candidate caption."""

    __tablename__ = "samples"
    __table_args__ = (
        UniqueConstraint("dataset_id", "key"),
        CheckConstraint("human BETWEEN 0 AND 1", name="human"),
        Index(None, "dataset_id", "id", "human"),  # for reading in import order, and for score errors (score - human)
        Index(None, "dataset_id", "system", **where("system IS NOT NULL")),
        Index("ix_samples_own", "dataset_id", **where("own IS NOT NULL")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    image_id: Mapped[int] = mapped_column(ForeignKey("images.id"), index=True)
    key: Mapped[str]
    candidate: Mapped[str]
    references: Mapped[list[Any]]
    human: Mapped[float | None]
    judgements: Mapped[list[Any]]
    # Data of the pair of captions to which this caption belongs: key, position, preferred, category. NULL: people did
    # not choose between two captions.
    pair: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    # The captioner's name; NULL: unknown.
    system: Mapped[str | None] = mapped_column(CheckConstraint("length(system) BETWEEN 1 AND 200", name="system"))
    # Values of the researcher's own columns. Key: column; NULL: no values.
    own: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class ScoreRow(Table):
    """A metric's score of a sample, or the reason for a missing score."""

    __tablename__ = "scores"
    __table_args__ = (
        UniqueConstraint("sample_id", "signature"),
        CheckConstraint("(value IS NULL) = (error_kind IS NOT NULL)", name="value_or_error"),
        CheckConstraint("(error_kind IS NULL) = (error_message IS NULL)", name="error"),
        CheckConstraint("value BETWEEN scale_low AND scale_high", name="within_scale"),
        CheckConstraint("scale_low < scale_high", name="scale"),
        # This index contains every value that sorting needs, so that sorting reads no whole rows of the table.
        Index(None, "metric", "sample_id", "value", "scale_low", "scale_high"),
        Index(None, "metric", "value", "sample_id"),  # for sorting by score
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
    phrases: Mapped[list[Any]]  # JSON; a list is a phrase of the caption, and an object is a match with references
    regions: Mapped[list[Any]]
    cut: Mapped[float | None]  # minimum support (cosine) of a correct phrase or mentioned region; NULL: no regions
    encoder: Mapped[str | None]  # model that compared phrases with regions; NULL: no regions
    explained: Mapped[bool]  # True: the score has an explanation in words
    error_kind: Mapped[str | None]  # kind of error, one of core.errors.ErrorKind; NULL: the row contains a score
    error_message: Mapped[str | None]
    # Numbers of tokens from the server (core.costs.Usage). NULL: no server answered, or the row is older than 0.2.
    usage: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    seconds: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # by scoring step; NULL: unmeasured


class CodebookRow(Table):
    """A codebook that users added. The codebooks of published papers are in core/analysis/codebooks.py."""

    __tablename__ = "codebooks"
    name: Mapped[str] = mapped_column(primary_key=True)
    source: Mapped[str]
    codes: Mapped[list[Any]]  # error codes as [[key, label], ...], in the order of the digit keys that select them


class CodingRow(Table):
    """The error code (category) that a coder gave to one metric's error on a sample."""

    __tablename__ = "codings"
    __table_args__ = (CheckConstraint("length(coder) > 0 AND length(code) > 0", name="named"),)
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"), primary_key=True)
    metric: Mapped[str] = mapped_column(primary_key=True)  # name of the metric, or signature of the coded scores
    codebook: Mapped[str] = mapped_column(primary_key=True)
    coder: Mapped[str] = mapped_column(primary_key=True)
    code: Mapped[str]
    coded_at: Mapped[datetime]


class SliceRow(Table):
    """A saved filter on a data set's samples."""

    __tablename__ = "slices"
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    conditions: Mapped[dict[str, Any]]  # core.analysis.slices.slice_json
