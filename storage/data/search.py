"""Search samples: build database queries from conditions and order, and keep the latest results."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select
from sqlalchemy.orm import aliased

from storage.data.hidden_datasets import VISIBLE, VISIBLE_SAMPLE
from storage.data.stored_samples import ids_of
from storage.engine.sql import listed
from storage.tables import CodingRow, DatasetRow, EpochRow, ImageRow, SampleRow, ScoreRow
from storage.types import Search

LISTS = 4  # maximum number of id lists kept in memory; a list takes 8 bytes per sample


class KeptLists:
    """Caches the ids of the latest searches until a data set changes or the database is restored."""

    def __init__(self) -> None:
        self._lists: OrderedDict[Search, tuple[Any, Sequence[int]]] = OrderedDict()
        self._lock = Lock()

    def ids(self, connection: Connection, wanted: Search) -> Sequence[int]:
        """Return the ids of all samples that a search finds, in its order."""
        # These lists are not cached: changed error codes do not count as a change of a data set, and long lists of ids
        # make poor cache keys.
        if wanted.code is not None or wanted.among is not None:
            return ids_of(connection, found_ids(wanted))
        named = VISIBLE if wanted.dataset is None else DatasetRow.name == wanted.dataset
        states = connection.execute(select(DatasetRow.id, DatasetRow.changes).where(named).order_by(DatasetRow.id))
        stamp = connection.scalar(select(EpochRow.epoch)), [*map(tuple, states)]
        with self._lock:
            state, ids = self._lists.get(wanted, (None, ()))
        if state != stamp:
            ids = ids_of(connection, found_ids(wanted))
        with self._lock:
            self._lists[wanted] = stamp, ids
            self._lists.move_to_end(wanted)
            while len(self._lists) > LISTS:
                self._lists.popitem(last=False)
        return ids


def found_ids(wanted: Search) -> Select[int]:
    """Return a query for the ids of a search's samples.

    The ids are in the search's order. Samples with equal values are in order of import.
    """
    query = select(SampleRow.id).select_from(SampleRow)
    if wanted.dataset is not None:
        query = query.join(DatasetRow, DatasetRow.id == SampleRow.dataset_id).where(DatasetRow.name == wanted.dataset)
    else:
        query = query.where(VISIBLE_SAMPLE)
    query = query.where(*_by_sample(wanted), *_by_scores(wanted))
    return _sorted(query, wanted)


def _by_sample(wanted: Search) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if text := wanted.text.strip():
        conditions.append(_spelt(text))
    if wanted.code is not None:
        conditions.append(SampleRow.id.in_(select(CodingRow.sample_id).where(CodingRow.code == wanted.code)))
    if wanted.system is not None:
        conditions.append(SampleRow.system == wanted.system)
    if wanted.among is not None:
        conditions.append(SampleRow.id.in_(_these(wanted.among)))
    return conditions


def _spelt(text: str) -> ColumnElement[bool]:
    """Match a text in caption, key or the picture's name, ignoring case (on SQLite, the case of ASCII letters)."""
    named = SampleRow.image_id.in_(select(ImageRow.id).where(ImageRow.name.icontains(text, autoescape=True)))
    own = (column.icontains(text, autoescape=True) for column in (SampleRow.candidate, SampleRow.key))
    return or_(*own, named)


def _by_scores(wanted: Search) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    of_metric = [] if wanted.metric is None else [ScoreRow.metric == wanted.metric]
    bounds = _within(ScoreRow.value, wanted.lowest, wanted.highest)
    if wanted.metric is not None and (bounds or wanted.sort == "imported"):  # other orders join the table of scores
        conditions.append(SampleRow.id.in_(select(ScoreRow.sample_id).where(*of_metric, *bounds)))
    return conditions


def _sorted(query: Select[int], wanted: Search) -> Select[int]:
    """Sort the samples that a search finds.

    Samples without the value by which they are sorted come last.
    """
    if wanted.metric is None or wanted.sort == "imported":
        return query.order_by(SampleRow.id)
    query, score = _with_score(query, wanted.metric)
    query = query.where(score.id.is_not(None))
    value: Any = score.value
    if wanted.sort == "error":
        value = func.abs((score.value - score.scale_low) / (score.scale_high - score.scale_low) - SampleRow.human)
    return query.order_by((value.desc() if wanted.falling else value).nulls_last(), SampleRow.id)


def _with_score(query: Select[int], metric: str) -> tuple[Select[int], Any]:
    """Join a metric's newest outcome (score or error) to each sample.

    Samples without an outcome remain. A single database index contains all columns that this join reads.
    """
    score, newer = aliased(ScoreRow), aliased(ScoreRow)
    later = (newer.metric == metric, newer.sample_id == SampleRow.id, newer.id > score.id)
    newest = ~select(newer.id).where(*later).exists()
    return query.outerjoin(score, and_(score.metric == metric, score.sample_id == SampleRow.id, newest)), score


def _these(ids: Sequence[int]) -> Any:
    return select(listed(ids).c.value)


def _within(value: Any, lowest: float | None, highest: float | None) -> list[ColumnElement[bool]]:
    """Match scores within the bounds. An error has no score, so it matches only without bounds."""
    bounds = [] if lowest is None else [value >= lowest]
    return bounds if highest is None else [*bounds, value <= highest]
