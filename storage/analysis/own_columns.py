"""Read the values of the researcher's own columns, such as "split"."""

import json
from collections.abc import Mapping

from sqlalchemy import Connection, select

from storage.tables import SampleRow, as_text

MOST_DIFFERENT = 1_000  # maximum number of different rows to read; if there are more, a column contains free texts


def own_columns(connection: Connection, dataset_id: int, most: int) -> Mapping[str, tuple[str, ...]]:
    """Return each own column of a data set with its different values.

    The values are sorted. A column with more than `most` values is omitted, because its values do not form groups. The
    own values of one sample form a combination. At most MOST_DIFFERENT different combinations are read. Columns and
    values that occur only in other combinations are missing.
    """
    query = select(as_text(SampleRow.own)).where(SampleRow.dataset_id == dataset_id, SampleRow.own.is_not(None))
    values: dict[str, set[str]] = {}
    for text in connection.scalars(query.distinct().limit(MOST_DIFFERENT)):
        for column, value in json.loads(text).items():
            values.setdefault(column, set()).add(value)
    return {column: tuple(sorted(found)) for column, found in sorted(values.items()) if len(found) <= most}


def samples_with(connection: Connection, dataset_id: int, column: str, value: str) -> frozenset[int]:
    """Return the samples of a data set that have a value in an own column."""
    query = select(SampleRow.id, as_text(SampleRow.own)).where(
        SampleRow.dataset_id == dataset_id, SampleRow.own.is_not(None)
    )
    known: dict[str, bool] = {}  # cached by row, because many samples have the same row of values
    samples = []
    for sample, text in connection.execute(query):
        if text not in known:
            known[text] = json.loads(text).get(column) == value
        if known[text]:
            samples.append(sample)
    return frozenset(samples)
