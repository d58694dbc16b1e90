"""Read the values of the researcher's own columns, such as "split"."""

import json
from collections.abc import Mapping

from sqlalchemy import Connection, select

from storage.tables import SampleRow, as_text

MOST_VALUES = 100  # a column with more different values than this is not offered as a filter
MOST_DIFFERENT = 1_000  # maximum number of value combinations to read; more show that a column contains free texts


def own_columns(connection: Connection, dataset_id: int, most: int = MOST_VALUES) -> Mapping[str, tuple[str, ...]]:
    """Return the researcher's own columns of a data set, with their values.

    The values of a column are different and sorted. A column with more than `most` values is omitted, because its
    values do not form groups. The values of one sample in all own columns form a combination. At most MOST_DIFFERENT
    different combinations are read. Columns and values that occur in none of these combinations are missing.
    """
    query = select(as_text(SampleRow.own)).where(SampleRow.dataset_id == dataset_id, SampleRow.own.is_not(None))
    values: dict[str, set[str]] = {}
    for text in connection.scalars(query.distinct().limit(MOST_DIFFERENT)):
        for column, value in json.loads(text).items():
            values.setdefault(column, set()).add(value)
    return {column: tuple(sorted(found)) for column, found in sorted(values.items()) if len(found) <= most}


def own_values(connection: Connection, dataset_id: int) -> Mapping[str, Mapping[int, str]]:
    """Return the values of the researcher's own columns. key: column, then sample id."""
    query = select(SampleRow.id, as_text(SampleRow.own))
    values: dict[str, dict[int, str]] = {}
    of_dataset = SampleRow.dataset_id == dataset_id, SampleRow.own.is_not(None)
    for sample, text in connection.execute(query.where(*of_dataset)):
        for column, value in json.loads(text).items():
            values.setdefault(column, {})[sample] = value
    return values


def samples_with(connection: Connection, dataset_id: int, column: str, value: str) -> frozenset[int]:
    """Return the ids of samples with a certain value in a column.

    column: one of the researcher's own columns of the data set, such as "split".
    """
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
