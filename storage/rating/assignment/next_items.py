"""Find a rater's next items without reading the whole study.

Only the study's own items are searched: no practice or gold items (with known answers). Each
rater has a separate order of these items and gets the first free item in that order. Triggers keep the number of raters
who hold an item in items.takers.

An item is full when as many raters as allowed hold it. If it then loses a rater, it is marked in items.reopened.
participations.reached is the position in the rater's order from which the search continues. Before this position, only
reopened items and items that the rater gave back can be free. The rater has the other items, or they are full. So the
search reads the reopened items, then follows the order from that position. If few items are free, it reads all free
items.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import BindParameter, Connection, Integer, bindparam, exists, func, literal_column, select, update

from core.studies.planning.plan import rater_order
from storage.rating.assignment.assignment_rules import AssignmentRules
from storage.tables import AssignmentRow, ControlRow, ExclusionRow, ItemRow, ParticipationRow

FEW = 500  # maximum number of free items read in one statement
STEP, LONGEST_STEP = 64, 4096  # smallest and largest number of items, in a rater's order, that one query checks
NO_END = 2**31 - 1
_Places = npt.NDArray[np.int32]

_STUDY: BindParameter[int] = bindparam("study")
_RATER: BindParameter[int] = bindparam("rater")
_LIMIT: BindParameter[int] = bindparam("limit", type_=Integer)
_MOST: BindParameter[int] = bindparam("most", type_=Integer)
MINE = (AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER, AssignmentRow.place > 0)
OWN = ItemRow.place >= literal_column("0")  # the study's own items, because control items have negative places
IN_PLACE = select(AssignmentRow.item_id).where(*MINE)
GIVEN = select(func.coalesce(func.max(AssignmentRow.place), 0)).where(*MINE)  # number of items, as places start from 1
_ITEM_COUNT = select(func.coalesce(func.max(ItemRow.place) + 1, 0)).where(ItemRow.study_id == _STUDY, OWN)
_UNFINISHED = select(func.count()).where(*MINE, AssignmentRow.finished_at.is_(None))
_CONTROLS = (
    select(func.count())
    .select_from(ControlRow)
    .join(AssignmentRow, (AssignmentRow.item_id == ControlRow.item_id) & (AssignmentRow.rater_id == _RATER))
    .where(ControlRow.study_id == _STUDY, AssignmentRow.place > 0)
)
_HAS_ROOM = ItemRow.takers < _LIMIT
# `+ 0` keeps the database from using the index of takers. The index of another column finds the rows faster.
_HAS_ROOM_TOO = ItemRow.takers + 0 < _LIMIT
_ITEMS = select(ItemRow.place, ItemRow.id).where(ItemRow.study_id == _STUDY)
_FREE_COUNT = select(func.count()).select_from(_ITEMS.where(OWN, _HAS_ROOM).limit(_MOST).subquery())
_NOT_HAD = _ITEMS.where(~exists().where(AssignmentRow.item_id == ItemRow.id, AssignmentRow.rater_id == _RATER))
_ANYWHERE = _NOT_HAD.where(OWN, _HAS_ROOM)
_REOPENED = _NOT_HAD.where(ItemRow.reopened, _HAS_ROOM_TOO)  # only the study's own items can be reopened, not controls
_THERE = _NOT_HAD.where(ItemRow.place.in_(bindparam("places", expanding=True)), _HAS_ROOM_TOO)
_GIVEN_BACK = (
    select(ItemRow.place, ItemRow.id)
    .join(AssignmentRow, AssignmentRow.item_id == ItemRow.id)
    .where(AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER, AssignmentRow.place < 0)
    .where(OWN, _HAS_ROOM_TOO)
)
_GAVE_BACK_COUNT = (
    select(func.count())
    .select_from(AssignmentRow)
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .where(AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER, AssignmentRow.place < 0)
    .where(OWN)
)
_REACHED = select(ParticipationRow.reached).where(
    ParticipationRow.study_id == _STUDY, ParticipationRow.rater_id == _RATER
)


def holding(*columns: Any) -> Any:
    """Return a query for assignments whose raters hold the assigned item.

    Such an assignment is not released, and its rater is not excluded.
    """
    excluded = (ExclusionRow.study_id == AssignmentRow.study_id) & (ExclusionRow.rater_id == AssignmentRow.rater_id)
    query = select(*columns).select_from(AssignmentRow).outerjoin(ExclusionRow, excluded)
    return query.where(AssignmentRow.released_at.is_(None), ExclusionRow.at.is_(None))


@dataclass(frozen=True, slots=True)
class Found:
    """A free item, and its position in the rater's order."""

    item: int
    place: int  # position of the item in the study
    at: int  # position of the item in the rater's order
    again: bool  # True: the rater had the item and gave it back


