"""Store a study's rules for checking raters.

The rule is how often gold items (with known answers) come.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from core.studies.planning.control_places import GOLD_EVERY
from storage.engine.changes import BY_COMMAND, NEVER, Change, set_study_stamp, study_stamps
from storage.engine.database import Database
from storage.tables import StudyQualityRow


@dataclass(frozen=True, slots=True)
class RaterQualitySettings:
    """A study's rules for checking its raters."""

    gold_every: int | None = GOLD_EVERY  # N: if gold items exist, one in every N items is gold; None: no gold items


class Quality:
    """Read and change the rules for checking a study's raters."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def watch(self, study_id: int) -> RaterQualitySettings:
        """Return a study's rules for checking its raters."""
        with self._database.read() as connection:
            return watch_of(connection, study_id)

    def watch_stamp(self, study_id: int) -> str:
        """Return the stamp of a study's rules for checking raters.

        A stamp is a random text that is new after each change. A request to change the rules must contain the stamp.
        """
        with self._database.read() as connection:
            return study_stamps(connection, "watch").get(study_id, NEVER)

    def set_watch(self, study_id: int, watch: RaterQualitySettings, change: Change = BY_COMMAND) -> None:
        """Change a study's rules for checking its raters. Raises ChangedMeanwhile."""
        row = {"gold_every": watch.gold_every}
        here = StudyQualityRow.study_id == study_id
        with self._database.write() as connection:
            set_study_stamp(connection, study_id, "watch", change)
            if not connection.execute(update(StudyQualityRow).where(here).values(row)).rowcount:
                connection.execute(insert(StudyQualityRow).values(study_id=study_id, **row))


def watch_of(connection: Connection, study_id: int) -> RaterQualitySettings:
    """Return a study's rules for checking its raters.

    Without stored rules, these are the defaults.
    """
    query = select(StudyQualityRow.gold_every).where(StudyQualityRow.study_id == study_id)
    row = connection.execute(query).first()
    return RaterQualitySettings() if row is None else RaterQualitySettings(row.gold_every)
