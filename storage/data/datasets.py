"""Find data sets, and count their changes."""

from collections.abc import Sequence

from sqlalchemy import Connection, select, update

from core.errors import NotFound
from core.installation import COMMAND
from storage.data.hidden_datasets import VISIBLE
from storage.engine.sql import listed
from storage.tables import DatasetRow, SampleRow

_COUNTED = update(DatasetRow).values(changes=DatasetRow.changes + 1)


def find_dataset(connection: Connection, name: str) -> int:
    """Return a data set's id. Raises NotFound, which lists the existing names."""
    dataset_id = connection.scalar(select(DatasetRow.id).where(DatasetRow.name == name))
    if dataset_id is None:
        names = connection.scalars(select(DatasetRow.name).where(VISIBLE).order_by(DatasetRow.name)).all()
        there = (
            f"Data sets: {', '.join(names)}"
            if names
            else f"Import a data set first, with: {COMMAND} import FORMAT FILE"
        )
        raise NotFound(f"There is no data set {name!r}. {there}.")
    return dataset_id


def count_change(connection: Connection, dataset_id: int) -> None:
    """Increase a data set's counter of changes by 1.

    Every writer of samples, scores or errors calls this function in its transaction.
    """
    connection.execute(_COUNTED.where(DatasetRow.id == dataset_id))


def count_changes(connection: Connection, sample_ids: Sequence[int]) -> None:
    """Increase the counters of changes of these samples' data sets (see count_change)."""
    given = listed(sample_ids)
    of_samples = select(SampleRow.dataset_id).where(SampleRow.id.in_(select(given.c.value)))
    connection.execute(_COUNTED.where(DatasetRow.id.in_(of_samples)))
