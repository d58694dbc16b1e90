"""A data set's scores beside its human judgements, in one query: what correlations are computed from."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from sqlalchemy import select

from core.datasets.base import Pair
from core.errors import NotFound
from core.joining import JudgedScore
from core.types import Score
from storage.database import Database
from storage.samples import find_dataset
from storage.tables import ImageRow, SampleRow, ScoreRow


def judged_scores(database: Database, dataset: str, metrics: Sequence[str] = ()) -> tuple[JudgedScore, ...]:
    """Return the scores of the metrics named, by default of all, without explanations; errors are left out.

    Raises NotFound for a data set that is not there or a metric without a score in it.
    """
    columns = (
        SampleRow.id, SampleRow.human, SampleRow.judgements, SampleRow.pair, ImageRow.name,
        ScoreRow.metric, ScoreRow.value, ScoreRow.signature, ScoreRow.scale_low, ScoreRow.scale_high,
        ScoreRow.components,
    )  # fmt: skip
    query = select(*columns).join(ImageRow, SampleRow.image_id == ImageRow.id)
    query = query.join(ScoreRow, ScoreRow.sample_id == SampleRow.id).where(ScoreRow.value.is_not(None))
    if metrics:
        query = query.where(ScoreRow.metric.in_(metrics))
    with database.read() as connection:
        dataset_id = find_dataset(connection, dataset)
        rows = connection.execute(query.where(SampleRow.dataset_id == dataset_id).order_by(ScoreRow.id)).all()
    for metric in metrics:
        if not any(row.metric == metric for row in rows):
            raise NotFound(f"{dataset} has no score by {metric}; `python app.py import` adds scores to a data set.")
    return tuple(_judged(row) for row in rows)


def _judged(row: Any) -> JudgedScore:
    components = {name: tuple(v) if isinstance(v, list) else v for name, v in row.components.items()}
    score = Score(row.metric, row.value, row.signature, (row.scale_low, row.scale_high), components)
    pair = None if row.pair is None else Pair(**row.pair)
    return JudgedScore(row.id, PurePosixPath(row.name).name, row.human, tuple(row.judgements), pair, score)
