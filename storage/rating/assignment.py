"""Decide which rater gets which item.

A rater holds an item while the assignment is not released and the rater is not excluded. The number of raters who may
hold an item is limited. While fewer raters than this limit hold an item, it is free for other raters. Triggers keep the
number of raters who hold an item in items.takers.

Each rater has a separate order of the study's items and gets the first free item in that order. Practice items come
first, and gold items (with known answers) come between the items.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import count, islice, repeat
from typing import Any

from sqlalchemy import BindParameter, Connection, Integer, and_, bindparam, func, insert, select, update

from core.studies.planning.gold import Controls, Role, roles_to_come
from core.studies.planning.orders import rater_order
from storage.engine.database import utc_now
from storage.rating.assignment_ids import given_item
from storage.rating.rules import IS_EXCLUDED, Rules
from storage.study_types import Rater
from storage.tables import AssignmentRow, ExclusionRow, GoldRow, ItemRow, ParticipationRow, SampleRow

STEP, LONGEST_STEP = 64, 4096  # smallest and largest number of items, in a rater's order, that one query checks
NO_LIMIT = 2**31 - 1

# Statements of the hot path, built once because SQLAlchemy builds a statement more slowly than SQLite runs it.
_STUDY: BindParameter[int] = bindparam("study")
_RATER: BindParameter[int] = bindparam("rater")
_LIMIT: BindParameter[int] = bindparam("limit", type_=Integer)
_PARTICIPATION = (
    select(ParticipationRow.number)
    .add_columns(ExclusionRow.at.label("excluded_at"))
    .outerjoin(
        ExclusionRow,
        and_(ExclusionRow.study_id == ParticipationRow.study_id, ExclusionRow.rater_id == ParticipationRow.rater_id),
    )
    .where(ParticipationRow.study_id == _STUDY, ParticipationRow.rater_id == _RATER)
)
_HELD = (
    select(AssignmentRow.id, AssignmentRow.item_id, AssignmentRow.place, ItemRow.place.label("number"), ItemRow.role)
    .add_columns(AssignmentRow.finished_at.is_not(None).label("finished"))
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .where(AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER)
    .order_by(AssignmentRow.place)
)
_CONTROLS = (
    select(ItemRow.id, ItemRow.role, SampleRow.image_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .outerjoin(GoldRow, GoldRow.item_id == ItemRow.id)
    .where(ItemRow.study_id == _STUDY, ItemRow.place < 0, GoldRow.retired_at.is_(None))
    .order_by(ItemRow.id)
)
_OWN = (ItemRow.study_id == _STUDY, ItemRow.place >= 0)
_ITEM_COUNT = select(func.count()).select_from(ItemRow).where(*_OWN)
_THERE = select(ItemRow.place, ItemRow.id).where(
    *_OWN, ItemRow.place.in_(bindparam("places", expanding=True)), ItemRow.takers < _LIMIT
)
_SLOTS = (
    select(AssignmentRow.slot)
    .outerjoin(ExclusionRow, IS_EXCLUDED)
    .where(AssignmentRow.item_id == bindparam("item"), AssignmentRow.released_at.is_(None), ExclusionRow.at.is_(None))
)
_MET = (
    select(SampleRow.image_id)
    .join(ItemRow, ItemRow.sample_id == SampleRow.id)
    .join(AssignmentRow, AssignmentRow.item_id == ItemRow.id)
    .where(AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER)
)
_NEW_ASSIGNMENT = insert(AssignmentRow)
_order = lru_cache(maxsize=64)(rater_order)  # an entry takes 0.8 MB for a rater with 100,000 items


@dataclass(frozen=True, slots=True)
class Held:
    """The items of a rater in a study, in the rater's order."""

    given: tuple[Any, ...]  # rows of _HELD: items that the rater has
    back: tuple[Any, ...]  # rows of _HELD: items that the rater gave back unfinished

    @property
    def own(self) -> int:
        """The number of the rater's items that count in results."""
        return sum(one.role == "item" for one in self.given)

    @property
    def unfinished(self) -> int:
        """The number of items without all answers."""
        return sum(not one.finished for one in self.given)

    @property
    def resume(self) -> int:
        """The position of the first unfinished item; one after the last item if all are finished."""
        return next((one.place for one in self.given if not one.finished), len(self.given) + 1)


