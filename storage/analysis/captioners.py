"""Read who wrote the captions of a data set."""

from collections.abc import Iterator

import numpy as np
from sqlalchemy import Connection, select

from core.analysis.captioners import Captioners
from core.arrays import Ints
from storage.analysis.chunks import placed
from storage.tables import SampleRow

MOST_NAMES = 500  # maximum number of captioners in lists and titles


def captioners(connection: Connection, dataset_id: int, ids: Ints) -> Captioners:
    """Return the captioner of each sample.

    ids: sample ids, ascending.
    """
    known = (SampleRow.dataset_id == dataset_id, SampleRow.system.is_not(None))
    rows = [
        (sample, name or "")
        for sample, name in connection.execute(select(SampleRow.id, SampleRow.system).where(*known))
    ]
    names = tuple(sorted({name for _, name in rows}))
    number = {name: place for place, name in enumerate(names)}
    of = np.full(len(ids), -1, dtype=np.int64)
    samples = np.array([sample for sample, _ in rows], dtype=np.int64)
    place, there = placed(ids, samples)
    of[place[there]] = np.array([number[name] for _, name in rows], dtype=np.int64)[there]
    return Captioners(names, of)


def names_of(connection: Connection, dataset_id: int, most: int = MOST_NAMES) -> tuple[str, ...]:
    """Return at most `most` captioners of a data set, sorted by name.

    The function does not read all samples. It looks up each name once in the database's index.
    """
    return tuple(name for name, _ in zip(_names(connection, dataset_id), range(most), strict=False))


def _names(connection: Connection, dataset_id: int) -> Iterator[str]:
    system = SampleRow.system
    last, of_dataset = "", SampleRow.dataset_id == dataset_id
    while name := connection.scalar(select(system).where(of_dataset, system > last).order_by(system).limit(1)):
        yield name
        last = name
