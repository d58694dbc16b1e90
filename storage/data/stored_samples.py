"""Read stored samples with their outcomes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, select

from core.types import ImageRef, ImageRegion, Pair, Sample
from storage.data.outcome_columns import outcome_of
from storage.data.search import JOINED
from storage.tables import DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.types import StoredSample


def name_in_source(name: str, sha256: str | None) -> str:
    """Return a picture's name without the checksum that distinguishes it from another picture (name_with_picture)."""
    return name.removeprefix(f"{str(sha256)[:12]}/")


def image_ref(row: Any, regions: tuple[ImageRegion, ...] = ()) -> ImageRef:
    """Return a picture as an ImageRef.

    row: a row with ImageRow's columns. regions: the picture's annotated regions.
    """
    path = None if row.path is None else Path(row.path)
    size, looked_for = (row.width, row.height), tuple(row.vocabulary)
    return ImageRef(name_in_source(row.name, row.sha256), path, row.sha256, *size, regions, looked_for)


IMAGE_COLUMNS = (ImageRow.name, ImageRow.path, ImageRow.sha256, ImageRow.width, ImageRow.height, ImageRow.vocabulary)
SAMPLE_COLUMNS = (
    SampleRow.id,
    DatasetRow.name.label("dataset"),
    SampleRow.image_id,
    SampleRow.key,
    SampleRow.candidate,
    SampleRow.references,
    SampleRow.human,
    SampleRow.judgements,
    SampleRow.pair,
    SampleRow.system,
    SampleRow.own,
    *IMAGE_COLUMNS,
)


def stored_samples(connection: Connection, ids: Sequence[int]) -> tuple[StoredSample, ...]:
    """Return the samples with these ids, with their outcomes but without regions."""
    query = select(*SAMPLE_COLUMNS).select_from(JOINED).where(SampleRow.id.in_(ids))
    return with_outcomes(connection, connection.execute(query).all())


def with_outcomes(
    connection: Connection, rows: Sequence[Any], regions: Mapping[int, tuple[ImageRegion, ...]] = MappingProxyType({})
) -> tuple[StoredSample, ...]:
    """Return the samples in these rows, with their scores and errors.

    rows: one row per sample, with SAMPLE_COLUMNS.
    """
    ids = [row.id for row in rows]
    query = select(*ScoreRow.__table__.columns).where(ScoreRow.sample_id.in_(ids))
    scores: dict[int, list[Any]] = {}
    for row in connection.execute(query.order_by(ScoreRow.metric, ScoreRow.signature)):
        scores.setdefault(row.sample_id, []).append(row)
    return tuple(_stored(row, scores.get(row.id, ()), regions.get(row.image_id, ())) for row in rows)


def _stored(row: Any, scores: Sequence[Any], regions: tuple[ImageRegion, ...]) -> StoredSample:
    references, judgements = tuple(row.references), tuple(row.judgements)
    own = tuple((row.own or {}).items())
    sample = Sample(row.key, image_ref(row, regions), row.candidate, references, row.human, judgements, row.system, own)
    outcomes = tuple(outcome_of(score) for score in scores)
    pair = None if row.pair is None else Pair(**row.pair)
    return StoredSample(row.id, row.dataset, row.image_id, sample, outcomes, tuple(score.id for score in scores), pair)