def held_items(connection: Connection, study: int, rater: int) -> Held:
    """Return the items of a rater in a study."""
    rows = connection.execute(_HELD, {"study": study, "rater": rater}).all()
    return Held(tuple(row for row in rows if row.place > 0), tuple(row for row in rows if row.place < 0))


def participation(connection: Connection, study: int, rater: int) -> Any:
    """Return a rater's number in the study, and when the rater was excluded; None: the rater has not joined."""
    return connection.execute(_PARTICIPATION, {"study": study, "rater": rater}).first()


def join(connection: Connection, of: Rules, rater: Rater) -> None:
    """Add the rater to the study unless the rater takes part."""
    if participation(connection, of.study, rater.id) is None:
        values = {"study_id": of.study, "rater_id": rater.id, "number": next_number(connection, of.study)}
        connection.execute(insert(ParticipationRow).values(**values, seen_at=utc_now()))


def next_number(connection: Connection, study: int) -> int:
    """Return the number of the study's next new rater."""
    last = connection.scalar(select(func.max(ParticipationRow.number)).where(ParticipationRow.study_id == study))
    return 0 if last is None else last + 1


def item_count(connection: Connection, study: int) -> int:
    """Return the number of a study's items that count in results."""
    return connection.scalar(_ITEM_COUNT, {"study": study}) or 0


def free_items(connection: Connection, of: Rules, number: int, held: Held, most: int | None) -> list[int]:
    """Return the ids of a rater's next items that count in results, in the rater's order.

    Items that the rater gave back come first. number: the rater's number in the study. most: maximum number of items;
    None: all items.
    """
    order = _order(of.design.seed, number, item_count(connection, of.study))
    has, had = ({one.number for one in rows if one.role == "item"} for rows in (held.given, held.back))
    taken = has | had
    coming = [place for place in order if place in had] if had else []
    coming += [place for place in order if place not in taken]
    found: list[int] = []
    start, step = 0, STEP
    while start < len(coming) and (most is None or len(found) < most):
        places = coming[start : start + step]
        rows = connection.execute(_THERE, {"study": of.study, "limit": limit_of(of), "places": places})
        ids = {row.place: row.id for row in rows}
        found += [ids[place] for place in places if place in ids]
        start, step = start + step, min(4 * step, LONGEST_STEP)
    return found[:most]


def count_free(connection: Connection, of: Rules, number: int, held: Held, most: int) -> int:
    """Return how many items that count in results a rater could get, at most `most` if raters share the items."""
    if not of.is_shared:
        return item_count(connection, of.study) - held.own
    return len(free_items(connection, of, number, held, most))


def study_controls(connection: Connection, of: Rules) -> Controls:
    """Return which practice and gold items a new rater of a study can get."""
    return _controls(of, connection.execute(_CONTROLS, {"study": of.study}).all())


def next_roles(connection: Connection, of: Rules, number: int, held: Held, free: int) -> Iterator[Role]:
    """Yield the roles of a rater's next items.

    number: the rater's number in the study. free: number of items that count in results that the rater can still get.
    """
    left = _left(connection, of, held)
    if not left:
        return repeat("item", free)
    return roles_to_come(of.design.seed, number, [one.role for one in held.given], free, _controls(of, left))


