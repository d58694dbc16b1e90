"""Export or erase all data about a rater, and delete studies. Each erasure is itself logged permanently.

The tables' own definitions show which tables refer to a rater or a study, so no new table is forgotten. If a rater is
erased, the rater's row is kept, so that no later rater gets the same number. The rater's code in this row is replaced,
for example by "erased 17".
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Table, delete, func, insert, select, update

from core.errors import NotFound
from storage.data.hidden_datasets import abandoned
from storage.engine.database import Database, new_id, utc_now
from storage.rating.assignment.assignment_rules import assignment_rules
from storage.rating.assignment.raters import clean_code
from storage.rating.assignment.released_items import release
from storage.rating.studies.deleting import delete_study, go_on_deleting
from storage.tables import (
    AssignmentRow,
    ErasureRow,
    EventRow,
    ParticipationRow,
    RaterRow,
)
from storage.tables import Table as Tables

# Tables whose rows stay if a rater's ratings are kept: the ratings, and the data that belong to them.
_OF_RATINGS = {"participations", "assignments", "ratings", "events", "exclusions", "releases"}
_SECRET = {"token_hash", "person", "session"}  # columns never exported: hashes of secrets, and platforms' ids of people


class Erasures:
    """Operations that erase all data about a rater, or whole studies."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def everything(self, code: str) -> dict[str, list[dict[str, Any]]]:
        """Return every row about a rater; key: table. Raises NotFound."""
        with self._database.read() as connection:
            rater = _rater(connection, code)
            tables = {"raters": _rows(connection, Tables.metadata.tables["raters"], RaterRow.id == rater)}
            for table in Tables.metadata.sorted_tables:
                if "rater_id" in table.columns:
                    tables[table.name] = _rows(connection, table, table.c.rater_id == rater)
            return {name: rows for name, rows in tables.items() if rows}

    def erase_rater(self, code: str, keep_ratings: bool) -> int:
        """Erase all data about a rater. Return the rater's number.

        The number is for the log. keep_ratings: True: the ratings are kept. They then belong to a rater without a code,
        notes or reports. Raises NotFound.
        """
        with self._database.write() as connection:
            rater, now = _rater(connection, code), utc_now()
            parts = select(ParticipationRow.study_id).where(ParticipationRow.rater_id == rater)
            for study in connection.scalars(parts.order_by(ParticipationRow.study_id)).all():
                release(connection, assignment_rules(connection, study), rater, "by_hand", now)
            with _erasing(connection, rater_id=rater, ratings_kept=keep_ratings):
                for table in reversed(Tables.metadata.sorted_tables):
                    kept = _OF_RATINGS if keep_ratings else set()
                    if "rater_id" in table.columns and table.name not in kept | {"erasures"}:
                        connection.execute(delete(table).where(table.c.rater_id == rater))
                if keep_ratings:
                    mine = (EventRow.rater_id == rater, EventRow.kind.in_(("note", "report")))
                    connection.execute(delete(EventRow).where(*mine))
                    connection.execute(update(AssignmentRow).where(AssignmentRow.rater_id == rater).values(note=""))
                # No rater can choose this code, because chosen codes have capital letters and no spaces.
                connection.execute(update(RaterRow).where(RaterRow.id == rater).values(code=f"erased {rater}"))
        return rater

    def delete_study(self, study_id: int, name: str) -> int:
        """Delete a study with all its ratings. Return the number of ratings.

        Raises NotFound. Raises BadSetting unless `name` is exactly the study's name.
        """
        return delete_study(self._database, study_id, name, _of_study)

    def go_on_deleting(self) -> None:
        """Delete studies that a killed process left incomplete.

        The process was killed while it deleted or imported these studies.
        """
        go_on_deleting(self._database, _of_study, abandoned(self._database))


@contextmanager
def _erasing(connection: Connection, **what: Any) -> Iterator[None]:
    """Allow the deletion of events, and log the erasure permanently."""
    before = connection.scalar(select(func.count()).select_from(EventRow)) or 0
    values = {"at": utc_now(), "events_gone": 0, "open": True, **what}
    erasure = new_id(connection.execute(insert(ErasureRow).values(values)))
    yield
    gone = before - (connection.scalar(select(func.count()).select_from(EventRow)) or 0)
    done = update(ErasureRow).where(ErasureRow.id == erasure)
    connection.execute(done.values(open=False, events_gone=gone))


def _of_study(table: Table, study_id: int) -> list[ColumnElement[bool]]:
    """Return the conditions that select a study's rows in a table.

    The rows refer to the study directly or through other rows.
    """
    if table.name == "studies":
        return [table.c.id == study_id]
    if "study_id" in table.columns:
        return [table.c.study_id == study_id]
    numbers = ((column, _numbered(column)) for column in table.columns)
    return [
        column.in_(select(number).where(number.table.c.study_id == study_id))
        for column, number in numbers
        if number is not None
    ]


def _numbered(column: Column[Any]) -> Column[Any] | None:
    """Return the studies' id column to which a column refers, or None.

    The column may refer to it directly or through other tables.
    """
    for key in column.foreign_keys:
        if "study_id" in key.column.table.columns and key.column.name == "id":
            return key.column
        further = _numbered(key.column)
        if further is not None:
            return further
    return None


def _rater(connection: Connection, code: str) -> int:
    rater_id = connection.scalar(select(RaterRow.id).where(RaterRow.code == clean_code(code)))
    if rater_id is None:
        raise NotFound(f"There is no rater with the code {code!r}.")
    return rater_id


def _rows(connection: Connection, table: Table, which: ColumnElement[bool]) -> list[dict[str, Any]]:
    columns = [column for column in table.columns if column.name not in _SECRET]
    query = select(*columns).where(which).order_by(*table.primary_key.columns)
    return [dict(row) for row in connection.execute(query).mappings()]
