"""Read what stored scores say beside their values: mentioned regions, and explanations."""

from typing import Any

from sqlalchemy import Connection, or_, select

from core.analysis.omissions import UNNAMED, Mentions
from core.analysis.score_table import Version
from core.arrays import Ints
from storage.analysis.columns import versions
from storage.data.outcome_columns import region_of
from storage.tables import SampleRow, ScoreRow, as_text

_HAS_REGIONS = as_text(ScoreRow.regions) != "[]"


def _of_metric(metric: str) -> Any:
    return or_(ScoreRow.metric == metric, ScoreRow.signature == metric)


def mentions(connection: Connection, dataset_id: int, metric: str) -> Mentions:
    """Return which regions captions mention according to a metric, for pictures with regions."""
    import pandas as pd  # imported late, because it is slow and most commands do not need it

    shares = (ScoreRow.components[name].as_float().label(name) for name in ("precision", "recall"))
    query = select(ScoreRow.sample_id.label("sample"), *shares, ScoreRow.regions, ScoreRow.cut).join(SampleRow)
    of_metric = (ScoreRow.value.is_not(None), _of_metric(metric), _HAS_REGIONS)
    rows = connection.execute(query.where(SampleRow.dataset_id == dataset_id, *of_metric).order_by(ScoreRow.sample_id))
    found = pd.DataFrame(rows.all(), columns=["sample", "precision", "recall", "regions", "cut"])
    regions = [
        (row.sample, region.label or UNNAMED, region.mentioned)
        for row in found.itertuples()
        for region in (region_of(columns) for columns in row.regions)
        if not region.is_full
    ]
    captions = found.set_index("sample")[["precision", "recall"]].astype(float)
    return Mentions(captions, pd.DataFrame(regions, columns=["sample", "label", "mentioned"]))


def telling_metrics(connection: Connection, dataset_id: int) -> list[Version]:
    """Return the metrics that state which picture regions a caption mentions, with their signatures."""
    return versions(connection, dataset_id, _HAS_REGIONS)


def explanations(connection: Connection, dataset_id: int, ids: Ints, metric: str | None = None) -> list[str]:
    """Return each sample's explanations as one text; "" if there are none. metric: None: of all metrics."""
    query = select(ScoreRow.sample_id, ScoreRow.rationales).join(SampleRow).order_by(ScoreRow.id)
    query = query.where(SampleRow.dataset_id == dataset_id, ScoreRow.explained)
    texts: dict[int, list[str]] = {}
    for sample, rationales in connection.execute(query if metric is None else query.where(_of_metric(metric))):
        texts.setdefault(sample, []).extend(rationales.values())
    return [" ".join(texts.get(sample, ())) for sample in ids.tolist()]
