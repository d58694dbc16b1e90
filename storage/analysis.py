"""What the analysis reads: score tables, and the ratings of single samples and of studies' explanations."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from sqlalchemy import Connection, Float, func, select

from core.bootstrap import Floats
from core.joining import RAW
from core.score_table import MetricColumn, ScoreTable
from storage.database import Database
from storage.samples import find_dataset
from storage.tables import ItemRow, RaterRow, RatingRow, SampleRow, ScoreRow, StudyRow


@dataclass(frozen=True, slots=True)
class SampleRating:
    """One answer of a rater about one explanation of a sample."""

    study: str
    metric: str
    rater: str
    criterion: str
    point: int


class Analysis:
    """Verbs that read across a data set."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stamp(self, dataset: str) -> Hashable:
        """Return a value that changes whenever an import changes the data set's score table. Raises NotFound.

        Scores are only ever added, and an import may give a sample a human judgement that it lacked.
        """
        with self._database.read() as connection:
            dataset_id = find_dataset(connection, dataset)
            counts = select(func.count(), func.count(SampleRow.human), func.sum(func.length(SampleRow.judgements)))
            samples = tuple(connection.execute(counts.where(SampleRow.dataset_id == dataset_id)).one())
            return dataset_id, *samples, connection.scalar(select(func.max(ScoreRow.id)))

    def table(self, dataset: str) -> ScoreTable:
        """Return a data set's samples, judgements and scores as columns. Raises NotFound."""
        with self._database.read() as connection:
            dataset_id = find_dataset(connection, dataset)
            samples = select(SampleRow.id, SampleRow.key, SampleRow.candidate, SampleRow.human, SampleRow.judgements)
            found = samples.where(SampleRow.dataset_id == dataset_id).order_by(SampleRow.id)
            rows = connection.execute(found).all()
            place = {row.id: number for number, row in enumerate(rows)}
            metrics = _metrics(connection, dataset_id, place)
        levels = [median(row.judgements) if row.judgements else np.nan for row in rows]
        return ScoreTable(
            np.array([row.id for row in rows], dtype=np.int64),
            [row.key for row in rows],
            [row.candidate for row in rows],
            _floats([row.human for row in rows]),
            _floats(levels),
            metrics,
        )

    def ratings(self, sample_id: int) -> tuple[SampleRating, ...]:
        """Return every rating of a sample's explanations, newest study first."""
        query = (
            select(StudyRow.name, ScoreRow.metric, RaterRow.code, RatingRow.criterion, RatingRow.point)
            .join_from(RatingRow, ItemRow, ItemRow.id == RatingRow.item_id)
            .join(StudyRow, StudyRow.id == RatingRow.study_id)
            .join(ScoreRow, ScoreRow.id == RatingRow.score_id)
            .join(RaterRow, RaterRow.id == RatingRow.rater_id)
            .where(ItemRow.sample_id == sample_id)
            .order_by(StudyRow.id.desc(), ScoreRow.metric, RaterRow.code, RatingRow.criterion)
        )
        with self._database.read() as connection:
            return tuple(SampleRating(*row) for row in connection.execute(query))

    def mean_points(self, dataset: str) -> dict[str, dict[int, float]]:
        """Return the mean point of every rated sample, by criterion; abstentions (0) are left out."""
        query = (
            select(RatingRow.criterion, ItemRow.sample_id, func.avg(RatingRow.point))
            .join(ItemRow, ItemRow.id == RatingRow.item_id)
            .join(SampleRow, SampleRow.id == ItemRow.sample_id)
            .group_by(RatingRow.criterion, ItemRow.sample_id)
        )
        found: dict[str, dict[int, float]] = defaultdict(dict)
        with self._database.read() as connection:
            dataset_id = find_dataset(connection, dataset)
            chosen = query.where(SampleRow.dataset_id == dataset_id, RatingRow.point > 0)
            for criterion, sample, mean in connection.execute(chosen):
                found[criterion][sample] = mean
        return dict(found)


def _metrics(connection: Connection, dataset_id: int, place: dict[int, int]) -> dict[str, MetricColumn]:
    """Return the columns of every metric; one under several settings is told apart by its signatures."""
    columns = (ScoreRow.sample_id, ScoreRow.metric, ScoreRow.signature, ScoreRow.value)
    raw = ScoreRow.components[RAW].as_float().cast(Float)
    query = select(*columns, ScoreRow.scale_low, ScoreRow.scale_high, raw.label("raw")).join(SampleRow)
    found = query.where(SampleRow.dataset_id == dataset_id, ScoreRow.value.is_not(None)).order_by(ScoreRow.metric)
    versions: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for row in connection.execute(found):
        versions[row.metric][row.signature].append(row)
    return {
        name: _column(name, rows, place)
        for metric, signatures in versions.items()
        for signature, rows in signatures.items()
        for name in (metric if len(signatures) == 1 else signature,)
    }


def _column(name: str, rows: Sequence[Any], place: dict[int, int]) -> MetricColumn:
    value, raw = np.full(len(place), np.nan), np.full(len(place), np.nan)
    where = [place[row.sample_id] for row in rows]
    value[where] = [row.value for row in rows]
    raw[where] = _floats([row.raw for row in rows])
    return MetricColumn(name, (rows[0].scale_low, rows[0].scale_high), value, raw)


def _floats(values: Iterable[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], dtype=float)
