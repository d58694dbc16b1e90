"""Read the reference captions of a whole data set."""

import json
from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from storage.tables import SampleRow, as_text


def reference_sets(connection: Connection, dataset_id: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield each set of reference captions with its number of samples.

    A sample counts only if its references are exactly this set.
    """
    text = as_text(SampleRow.references)
    query = select(text, func.count()).where(SampleRow.dataset_id == dataset_id).group_by(text)
    for references, count in connection.execute(query):
        yield tuple(json.loads(references)), count
