"""Detect changes in the data that reports show.

The check takes a millisecond for studies of any size.
"""

from collections.abc import Hashable
from typing import Any

from sqlalchemy import Connection, Select, String, cast, func, select

from storage.tables import (
    CodebookRow,
    CodingRow,
    EpochRow,
    ErasureRow,
    EventRow,
    ExclusionRow,
    ReleaseRow,
    SliceRow,
)


def ratings_stamp(connection: Connection) -> Hashable:
    """Return a value that changes with every rating.

    The value contains the number of the newest event, because every rating stores an event (a log entry). It contains
    the newest reassignment of items, the newest erasure of data, and the exclusions of raters, because these actions
    store no event.
    """
    newest = (select(func.max(table.id)).scalar_subquery() for table in (EventRow, ReleaseRow, ErasureRow))
    excluded = select(func.count(), func.max(ExclusionRow.at)).select_from(ExclusionRow).subquery()
    return tuple(connection.execute(select(*newest, *excluded.c)).one())


def report_stamp(connection: Connection, dataset_id: int) -> tuple[Hashable, Hashable]:
    """Return two values that change with the contents of a report.

    The first value changes with ratings. The second value changes with error codes, codebooks,
    and slices (saved filters). It also changes after a restore of the database. Neither value changes with study
    settings, samples or scores.
    """
    codings = select(func.count(), func.max(CodingRow.coded_at)).select_from(CodingRow).subquery()
    books = _all(CodebookRow.name, CodebookRow.source, CodebookRow.codes)
    slices = _all(SliceRow.name, SliceRow.conditions).where(SliceRow.dataset_id == dataset_id)
    epoch = select(EpochRow.epoch).scalar_subquery()
    others = (books.scalar_subquery(), slices.scalar_subquery(), epoch, *codings.c)
    return ratings_stamp(connection), tuple(connection.execute(select(*others)).one())


def _all(*columns: Any) -> Select[Any]:
    """Return a query that joins all rows' values into one text."""
    text: Any = cast(columns[0], String)
    for column in columns[1:]:
        text = text + "\t" + cast(column, String)
    return select(func.aggregate_strings(text, "\n"))
