"""Read and stamp a study's settings: the rules by which it gives items to raters. Every request of a rater reads them.

Each study has a stamp. A dialog reads the stamp when it opens and sends it with a change of the settings. One UPDATE
statement compares the sent stamp with the stored stamp and stores a new one. Stamps are random because counters can
repeat: after a restore, an older database could reach the same count again.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sqlalchemy import Connection, and_, bindparam, select, update

from core.errors import ChangedMeanwhile, NotFound
from core.studies.asking.form import Form
from core.studies.design import State, Stop, StudyDesign, design_of
from storage.engine.database import utc_now
from storage.tables import AssignmentRow, ExclusionRow, StudyRow

# This statement is built once, because SQLAlchemy builds a statement more slowly than SQLite runs it.
_RULES = select(StudyRow.id, StudyRow.state, StudyRow.design, StudyRow.created_at).where(
    StudyRow.id == bindparam("study")
)
# the condition that joins assignments to the exclusions of their raters
IS_EXCLUDED = and_(ExclusionRow.study_id == AssignmentRow.study_id, ExclusionRow.rater_id == AssignmentRow.rater_id)

_STAMP_BYTES = 9


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules by which a study gives items to raters."""

    study: int
    state: State
    design: StudyDesign
    form: Form  # the study's form, with the criteria that the study asks
    created_at: datetime

    @property
    def is_shared(self) -> bool:
        """Whether each item goes only to some of the raters."""
        return self.design.raters_per_item is not None

    def stop(self) -> Stop | None:
        """Return why the study assigns no items now; None if it assigns items."""
        return self.design.stop(self.state, utc_now())


def rules(connection: Connection, study_id: int) -> Rules:
    """Return a study's rules for giving out items. Raises NotFound."""
    row = connection.execute(_RULES, {"study": study_id}).first()
    if row is None:
        raise NotFound(f"There is no study number {study_id}.")
    return Rules(row.id, row.state, *stored_design(row.design), row.created_at)


@lru_cache(maxsize=256)
def stored_design(text: str) -> tuple[StudyDesign, Form]:
    """Return a stored design, and its form with the criteria that the study asks."""
    design = design_of(text)
    return design, design.asked()


def set_stamp(connection: Connection, study: int, stamp: str | None) -> None:
    """Give a study's settings a new stamp.

    stamp: the stamp that the dialog of the change read when it opened; None: the stamps are not compared. Raises
    ChangedMeanwhile if the stored stamp is another one.
    """
    read = () if stamp is None else (StudyRow.stamp == stamp,)
    new = update(StudyRow).where(StudyRow.id == study, *read).values(stamp=secrets.token_urlsafe(_STAMP_BYTES))
    if not connection.execute(new).rowcount:
        raise ChangedMeanwhile
