"""Read columns of many rows directly from the database driver.

No Python object is made for each row.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, Select

from core.analysis.score_table import Mask
from core.arrays import Ints
from core.long_work.progress import report

WINDOW = 2_000  # number of sample ids per query, so that the query's rows fit into the processor's cache


def chunks(
    connection: Connection, query: Select[Any], sample: ColumnElement[int] | Any, ids: range, what: str
) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield the selected columns in batches of rows, and report progress.

    sample: the query's column of sample ids. Only rows whose sample id is in `ids` are read. One range of ids is read
    after the other, in rising order. what: the text of the progress report. The values are as the database driver
    returns them, so JSON must be selected as text. Raises Cancelled if the work was cancelled.
    """
    for start in range(ids.start, ids.stop, WINDOW):
        report(what, start - ids.start, len(ids))
        result = connection.execute(query.where(sample.between(start, min(start + WINDOW, ids.stop) - 1)))
        assert result.cursor is not None  # a SELECT has a cursor
        while rows := result.cursor.fetchmany(WINDOW):
            yield tuple(zip(*rows, strict=True))
        result.close()
    report(what, len(ids), len(ids))


def placed(ids: Ints, samples: Ints) -> tuple[Ints, Mask]:
    """Return the index of each sample in `ids`, and whether the sample is there.

    ids: ascending. Samples of other data sets, and samples that were imported after `ids` were read, are not there.
    """
    if not len(ids):
        return np.zeros(len(samples), dtype=np.int64), np.zeros(len(samples), dtype=bool)
    place = np.minimum(np.searchsorted(ids, samples), len(ids) - 1)
    return place, ids[place] == samples
