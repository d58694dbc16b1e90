"""Making a data set of some samples of another one: rows are copied in the database, pictures stay where they are."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Connection, Integer, MetaData, Table, func, insert, literal, select
from sqlalchemy.orm import aliased

from core.errors import AlreadyExists
from storage.database import new_id, utc_now
from storage.dialect import listed
from storage.tables import AnnotationRow, DatasetRow, ImageRow, SampleRow, ScoreRow

# A table rather than a list in the query: SQLite would read the list once for each sample of the data set.
_WANTED = Table(
    "wanted_samples",
    MetaData(),
    Column("value", Integer, primary_key=True),
    Column("key", Integer, nullable=False),
    prefixes=["TEMPORARY"],
)


def copy_samples(connection: Connection, dataset_id: int, ids: Sequence[int], name: str) -> int:
    """Copy samples with their pictures, regions, judgements and outcomes; returns how many there were.

    Ratings and error codes stay with the samples they were given to. Raises AlreadyExists for a name that is taken.
    """
    if connection.scalar(select(DatasetRow.id).where(DatasetRow.name == name)) is not None:
        raise AlreadyExists(f"There is already a data set called {name!r}; choose another name.")
    notice = connection.scalar(select(DatasetRow.notice).where(DatasetRow.id == dataset_id))
    made = new_id(connection.execute(insert(DatasetRow).values(name=name, notice=notice, created_at=utc_now())))
    wanted = _WANTED
    wanted.create(connection)
    given = listed(tuple(dict.fromkeys(ids)))
    connection.execute(insert(wanted).from_select(["value", "key"], select(given.c.value, given.c.key)))
    image, sample = aliased(ImageRow), aliased(SampleRow)  # as copied
    chosen = (SampleRow.dataset_id == dataset_id, SampleRow.id == wanted.c.value)
    same_image = (image.dataset_id == made, image.name == ImageRow.name)
    pictures = select(SampleRow.image_id).join(wanted, SampleRow.id == wanted.c.value).where(*chosen)
    _copy(connection, ImageRow, {"dataset_id": literal(made)}, select().where(ImageRow.id.in_(pictures)))
    of_picture = select().join_from(AnnotationRow, ImageRow).join(image, image.name == ImageRow.name)
    _copy(connection, AnnotationRow, {"image_id": image.id}, of_picture.where(ImageRow.id.in_(pictures), *same_image))
    in_order = select().join_from(SampleRow, wanted, SampleRow.id == wanted.c.value).join(ImageRow)
    in_order = in_order.join(image, image.name == ImageRow.name).where(*chosen, *same_image).order_by(wanted.c.key)
    _copy(connection, SampleRow, {"dataset_id": literal(made), "image_id": image.id}, in_order)
    of_sample = select().join_from(ScoreRow, SampleRow).join(sample, sample.key == SampleRow.key)
    of_sample = of_sample.where(SampleRow.dataset_id == dataset_id, sample.dataset_id == made).order_by(ScoreRow.id)
    _copy(connection, ScoreRow, {"sample_id": sample.id}, of_sample)
    wanted.drop(connection)
    return connection.scalar(select(func.count()).where(SampleRow.dataset_id == made)) or 0


def _copy(connection: Connection, table: Any, other: dict[str, Any], rows: Any) -> None:
    """Insert what a selection finds of a table, with other values for some columns, and ids of its own."""
    names = [column.name for column in table.__table__.columns if column.name != "id"]
    columns = [other.get(name, getattr(table, name)) for name in names]
    connection.execute(insert(table).from_select(names, rows.with_only_columns(*columns)))
