"""What a study's manager does with raters: release their items, exclude and include them, erase their data.

The tables' own definitions show which tables refer to a rater or a study, so no new table is forgotten when data are
erased. Each erasure is itself logged permanently. If a rater is erased, the rater's row is kept, so that no later rater
gets the same number. The rater's code in this row is replaced, for example by "erased 17".
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, func, insert, select, update

from core.errors import BadSetting
from storage.engine.database import Operations, new_id, utc_now
from storage.rating.assignment import has_room
from storage.rating.raters import find_rater, participant
from storage.rating.releasing import release
from storage.rating.rules import rules
from storage.tables import (
    AssignmentRow,
    ErasureRow,
    EventRow,
    ExclusionRow,
    ItemRow,
    ParticipationRow,
    RaterRow,
    RatingRow,
    StudyRow,
)
from storage.tables import Table as Tables

LONGEST_REASON = 300
UNCOUNTED = -1  # value of `takers` while a study is deleted, so that triggers do not count its raters
# Tables whose rows stay if a rater's ratings are kept: the ratings, and the data that belong to them.
_OF_RATINGS = {"participations", "assignments", "ratings", "events", "exclusions"}


class Managing(Operations):
    """Operations on a study's raters. All raise NotFound for an unknown study or rater."""

    def check_takes_part(self, study_id: int, code: str) -> None:
        """Raise NotFound unless a rater with this code takes part in the study."""
        with self._database.read() as connection:
            participant(connection, study_id, code)

    def release(self, study_id: int, code: str) -> int:
        """Release a rater's unfinished items, so that other raters get them. Return the number of items."""
        with self._database.write() as connection:
            rater = participant(connection, study_id, code)
            return release(connection, rules(connection, study_id), rater, utc_now())

    def exclude(self, study_id: int, code: str, reason: str) -> None:
        """Exclude all ratings of a rater from results. Other raters get the items. Raises BadSetting."""
        reason = reason.strip()
        if not 1 <= len(reason) <= LONGEST_REASON or not reason.isprintable():
            raise BadSetting(f"Enter a reason of 1 to {LONGEST_REASON} characters for excluding the rater.")
        with self._database.write() as connection:
            rater, now = participant(connection, study_id, code), utc_now()
            release(connection, rules(connection, study_id), rater, now)
            here = (ExclusionRow.study_id == study_id, ExclusionRow.rater_id == rater)
            connection.execute(delete(ExclusionRow).where(*here))
            connection.execute(insert(ExclusionRow).values(study_id=study_id, rater_id=rater, at=now, reason=reason))

    def include(self, study_id: int, code: str) -> None:
        """Include an excluded rater's ratings in results again.

        If another rater took an item meanwhile, only the other rater's answers count.
        """
        with self._database.write() as connection:
            of, rater = rules(connection, study_id), participant(connection, study_id, code)
            mine = (AssignmentRow.study_id == study_id, AssignmentRow.rater_id == rater, AssignmentRow.place > 0)
            here = (ExclusionRow.study_id == study_id, ExclusionRow.rater_id == rater)
            if not connection.execute(delete(ExclusionRow).where(*here)).rowcount or not of.is_shared:
                return
            connection.execute(update(AssignmentRow).where(*mine).values(released_at=utc_now()))
            for row in connection.execute(select(AssignmentRow.id, AssignmentRow.item_id).where(*mine)).all():
                if has_room(connection, of, row.item_id):
                    again = update(AssignmentRow).where(AssignmentRow.id == row.id)
                    connection.execute(again.values(released_at=None))

    def erase_rater(self, code: str, keep_ratings: bool) -> int:
        """Erase all data about a rater. Return the rater's number.

        The number is for the log. keep_ratings: True: the ratings are kept. They then belong to a rater without a code,
        notes or reports.
        """
        with self._database.write() as connection:
            rater, now = find_rater(connection, code).id, utc_now()
            parts = select(ParticipationRow.study_id).where(ParticipationRow.rater_id == rater)
            for study in connection.scalars(parts.order_by(ParticipationRow.study_id)).all():
                release(connection, rules(connection, study), rater, now)
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

        Raises BadSetting unless `name` is exactly the study's name.
        """
        with self._database.write() as connection:
            study_name = rules(connection, study_id).design.name
            if study_name != name:
                raise BadSetting(f"To delete this study, enter its exact name, {study_name!r}. Found: {name!r}.")
            ratings = connection.scalar(select(func.count()).where(RatingRow.study_id == study_id)) or 0
            connection.execute(update(ItemRow).where(ItemRow.study_id == study_id).values(takers=UNCOUNTED))
            with _erasing(connection, study=study_id, ratings_kept=False):
                for table in reversed(Tables.metadata.sorted_tables):
                    if (condition := _of_study(table, study_id)) is not None:
                        connection.execute(delete(table).where(condition))
        return ratings


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


def _of_study(table: Table, study_id: int) -> ColumnElement[bool] | None:
    """Return the condition that selects a study's rows in a table; None: the table has none.

    The rows refer to the study, or to rows that refer to it.
    """
    if table.name == "studies":
        return StudyRow.id == study_id
    if "study_id" in table.columns:
        return table.c.study_id == study_id
    for key in table.foreign_keys:
        parent = key.column.table
        if "study_id" in parent.columns and key.column.name == "id":
            return key.parent.in_(select(key.column).where(parent.c.study_id == study_id))
    return None
