"""Read samples that have neither a score nor an error, in batches from the database."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, or_, select

from core.errors import ErrorKind
from core.types import ImageRef, Sample
from storage.data.annotations import regions_by_image
from storage.data.stored_samples import image_ref
from storage.engine.database import Database
from storage.engine.sql import listed
from storage.tables import ImageRow, SampleRow, ScoreRow
from storage.types import UnscoredSample

AT_A_TIME = 1_000  # number of samples in one query
# Kinds of errors of a model's answer. The same model would give the same answer again, so it is not asked again.
ANSWERED: tuple[ErrorKind, ...] = ("no_score", "out_of_range", "merged_digits")


@dataclass(frozen=True, slots=True)
class Unscored:
    """Samples without a score or an error. Captions of the same picture are adjacent.

    Only their ids are in memory: 8 bytes per sample. Each iteration reads the samples again and omits deleted ones.
    """

    database: Database
    ids: Sequence[int]

    def __len__(self) -> int:
        """Return the number of found samples, including samples that were deleted since."""
        return len(self.ids)

    def __iter__(self) -> Iterator[UnscoredSample]:
        """Yield the samples in the order of the ids."""
        for some in self.parts():
            yield from some

    def parts(self, size: int = AT_A_TIME) -> Iterator[tuple[UnscoredSample, ...]]:
        """Yield batches of at most this many samples."""
        for start in range(0, len(self.ids), size):
            with self.database.read() as connection:
                some = _samples(connection, self.ids[start : start + size])
            yield some


def unscored_ids(connection: Connection, dataset_id: int, known: Select[int]) -> Sequence[int]:
    """Return the ids of a data set's samples that are not in `known`. Captions of one picture are adjacent."""
    query = select(SampleRow.id).where(SampleRow.dataset_id == dataset_id, SampleRow.id.not_in(known))
    query = query.order_by(SampleRow.image_id, SampleRow.id)
    rows = connection.execute(query, execution_options={"yield_per": AT_A_TIME})
    return array("q", (number for (number,) in rows))


def known_samples(signature: str) -> Select[int]:
    """Select the ids of samples that need no new score: they have a score, or a model's answer without a score."""
    is_known = or_(ScoreRow.value.is_not(None), ScoreRow.error_kind.in_(ANSWERED))
    return select(ScoreRow.sample_id).where(ScoreRow.signature == signature, is_known)


def _samples(connection: Connection, ids: Sequence[int]) -> tuple[UnscoredSample, ...]:
    given = listed(ids)
    query = (
        select(*SampleRow.__table__.columns, ImageRow.name, ImageRow.path, ImageRow.sha256)
        .add_columns(ImageRow.width, ImageRow.height, ImageRow.vocabulary)
        .join(ImageRow, SampleRow.image_id == ImageRow.id)
        .where(SampleRow.id.in_(select(given.c.value)))
        .order_by(SampleRow.image_id, SampleRow.id)
    )
    rows = connection.execute(query).all()
    shown = listed(sorted({row.image_id for row in rows}))
    regions = regions_by_image(connection, ImageRow.id.in_(select(shown.c.value)))
    images = {row.image_id: image_ref(row, regions.get(row.image_id, ())) for row in rows}
    return tuple(UnscoredSample(row.id, _sample(row, images[row.image_id])) for row in rows)


def _sample(row: Any, image: ImageRef) -> Sample:
    judgements = tuple(row.judgements)
    own = tuple((row.own or {}).items())
    return Sample(row.key, image, row.candidate, tuple(row.references), row.human, judgements, row.system, own)
