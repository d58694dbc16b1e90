"""Data sets that nobody sees: one that is being made, and one that is being deleted.

Rows of a large data set are written and deleted in short transactions (storage.engine.portions), so that raters' saves
do not wait. Meanwhile nobody may see half of them. So they belong to a data set whose column `hidden` says who works
at it. Its name cannot be typed, so no verb finds it by name. What lists data sets, pictures or samples without a name
leaves it out by `VISIBLE` and its like; tests/storage/data/test_hidden.py asks every such verb.

To make a data set:

    with making(database) as made:
        portions = Portions(database)
        for part in parts:
            with portions.write() as connection:
                ...  # rows of the data set made.id
        with database.write() as connection:
            show(connection, made, name)

To delete one: `hide` it in a short transaction, after which it is gone for everybody, then `delete_hidden`.

What an error leaves hidden is deleted at the end of the block. What a killed process leaves, or a block that ends while
the database cannot be written, is deleted by `delete_hidden`, at the next start of a server and before the next import:
the database knows that its maker is gone (Dialect.claim). A data set whose maker is at work is never touched.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from core.errors import AlreadyExists, StorageUnavailable
from storage.engine.database import Database, new_id, utc_now
from storage.engine.portions import Portions
from storage.tables import AnnotationRow, DatasetRow, ImageRow, SampleRow, ScoreRow, SliceRow

VISIBLE = DatasetRow.hidden.is_(None)
_HIDDEN_IDS = select(DatasetRow.id).where(~VISIBLE)
VISIBLE_SAMPLE = SampleRow.dataset_id.not_in(_HIDDEN_IDS)
VISIBLE_IMAGE = ImageRow.dataset_id.not_in(_HIDDEN_IDS)
_OUTCOMES_A_SAMPLE = 4  # that are deleted with it: a guess, which the first transactions correct


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hidden data set, and the name under which its maker is known to the database."""

    id: int
    maker: str


@contextmanager
def making(database: Database, notice: str = "") -> Iterator[Hidden]:
    """Make a hidden data set, and delete what is still hidden of it at the end of the block."""
    maker = secrets.token_hex(8)
    with database.dialect.claim(database.engine, maker):
        with database.write() as connection:
            row = {"name": _no_name(maker), "notice": notice, "created_at": utc_now(), "hidden": maker}
            made = Hidden(new_id(connection.execute(insert(DatasetRow).values(row))), maker)
        try:
            yield made
        finally:
            if not database.is_alone:
                with suppress(StorageUnavailable):  # delete_hidden tries again; what the block raised is told
                    _delete_unless_shown(database, made.id)


def show(connection: Connection, made: Hidden, name: str) -> None:
    """Let everybody see a hidden data set under a name.

    Raises AlreadyExists for a name that is taken, and StorageUnavailable where the data set has been deleted meanwhile.
    """
    if connection.scalar(select(DatasetRow.id).where(DatasetRow.name == name)) is not None:
        raise AlreadyExists(f"There is already a data set called {name!r}; choose another name.")
    shown = update(DatasetRow).where(DatasetRow.id == made.id, DatasetRow.hidden == made.maker)
    if not connection.execute(shown.values(name=name, hidden=None)).rowcount:
        raise StorageUnavailable("The server's database was away for too long: nothing of this is kept. Try again.")


def hide(connection: Connection, dataset_id: int) -> None:
    """Let nobody see a data set any more; its name is free from then on. `delete_hidden` then deletes its rows.

    Nothing but slices may refer to the data set or its samples: the caller looks for studies and codings before.
    """
    nobody = secrets.token_hex(8)
    connection.execute(
        update(DatasetRow).where(DatasetRow.id == dataset_id).values(name=_no_name(nobody), hidden=nobody)
    )


def delete_hidden(database: Database) -> int:
    """Delete the hidden data sets that nobody works at, in short transactions; returns how many there were."""
    with database.read() as connection:
        found = connection.execute(select(DatasetRow.id, DatasetRow.hidden).where(~VISIBLE)).all()
    left = [row.id for row in found if not database.dialect.is_claimed(database.engine, row.hidden)]
    for dataset_id in left:
        _delete(database, dataset_id)
    database.dialect.forget_claims(database.engine)
    return len(left)


def _no_name(maker: str) -> str:
    return f"\n{maker}"  # names of data sets are printable


def _delete_unless_shown(database: Database, dataset_id: int) -> None:
    with database.read() as connection:
        is_hidden = connection.scalar(select(DatasetRow.id).where(DatasetRow.id == dataset_id, ~VISIBLE)) is not None
    if is_hidden:
        _delete(database, dataset_id)


def _delete(database: Database, dataset_id: int) -> None:
    """Delete a hidden data set; a second process that does the same at the same time does no harm."""
    portions = Portions(database)
    of_samples = (SampleRow, SampleRow.key, ((ScoreRow, ScoreRow.sample_id),))
    of_images = (ImageRow, ImageRow.name, ((AnnotationRow, AnnotationRow.image_id),))
    for table, order, parts in (of_samples, of_images):
        _delete_rows(portions, dataset_id, table, order, parts)
    with portions.write(lasting=True) as connection:
        connection.execute(delete(SliceRow).where(SliceRow.dataset_id == dataset_id))
        connection.execute(delete(DatasetRow).where(DatasetRow.id == dataset_id, ~VISIBLE))


def _delete_rows(portions: Portions, dataset_id: int, table: Any, order: Any, parts: Any) -> None:
    """Delete a table's rows of a data set with all that belongs to them, in the order of an indexed column.

    Going on after the last key keeps PostgreSQL from looking at the entries of rows that are gone, again and again.
    """
    last: str | None = None
    while True:
        chosen = select(table.id, order).where(table.dataset_id == dataset_id)
        chosen = chosen if last is None else chosen.where(order > last)
        rows = max(1, portions.rows // _OUTCOMES_A_SAMPLE)
        with portions.write() as connection:
            found = connection.execute(chosen.order_by(order).limit(rows)).all()
            ids = [row[0] for row in found]
            for part, column in parts:
                connection.execute(delete(part).where(column.in_(ids)))
            connection.execute(delete(table).where(table.id.in_(ids)))
        if not found:
            return
        last = found[-1][1]
