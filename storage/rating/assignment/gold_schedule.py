"""Choose when raters get practice items, gold items (with known answers) and repeats, and which of them.

A repeat is a separate item with the same sample and scores as an earlier item. It is made when the first rater gets it.
"""

import random
from collections.abc import Iterable, Iterator

from sqlalchemy import BindParameter, Connection, bindparam, case, func, insert, select

from core.studies.planning.control_places import APART, Controls, roles_to_come
from core.studies.rater_quality.types import Role
from storage.rating.rater_quality.controls import SCORES_OF, new_item
from storage.rating.rater_quality.quality_settings import watch_of
from storage.tables import AssignmentRow, ControlRow, ItemRow, SampleRow


def study_controls(connection: Connection, study_ids: Iterable[int]) -> dict[int, Controls]:
    """Return which control items a new rater of each study can get.

    These items are practice items, gold items (with known answers) and repeats. key: study.
    """
    counts = {(row.study_id, row.role): row.number for row in connection.execute(_IN_USE)}
    controls = {}
    for study in study_ids:
        watch, training, gold = (
            watch_of(connection, study),
            counts.get((study, "training")),
            counts.get((study, "gold")),
        )
        controls[study] = Controls(training or 0, gold or 0, watch.gold_every, watch.repeat_every)
    return controls


def next_roles(
    connection: Connection, study_id: int, seed: int, rater_id: int, number: int, free: int
) -> Iterator[Role]:
    """Yield the roles of the rater's next items: item, practice, gold or repeat.

    The study's own items have the role "item". number: the rater's number in the study. free: number of own items that
    the rater can still get. Practice items that the rater gave back come first. Raters who have begun do not get
    practice items that were approved later.
    """
    of = {"study": study_id, "rater": rater_id}
    left = {row.role: row for row in connection.execute(_LEFT, of)}
    watch = watch_of(connection, study_id)
    if not left and watch.repeat_every is None:
        return iter(["item"] * free)
    past: list[Role] = ["item" if row.role is None else row.role for row in connection.execute(_PAST, of)]
    training, gold = left.get("training"), left.get("gold")
    controls = Controls(
        training=0 if training is None else int(training.given_back) if "item" in past else training.number,
        gold=0 if gold is None else gold.number,
        gold_every=watch.gold_every,
        repeat_every=watch.repeat_every,
    )
    return roles_to_come(seed, number, past, free, controls)


def control_item(connection: Connection, study_id: int, rater_id: int, role: Role) -> int | None:
    """Return the rater's next practice, gold or repeat item, or None.

    A repeat is made if it does not exist yet. Among gold items (with known answers), those that the rater gave back
    come first. Then come gold items with a picture that is new to the rater. A repeated picture would reveal the gold
    item.
    """
    of = {"study": study_id, "rater": rater_id}
    if role == "repeat":
        return _repeat(connection, study_id, rater_id)
    left = connection.execute(_LEFT_ITEMS, of | {"role": role}).all()
    if not left or role == "training":
        return left[0].item_id if left else None
    had, met = (set(connection.scalars(query, of)) for query in (_GAVE_BACK, _MET))
    again, fresh = [row for row in left if row.item_id in had], [row for row in left if row.image_id not in met]
    chosen: int = _chance(study_id, rater_id, len(left)).choice(again or fresh or left).item_id
    return chosen


def _repeat(connection: Connection, study_id: int, rater_id: int) -> int | None:
    of = {"study": study_id, "rater": rater_id}
    past, repeated = connection.execute(_PAST, of).all(), set(connection.scalars(_REPEATED, of))
    before = past[: max(len(past) - APART, 0)]
    far = [row.item_id for row in before if row.role is None and row.item_id not in repeated]
    if not far:
        return None
    return repeat_of(connection, study_id, _chance(study_id, rater_id, len(past)).choice(far))


def repeat_of(connection: Connection, study_id: int, original: int) -> int:
    """Return the item that repeats another item. Make it if it does not exist."""
    repeat: int | None = connection.scalar(select(ControlRow.item_id).where(ControlRow.original_id == original))
    if repeat is not None:
        return repeat
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
_IN_USE = (
    select(ControlRow.study_id, ControlRow.role, func.count().label("number"))
    .where(ControlRow.role != "repeat", ControlRow.retired_at.is_(None))
    .group_by(ControlRow.study_id, ControlRow.role)
)
_OF_RATER = (AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER)
_HAS = select(AssignmentRow.item_id).where(*_OF_RATER, AssignmentRow.place > 0)
_GAVE_BACK = select(AssignmentRow.item_id).where(*_OF_RATER, AssignmentRow.place < 0)
_STILL = (
    ControlRow.study_id == _STUDY,
    ControlRow.role != "repeat",
    ControlRow.retired_at.is_(None),
    ControlRow.item_id.not_in(_HAS),
)
_LEFT = (
    select(ControlRow.role, func.count().label("number"))
    .add_columns(func.sum(case((ControlRow.item_id.in_(_GAVE_BACK), 1), else_=0)).label("given_back"))
    .where(*_STILL)
    .group_by(ControlRow.role)
)
_LEFT_ITEMS = (
    select(ControlRow.item_id, SampleRow.image_id)
    .join(ItemRow, ItemRow.id == ControlRow.item_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .where(*_STILL, ControlRow.role == bindparam("role"))
    .order_by(ControlRow.item_id)
)
_MET = (
    select(SampleRow.image_id)
    .join(ItemRow, ItemRow.sample_id == SampleRow.id)
    .join(AssignmentRow, AssignmentRow.item_id == ItemRow.id)
    .where(*_OF_RATER)
)
_PAST = (
    select(AssignmentRow.item_id, ControlRow.role, ControlRow.original_id)
    .outerjoin(ControlRow, ControlRow.item_id == AssignmentRow.item_id)
    .where(AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER, AssignmentRow.place > 0)
    .order_by(AssignmentRow.place)
)
_REPEATED = select(ControlRow.original_id).where(ControlRow.role == "repeat", ControlRow.item_id.in_(_HAS))
