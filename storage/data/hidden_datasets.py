"""Hide data sets while they are made or deleted.

Rows of a large data set are written and deleted in short transactions (storage.engine.short_transactions). So raters
need not wait until their answers are stored. Meanwhile nobody may see the incomplete data set. Its name contains
characters that nobody can type, so no function finds it by name. Functions that list data sets, pictures or samples
without a name use `VISIBLE` or a similar condition. tests/storage/data/test_hidden_datasets.py checks all these
functions.

To make a data set:

    with making(database) as made:
        portions = Portions(database)
        for part in parts:
            with portions.write() as connection:
                ...  # rows of the data set made.id
        with database.write() as connection:
            show(connection, made, name)

To delete a data set, call `hide` in a short transaction, after which nobody sees it. Then call `delete_hidden`.

After an error, the end of the block deletes the hidden data set. This fails if the process is killed or the database
cannot be written. Then `delete_hidden` deletes the data set at the next start of a server and before the next import.

Each `making` block has a random name, which the column `hidden` of its data set contains. While the block runs, it
claims this name in the database (Database.claim). So every process knows whether the block still runs. `delete_hidden`
never deletes a data set whose block still runs. After `hide`, the column has a name that nobody claims.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from core.errors import AlreadyExists, StorageUnavailable
from storage.engine.database import Database, new_id, utc_now
from storage.engine.short_transactions import Portions
from storage.tables import AnnotationRow, CodingRow, DatasetRow, ImageRow, SampleRow, ScoreRow, SliceRow, StudyRow

VISIBLE = DatasetRow.hidden.is_(None)
_HIDDEN_IDS = select(DatasetRow.id).where(~VISIBLE)
VISIBLE_SAMPLE = SampleRow.dataset_id.not_in(_HIDDEN_IDS)
VISIBLE_IMAGE = ImageRow.dataset_id.not_in(_HIDDEN_IDS)
_OUTCOMES_A_SAMPLE = 4  # estimated scores and errors per sample; only the size of the first transactions depends on it


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hidden data set, and the name of the `making` block that makes it.

    While the block runs, it claims this name in the database (Database.claim).
    """

    id: int
    maker: str


@contextmanager
def making(database: Database, notice: str = "") -> Iterator[Hidden]:
    """Make a hidden data set for the block to fill.

    At the end of the block, the data set is deleted if it is still hidden.
    """
    maker = secrets.token_hex(8)
    with database.claim(maker):
        with database.write() as connection:
            row = {"name": _no_name(maker), "notice": notice, "created_at": utc_now(), "hidden": maker}
            made = Hidden(new_id(connection.execute(insert(DatasetRow).values(row))), maker)
        try:
            yield made
        finally:
            if not database.is_alone:
                with suppress(StorageUnavailable):  # so that the block's own error is raised; delete_hidden tries again
                    _delete_unless_shown(database, made.id)


def show(connection: Connection, made: Hidden, name: str) -> None:
    """Show a hidden data set to everybody, under a name.

    Raises AlreadyExists for a taken name. Raises StorageUnavailable if another process has deleted the data set.
    """
    if connection.scalar(select(DatasetRow.id).where(DatasetRow.name == name)) is not None:
        raise AlreadyExists(f"A data set named {name!r} already exists. Choose another name.")
    shown = update(DatasetRow).where(DatasetRow.id == made.id, DatasetRow.hidden == made.maker)
    if not connection.execute(shown.values(name=name, hidden=None)).rowcount:
        raise StorageUnavailable("Nothing was stored: the server's database was unavailable for too long. Try again.")


def hide(connection: Connection, dataset_id: int) -> None:
    """Hide a data set from everybody. Its name is then free.

    The caller deletes the data set's rows afterwards with `delete_hidden`. Slices (saved filters) may refer to the data
    set. Studies and error codes may not, so the caller first checks that there are none.
    """
    nobody = secrets.token_hex(8)
    connection.execute(
        update(DatasetRow).where(DatasetRow.id == dataset_id).values(name=_no_name(nobody), hidden=nobody)
    )


def delete_hidden(database: Database) -> int:
    """Delete hidden data sets that no running process is making.

    Return their number. The rows are deleted in short transactions. A data set that a study uses is not deleted here:
    Repository.delete_hidden deletes the study first, then its data set.
    """
    with database.read() as connection:
        of_studies = set(connection.scalars(select(StudyRow.dataset_id).join(DatasetRow).where(~VISIBLE)))
    left = [dataset_id for dataset_id in abandoned(database) if dataset_id not in of_studies]
    for dataset_id in left:
        _delete(database, dataset_id)
    database.forget_claims()
    return len(left)


def abandoned(database: Database) -> list[int]:
    """Return the hidden data sets that no running process is making."""
    with database.read() as connection:
        hidden_rows = connection.execute(select(DatasetRow.id, DatasetRow.hidden).where(~VISIBLE)).all()
    return [row.id for row in hidden_rows if not database.is_claimed(row.hidden)]


def _no_name(maker: str) -> str:
    return f"\n{maker}"  # starts with a line break, so no user can type it: names from users are printable


def _delete_unless_shown(database: Database, dataset_id: int) -> None:
    with database.read() as connection:
        is_hidden = connection.scalar(select(DatasetRow.id).where(DatasetRow.id == dataset_id, ~VISIBLE)) is not None
    if is_hidden:
        _delete(database, dataset_id)


def _delete(database: Database, dataset_id: int) -> None:
    """Delete a hidden data set. Two processes may do this at the same time."""
    portions = Portions(database)
    of_samples = (SampleRow, SampleRow.key, ((ScoreRow, ScoreRow.sample_id), (CodingRow, CodingRow.sample_id)))
    of_images = (ImageRow, ImageRow.name, ((AnnotationRow, AnnotationRow.image_id),))
    for table, order, parts in (of_samples, of_images):
        _delete_rows(portions, dataset_id, table, order, parts)
    with portions.write(lasting=True) as connection:
        connection.execute(delete(SliceRow).where(SliceRow.dataset_id == dataset_id))
        connection.execute(delete(DatasetRow).where(DatasetRow.id == dataset_id, ~VISIBLE))


def _delete_rows(portions: Portions, dataset_id: int, table: Any, order: Any, parts: Any) -> None:
    """Delete a table's rows of a data set with their dependent rows.

    The rows are deleted in steps, in the order of an indexed column. Each step continues after the last deleted key. If
    a step started from the first key, PostgreSQL would visit the index entries of deleted rows again.
    """
    last: str | None = None
    while True:
        chosen = select(table.id, order).where(table.dataset_id == dataset_id)
        chosen = chosen if last is None else chosen.where(order > last)
        rows = max(1, portions.rows // _OUTCOMES_A_SAMPLE)
        with portions.write() as connection:
            batch = connection.execute(chosen.order_by(order).limit(rows)).all()
            ids = [row[0] for row in batch]
            for part, column in parts:
                connection.execute(delete(part).where(column.in_(ids)))
            connection.execute(delete(table).where(table.id.in_(ids)))
        if not batch:
            return
        last = batch[-1][1]
