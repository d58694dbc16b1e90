"""A data set at a glance: counted from its samples, scores and pictures."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Integer, cast, func, select

from storage.tables import AnnotationRow, ImageRow, SampleRow, ScoreRow, as_text
from storage.types import DatasetSummary


def dataset_summary(connection: Connection, dataset: Any) -> DatasetSummary:
    """Return what there is of a data set; dataset holds DatasetRow's columns."""
    of_dataset = SampleRow.dataset_id == dataset.id
    scores = (
        select(ScoreRow.metric, func.count(ScoreRow.value), func.sum(cast(ScoreRow.explained, Integer)))
        .join(SampleRow)
        .where(of_dataset)
    )
    by_metric = connection.execute(scores.group_by(ScoreRow.metric).order_by(ScoreRow.metric)).all()
    images = select(func.count(), func.count(ImageRow.path)).where(ImageRow.dataset_id == dataset.id)
    total, found = connection.execute(images).one()
    annotated = select(func.count(AnnotationRow.image_id.distinct())).join(
        ImageRow, ImageRow.id == AnnotationRow.image_id
    )
    judgements = as_text(SampleRow.judgements)  # grouped: people's judgements on one scale are a few hundred texts
    counted = connection.execute(select(judgements, func.count()).where(of_dataset).group_by(judgements)).all()
    return DatasetSummary(
        name=dataset.name,
        notice=dataset.notice,
        samples=sum(count for _, count in counted),
        scores={metric: count for metric, count, _ in by_metric},
        explained={metric: explained for metric, _, explained in by_metric if explained},
        unanimous=sum(count for text, count in counted if _agree(json.loads(text))),
        images_found=found,
        images_missing=total - found,
        annotated=connection.scalar(annotated.where(ImageRow.dataset_id == dataset.id)) or 0,
    )


def _agree(points: Sequence[float]) -> bool:
    """Return whether several people gave the same point."""
    return len(points) > 1 and len(set(points)) == 1
