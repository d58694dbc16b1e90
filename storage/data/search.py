"""Build the database query for a search's samples."""

from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.orm import aliased

from storage.data.hidden_datasets import VISIBLE_SAMPLE
from storage.engine.sql import listed
from storage.tables import CodingRow, DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.types import Search


def found_ids(wanted: Search) -> Select[int]:
    """Return a query for the ids of a search's samples.

    The ids are in the search's order. Samples with equal values are in order of import.
    """
    query = select(SampleRow.id).select_from(SampleRow)
    if wanted.dataset is not None:
        query = query.join(DatasetRow, DatasetRow.id == SampleRow.dataset_id).where(DatasetRow.name == wanted.dataset)
    else:
        query = query.where(VISIBLE_SAMPLE)
    if text := wanted.text.strip():
        query = query.where(_spelt(text))
    if wanted.code is not None:
        query = query.where(SampleRow.id.in_(select(CodingRow.sample_id).where(CodingRow.code == wanted.code)))
    if wanted.system is not None:
        query = query.where(SampleRow.system == wanted.system)
    if wanted.among is not None:
        query = query.where(SampleRow.id.in_(select(listed(wanted.among).c.value)))
    if wanted.metric is None:
        return query.order_by(SampleRow.id)
    bounds = [] if wanted.lowest is None else [ScoreRow.value >= wanted.lowest]  # no error is within bounds
    bounds += [] if wanted.highest is None else [ScoreRow.value <= wanted.highest]
    if bounds or wanted.sort == "imported":  # other orders join the table of scores
        scored = select(ScoreRow.sample_id).where(ScoreRow.metric == wanted.metric, *bounds)
        query = query.where(SampleRow.id.in_(scored))
    return query.order_by(SampleRow.id) if wanted.sort == "imported" else _sorted(query, wanted)


def _spelt(text: str) -> ColumnElement[bool]:
    """Match a text in caption, key or the picture's name, ignoring case (on SQLite, the case of ASCII letters)."""
    named = SampleRow.image_id.in_(select(ImageRow.id).where(ImageRow.name.icontains(text, autoescape=True)))
    own = (column.icontains(text, autoescape=True) for column in (SampleRow.candidate, SampleRow.key))
    return or_(*own, named)


def _sorted(query: Select[int], wanted: Search) -> Select[int]:
    """Sort samples by the newest outcome (score or error) of the search's metric.

    Samples without the value by which they are sorted come last. A single database index contains all columns of the
    outcomes that this query reads.
    """
    score, newer = aliased(ScoreRow), aliased(ScoreRow)
    later = (newer.metric == wanted.metric, newer.sample_id == SampleRow.id, newer.id > score.id)
    query = query.join(score, score.sample_id == SampleRow.id)
    query = query.where(score.metric == wanted.metric, ~select(newer.id).where(*later).exists())
    value: Any = score.value
    if wanted.sort == "error":
        value = func.abs((score.value - score.scale_low) / (score.scale_high - score.scale_low) - SampleRow.human)
    return query.order_by((value.desc() if wanted.falling else value).nulls_last(), SampleRow.id)