def counts(connection: Connection, study: int, rater: int) -> tuple[int, int, int]:
    """Return how many items a rater has: all, unfinished, and own items.

    Own items are all items except practice items and gold items (with known answers).
    """
    mine = {"study": study, "rater": rater}
    given = connection.scalar(GIVEN, mine) or 0
    return given, connection.scalar(_UNFINISHED, mine) or 0, given - (connection.scalar(_CONTROLS, mine) or 0)


def count_given_back(connection: Connection, study: int, rater: int) -> int:
    """Return how many of the study's own items a rater gave back."""
    return connection.scalar(_GAVE_BACK_COUNT, {"study": study, "rater": rater}) or 0


def count_free(connection: Connection, of: AssignmentRules, rater: int, number: int | None, most: int) -> int:
    """Return how many own items of the study a rater could get.

    Own items are all items except practice items and gold items (with known answers). most: maximum result if
    the number of raters per item is limited. number: the rater's number in the study; None: the rater has not joined.
    """
    values = _values(of, rater)
    if of.raters_per_item is None:
        items = connection.scalar(_ITEM_COUNT, values) or 0
        return items - counts(connection, of.study, rater)[2]
    if number is None:  # the rater has no items yet
        return connection.scalar(_FREE_COUNT, values | {"most": most}) or 0
    return len(next_items(connection, of, rater, number, most))


def next_items(connection: Connection, of: AssignmentRules, rater: int, number: int, most: int | None) -> list[Found]:
    """Return a rater's next items, in the rater's order.

    Items that the rater gave back come first. most: maximum number of items; None: all items.
    """
    values = _values(of, rater)
    items = connection.scalar(_ITEM_COUNT, values) or 0
    order, at = _order(of.seed, number, items)
    again = _found(connection.execute(_GIVEN_BACK, values), at, True)
    wanted = items if most is None else most - len(again)
    if wanted <= 0:
        return again[:most]
    if (connection.scalar(_FREE_COUNT, values | {"most": FEW + 1}) or 0) <= FEW:
        return [*again, *_found(connection.execute(_ANYWHERE, values), at)][:most]
    start, step = connection.scalar(_REACHED, values) or 0, STEP
    reopened = [one for one in _found(connection.execute(_REOPENED, values), at) if one.at < start]
    while len(reopened) < wanted and start < items:
        places = {"places": order[start : start + step].tolist()}
        reopened += _found(connection.execute(_THERE, values | places), at)
        start, step = start + step, min(2 * step, LONGEST_STEP)
    return [*again, *reopened[:wanted]]


def keep_reached(connection: Connection, of: AssignmentRules, rater: int, given: Sequence[Found]) -> None:
    """Store where the next search in the rater's order begins.

    given: the found items that the rater has just received.
    """
    reached = max((one.at + 1 for one in given if not one.again), default=0)
    if reached:
        mine = (ParticipationRow.study_id == of.study, ParticipationRow.rater_id == rater)
        further = update(ParticipationRow).where(*mine, ParticipationRow.reached < reached)
        connection.execute(further.values(reached=reached))


def _values(of: AssignmentRules, rater: int) -> dict[str, Any]:
    limit = NO_END if of.raters_per_item is None else of.raters_per_item
    return {"study": of.study, "rater": rater, "limit": limit}


@lru_cache(maxsize=64)  # an entry takes 0.8 MB for a rater with 100,000 items
def _order(seed: int, number: int, items: int) -> tuple[_Places, _Places]:
    """Return a rater's order of the items, and each item's position.

    number: the rater's number in the study. items: number of items.
    """
    order = np.fromiter(rater_order(seed, number, items), np.int32, items)
    at = np.empty(items, np.int32)
    at[order] = np.arange(items, dtype=np.int32)
    return order, at


def _found(rows: Iterable[Any], at: _Places, again: bool = False) -> list[Found]:
    return sorted((Found(row.id, row.place, int(at[row.place]), again) for row in rows), key=lambda one: one.at)
