"""Delete a study in short transactions, so that raters of other studies do not wait.

The first transaction deletes the study's course (its row in study_courses), and opens an erasure (a log entry). From
then on nobody sees the study, because queries for studies join their courses. The next transactions delete the study's
rows in batches. The last transaction closes the erasure. If the process is killed, `go_on_deleting` finds the open
erasure.

A study that is imported in short transactions is hidden the same way, because its course is written last. If the import
does not finish, `go_on_deleting` deletes the study. It logs an erasure only if it deletes events.
"""

from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, func, insert, select, tuple_, update

from core.errors import BadSetting, NotFound
from storage.engine.database import Database, utc_now
from storage.engine.short_transactions import Portions
from storage.tables import AssignmentRow, ErasureRow, EventRow, ItemRow, RaterRow, RatingRow, StudyCourseRow, StudyRow
from storage.tables import Table as Tables

UNCOUNTED = -1  # value of `takers` while a study is deleted, so that triggers do not count its raters
SEEN = StudyRow.id.in_(select(StudyCourseRow.study_id))
_BEGUN = select(ErasureRow.study).where(ErasureRow.open, ErasureRow.study.is_not(None))
Picks = Callable[[Table, int], list[ColumnElement[bool]]]


def delete_study(database: Database, study_id: int, name: str, picks: Picks) -> int:
    """Delete a study with all its ratings. Return the number of ratings.

    picks: gets a table and a study, and returns the conditions that select the study's rows in the table. Raises
    NotFound. Raises BadSetting unless `name` is the study's name.
    """
    with database.write() as connection:
        study_name = connection.scalar(select(StudyRow.name).where(StudyRow.id == study_id, SEEN))
        if study_name is None:
            raise NotFound(f"There is no study number {study_id}.")
        if study_name != name:
            raise BadSetting(f"To delete this study, enter its exact name, {study_name!r}. Found: {name!r}.")
        ratings = connection.scalar(select(func.count()).where(RatingRow.study_id == study_id)) or 0
        connection.execute(delete(StudyCourseRow).where(StudyCourseRow.study_id == study_id))
        # A name that no user can type, so that the study's name is free again.
        connection.execute(update(StudyRow).where(StudyRow.id == study_id).values(name=f"\n{study_id}"))
        _open_erasure(connection, study_id)
    _delete_rows(database, study_id, picks)
    return ratings


def _open_erasure(connection: Connection, study_id: int) -> None:
    values = {"at": utc_now(), "events_gone": 0, "open": True, "study": study_id, "ratings_kept": False}
    connection.execute(insert(ErasureRow).values(values))


def go_on_deleting(database: Database, picks: Picks, datasets: Collection[int] = ()) -> None:
    """Finish deletions of studies that began in a killed process.

    If another process is still deleting a study, this process deletes a part of the study's rows. Also delete the
    incomplete studies of imports that have ended. datasets: the hidden data sets of these imports.
    """
    incomplete = select(StudyRow.id).where(StudyRow.dataset_id.in_(datasets), ~SEEN)
    with database.read() as connection:
        begun = connection.scalars(_BEGUN).all()
        left = [study_id for study_id in connection.scalars(incomplete) if study_id not in begun]
    for study_id in left:
        _allow_deleting_events(database, study_id)
    for found in (*begun, *left):
        _delete_rows(database, int(found or 0), picks)


def _allow_deleting_events(database: Database, study_id: int) -> None:
    events = select(EventRow.id).join(AssignmentRow).where(AssignmentRow.study_id == study_id)
    with database.write() as connection:
        has_events = connection.scalar(events.limit(1)) is not None
        if has_events and study_id not in connection.scalars(_BEGUN).all():
            _open_erasure(connection, study_id)


def _delete_rows(database: Database, study_id: int, picks: Picks) -> None:
    portions, erasure = Portions(database), (ErasureRow.study == study_id, ErasureRow.open)
    counted = select(ItemRow.id).where(ItemRow.study_id == study_id, ItemRow.takers != UNCOUNTED)
    leave = update(ItemRow).values(takers=UNCOUNTED)  # without this, triggers would count raters after each deletion
    while _changed(portions, leave, ItemRow.id, counted):
        pass
    for table in reversed(Tables.metadata.sorted_tables):
        for condition in [] if table.name == "studies" else picks(table, study_id):
            keys = list(table.primary_key.columns)
            key = keys[0] if len(keys) == 1 else tuple_(*keys)
            noted = erasure if table.name == "events" else None
            while _changed(portions, delete(table), key, select(*keys).where(condition), noted):
                pass
    with portions.write(1, lasting=True) as connection:
        maker = connection.scalar(select(StudyRow.name).where(StudyRow.id == study_id, StudyRow.name.startswith("\n")))
        if maker is not None:  # these raters were made by an import of the study that did not finish
            connection.execute(delete(RaterRow).where(RaterRow.code.startswith(f"{maker} ")))
        connection.execute(delete(StudyRow).where(StudyRow.id == study_id))
        connection.execute(update(ErasureRow).where(*erasure).values(open=False))


def _changed(portions: Portions, statement: Any, key: Any, chosen: Any, noted: Any = None) -> int:
    """Change or delete a batch of the chosen rows. Return their number.

    noted: conditions that select the erasure (log entry) in which these rows are counted; None: they are not counted.
    """
    rows = portions.rows
    with portions.write(rows) as connection:
        done = int(connection.execute(statement.where(key.in_(chosen.limit(rows)))).rowcount)
        if noted is not None and done:
            connection.execute(update(ErasureRow).where(*noted).values(events_gone=ErasureRow.events_gone + done))
    return done
