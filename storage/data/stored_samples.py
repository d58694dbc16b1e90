"""Read stored samples with their outcomes."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, and_, select

from core.types import ImageRef, ImageRegion, Outcome, Pair, Sample
from storage.data.annotations import regions_by_image
from storage.data.hidden_datasets import VISIBLE
from storage.data.outcome_columns import outcome_of
from storage.engine.database import Database
from storage.engine.sql import listed
from storage.tables import DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.types import StoredSample

AT_A_TIME = 500  # number of samples in one query
_JOINED = SampleRow.__table__.join(ImageRow.__table__, SampleRow.image_id == ImageRow.id).join(
    DatasetRow.__table__, and_(SampleRow.dataset_id == DatasetRow.id, VISIBLE)
)
IMAGE_COLUMNS = (ImageRow.name, ImageRow.path, ImageRow.sha256, ImageRow.width, ImageRow.height, ImageRow.vocabulary)
_SAMPLE_COLUMNS = (
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


@dataclass(frozen=True, slots=True)
class SampleList:
    """Samples of a long list. Only their ids are in memory: 8 bytes per sample.

    Each iteration reads the samples again, in the order of the ids. Deleted samples are omitted.
    """

    database: Database
    ids: Sequence[int]
    with_outcomes: bool = True
    with_regions: bool = False  # True: the samples' pictures have their annotated regions

    def __len__(self) -> int:
        """Return the number of ids, including those of samples that were deleted since."""
        return len(self.ids)

    def __iter__(self) -> Iterator[StoredSample]:
        for some in self.parts():
            yield from some

    def parts(self, size: int | None = None) -> Iterator[list[StoredSample]]:
        """Yield batches of at most this many samples. None: AT_A_TIME."""
        size = size or AT_A_TIME
        for start in range(0, len(self.ids), size):
            with self.database.read() as connection:
                some = stored_samples(connection, self.ids[start : start + size], self.with_outcomes, self.with_regions)
            yield some


def stored_samples(
    connection: Connection, ids: Sequence[int], with_outcomes: bool = True, with_regions: bool = False
) -> list[StoredSample]:
    """Return the samples with these ids, in this order. Deleted samples are omitted."""
    given = select(listed(ids).c.value)
    rows = connection.execute(select(*_SAMPLE_COLUMNS).select_from(_JOINED).where(SampleRow.id.in_(given))).all()
    scores: dict[int, list[tuple[int, Outcome]]] = {}
    if with_outcomes:
        query = select(*ScoreRow.__table__.columns).where(ScoreRow.sample_id.in_(given))
        for row in connection.execute(query.order_by(ScoreRow.metric, ScoreRow.signature)):
            scores.setdefault(row.sample_id, []).append((row.id, outcome_of(row)))
    shown = listed(sorted({row.image_id for row in rows})) if with_regions else None
    regions = {} if shown is None else regions_by_image(connection, ImageRow.id.in_(select(shown.c.value)))
    samples = {row.id: _stored(row, scores.get(row.id, ()), regions.get(row.image_id, ())) for row in rows}
    return [samples[one] for one in ids if one in samples]


def ids_of(connection: Connection, query: Select[int]) -> Sequence[int]:
    """Return the ids that a query selects. The driver returns them without a Python object for each row."""
    ids, result = array("q"), connection.execute(query)
    assert result.cursor is not None  # a SELECT has a cursor
    while rows := result.cursor.fetchmany(10_000):
        ids.extend(id_ for (id_,) in rows)
    result.close()
    return ids


def image_ref(row: Any, regions: tuple[ImageRegion, ...] = ()) -> ImageRef:
    """Return a picture as an ImageRef.

    row: a row with ImageRow's columns. regions: the picture's annotated regions.
    """
    name = row.name.removeprefix(f"{str(row.sha256)[:12]}/")  # without the checksum that matching.py may have added
    path = None if row.path is None else Path(row.path)
    return ImageRef(name, path, row.sha256, row.width, row.height, regions, tuple(row.vocabulary))


def _stored(row: Any, outcomes: Sequence[tuple[int, Outcome]], regions: tuple[ImageRegion, ...]) -> StoredSample:
    references, judgements = tuple(row.references), tuple(row.judgements)
    own = tuple((row.own or {}).items())
    sample = Sample(row.key, image_ref(row, regions), row.candidate, references, row.human, judgements, row.system, own)
    numbers, of_sample = tuple(number for number, _ in outcomes), tuple(outcome for _, outcome in outcomes)
    pair = None if row.pair is None else Pair(**row.pair)
    return StoredSample(row.id, row.dataset, row.image_id, sample, of_sample, numbers, pair)
