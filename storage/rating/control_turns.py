"""Where the items that are put among a study's own come: the role of each item that a rater gets next, and which it is.

A repeat is an item of its own, of the same sample and scores, made when the first rater gets it.
"""

import random
from collections.abc import Iterator

from sqlalchemy import BindParameter, Connection, bindparam, func, insert, select

from core.studies.controls import APART, Controls, roles_to_come
from core.studies.quality_types import Role
from storage.rating.controls import SCORES_OF, new_item
from storage.rating.quality import watch_of
from storage.tables import AssignmentRow, ControlRow, ItemRow


def next_roles(
    connection: Connection, study_id: int, seed: int, rater_id: int, number: int, free: int
) -> Iterator[Role]:
    """Yield the roles of the items that a rater gets next; number: the rater's, free: own items left for them."""
    of = {"study": study_id, "rater": rater_id}
    left = {role: count for role, count in connection.execute(_LEFT, of)}
    watch = watch_of(connection, study_id)
    if not left and watch.repeat_every is None:
        return iter(["item"] * free)
    past: list[Role] = ["item" if row.role is None else row.role for row in connection.execute(_PAST, of)]
    controls = Controls(left.get("training", 0), left.get("gold", 0), watch.gold_every, watch.repeat_every)
    return roles_to_come(seed, number, past, free, controls)


def control_item(connection: Connection, study_id: int, rater_id: int, role: Role) -> int | None:
    """Return the item that a rater gets next in a role other than the study's own; None where there is none.

    A repeat is made where nobody has had it yet.
    """
    of = {"study": study_id, "rater": rater_id}
    if role == "repeat":
        return _repeat(connection, study_id, rater_id)
    left: list[int] = list(connection.scalars(_LEFT_ITEMS, of | {"role": role}))
    if not left:
        return None
    return left[0] if role == "training" else _chance(study_id, rater_id, len(left)).choice(left)


def _repeat(connection: Connection, study_id: int, rater_id: int) -> int | None:
    of = {"study": study_id, "rater": rater_id}
    past, repeated = connection.execute(_PAST, of).all(), set(connection.scalars(_REPEATED, of))
    before = past[: max(len(past) - APART, 0)]
    far = [row.item_id for row in before if row.role is None and row.item_id not in repeated]
    if not far:
        return None
    original = _chance(study_id, rater_id, len(past)).choice(far)
    known: int | None = connection.scalar(select(ControlRow.item_id).where(ControlRow.original_id == original))
    if known is not None:
        return known
    sample = connection.scalar(select(ItemRow.sample_id).where(ItemRow.id == original))
    assert sample is not None
    item = new_item(connection, study_id, sample, connection.scalars(SCORES_OF, {"item": original}).all())
    values = {"study_id": study_id, "role": "repeat", "original_id": original, "expected": {}}
    connection.execute(insert(ControlRow).values(item_id=item, **values))
    return item


def _chance(study_id: int, rater_id: int, number: int) -> random.Random:
    return random.Random(f"{study_id}/{rater_id}/{number}")


_STUDY: BindParameter[int] = bindparam("study")
_RATER: BindParameter[int] = bindparam("rater")
_HAD = select(AssignmentRow.item_id).where(AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER)
_STILL = (
    ControlRow.study_id == _STUDY,
    ControlRow.role != "repeat",
    ControlRow.retired_at.is_(None),
    ControlRow.item_id.not_in(_HAD),
)
_LEFT = select(ControlRow.role, func.count()).where(*_STILL).group_by(ControlRow.role)
_LEFT_ITEMS = (
    select(ControlRow.item_id).where(*_STILL, ControlRow.role == bindparam("role")).order_by(ControlRow.item_id)
)
_PAST = (
    select(AssignmentRow.item_id, ControlRow.role, ControlRow.original_id)
    .outerjoin(ControlRow, ControlRow.item_id == AssignmentRow.item_id)
    .where(AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER, AssignmentRow.place > 0)
    .order_by(AssignmentRow.place)
)
_REPEATED = select(ControlRow.original_id).where(ControlRow.role == "repeat", ControlRow.item_id.in_(_HAD))
