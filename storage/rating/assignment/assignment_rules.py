"""How a study goes, and what of it its raters share: read at every request for items."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, select

from core.errors import NotFound
from core.studies.planning.life_cycle import StudySchedule
from core.studies.study_design import StudyDesign
from storage.rating.content.study_designs import DESIGN_COLUMNS, design_options
from storage.tables import StudyCourseRow, StudyRow

# Built once: SQLAlchemy takes longer to build a statement than SQLite to run it.
_STUDY: BindParameter[int] = bindparam("study")
SCHEDULE_COLUMNS = (
    StudyCourseRow.state,
    StudyCourseRow.deadline,
    StudyCourseRow.pilot_items,
    StudyCourseRow.items_per_rater,
    StudyCourseRow.hold_hours,
    StudyCourseRow.controls_included,
)
_RULES = (
    select(StudyRow.id, *DESIGN_COLUMNS, *SCHEDULE_COLUMNS)
    .join(StudyCourseRow, StudyCourseRow.study_id == StudyRow.id)
    .where(StudyRow.id == _STUDY)
)


@dataclass(frozen=True, slots=True)
class AssignmentRules(StudyDesign):
    """What giving out items needs to know of a study."""

    study: int
    course: StudySchedule

    @property
    def is_pilot(self) -> bool:
        """Whether the study is being tried out: only the first items are given out."""
        return self.course.state == "pilot"

    @property
    def most_places(self) -> int | None:
        """The most places that a rater gets, practice, gold and repeats included; None: there is no such limit."""
        return self.course.items_per_rater if self.course.controls_included else None

    def still_gets(self, has: int, free: int) -> int:
        """Return how many of the study's own items a rater still gets who has some, where others are free."""
        number = self.course.items_per_rater
        return free if number is None else max(0, min(free, number - has))


def assignment_rules(connection: Connection, study_id: int) -> AssignmentRules:
    """Return what giving out items needs to know of a study. Raises NotFound."""
    row = connection.execute(_RULES, {"study": study_id}).first()
    if row is None:
        raise NotFound(f"There is no study number {study_id}.")
    return AssignmentRules(row.id, schedule_of(row), **design_options(row))


def schedule_of(row: Any) -> StudySchedule:
    """Return the course that a row holds in SCHEDULE_COLUMNS."""
    kept = (row.items_per_rater, row.hold_hours, row.controls_included)
    return StudySchedule(row.state, row.deadline, row.pilot_items, *kept)
