"""What the analysis reads: score tables, and the ratings of single samples and of studies' explanations."""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from sqlalchemy import Connection, String, func, select, type_coerce

from core.bootstrap import Ints
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
            judgements = type_coerce(SampleRow.judgements, String)  # as text: few differ, so few are parsed
            samples = select(SampleRow.id, SampleRow.key, SampleRow.candidate, SampleRow.human, judgements)
            found = samples.where(SampleRow.dataset_id == dataset_id).order_by(SampleRow.id)
            rows = connection.execute(found).all()
            columns = tuple(zip(*rows, strict=True)) if rows else ((), (), (), (), ())
            ids = np.array(columns[0], dtype=np.int64)
            metrics = _metrics(connection, dataset_id, ids)
        level = {text: _level(text) for text in set(columns[4])}
        levels = np.array([level[text] for text in columns[4]], dtype=float)
        return ScoreTable(ids, columns[1], columns[2], np.array(columns[3], dtype=float), levels, metrics)

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


def _level(judgements: str) -> float:
    points = json.loads(judgements)
    return float(median(points)) if points else float("nan")


def _metrics(connection: Connection, dataset_id: int, ids: Ints) -> dict[str, MetricColumn]:
    """Return the columns of every metric; one under several settings is told apart by its signatures."""
    scored = (SampleRow.dataset_id == dataset_id, ScoreRow.value.is_not(None))
    ends = (func.min(ScoreRow.scale_low), func.max(ScoreRow.scale_high))
    query = select(ScoreRow.metric, ScoreRow.signature, *ends).join(SampleRow).where(*scored)
    versions = connection.execute(query.group_by(ScoreRow.metric, ScoreRow.signature)).all()
    settings = Counter(metric for metric, *_ in versions)
    raw = ScoreRow.components[RAW].as_float()
    columns = {}
    for metric, signature, low, high in versions:
        this = (ScoreRow.metric == metric, ScoreRow.signature == signature)
        cells = connection.execute(
            select(ScoreRow.sample_id, ScoreRow.value, raw).join(SampleRow).where(*scored, *this)
        )
        name = metric if settings[metric] == 1 else signature
        columns[name] = _column(name, (low, high), tuple(zip(*cells, strict=True)), ids)
    return columns


def _column(name: str, scale: tuple[float, float], cells: Sequence[Sequence[Any]], ids: Ints) -> MetricColumn:
    """Put scores at their samples' places; `cells` holds the sample ids, the values and the raw scores."""
    value, raw = np.full(len(ids), np.nan), np.full(len(ids), np.nan)
    place = np.searchsorted(ids, np.array(cells[0], dtype=np.int64))
    value[place], raw[place] = np.array(cells[1], dtype=float), np.array(cells[2], dtype=float)
    return MetricColumn(name, scale, value, raw)
