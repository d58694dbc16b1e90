"""Summarise data sets from counts that database triggers keep up to date (storage.tables.triggers)."""

from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import Connection, select

from storage.data.hidden_datasets import VISIBLE
from storage.tables import DatasetCountRow, DatasetRow
from storage.types import DatasetSummary

Counts = Mapping[str, Mapping[str, int]]  # name of a count -> metric -> number; the metric is "" if there is none


def dataset_summaries(connection: Connection) -> tuple[DatasetSummary, ...]:
    """Return a summary of every data set, sorted by name."""
    visible_datasets = (
        select(DatasetRow.id, DatasetRow.name, DatasetRow.notice).where(VISIBLE).order_by(DatasetRow.name)
    )
    counts: dict[int, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    kept = select(*DatasetCountRow.__table__.columns).where(DatasetCountRow.number > 0)
    for row in connection.execute(kept.order_by(DatasetCountRow.metric)):
        counts[row.dataset_id][row.counted][row.metric] = row.number
    return tuple(_summary(row.name, row.notice, counts[row.id]) for row in connection.execute(visible_datasets).all())


def _summary(name: str, notice: str, of: Counts) -> DatasetSummary:
    def number(counted: str) -> int:
        return of[counted].get("", 0)

    return DatasetSummary(
        name=name,
        notice=notice,
        samples=number("samples"),
        scores={metric: of["scores"].get(metric, 0) for metric in sorted({*of["scores"], *of["errors"]})},
        explained=dict(of["explained"]),
        images_found=number("found"),
        images_missing=number("missing"),
        annotated=number("annotated"),
    )
