"""When what reports show has changed: a value that is read in a millisecond, however large the study is."""

from collections.abc import Hashable
from typing import Any

from sqlalchemy import Connection, Select, String, cast, func, select

from storage.tables import (
    AdjudicationRow,
    CodebookRow,
    CodingRow,
    EpochRow,
    ErasureRow,
    EventRow,
    ExclusionRow,
    ReleaseRow,
    SentenceAdjudicationRow,
    SliceRow,
)


def ratings_stamp(connection: Connection) -> Hashable:
    """Return a value that changes whenever somebody rates, or ratings begin or cease to count.

    Every rating leaves an event; items that change hands, exclusions and erasures are rows of their own.
    """
    newest = (select(func.max(table.id)).scalar_subquery() for table in (EventRow, ReleaseRow, ErasureRow))
    excluded = select(func.count(), func.max(ExclusionRow.at)).select_from(ExclusionRow).subquery()
    return tuple(connection.execute(select(*newest, *excluded.c)).one())


def report_stamp(connection: Connection, dataset_id: int) -> tuple[Hashable, Hashable]:
    """Return values that change with all that a report shows beside the study's settings, samples and scores.

    The first belongs to ratings, the second to decisions, codes, codebooks and slices, and to all of these after a
    restore.
    """
    decided = (select(func.max(table.id)).scalar_subquery() for table in (AdjudicationRow, SentenceAdjudicationRow))
    codings = select(func.count(), func.max(CodingRow.coded_at)).select_from(CodingRow).subquery()
    books = _all(CodebookRow.name, CodebookRow.source, CodebookRow.codes)
    slices = _all(SliceRow.name, SliceRow.conditions).where(SliceRow.dataset_id == dataset_id)
    epoch = select(EpochRow.epoch).scalar_subquery()
    others = (*decided, books.scalar_subquery(), slices.scalar_subquery(), epoch, *codings.c)
    return ratings_stamp(connection), tuple(connection.execute(select(*others)).one())


def _all(*columns: Any) -> Select[Any]:
    """Select all rows as one text."""
    text: Any = cast(columns[0], String)
    for column in columns[1:]:
        text = text + "\t" + cast(column, String)
    return select(func.aggregate_strings(text, "\n"))
