"""Rows of many samples as columns, straight from the driver: a million rows never lie in memory as Python objects."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select

from core.long_work.progress import report

WINDOW = 2_000  # numbers of samples that one query reads; what it reads stays in the processor's cache


def chunks(
    connection: Connection, query: Select[Any], sample: ColumnElement[int] | Any, ids: range, what: str
) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield the columns of some rows after the others, with values as the driver returns them, and report progress.

    sample: the column of the query that holds the samples' numbers, of which those in `ids` are read, rising window by
    window. JSON is to be selected as text. Raises Cancelled where the one who waits has given up.
    """
    for start in range(ids.start, ids.stop, WINDOW):
        report(what, start - ids.start, len(ids))
        result = connection.execute(query.where(sample.between(start, min(start + WINDOW, ids.stop) - 1)))
        assert result.cursor is not None  # a SELECT has one
        while rows := result.cursor.fetchmany(WINDOW):
            yield tuple(zip(*rows, strict=True))
        result.close()
    report(what, len(ids), len(ids))
