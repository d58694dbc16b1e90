"""A data set's scores beside its human judgements, in one query: what correlations are computed from."""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from sqlalchemy import String, select, type_coerce

from core.datasets.base import Pair
from core.errors import NotFound
from core.joining import RAW, JudgedScore
from core.types import Score
from storage.database import Database
from storage.samples import find_dataset
from storage.tables import ImageRow, SampleRow, ScoreRow


def judged_scores(database: Database, dataset: str, metrics: Sequence[str] = ()) -> tuple[JudgedScore, ...]:
    """Return the scores of the metrics named, by default of all, with no component but the raw score.

    Errors are left out. Raises NotFound for a data set that is not there or a metric without a score in it.
    """
    # What is stored as JSON comes as text: 42,166 samples have few different judgements, so that few are parsed.
    columns = (
        SampleRow.id, SampleRow.human, type_coerce(SampleRow.judgements, String), type_coerce(SampleRow.pair, String),
        ImageRow.name, ScoreRow.metric, ScoreRow.value, ScoreRow.signature, ScoreRow.scale_low, ScoreRow.scale_high,
        ScoreRow.components[RAW].as_float(),
    )  # fmt: skip
    query = select(*columns).join(ImageRow, SampleRow.image_id == ImageRow.id)
    query = query.join(ScoreRow, ScoreRow.sample_id == SampleRow.id).where(ScoreRow.value.is_not(None))
    if metrics:
        query = query.where(ScoreRow.metric.in_(metrics))
    with database.read() as connection:
        dataset_id = find_dataset(connection, dataset)
        rows = connection.execute(query.where(SampleRow.dataset_id == dataset_id).order_by(ScoreRow.id)).all()
    found = {row.metric for row in rows}
    for metric in metrics:
        if metric not in found:
            raise NotFound(f"{dataset} has no score by {metric}; `python app.py import` adds scores to a data set.")
    judgements, pairs, images = lru_cache(None)(_judgements), lru_cache(None)(_pair), lru_cache(None)(_bare)
    return tuple(
        JudgedScore(sample, images(image), human, judgements(judged), pairs(pair), _score(*score))
        for sample, human, judged, pair, image, *score in rows
    )


def _score(metric: str, value: float, signature: str, low: float, high: float, raw: float | None) -> Score:
    return Score(metric, value, signature, (low, high), {} if raw is None else {RAW: raw})


def _judgements(text: str) -> tuple[float, ...]:
    return tuple(json.loads(text))


def _pair(text: str | None) -> Pair | None:
    return None if text is None else Pair(**json.loads(text))


def _bare(image: str) -> str:
    return PurePosixPath(image).name
