"""Make assignments again that are missing after a restore of the database.

An answer names its assignment, from which the item follows (storage.rating.assignment_ids). When every question has an
answer, the item gets a position among the rater's items. If the rater meanwhile got the item with another order of
panels, the answers are stored there.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select

from core.studies.asking.form import Form
from storage.engine.database import utc_now
from storage.rating.assignment import join
from storage.rating.assignment_ids import item_of
from storage.rating.rules import rules
from storage.study_types import Rater, Save
from storage.tables import AssignmentRow

_OF_ITEM = select(AssignmentRow.id, AssignmentRow.panels).where(
    AssignmentRow.item_id == bindparam("item"), AssignmentRow.rater_id == bindparam("rater")
)
_LOWEST = select(func.min(AssignmentRow.place)).where(
    AssignmentRow.study_id == bindparam("study"), AssignmentRow.rater_id == bindparam("rater")
)


def assigned_again(connection: Connection, rater: Rater, save: Save) -> Save:
    """Make the assignment of an action again if the item still exists.

    Return the action, moved to the rater's other assignment of the same item if there is one. Call this function in a
    writing transaction, and only if the database lacks the assignment.
    """
    found = item_of(connection, save.assignment, rater)
    if found is None or not rater.may_rate(found[0]):
        return save
    study, slot, item = found
    there = connection.execute(_OF_ITEM, {"item": item.item, "rater": rater.id}).first()
    if there is not None:
        return _moved(rules(connection, study).form, save, there, item.panels(slot))
    of = rules(connection, study)
    join(connection, of, rater)
    now = utc_now()
    lowest = connection.scalar(_LOWEST, {"study": study, "rater": rater.id}) or 0
    row: dict[str, Any] = {"id": save.assignment, "study_id": study, "rater_id": rater.id, "item_id": item.item}
    row |= {"slot": slot, "panels": item.panels(slot), "note": "", "place": min(lowest, 0) - 1, "released_at": now}
    row["given_at"] = now - timedelta(milliseconds=save.age_ms + save.shown_ms)
    connection.execute(insert(AssignmentRow).values(row))
    return save


def _moved(form: Form, save: Save, there: Any, before: Sequence[int]) -> Save:
    """Return an action on the same explanation or caption in another assignment of its item.

    before: the panels in the order that the rater saw.
    """
    if save.panel is None or not 1 <= save.panel <= len(before):
        return replace(save, assignment=there.id)
    criterion = next((one for one in form.criteria if one.key == save.criterion), None)
    if criterion is not None and criterion.compares:  # the answer says how much better panel 2 is than panel 1
        is_turned = list(there.panels) != list(before)
        point = criterion.mirrored(save.point) if is_turned and save.point else save.point
        return replace(save, assignment=there.id, point=point)
    return replace(save, assignment=there.id, panel=there.panels.index(before[save.panel - 1]) + 1)
