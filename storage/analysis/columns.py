"""A data set's score table, read column by column."""

import json
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from statistics import median
from typing import Any

import numpy as np
from sqlalchemy import Connection, select

from core.analysis.score_table import MetricColumn, ScoreTable, Version, column_names, metric_labels
from core.arrays import Ints
from core.benchmarks.columns import JudgedColumn, judged_column
from core.benchmarks.matching import RAW
from core.types import Pair
from storage.tables import ImageRow, SampleRow, ScoreRow, as_text


def score_table(connection: Connection, dataset_id: int) -> ScoreTable:
    """Return a data set's samples, judgements and scores as columns."""
    judgements = as_text(SampleRow.judgements)  # as text: few differ, so few are parsed
    columns_of = (SampleRow.id, SampleRow.key, SampleRow.candidate, SampleRow.human, judgements, SampleRow.image_id)
    samples = select(*columns_of)
    rows = connection.execute(samples.where(SampleRow.dataset_id == dataset_id).order_by(SampleRow.id)).all()
    columns = tuple(zip(*rows, strict=True)) if rows else ((),) * 6
    ids = np.array(columns[0], dtype=np.int64)
    level = {text: _level(text) for text in set(columns[4])}
    levels = np.array([level[text] for text in columns[4]], dtype=float)
    human = np.array(columns[3], dtype=float)
    images = np.array(columns[5], dtype=np.int64)
    return ScoreTable(ids, columns[1], columns[2], human, levels, _metrics(connection, dataset_id, ids), images)


def _level(judgements: str) -> float:
    points = json.loads(judgements)
    return float(median(points)) if points else float("nan")


def versions(connection: Connection, dataset_id: int) -> Sequence[Any]:
    """Return (metric, signature) of everything that has scored a data set, in this order."""
    query = select(ScoreRow.metric, ScoreRow.signature).join(SampleRow).distinct()
    scored = query.where(SampleRow.dataset_id == dataset_id, ScoreRow.value.is_not(None))
    return connection.execute(scored.order_by(ScoreRow.metric, ScoreRow.signature)).all()


def _metrics(connection: Connection, dataset_id: int, ids: Ints) -> dict[str, MetricColumn]:
    """Return the columns of every metric; one under several settings is told apart by its signatures."""
    found = _scores(connection, dataset_id)
    labels, names = metric_labels(found), column_names(found)
    columns = {}
    for version, cells in sorted(found.items()):
        columns[names[version]] = _column((names[version], version[0], labels[version]), cells, ids)
    return columns


def _scores(connection: Connection, dataset_id: int) -> dict[Version, list[tuple[Any, ...]]]:
    """Return (sample id, value, raw score, ends of the scale) by metric and signature: one pass over the scores."""
    raw = ScoreRow.components[RAW].as_float()
    cells = (ScoreRow.sample_id, ScoreRow.value, raw, ScoreRow.scale_low, ScoreRow.scale_high)
    query = select(ScoreRow.metric, ScoreRow.signature, *cells).join(SampleRow)
    found: dict[Version, list[tuple[Any, ...]]] = defaultdict(list)
    scored = query.where(SampleRow.dataset_id == dataset_id, ScoreRow.value.is_not(None))
    for metric, signature, *cell in connection.execute(scored).all():
        found[metric, signature].append(tuple(cell))
    return found


def _column(names: tuple[str, str, str], cells: Sequence[tuple[Any, ...]], ids: Ints) -> MetricColumn:
    """Put scores at their samples' places."""
    samples, values, raws, lows, highs = zip(*cells, strict=True)
    value, raw = np.full((2, len(ids)), np.nan)
    place = np.searchsorted(ids, np.array(samples, dtype=np.int64))
    value[place], raw[place] = np.array(values, dtype=float), np.array(raws, dtype=float)
    return MetricColumn(*names, (min(lows), max(highs)), value, raw)


def judged_samples(connection: Connection, dataset_id: int) -> JudgedColumn:
    """Return the judgements of a data set's samples, by rising sample ids, without scores."""
    # What is stored as JSON comes as text: 42,166 samples have few different judgements, so that few are parsed.
    columns = (
        SampleRow.id, ImageRow.name, SampleRow.human, as_text(SampleRow.judgements),
        as_text(SampleRow.pair),
    )  # fmt: skip
    query = select(*columns).join(ImageRow, SampleRow.image_id == ImageRow.id).order_by(SampleRow.id)
    rows = connection.execute(query.where(SampleRow.dataset_id == dataset_id)).all()
    samples, images, human, judgements, pairs = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    points, pair, bare = lru_cache(None)(_points), lru_cache(None)(_pair), lru_cache(None)(_bare)
    return judged_column(samples, [*map(bare, images)], human, [*map(points, judgements)], [*map(pair, pairs)])


def _points(text: str) -> tuple[float, ...]:
    return tuple(json.loads(text))


def _pair(text: str | None) -> Pair | None:
    return None if text is None else Pair(**json.loads(text))


def _bare(image: str) -> str:
    return PurePosixPath(image).name
