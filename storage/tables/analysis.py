"""Define tables for error codes and slices (saved filters) that researchers add to a data set."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
)
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.base import Table


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
