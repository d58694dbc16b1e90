"""Read one page of the samples that a search finds.

A whole data set in order of import is read by an index, and database triggers keep its length up to date. For any
other list, all sample ids are read once. The latest of these lists stay in memory until a data set changes or the
database is restored.
"""

from array import array
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, select

from storage.data.hidden_datasets import VISIBLE, VISIBLE_SAMPLE
from storage.data.search import found_ids
from storage.tables import DatasetCountRow, DatasetRow, EpochRow, SampleRow
from storage.types import Search

_ROWS = 10_000  # number of rows that the driver returns in one batch
LISTS = 4  # maximum number of id lists kept in memory; a list takes 8 bytes per sample


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the sample ids that a search found, such as one page."""

    total: int
    offset: int  # position of the page's first id in the list
    before: int | None  # the sample before the first id; None: there is none
    ids: Sequence[int]
    after: int | None


class KeptLists:
    """Caches the latest lists of sample ids."""

    def __init__(self) -> None:
        self._lists: OrderedDict[Search, tuple[Any, Sequence[int]]] = OrderedDict()
        self._lock = Lock()

    def ids(self, connection: Connection, wanted: Search) -> Sequence[int]:
        """Return the ids of all samples that a search finds, in its order."""
        # These lists are not cached: changed error codes do not count as a change of a data set, and long lists of ids
        # make poor cache keys.
        if wanted.code is not None or wanted.among is not None:
            return all_ids(connection, wanted)
        states = select(DatasetRow.id, DatasetRow.changes).where(DatasetRow.id.in_(_datasets(wanted)))
        stamp = (
            connection.scalar(select(EpochRow.epoch)),
            [*map(tuple, connection.execute(states.order_by(DatasetRow.id)))],
        )
        with self._lock:
            state, ids = self._lists.get(wanted, (None, ()))
        if state != stamp:
            ids = all_ids(connection, wanted)
        with self._lock:
            self._lists[wanted] = stamp, ids
            self._lists.move_to_end(wanted)
            while len(self._lists) > LISTS:
                self._lists.popitem(last=False)
        return ids


def all_ids(connection: Connection, wanted: Search) -> Sequence[int]:
    """Return the ids of all samples of a search, in its order.

    The driver returns the ids without a Python object for each row.
    """
    ids, result = array("q"), connection.execute(found_ids(wanted))
    assert result.cursor is not None  # a SELECT has a cursor
    while rows := result.cursor.fetchmany(_ROWS):
        ids.extend(id_ for (id_,) in rows)
    result.close()
    return ids


def part_of(
    connection: Connection, kept: KeptLists, wanted: Search, offset: int, limit: int, around: int | None
) -> Part:
    """Return a part of the ids that a search finds.

    around: return the page of `limit` ids that contains this sample; None: return `limit` ids from position `offset`.
    """
    by_index = _imported(connection, wanted, offset, limit, around)
    if by_index is not None:
        return by_index
    ids = kept.ids(connection, wanted)
    if around is not None and around in ids:
        offset = ids.index(around) // limit * limit
    return Part(
        len(ids),
        offset,
        ids[offset - 1] if 0 < offset <= len(ids) else None,
        ids[offset : offset + limit],
        ids[offset + limit] if offset + limit < len(ids) else None,
    )


def _imported(connection: Connection, wanted: Search, offset: int, limit: int, around: int | None) -> Part | None:
    """Return part of the sample ids of one or all data sets.

    The ids are in order of import. None: the search has other conditions, such as a text or a score.
    """
    if wanted != Search(wanted.dataset, sort=wanted.sort, falling=wanted.falling):
        return None
    every = select(SampleRow.id).where(_within(connection, wanted))
    if around is not None and connection.scalar(every.where(SampleRow.id == around)) is not None:
        earlier = select(func.count()).where(SampleRow.dataset_id.in_(_datasets(wanted)), SampleRow.id < around)
        offset = (connection.scalar(earlier) or 0) // limit * limit
    return _part(connection, every.order_by(SampleRow.id), _count(connection, wanted), offset, limit)


def _datasets(wanted: Search) -> Select[int]:
    """Select the ids of the data sets that a search covers."""
    datasets = select(DatasetRow.id)
    return datasets.where(VISIBLE) if wanted.dataset is None else datasets.where(DatasetRow.name == wanted.dataset)


def _within(connection: Connection, wanted: Search) -> ColumnElement[bool]:
    """Return the condition that a sample is in the search's data sets.

    The condition is written so that the database can read the samples in the order of an index.
    """
    if wanted.dataset is None:
        return VISIBLE_SAMPLE
    return SampleRow.dataset_id == connection.scalar(_datasets(wanted))


def _count(connection: Connection, wanted: Search) -> int:
    """Return how many samples a search's data sets have."""
    query = select(func.sum(DatasetCountRow.number)).where(DatasetCountRow.counted == "samples")
    return int(connection.scalar(query.where(DatasetCountRow.dataset_id.in_(_datasets(wanted)))) or 0)


def _part(connection: Connection, ordered: Select[Any], total: int, offset: int, limit: int) -> Part:
    first = max(0, offset - 1)
    page_ids = connection.scalars(ordered.offset(first).limit(limit + 1 + offset - first)).all()
    before = page_ids[0] if offset and page_ids else None
    ids = page_ids[1 if offset else 0 :]
    return Part(total, offset, before, ids[:limit], ids[limit] if len(ids) > limit else None)