def give_out(connection: Connection, of: Rules, rater: Rater, up_to: int | None) -> None:
    """Assign items until the rater has enough, or no item is left.

    The rater has enough with `up_to` items. up_to None: the rater gets all possible items. Call this function in a
    writing transaction, so that no other writer assigns items meanwhile.
    """
    held, part = held_items(connection, of.study, rater.id), participation(connection, of.study, rater.id)
    given = len(held.given)
    if up_to is not None and given >= up_to:
        return
    places = None if up_to is None else up_to - given
    most = None  # a gold item comes only after a certain number of items, so that more items are read than are given
    if places is not None:
        most = of.design.still_gets(held.own, places + (of.design.gold_every or 0))
    free = free_items(connection, of, part.number, held, most)
    left = _left(connection, of, held)
    still, past = of.design.still_gets(held.own, len(free)), [one.role for one in held.given]
    coming = roles_to_come(of.design.seed, part.number, past, still, _controls(of, left))
    practice, gold = ([one for one in left if one.role == role] for role in ("practice", "gold"))
    had = {one.item_id: one.id for one in held.back}
    for place, role in enumerate(islice(coming, places), given + 1):
        if role == "item":
            item = free.pop(0)
        elif role == "practice":
            item = practice.pop(0).id
        else:
            item = _gold(connection, of, rater, held, gold)
        if item in had:
            again = {"place": place, "released_at": None}
            connection.execute(update(AssignmentRow).where(AssignmentRow.id == had[item]).values(again))
        else:
            _assign(connection, of, rater, place, item, part.number)
    seen = (ParticipationRow.study_id == of.study, ParticipationRow.rater_id == rater.id)
    connection.execute(update(ParticipationRow).where(*seen).values(seen_at=utc_now()))


def take_back(connection: Connection, of: Rules, rater: Rater, assignment: str, at: datetime) -> None:
    """Assign an item again to the rater who finished it after its release.

    It gets the position after the rater's last item. If fewer raters than allowed hold the item, it also counts for the
    study again. Otherwise it counts only for the rater.
    """
    place = len(held_items(connection, of.study, rater.id).given) + 1
    kept: dict[str, Any] = {"place": place, "finished_at": at}
    item = connection.scalar(select(AssignmentRow.item_id).where(AssignmentRow.id == assignment))
    if item is not None and has_room(connection, of, item):
        kept["released_at"] = None
    connection.execute(update(AssignmentRow).where(AssignmentRow.id == assignment).values(kept))


def has_room(connection: Connection, of: Rules, item: int) -> bool:
    """Return whether fewer raters than allowed hold an item."""
    return (connection.scalar(select(ItemRow.takers).where(ItemRow.id == item)) or 0) < limit_of(of)


def limit_of(of: Rules) -> int:
    """Return how many raters may hold an item."""
    return NO_LIMIT if of.design.raters_per_item is None else of.design.raters_per_item


def _left(connection: Connection, of: Rules, held: Held) -> list[Any]:
    """Return the practice and gold items that a rater does not have."""
    has = {one.item_id for one in held.given}
    return [row for row in connection.execute(_CONTROLS, {"study": of.study}) if row.id not in has]


def _controls(of: Rules, left: Sequence[Any]) -> Controls:
    practice = sum(one.role == "practice" for one in left)
    return Controls(practice, len(left) - practice, of.design.gold_every)


def _gold(connection: Connection, of: Rules, rater: Rater, held: Held, left: list[Any]) -> int:
    """Remove the rater's next gold item from those left, and return its id.

    Items that the rater gave back come first, then items with a picture that is new to the rater, because a repeated
    picture would reveal a gold item.
    """
    had = {one.item_id for one in held.back}
    met = set(connection.scalars(_MET, {"study": of.study, "rater": rater.id}))
    again, fresh = [one for one in left if one.id in had], [one for one in left if one.image_id not in met]
    chosen = random.Random(f"{of.study}/{rater.id}/{len(left)}").choice(again or fresh or left)
    left.remove(chosen)
    return int(chosen.id)


def _assign(connection: Connection, of: Rules, rater: Rater, place: int, item_id: int, number: int) -> None:
    item, slot = given_item(connection, of.study, item_id), number
    if of.is_shared:  # number each item's raters separately, to balance the order of panels
        used = set(connection.scalars(_SLOTS, {"item": item_id}))
        slot = next(slot for slot in count() if slot not in used)
    row = {"id": item.id_of(of.study, rater, slot), "study_id": of.study, "rater_id": rater.id, "item_id": item_id}
    row |= {"place": place, "slot": slot, "panels": item.panels(slot), "note": "", "given_at": utc_now()}
    connection.execute(_NEW_ASSIGNMENT, row)
