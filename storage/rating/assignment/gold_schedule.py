"""Choose when raters get practice items and gold items (with known answers), and which of them."""

import random
from collections.abc import Iterable, Iterator

from sqlalchemy import BindParameter, Connection, bindparam, case, func, select

from core.studies.planning.control_places import Controls, Role, roles_to_come
from storage.rating.rater_quality.quality_settings import watch_of
from storage.tables import AssignmentRow, ControlRow, ItemRow, SampleRow


def study_controls(connection: Connection, study_ids: Iterable[int]) -> dict[int, Controls]:
    """Return which control items a new rater of each study can get.

    These items are practice items and gold items (with known answers). key: study.
    """
    counts = {(row.study_id, row.role): row.number for row in connection.execute(_IN_USE)}
    controls = {}
    for study in study_ids:
        watch, training, gold = (
            watch_of(connection, study),
            counts.get((study, "training")),
            counts.get((study, "gold")),
        )
        controls[study] = Controls(training or 0, gold or 0, watch.gold_every)
    return controls


def next_roles(
    connection: Connection, study_id: int, seed: int, rater_id: int, number: int, free: int
) -> Iterator[Role]:
    """Yield the roles of the rater's next items: item, practice or gold.

    The study's own items have the role "item". number: the rater's number in the study. free: number of own items that
    the rater can still get. Practice items that the rater gave back come first. Raters who have begun do not get
    practice items that were approved later.
    """
    of = {"study": study_id, "rater": rater_id}
    left = {row.role: row for row in connection.execute(_LEFT, of)}
    if not left:
        return iter(["item"] * free)
    past: list[Role] = ["item" if row.role is None else row.role for row in connection.execute(_PAST, of)]
    training, gold = left.get("training"), left.get("gold")
    controls = Controls(
        training=0 if training is None else int(training.given_back) if "item" in past else training.number,
        gold=0 if gold is None else gold.number,
        gold_every=watch_of(connection, study_id).gold_every,
    )
    return roles_to_come(seed, number, past, free, controls)


def control_item(connection: Connection, study_id: int, rater_id: int, role: Role) -> int | None:
    """Return the rater's next practice or gold item, or None.

    Among gold items (with known answers), those that the rater gave back
    come first. Then come gold items with a picture that is new to the rater. A repeated picture would reveal the gold
    item.
    """
    of = {"study": study_id, "rater": rater_id}
    left = connection.execute(_LEFT_ITEMS, of | {"role": role}).all()
    if not left or role == "training":
        return left[0].item_id if left else None
    had, met = (set(connection.scalars(query, of)) for query in (_GAVE_BACK, _MET))
    again, fresh = [row for row in left if row.item_id in had], [row for row in left if row.image_id not in met]
    chosen: int = _chance(study_id, rater_id, len(left)).choice(again or fresh or left).item_id
    return chosen


def _chance(study_id: int, rater_id: int, number: int) -> random.Random:
    return random.Random(f"{study_id}/{rater_id}/{number}")


_STUDY: BindParameter[int] = bindparam("study")
_RATER: BindParameter[int] = bindparam("rater")
_IN_USE = (
    select(ControlRow.study_id, ControlRow.role, func.count().label("number"))
    .where(ControlRow.retired_at.is_(None))
    .group_by(ControlRow.study_id, ControlRow.role)
)
_OF_RATER = (AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER)
_HAS = select(AssignmentRow.item_id).where(*_OF_RATER, AssignmentRow.place > 0)
_GAVE_BACK = select(AssignmentRow.item_id).where(*_OF_RATER, AssignmentRow.place < 0)
_STILL = (
    ControlRow.study_id == _STUDY,
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
    select(ControlRow.role)
    .select_from(AssignmentRow)
    .outerjoin(ControlRow, ControlRow.item_id == AssignmentRow.item_id)
    .where(AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER, AssignmentRow.place > 0)
    .order_by(AssignmentRow.place)
)
