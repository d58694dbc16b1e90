"""What people said of a data set's samples, in one query: what correlations are computed from."""

import json
from functools import lru_cache
from pathlib import PurePosixPath

from sqlalchemy import String, select, type_coerce

from core.benchmarks.columns import JudgedColumn, judged_column
from core.types import Pair
from storage.data.samples import find_dataset
from storage.database import Database
from storage.tables import ImageRow, SampleRow


def judged_samples(database: Database, dataset: str) -> JudgedColumn:
    """Return the judgements of a data set's samples, by rising sample ids, without scores. Raises NotFound."""
    # What is stored as JSON comes as text: 42,166 samples have few different judgements, so that few are parsed.
    columns = (
        SampleRow.id, ImageRow.name, SampleRow.human, type_coerce(SampleRow.judgements, String),
        type_coerce(SampleRow.pair, String),
    )  # fmt: skip
    query = select(*columns).join(ImageRow, SampleRow.image_id == ImageRow.id).order_by(SampleRow.id)
    with database.read() as connection:
        rows = connection.execute(query.where(SampleRow.dataset_id == find_dataset(connection, dataset))).all()
    samples, images, human, judgements, pairs = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    points, pair, bare = lru_cache(None)(_points), lru_cache(None)(_pair), lru_cache(None)(_bare)
    return judged_column(samples, [*map(bare, images)], human, [*map(points, judgements)], [*map(pair, pairs)])


def _points(text: str) -> tuple[float, ...]:
    return tuple(json.loads(text))


def _pair(text: str | None) -> Pair | None:
    return None if text is None else Pair(**json.loads(text))


def _bare(image: str) -> str:
    return PurePosixPath(image).name
