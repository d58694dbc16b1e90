"""Read a data set's score table, column by column."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, func, select

from core.analysis.score_table import MetricColumn, ScoreTable, Version, column_names, metric_labels
from core.arrays import TEXT, Floats, Ints
from core.benchmarks.columns import JudgedColumn, judged_column
from core.signature import is_by_people
from core.types import RAW, Pair
from storage.analysis.chunks import chunks, placed
from storage.tables import ImageRow, SampleRow, ScoreRow, as_text

_KINDS: tuple[Any, ...] = (np.int64, TEXT, TEXT, float, float, np.int64)  # types of a score table's sample columns


def score_table(connection: Connection, dataset_id: int) -> ScoreTable:
    """Return a data set's samples, judgements and scores as columns.

    Raises Cancelled if the work was cancelled (see core.long_work.progress).
    """
    judgements = as_text(SampleRow.judgements)  # read as text, so that equal judgements are parsed only once
    columns_of = (SampleRow.id, SampleRow.key, SampleRow.candidate, SampleRow.human, judgements, SampleRow.image_id)
    query, numbers, count = _samples(connection, dataset_id, *columns_of)
    level = lru_cache(None)(_level)
    read: list[list[NDArray[Any]]] = [[np.empty(0, kind)] for kind in _KINDS]
    for chunk in chunks(connection, query, SampleRow.id, numbers, f"Reading {count:,} samples"):
        values = (*chunk[:4], [*map(level, chunk[4])], chunk[5])
        for column, of_chunk, kind in zip(read, values, _KINDS, strict=True):
            column.append(np.array(of_chunk, dtype=kind))
    ids, keys, captions, human, levels, images = map(np.concatenate, read)
    metrics = _metrics(connection, ids, numbers)
    return ScoreTable(ids, keys, captions, human, levels, metrics, images)


def _samples(connection: Connection, dataset_id: int, *columns: Any) -> tuple[Select[Any], range, int]:
    """Return a query for a data set's samples by rising ids.

    Also return the range of the ids and the number of samples. The query is written so that SQLite reads the samples in
    stored order. Otherwise SQLite would use the index of sample keys and sort the samples afterwards, which is slower.
    """
    bounds = select(func.min(SampleRow.id), func.max(SampleRow.id), func.count())
    first, last, count = connection.execute(bounds.where(SampleRow.dataset_id == dataset_id)).one()
    query = select(*columns).where(SampleRow.dataset_id + 0 == dataset_id).order_by(SampleRow.id)
    return query, range(first, last + 1) if count else range(0), count


def _level(judgements: str) -> float:
    points = json.loads(judgements)
    return float(median(points)) if points else float("nan")


def versions(connection: Connection, dataset_id: int) -> Sequence[Any]:
    """Return (metric, signature) of all scores of a data set, sorted."""
    query = select(ScoreRow.metric, ScoreRow.signature).join(SampleRow).distinct()
    scored = query.where(SampleRow.dataset_id == dataset_id, ScoreRow.value.is_not(None))
    return connection.execute(scored.order_by(ScoreRow.metric, ScoreRow.signature)).all()


def _metrics(connection: Connection, ids: Ints, numbers: range) -> dict[str, MetricColumn]:
    """Return the columns of every metric's scores; key: the column's name.

    A signature is a text with all settings that can change a score. If a metric was used with several settings, it has
    one column for each signature.
    """
    scores = _scores(connection, ids, numbers)
    labels, names = metric_labels(scores), column_names(scores)
    return {
        names[one]: MetricColumn(
            names[one], one[0], labels[one], (of.low, of.high), of.value, of.raw, is_by_people(one[1])
        )
        for one, of in sorted(scores.items(), key=lambda item: item[0])
    }


class _Scores:
    """The scores of one metric with one signature (a text with the metric's settings).

    Each score has the same position as its sample in the score table.
    """

    def __init__(self, samples: int) -> None:
        self.value, self.raw = np.full((2, samples), np.nan)
        self.low, self.high = np.inf, -np.inf

    def put(self, place: Ints, value: Floats, raw: Floats, low: Floats, high: Floats) -> None:
        self.value[place], self.raw[place] = value, raw
        self.low, self.high = min(self.low, float(low.min())), max(self.high, float(high.max()))


def _scores(connection: Connection, ids: Ints, numbers: range) -> dict[Version, _Scores]:
    """Return the scores of samples; key: metric and signature.

    All rows are read in one pass, without a join.
    """
    raw = ScoreRow.components[RAW].as_float()
    cells = (ScoreRow.sample_id, ScoreRow.value, raw, ScoreRow.scale_low, ScoreRow.scale_high)
    query = select(ScoreRow.metric, ScoreRow.signature, *cells).where(ScoreRow.value.is_not(None))
    by_version: dict[Version, _Scores] = {}
    number: dict[Version, int] = {}
    what = f"Reading the scores of {len(ids):,} samples"
    for metrics, signatures, samples, *columns in chunks(connection, query, ScoreRow.sample_id, numbers, what):
        version = np.array([number.setdefault(one, len(number)) for one in zip(metrics, signatures, strict=True)])
        sample = np.array(samples, dtype=np.int64)
        place, there = placed(ids, sample)
        version[~there] = -1  # excludes samples of other data sets, whose ids lie in the same range
        scores = np.array(columns, dtype=float)
        for one, index in number.items():
            these = np.flatnonzero(version == index)
            if len(these) and one not in by_version:
                by_version[one] = _Scores(len(ids))
            if len(these):
                by_version[one].put(place[these], *scores[:, these])
    return by_version


def part_values(connection: Connection, ids: Ints, metric: MetricColumn, part: str) -> Floats | None:
    """Return one part of a metric's score for each sample.

    part: the name of a number that belongs to the score, such as the precision. A sample has NaN if its score has no
    such part, or if this part is not a number. The result is None if all samples would have NaN. ids: rising sample
    ids, in the order of the metric's column. Raises Cancelled.
    """
    values = np.full(len(ids), np.nan)
    for samples, texts in _components(connection, ids, metric, f"Reading {part} of {len(ids):,} scores"):
        found = np.array([_number(json.loads(text).get(part)) for text in texts])
        sample = np.array(samples, dtype=np.int64)
        place, there = placed(ids, sample)
        values[place[there]] = found[there]
    return values if np.isfinite(values).any() else None


def part_counts(connection: Connection, ids: Ints, metric: MetricColumn) -> Counter[str]:
    """Count how many samples have each part of a metric's score.

    An example of a part is the score's precision. Raises Cancelled.
    """
    counts: Counter[str] = Counter()
    known = set(ids.tolist())
    for samples, texts in _components(connection, ids, metric, f"Looking for components of {len(ids):,} scores"):
        for sample, text in zip(samples, texts, strict=True):
            if sample in known:
                counts.update(name for name, value in json.loads(text).items() if np.isfinite(_number(value)))
    return counts


def _components(
    connection: Connection, ids: Ints, metric: MetricColumn, what: str
) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield sample ids with the components of a metric's scores.

    The components are JSON texts.
    """
    columns: tuple[Any, ...] = (ScoreRow.sample_id, as_text(ScoreRow.components))
    query = select(*columns).where(ScoreRow.value.is_not(None), ScoreRow.metric == metric.metric)
    if metric.own != metric.metric:  # a metric with several signatures has one column for each, named by the signature
        query = query.where(ScoreRow.signature == metric.own)
    numbers = range(int(ids[0]), int(ids[-1]) + 1) if len(ids) else range(0)
    return chunks(connection, query, ScoreRow.sample_id, numbers, what)


def _number(value: object) -> float:
    """Return a component that is a number; NaN for other values.

    For example, a list of probabilities becomes NaN.
    """
    return float(value) if isinstance(value, int | float) else float("nan")


def judged_samples(connection: Connection, dataset_id: int) -> JudgedColumn:
    """Return a data set's judgements without scores, sorted by rising sample ids. Raises Cancelled."""
    # Select JSON as text. A million samples have few different judgements, so few texts must be parsed.
    json_columns = as_text(SampleRow.judgements), as_text(SampleRow.pair)
    columns = (SampleRow.id, SampleRow.image_id, SampleRow.human, *json_columns)
    query, numbers, count = _samples(connection, dataset_id, *columns)
    points, pair, name = lru_cache(None)(_points), lru_cache(None)(_pair), _bare_names(connection, dataset_id)
    ids, human = [np.empty(0, np.int64)], [np.empty(0)]
    images_of: list[str] = []  # equal lists are one shared object, so the lists of a million samples are small
    judgements: list[tuple[float, ...]] = []
    pairs: list[Pair | None] = []
    what = f"Reading {count:,} judgements"
    for samples, images, means, judgement_counts, chosen in chunks(connection, query, SampleRow.id, numbers, what):
        ids.append(np.array(samples, dtype=np.int64))
        human.append(np.array(means, dtype=float))
        images_of.extend(map(name.__getitem__, images))
        judgements.extend(map(points, judgement_counts))
        pairs.extend(map(pair, chosen))
    return judged_column(np.concatenate(ids), images_of, np.concatenate(human), judgements, pairs)


def _bare_names(connection: Connection, dataset_id: int) -> dict[int, str]:
    """Return each picture's file name without folders; key: the picture's id."""
    names = select(ImageRow.id, ImageRow.name).where(ImageRow.dataset_id == dataset_id)
    return {image: PurePosixPath(name).name for image, name in connection.execute(names)}


def _points(text: str) -> tuple[float, ...]:
    return tuple(json.loads(text))


def _pair(text: str | None) -> Pair | None:
    return None if text is None else Pair(**json.loads(text))
