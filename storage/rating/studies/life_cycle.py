"""Operations of a study's manager: change state, release items, exclude raters, duplicate."""

from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from core.errors import AlreadyExists, BadSetting, NotFound
from core.studies.planning.life_cycle import Release, State, StudySchedule, check_step
from core.studies.planning.study_request import check_name
from storage.engine.changes import BY_COMMAND, Change, set_study_stamp
from storage.engine.database import Database, utc_now
from storage.rating.assignment.assignment_rules import assignment_rules, schedule_values
from storage.rating.assignment.joining import holders
from storage.rating.assignment.leaving import leave
from storage.rating.assignment.released_items import exclude_rater, release
from storage.rating.studies.study_numbers import next_study
from storage.tables import (
    AssignmentRow,
    ControlRow,
    ExclusionRow,
    ItemRow,
    ItemScoreRow,
    ParticipationRow,
    RaterRow,
    StudyCourseRow,
    StudyCriterionRow,
    StudyEntryRow,
    StudyFormRow,
    StudyQualityRow,
    StudyRow,
)

LONGEST_REASON = 300


class Life:
    """Operations on an existing study. All raise NotFound for an unknown study or rater."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def step(self, study_id: int, state: State, change: Change = BY_COMMAND) -> StudySchedule:
        """Change a study's state. Return the new schedule. Raises ChangedMeanwhile, BadSetting."""
        with self._database.write() as connection:
            old = assignment_rules(connection, study_id).course
            set_study_stamp(connection, study_id, "course", change)
            check_step(old.state, state)
            new = replace(old, state=state)
            if old.state == "closed":  # starting a closed study again also lets new raters join it
                new = replace(new, new_raters=True)
            return _set(connection, study_id, new)

    def settle(self, study_id: int, change: Change = BY_COMMAND, **settings: Any) -> StudySchedule:
        """Change deadline, items_per_rater, hold_hours, new_raters or contact. Raises ChangedMeanwhile, BadSetting."""
        with self._database.write() as connection:
            old = assignment_rules(connection, study_id).course
            set_study_stamp(connection, study_id, "course", change)
            return _set(connection, study_id, replace(old, **settings))

    def duplicate(self, study_id: int, name: str) -> int:
        """Copy a study as a draft. Return the draft's number.

        The draft has the study's items, settings, gold items and training items.

        Raises AlreadyExists, BadSetting.
        """
        check_name(name)
        with self._database.write() as connection:
            course = assignment_rules(connection, study_id).course
            if connection.scalar(select(StudyRow.id).where(StudyRow.name == name)) is not None:
                raise AlreadyExists(f"A study named {name!r} already exists. Choose another name.")
            new = next_study(connection)
            _copy(connection, StudyRow, StudyRow.id == study_id, id=new, name=name, created_at=utc_now())
            _copy(connection, StudyCriterionRow, StudyCriterionRow.study_id == study_id, study_id=new)
            _copy(connection, StudyFormRow, StudyFormRow.study_id == study_id, study_id=new)
            draft = replace(course, state="draft", deadline=None, new_raters=True)
            connection.execute(insert(StudyCourseRow).values(study_id=new, **schedule_values(draft)))
            _copy(connection, StudyEntryRow, StudyEntryRow.study_id == study_id, study_id=new)
            _copy(connection, StudyQualityRow, StudyQualityRow.study_id == study_id, study_id=new)
            _copy_items(connection, study_id, new)
            return new

    def check_takes_part(self, study_id: int, code: str) -> None:
        """Raise NotFound unless a rater with this code takes part in the study."""
        with self._database.read() as connection:
            _rater(connection, study_id, code)

    def release(self, study_id: int, code: str, why: Release = "by_hand") -> int:
        """Release a rater's unfinished items, so that other raters get them.

        Return the number of items. why "returned": the rater gave up the study at the recruitment platform. In this
        case, also store that the rater left.
        """
        with self._database.write() as connection:
            of, rater = assignment_rules(connection, study_id), _rater(connection, study_id, code)
            if why == "returned":
                return leave(connection, of, rater, utc_now())
            return release(connection, of, rater, why, utc_now())

    def exclude(self, study_id: int, code: str, reason: str) -> None:
        """Exclude all ratings of a rater from results. Other raters get the items. Raises BadSetting."""
        reason = reason.strip()
        if not 1 <= len(reason) <= LONGEST_REASON or not reason.isprintable():
            raise BadSetting(f"Enter a reason of 1 to {LONGEST_REASON} characters for excluding the rater.")
        with self._database.write() as connection:
            rater = _rater(connection, study_id, code)
            exclude_rater(connection, assignment_rules(connection, study_id), rater, reason, utc_now())

    def include(self, study_id: int, code: str) -> int:
        """Include an excluded rater's ratings in results again.

        Return the number of this rater's items. If another rater took an item meanwhile, only the other rater's answers
        count.
        """
        with self._database.write() as connection:
            of, rater = assignment_rules(connection, study_id), _rater(connection, study_id, code)
            mine = (*_of(AssignmentRow, study_id, rater), AssignmentRow.place > 0)
            gone = connection.execute(delete(ExclusionRow).where(*_of(ExclusionRow, study_id, rater)))
            if not gone.rowcount or of.raters_per_item is None:
                return connection.scalar(select(func.count()).where(*mine)) or 0
            connection.execute(update(AssignmentRow).where(*mine).values(released_at=utc_now()))
            counted = 0
            for row in connection.execute(select(AssignmentRow.id, AssignmentRow.item_id).where(*mine)).all():
                if holders(connection, row.item_id) < of.raters_per_item:
                    counted += 1
                    again = update(AssignmentRow).where(AssignmentRow.id == row.id)
                    connection.execute(again.values(released_at=None))
            return counted


