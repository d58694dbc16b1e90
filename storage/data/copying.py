"""Copy some samples of a data set into a new one.

The database copies the rows. Picture files are shared. A hidden data set (storage.data.hidden_datasets) receives the
samples in batches, and is shown when it is complete.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, literal, select
from sqlalchemy.orm import aliased

from core.errors import AlreadyExists
from core.long_work.progress import report
from storage.data.datasets import find_dataset
from storage.data.hidden_datasets import making, show
from storage.engine.database import Database, Portions
from storage.engine.sql import listed
from storage.tables import AnnotationRow, DatasetRow, ImageRow, SampleRow, ScoreRow

COPYING = "Copying samples"


def copy_samples(database: Database, dataset: str, ids: Sequence[int], name: str) -> int:
    """Copy samples with their pictures, regions, judgements, scores and errors.

    Return their number. The copies are in the order of `ids`. Ratings and error codes are not copied. Scores and errors
    that are stored during the copy are omitted. Raises NotFound, AlreadyExists for a taken name, Cancelled.
    """
    with database.read() as connection:
        source = find_dataset(connection, dataset)
        if connection.scalar(select(DatasetRow.id).where(DatasetRow.name == name)) is not None:
            raise AlreadyExists(f"A data set named {name!r} already exists. Choose another name.")
        notice = connection.scalar(select(DatasetRow.notice).where(DatasetRow.id == source)) or ""
        newest = connection.scalar(select(func.max(ScoreRow.id))) or 0
    wanted, portions = tuple(dict.fromkeys(ids)), Portions(database)
    start = copied = 0
    with making(database, notice) as made:
        while start < len(wanted):
            report(COPYING, start, len(wanted))
            some = wanted[start : start + portions.rows]
            with portions.write() as connection:
                copied += _copy(connection, source, made.id, some, newest)
            start += len(some)
        with database.write() as connection:
            report(COPYING, len(wanted), len(wanted))  # last report, after which the copy can no longer be cancelled
            find_dataset(connection, dataset)  # raises an error if the data set was deleted meanwhile
            show(connection, made, name)
    return copied


def _copy(connection: Connection, source: int, made: int, some: Sequence[int], newest: int) -> int:
    """Copy samples into another data set, with the pictures that it lacks. Return the number of samples.

    Scores and errors are copied if their id is at most `newest`.
    """
    given = select(listed(some).c.value)
    query = select(SampleRow.id).where(SampleRow.id.in_(given), SampleRow.dataset_id == source)
    there = set(connection.scalars(query))
    listed_ids = listed([one for one in some if one in there])
    image = aliased(ImageRow)  # the picture in the copy
    is_copy = (image.dataset_id == made) & (image.name == ImageRow.name)
    of_samples = select(SampleRow.image_id).where(SampleRow.id.in_(select(listed_ids.c.value)))
    before = connection.scalar(select(func.max(ImageRow.id))) or 0
    pictures = select().where(ImageRow.id.in_(of_samples), ~select(image.id).where(is_copy).exists())
    # triggers count the regions of the copies
    _insert(connection, ImageRow, {"dataset_id": literal(made), "regions": literal(0)}, pictures.order_by(ImageRow.id))
    regions = select().join_from(AnnotationRow, ImageRow).join(image, is_copy)
    regions = regions.where(ImageRow.id.in_(of_samples), image.id > before)
    _insert(connection, AnnotationRow, {"image_id": image.id}, regions)
    new_id = (connection.scalar(select(func.max(SampleRow.id))) or 0) + 1 + listed_ids.c.key
    samples = select().join_from(listed_ids, SampleRow, SampleRow.id == listed_ids.c.value).join(ImageRow)
    samples = samples.join(image, is_copy).order_by(listed_ids.c.key)
    _insert(connection, SampleRow, {"id": new_id, "dataset_id": literal(made), "image_id": image.id}, samples)
    scores = select().join_from(listed_ids, ScoreRow, ScoreRow.sample_id == listed_ids.c.value)
    scores = scores.where(ScoreRow.id <= newest).order_by(ScoreRow.id)
    _insert(connection, ScoreRow, {"sample_id": new_id}, scores)
    return len(there)


def _insert(connection: Connection, table: Any, other: dict[str, Any], rows: Any) -> None:
    """Insert copies of selected rows into their table.

    other: new values for some columns. The copies get new ids, unless `other` sets the id.
    """
    names = [column.name for column in table.__table__.columns if column.name != "id" or "id" in other]
    columns = [other.get(name, getattr(table, name)) for name in names]
    connection.execute(insert(table).from_select(names, rows.with_only_columns(*columns, maintain_column_froms=True)))
