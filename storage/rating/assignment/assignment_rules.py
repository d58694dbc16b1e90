"""Read the rules by which a study gives items to raters. Every request for items reads them."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, select

from core.errors import NotFound
from core.json_types import fields_of
from core.studies.planning.life_cycle import StudySchedule
from core.studies.study_design import StudyDesign
from storage.rating.content.study_designs import DESIGN_COLUMNS, design_options
from storage.tables import StudyCourseRow, StudyRow

# These columns and statements are built once, because SQLAlchemy builds a statement more slowly than SQLite runs it.
_STUDY: BindParameter[int] = bindparam("study")
SCHEDULE_COLUMNS = (
    StudyCourseRow.state,
    StudyCourseRow.deadline,
    StudyCourseRow.items_per_rater,
    StudyCourseRow.hold_hours,
    StudyCourseRow.contact,
    StudyCourseRow.new_raters,
)
_RULES = (
    select(StudyRow.id, *DESIGN_COLUMNS, *SCHEDULE_COLUMNS)
    .join(StudyCourseRow, StudyCourseRow.study_id == StudyRow.id)
    .where(StudyRow.id == _STUDY)
)


@dataclass(frozen=True, slots=True)
class AssignmentRules(StudyDesign):
    """The rules by which a study gives items to raters."""

    study: int
    course: StudySchedule

    def still_gets(self, has: int, free: int) -> int:
        """Return how many more of the study's items the rater gets.

        Only own items of the study are counted. These are all items except practice items and gold items (with known
        answers). has: number of own items that the rater already has. free: number of own items that
        are available for the rater. The result is smaller than `free` if the rater would get more items than the study
        allows for one rater.
        """
        number = self.course.items_per_rater
        return free if number is None else max(0, min(free, number - has))


def assignment_rules(connection: Connection, study_id: int) -> AssignmentRules:
    """Return a study's rules for giving out items. Raises NotFound."""
    row = connection.execute(_RULES, {"study": study_id}).first()
    if row is None:
        raise NotFound(f"There is no study number {study_id}.")
    return AssignmentRules(row.id, schedule_of(row), **design_options(row))


def schedule_of(row: Any) -> StudySchedule:
    """Return the schedule from a row with SCHEDULE_COLUMNS."""
    kept = (row.items_per_rater, row.hold_hours, row.contact, row.new_raters)
    return StudySchedule(row.state, row.deadline, *kept)


def schedule_values(course: StudySchedule) -> dict[str, Any]:
    """Return a schedule's values; key: column of study_courses."""
    return fields_of(StudySchedule, course)
