"""Make assignments again that are missing after a restore of the database.

The browser keeps an encrypted copy of each assignment, the handout, and sends it with the answers. The rater gets the
item back. The rater also gets an item back that was released (taken away) before the rater finished it. When every
question has an answer, the item gets a position among the rater's items. If the rater meanwhile got the same item under
another assignment, the answers are stored there.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, literal, null, select

from core.errors import NotFound
from core.studies.asking.criteria import Criterion
from storage.engine.database import Database, utc_now
from storage.rating.assignment.assignment_rules import assignment_rules
from storage.rating.assignment.gold_schedule import repeat_of
from storage.rating.assignment.handouts import mark_of
from storage.rating.assignment.joining import join, own
from storage.rating.content.study_forms import study_form
from storage.rating.desk.assigned_items import rated_panels
from storage.study_types import Handout, Rater, Save
from storage.tables import (
    AssignmentRow,
    ItemReportRow,
    ItemRow,
    ItemScoreRow,
    RatingRow,
    SampleRow,
    StudyRow,
)

_KNOWN = select(AssignmentRow.id).where(AssignmentRow.id == bindparam("assignment"))
_OF_ITEM = select(AssignmentRow.id, AssignmentRow.panels).where(
    AssignmentRow.item_id == bindparam("item"), AssignmentRow.rater_id == bindparam("rater")
)
_ITEM = (
    select(ItemRow.id, SampleRow.candidate, StudyRow.created_at)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(StudyRow, StudyRow.id == ItemRow.study_id)
    .where(ItemRow.id == bindparam("item"), ItemRow.study_id == bindparam("study"))
)
_SCORES = select(ItemScoreRow.score_id).where(ItemScoreRow.item_id == bindparam("item"))
_LOWEST = select(func.min(AssignmentRow.place)).where(
    AssignmentRow.study_id == bindparam("study"), AssignmentRow.rater_id == bindparam("rater")
)

_REPORT = "the item"
_GIVEN = select(AssignmentRow.id, AssignmentRow.item_id, AssignmentRow.panels, AssignmentRow.note).where(
    AssignmentRow.rater_id == bindparam("rater")
)
_RATED = select(RatingRow.item_id, RatingRow.score_id, RatingRow.criterion).where(
    RatingRow.rater_id == bindparam("rater")
)
_REPORTED = select(ItemReportRow.item_id, null(), literal(_REPORT)).where(ItemReportRow.rater_id == bindparam("rater"))


@dataclass(frozen=True, slots=True)
class _Moved:
    """Moves answers to another assignment of the same item."""

    assignment: str
    panels: Sequence[int]  # panels in the order of the assignment to which the answers are moved
    before: Sequence[int]  # panels in the order that the rater saw when answering
    criteria: Mapping[str, Criterion]

    def save(self, save: Save) -> Save:
        """Return an answer, moved to the other assignment of its item.

        The other assignment may show the panels (explanations or captions) in another order.
        """
        if save.panel is None or not 1 <= save.panel <= len(self.before):
            return replace(save, assignment=self.assignment)
        criterion = self.criteria.get(str(save.criterion))
        is_turned = list(self.panels) != list(self.before)
        if criterion is not None and criterion.compares:  # the answer says how much better panel 2 is than panel 1
            point = criterion.mirrored(save.point) if is_turned and save.point else save.point
            return replace(save, assignment=self.assignment, point=point)
        return replace(save, assignment=self.assignment, panel=self.panels.index(self.before[save.panel - 1]) + 1)


def assigned_again(
    connection: Connection, rater: Rater, saves: Sequence[Save], handouts: Mapping[str, Handout]
) -> list[Save]:
    """Make the assignments that the database lacks.

    Return the rater's actions. If the rater already has another assignment of the same item, its actions are moved to
    that assignment. handouts: copies of assignments; key: assignment. A handout is ignored if its study or item is
    missing or has changed. Call this function in a writing transaction.
    """
    moved: dict[str, _Moved] = {}
    for name in {save.assignment for save in saves} & handouts.keys():
        if connection.scalar(_KNOWN, {"assignment": name}) is None:
            assigned = _assign_again(connection, rater, handouts[name])
            if assigned is not None:
                moved[name] = assigned
    return [moved[save.assignment].save(save) if save.assignment in moved else save for save in saves]


def open_questions(
    database: Database, rater: Rater, saves: Sequence[Save], handouts: Mapping[str, Handout]
) -> list[Save]:
    """Return the answers to questions that have no stored answer.

    Missing assignments are made first, so each answer has an assignment that is now valid. Use this function for
    answers from a file. The rater may have answered the same question on the server after saving the file. Answers
    about unknown items are also returned.
    """
    with database.write() as connection:
        assigned = assigned_again(connection, rater, saves, handouts)
        given = {row.id: row for row in connection.execute(_GIVEN, {"rater": rater.id})}
        answered = {
            *map(tuple, connection.execute(_RATED, {"rater": rater.id})),
            *map(tuple, connection.execute(_REPORTED, {"rater": rater.id})),
        }
    return [
        save for save in assigned if save.assignment not in given or _is_open(given[save.assignment], save, answered)
    ]


def assignment_studies(database: Database, assignments: Collection[str]) -> dict[str, int]:
    """Return the study number of each stored assignment."""
    with database.read() as connection:
        return {row.id: row.study_id for row in connection.execute(_STUDIES, {"ids": list(assignments)})}


def _is_open(assignment: Any, save: Save, answered: set[tuple[Any, ...]]) -> bool:
    if save.kind == "note":
        return not assignment.note
    if save.kind == "report":
        return (assignment.item_id, None, _REPORT) not in answered
    if save.panel is None or not 1 <= save.panel <= len(assignment.panels):
        return True
    return (assignment.item_id, assignment.panels[save.panel - 1], save.criterion) not in answered


def _assign_again(connection: Connection, rater: Rater, handout: Handout) -> _Moved | None:
    """Make an assignment from its handout (a copy of it).

    If the rater already has another assignment of the same item, no assignment is made. In this case the function
    returns an object that moves answers to the existing assignment. In all other cases it returns None.
    """
    try:
        of = assignment_rules(connection, handout.study)
    except NotFound:
        return None
    if handout.rater != rater.code or not rater.may_rate(handout.study):
        return None
    item = _same_item(connection, handout)
    if item is None:
        return None
    join(connection, of, rater)
    there = connection.execute(_OF_ITEM, {"item": item, "rater": rater.id}).first()
    if there is not None:
        criteria = {criterion.key: criterion for criterion in study_form(connection, handout.study).criteria}
        return _Moved(there.id, there.panels, handout.panels, criteria)
    lowest = connection.scalar(_LOWEST, own(of.study, rater)) or 0
    row: dict[str, Any] = {"id": handout.assignment, "item_id": item, "panels": list(handout.panels), "note": ""}
    row |= {"study_id": of.study, "rater_id": rater.id, "slot": handout.slot, "given_at": handout.given_at}
    connection.execute(insert(AssignmentRow).values(row | {"place": min(lowest, 0) - 1, "released_at": utc_now()}))
    return None


def _same_item(connection: Connection, handout: Handout) -> int | None:
    """Return the item of a handout (copy of an assignment), or None.

    None: the item is missing or has changed.
    """
    source = handout.item if handout.original is None else handout.original
    row = connection.execute(_ITEM, {"item": source, "study": handout.study}).first()
    if row is None or set(connection.scalars(_SCORES, {"item": source})) != set(handout.panels):
        return None
    rated = rated_panels(connection, study_form(connection, handout.study), handout.panels)
    if mark_of(row.created_at, row.candidate, rated, handout.panels) != handout.mark:
        return None
    return handout.item if handout.original is None else repeat_of(connection, handout.study, handout.original)


_STUDIES = select(AssignmentRow.id, AssignmentRow.study_id).where(
    AssignmentRow.id.in_(bindparam("ids", expanding=True))
)
