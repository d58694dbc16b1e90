"""Read which regions captions mention, from stored scores of a metric."""

from collections import defaultdict
from typing import Any

import numpy as np
from sqlalchemy import Connection, or_, select

from core.analysis.omissions import UNNAMED, Mentions
from core.arrays import Ints
from storage.data.outcome_columns import region_of
from storage.tables import SampleRow, ScoreRow, as_text

_NONE = "[]"  # stored JSON of an empty list of regions


def mentions(connection: Connection, dataset_id: int, metric: str) -> Mentions:
    """Return which regions captions mention according to a metric, for pictures with regions."""
    parts = (ScoreRow.components["precision"].as_float(), ScoreRow.components["recall"].as_float())
    query = select(ScoreRow.sample_id, *parts, ScoreRow.regions, ScoreRow.cut).join(SampleRow)
    query = query.where(SampleRow.dataset_id == dataset_id, ScoreRow.value.is_not(None), _named(metric), _HAS_REGIONS)
    rows = connection.execute(query.order_by(ScoreRow.sample_id)).all()
    places, labels, flags = [], [], []
    for place, row in enumerate(rows):
        for region in (region_of(columns, row.cut) for columns in row.regions):
            if not region.is_full:
                places.append(place)
                labels.append(region.label or UNNAMED)
                flags.append(region.mentioned)
    of_caption = zip(*(row[:3] for row in rows), strict=True) if rows else ((), (), ())
    ids, precision, recall = (list(column) for column in of_caption)
    return Mentions(
        np.array(ids, dtype=np.int64),
        np.array(precision, dtype=float),
        np.array(recall, dtype=float),
        np.array(places, dtype=np.int64),
        labels,
        np.array(flags, dtype=bool),
    )


def telling_metrics(connection: Connection, dataset_id: int) -> set[tuple[str, str]]:
    """Return the metrics whose scores state which picture regions captions mention.

    Each metric is a pair of its name and the signature of its scores (a text with all settings).
    """
    query = select(ScoreRow.metric, ScoreRow.signature).join(SampleRow).distinct()
    stating = query.where(SampleRow.dataset_id == dataset_id, ScoreRow.value.is_not(None), _HAS_REGIONS)
    return {(metric, signature) for metric, signature in connection.execute(stating)}


def explanations(connection: Connection, dataset_id: int, ids: Ints, metric: str | None = None) -> list[str]:
    """Return each sample's explanations as one text; "" if there are none.

    ids: sample ids. metric: the explanations of this metric; None: of all metrics.
    """
    query = select(ScoreRow.sample_id, ScoreRow.rationales).join(SampleRow).order_by(ScoreRow.id)
    query = query.where(SampleRow.dataset_id == dataset_id, ScoreRow.explained)
    texts: dict[int, list[str]] = defaultdict(list)
    for sample, rationales in connection.execute(query if metric is None else query.where(_named(metric))):
        texts[sample] += rationales.values()
    return [" ".join(texts.get(sample, ())) for sample in ids.tolist()]


def truncated(connection: Connection, dataset_id: int, metric: str) -> frozenset[int]:
    """Return the samples whose caption a metric did not read to the end."""
    query = select(ScoreRow.sample_id).join(SampleRow).where(SampleRow.dataset_id == dataset_id, _named(metric))
    return frozenset(connection.scalars(query.where(as_text(ScoreRow.components).contains('"truncated":'))))


def _named(metric: str) -> Any:
    return or_(ScoreRow.metric == metric, ScoreRow.signature == metric)


_HAS_REGIONS = as_text(ScoreRow.regions) != _NONE
