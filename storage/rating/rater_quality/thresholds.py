"""How the raters of a study are watched: thresholds, how often gold and repeats come, and what is to be measured."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from core.studies.planning.control_places import GOLD_EVERY
from core.studies.rater_quality.flags import Thresholds, thresholds_json, thresholds_of
from storage.engine.changes import BY_COMMAND, NEVER, Change, set_study_stamp, study_stamps
from storage.engine.database import Database
from storage.rating.rater_quality.columns import StudyColumns, study_columns
from storage.tables import StudyQualityRow


@dataclass(frozen=True, slots=True)
class RaterQualitySettings:
    """How the raters of a study are watched."""

    thresholds: Thresholds = Thresholds()
    gold_every: int | None = GOLD_EVERY  # one gold item in every so many items, while there are any; None: none
    repeat_every: int | None = None  # one repeat in every so many items; None: none


class Quality:
    """Verbs on how a study's raters work."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def watch(self, study_id: int) -> RaterQualitySettings:
        """Return how the raters of a study are watched."""
        with self._database.read() as connection:
            return watch_of(connection, study_id)

    def watch_stamp(self, study_id: int) -> str:
        """Return the stamp under which it may be changed how the raters of a study are watched."""
        with self._database.read() as connection:
            return study_stamps(connection, "watch").get(study_id, NEVER)

    def set_watch(self, study_id: int, watch: RaterQualitySettings, change: Change = BY_COMMAND) -> None:
        """Watch the raters of a study otherwise from now on. Raises ChangedMeanwhile."""
        row: dict[str, Any] = {"thresholds": thresholds_json(watch.thresholds)}
        row |= {"gold_every": watch.gold_every, "repeat_every": watch.repeat_every}
        here = StudyQualityRow.study_id == study_id
        with self._database.write() as connection:
            set_study_stamp(self._database, connection, study_id, "watch", change)
            if not connection.execute(update(StudyQualityRow).where(here).values(row)).rowcount:
                connection.execute(insert(StudyQualityRow).values(study_id=study_id, **row))

    def columns(self, study_id: int, known: StudyColumns | None = None) -> StudyColumns:
        """Return a study's answers as columns; known: what was returned before, of which only the news are read."""
        with self._database.read() as connection:
            return study_columns(connection, study_id, known)


def watch_of(connection: Connection, study_id: int) -> RaterQualitySettings:
    """Return how the raters of a study are watched, as by default where nobody has said."""
    columns = (StudyQualityRow.thresholds, StudyQualityRow.gold_every, StudyQualityRow.repeat_every)
    row = connection.execute(select(*columns).where(StudyQualityRow.study_id == study_id)).first()
    return (
        RaterQualitySettings()
        if row is None
        else RaterQualitySettings(thresholds_of(row.thresholds), row.gold_every, row.repeat_every)
    )
