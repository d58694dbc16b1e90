"""Store a study's rules for checking raters.

The rules are how often gold items (with known answers) and repeats come.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from core.studies.planning.control_places import GOLD_EVERY
from storage.engine.changes import BY_COMMAND, NEVER, Change, set_study_stamp, study_stamps
from storage.engine.database import Database
from storage.tables import StudyQualityRow


@dataclass(frozen=True, slots=True)
class RaterQualitySettings:
    """A study's rules for checking its raters."""

    gold_every: int | None = GOLD_EVERY  # N: if gold items exist, one in every N items is gold; None: no gold items
    repeat_every: int | None = None  # N: one repeat in every N items; None: no repeats
    stop_after_gold: int | None = None  # number of failed gold items after which a rater is stopped; None: never


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
        row: dict[str, Any] = {"gold_every": watch.gold_every, "repeat_every": watch.repeat_every}
        row["stop_after_gold"] = watch.stop_after_gold
        here = StudyQualityRow.study_id == study_id
        with self._database.write() as connection:
            set_study_stamp(connection, study_id, "watch", change)
            if not connection.execute(update(StudyQualityRow).where(here).values(row)).rowcount:
                connection.execute(insert(StudyQualityRow).values(study_id=study_id, **row))


def watch_of(connection: Connection, study_id: int) -> RaterQualitySettings:
    """Return a study's rules for checking its raters.

    Without stored rules, these are the defaults.
    """
    columns = (StudyQualityRow.gold_every, StudyQualityRow.repeat_every)
    query = select(*columns, StudyQualityRow.stop_after_gold)
    row = connection.execute(query.where(StudyQualityRow.study_id == study_id)).first()
    return (
        RaterQualitySettings()
        if row is None
        else RaterQualitySettings(row.gold_every, row.repeat_every, row.stop_after_gold)
    )
