"""What is known of a rater, taken out or taken away; a study taken away. That it happened stays said for good.

Which tables hold something of a rater or of a study is read from the tables themselves, so that a new one is not
forgotten. An erased rater's row stays without its code, so that nobody else ever gets the number.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Table, delete, func, insert, select, update

from core.errors import NotFound
from storage.engine.database import Database, new_id, utc_now
from storage.rating.assignment.assignment_rules import assignment_rules
from storage.rating.assignment.raters import clean_code
from storage.rating.assignment.release import release
from storage.rating.studies.deleting import delete_study, go_on_deleting
from storage.tables import (
    AssignmentRow,
    ErasureRow,
    EventRow,
    ParticipationRow,
    RaterRow,
)
from storage.tables import Table as Tables

# What stays where the ratings stay: they refer to it.
_OF_RATINGS = {"participations", "assignments", "ratings", "events", "exclusions", "releases"}
_OF_RATINGS |= {"sentence_judgements", "explanation_remarks"}
_SECRET = {"token_hash", "person", "session"}  # never leaves: hashes of secrets, and what a platform calls somebody


class Erasures:
    """Verbs on everything that is known of a rater, and on a whole study."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def everything(self, code: str) -> dict[str, list[dict[str, Any]]]:
        """Return every row about a rater, by table. Raises NotFound."""
        with self._database.read() as connection:
            rater = _rater(connection, code)
            found = {"raters": _rows(connection, Tables.metadata.tables["raters"], RaterRow.id == rater)}
            for table in Tables.metadata.sorted_tables:
                if "rater_id" in table.columns:
                    found[table.name] = _rows(connection, table, table.c.rater_id == rater)
            return {name: rows for name, rows in found.items() if rows}

    def erase_rater(self, code: str, keep_ratings: bool) -> int:
        """Take away all that is known of a rater; returns their number, by which the log may speak of it.

        Ratings that are kept belong to a rater without a code or notes. Raises NotFound.
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
                    mine = (EventRow.rater_id == rater, EventRow.kind == "note")
                    connection.execute(delete(EventRow).where(*mine))
                    connection.execute(update(AssignmentRow).where(AssignmentRow.rater_id == rater).values(note=""))
                # No code that somebody could choose: those have capital letters and no spaces.
                connection.execute(update(RaterRow).where(RaterRow.id == rater).values(code=f"erased {rater}"))
        return rater

    def delete_study(self, study_id: int, name: str) -> int:
        """Take away a study with all that was rated in it; returns how many ratings.

        Raises NotFound, and BadSetting unless its name is given exactly.
        """
        return delete_study(self._database, study_id, name, _of_study)

    def go_on_deleting(self) -> None:
        """Delete the studies whose deletion was killed."""
        go_on_deleting(self._database, _of_study)


@contextmanager
def _erasing(connection: Connection, **what: Any) -> Iterator[None]:
    """Let events be taken away, and say for good that some were."""
    before = connection.scalar(select(func.count()).select_from(EventRow)) or 0
    values = {"at": utc_now(), "events_gone": 0, "open": True, **what}
    erasure = new_id(connection.execute(insert(ErasureRow).values(values)))
    yield
    gone = before - (connection.scalar(select(func.count()).select_from(EventRow)) or 0)
    done = update(ErasureRow).where(ErasureRow.id == erasure)
    connection.execute(done.values(open=False, events_gone=gone))


def _of_study(table: Table, study_id: int) -> list[ColumnElement[bool]]:
    """Return what picks a table's rows of a study: its own number of it, or that of what the rows refer to."""
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
    """Return the number of a row of a study that a column holds, perhaps by way of other tables; else None."""
    for key in column.foreign_keys:
        if "study_id" in key.column.table.columns and key.column.name == "id":
            return key.column
        further = _numbered(key.column)
        if further is not None:
            return further
    return None


def _rater(connection: Connection, code: str) -> int:
    found = connection.scalar(select(RaterRow.id).where(RaterRow.code == clean_code(code)))
    if found is None:
        raise NotFound(f"There is no rater with the code {code!r}.")
    return found


def _rows(connection: Connection, table: Table, which: ColumnElement[bool]) -> list[dict[str, Any]]:
    columns = [column for column in table.columns if column.name not in _SECRET]
    query = select(*columns).where(which).order_by(*table.primary_key.columns)
    return [dict(row) for row in connection.execute(query).mappings()]
