"""Hide data sets while they are made.

Rows of a large data set are written and deleted in short transactions (storage.engine.database.Portions). So raters
need not wait until their answers are stored. Meanwhile nobody may see the incomplete data set. Its name contains
characters that nobody can type, so no function finds it by name. Functions that list data sets, pictures or samples
without a name use `VISIBLE` or a similar condition. tests/storage/data/test_hidden_datasets.py checks all these
functions.

    with making(database) as made:
        portions = Portions(database)
        for part in parts:
            with portions.write() as connection:
                ...  # rows of the data set made.id
        with database.write() as connection:
            show(connection, made, name)

After an error, the end of the block deletes the hidden data set. This fails if the process is killed or the database
cannot be written. Then `delete_hidden` deletes the data set at the start of a server or before an import, once it is a
day old: no process is still making it.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from core.errors import AlreadyExists, StorageUnavailable
from storage.engine.database import Database, Portions, new_id, utc_now
from storage.tables import AnnotationRow, CodingRow, DatasetRow, ImageRow, SampleRow, ScoreRow, SliceRow

ABANDONED = timedelta(days=1)  # age from which a hidden data set is deleted
VISIBLE = DatasetRow.hidden.is_(None)
_HIDDEN_IDS = select(DatasetRow.id).where(~VISIBLE)
VISIBLE_SAMPLE = SampleRow.dataset_id.not_in(_HIDDEN_IDS)
VISIBLE_IMAGE = ImageRow.dataset_id.not_in(_HIDDEN_IDS)
_OUTCOMES_A_SAMPLE = 4  # estimated scores and errors per sample; only the size of the first transactions depends on it


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hidden data set, and the random name of the `making` block that makes it."""

    id: int
    maker: str


@contextmanager
def making(database: Database, notice: str = "") -> Iterator[Hidden]:
    """Make a hidden data set for the block to fill.

    At the end of the block, the data set is deleted if it is still hidden.
    """
    maker = secrets.token_hex(8)
    with database.write() as connection:
        row = {"name": f"\n{maker}", "notice": notice, "created_at": utc_now(), "hidden": maker}  # \n: cannot be typed
        made = Hidden(new_id(connection.execute(insert(DatasetRow).values(row))), maker)
    try:
        yield made
    finally:
        with suppress(StorageUnavailable):  # so that the block's own error is raised; delete_hidden tries again
            _delete(database, made.id)


def show(connection: Connection, made: Hidden, name: str) -> None:
    """Show a hidden data set to everybody, under a name.

    Raises AlreadyExists for a taken name. Raises StorageUnavailable if another process has deleted the data set.
    """
    if connection.scalar(select(DatasetRow.id).where(DatasetRow.name == name)) is not None:
        raise AlreadyExists(f"A data set named {name!r} already exists. Choose another name.")
    shown = update(DatasetRow).where(DatasetRow.id == made.id, DatasetRow.hidden == made.maker)
    if not connection.execute(shown.values(name=name, hidden=None)).rowcount:
        raise StorageUnavailable("Nothing was stored: the server's database was unavailable for too long. Try again.")


def delete_hidden(database: Database) -> int:
    """Delete the hidden data sets that killed processes have left, in short transactions. Return their number."""
    is_old = DatasetRow.created_at < utc_now() - ABANDONED
    with database.read() as connection:
        left = connection.scalars(select(DatasetRow.id).where(~VISIBLE, is_old)).all()
    for dataset_id in left:
        _delete(database, dataset_id)
    return len(left)


def _delete(database: Database, dataset_id: int) -> None:
    """Delete a data set if it is still hidden. Two processes may do this at the same time."""
    with database.read() as connection:
        if connection.scalar(_HIDDEN_IDS.where(DatasetRow.id == dataset_id)) is None:
            return
    portions = Portions(database)
    of_samples = (SampleRow, ((ScoreRow, ScoreRow.sample_id), (CodingRow, CodingRow.sample_id)))
    of_images = (ImageRow, ((AnnotationRow, AnnotationRow.image_id),))
    kinds: tuple[Any, ...] = (of_samples, of_images)
    for table, parts in kinds:
        ids: Sequence[int] = (0,)
        while ids:
            rows = max(1, portions.rows // _OUTCOMES_A_SAMPLE)
            with portions.write() as connection:
                ids = connection.scalars(select(table.id).where(table.dataset_id == dataset_id).limit(rows)).all()
                for part, column in (*parts, (table, table.id)):
                    connection.execute(delete(part).where(column.in_(ids)))
    with portions.write(lasting=True) as connection:
        connection.execute(delete(SliceRow).where(SliceRow.dataset_id == dataset_id))
        connection.execute(delete(DatasetRow).where(DatasetRow.id == dataset_id, ~VISIBLE))