def _of(table: Any, study_id: int, rater: int) -> tuple[ColumnElement[bool], ...]:
    return (table.study_id == study_id, table.rater_id == rater)


def _set(connection: Connection, study_id: int, course: StudySchedule) -> StudySchedule:
    connection.execute(
        update(StudyCourseRow).where(StudyCourseRow.study_id == study_id).values(**schedule_values(course))
    )
    return course


def _rater(connection: Connection, study_id: int, code: str) -> int:
    query = select(RaterRow.id).join(ParticipationRow, ParticipationRow.rater_id == RaterRow.id)
    rater_id = connection.scalar(query.where(RaterRow.code == code, ParticipationRow.study_id == study_id))
    if rater_id is None:
        raise NotFound(f"No rater {code!r} takes part in this study.")
    return rater_id


def _copy(connection: Connection, table: Any, which: ColumnElement[bool], **changed: Any) -> Any:
    """Copy rows with new values in the columns of `changed`.

    All other columns are copied, including those that are added in future.
    """
    rows = connection.execute(select(*table.__table__.columns).where(which)).mappings().all()
    values = [{**row, **changed} for row in rows]
    if not values:  # old studies, made before forms were stored, have no rows here
        return None
    return connection.execute(insert(table), values[0] if len(values) == 1 else values)


def _copy_items(connection: Connection, study_id: int, new: int) -> None:
    of_study = (ControlRow.study_id == study_id,)
    gone = ControlRow.retired_at.is_not(None)
    own = (ItemRow.study_id == study_id, ItemRow.id.not_in(select(ControlRow.item_id).where(*of_study, gone)))
    old = connection.execute(select(*ItemRow.__table__.columns).where(*own).order_by(ItemRow.id)).mappings().all()
    first = (connection.scalar(select(func.max(ItemRow.id))) or 0) + 1
    ids = {row["id"]: first + nth for nth, row in enumerate(old)}
    untaken = {"study_id": new, "takers": 0, "reopened": False}
    connection.execute(insert(ItemRow), [{**row, "id": ids[row["id"]], **untaken} for row in old])
    of_items = select(*ItemScoreRow.__table__.columns).join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    scores = connection.execute(of_items.where(*own)).mappings().all()
    connection.execute(insert(ItemScoreRow), [{**row, "item_id": ids[row["item_id"]]} for row in scores])
    controls = connection.execute(select(*ControlRow.__table__.columns).where(*of_study, ~gone)).mappings().all()
    if controls:
        copied = [{**row, "item_id": ids[row["item_id"]], "study_id": new} for row in controls]
        connection.execute(insert(ControlRow), copied)
