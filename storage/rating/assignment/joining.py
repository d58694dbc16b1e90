"""Add raters to a study and give them items.

A rater holds an item while the assignment is not released and the rater is not excluded. The number of raters who may
hold an item is limited. While fewer raters than this limit hold an item, it is free for other raters.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import count, islice
from typing import Any

from sqlalchemy import BindParameter, Connection, and_, bindparam, func, insert, select, update

from storage.engine.database import utc_now
from storage.rating.assignment.assignment_ids import given_item
from storage.rating.assignment.assignment_rules import AssignmentRules
from storage.rating.assignment.gold_schedule import control_item, next_roles
from storage.rating.assignment.next_items import GIVEN, counts, holding, keep_reached, next_items
from storage.rating.rater_quality.quality_settings import watch_of
from storage.study_types import Rater
from storage.tables import AssignmentRow, ExclusionRow, ParticipationRow

# Statements of the hot path, built once because SQLAlchemy builds a statement more slowly than SQLite runs it.
_STUDY: BindParameter[int] = bindparam("study")
_RATER: BindParameter[int] = bindparam("rater")
PARTICIPATION = (
    select(ParticipationRow.number)
    .add_columns(ExclusionRow.at.label("excluded_at"))
    .outerjoin(
        ExclusionRow,
        and_(ExclusionRow.study_id == ParticipationRow.study_id, ExclusionRow.rater_id == ParticipationRow.rater_id),
    )
    .where(ParticipationRow.study_id == _STUDY, ParticipationRow.rater_id == _RATER)
)
_NEW_ASSIGNMENT = insert(AssignmentRow)
_GIVEN_BACK = select(AssignmentRow.item_id, AssignmentRow.id).where(
    AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER, AssignmentRow.place < 0
)
_SLOTS = holding(AssignmentRow.slot).where(AssignmentRow.item_id == bindparam("item"))


def own(study_id: int, rater: Rater) -> dict[str, int]:
    """Return the SQL parameters that name one rater in one study."""
    return {"study": study_id, "rater": rater.id}


def join(connection: Connection, of: AssignmentRules, rater: Rater) -> Any:
    """Add the rater to the study if needed.

    Return the row that states how the rater takes part in the study.
    """
    row = participation(connection, of.study, rater)
    if row is not None:
        return row
    whose = {"study_id": of.study, "rater_id": rater.id, "number": next_number(connection, of.study)}
    connection.execute(insert(ParticipationRow).values(**whose, seen_at=utc_now()))
    return participation(connection, of.study, rater)


def next_number(connection: Connection, study_id: int) -> int:
    """Return the number of the study's next new rater."""
    last = connection.scalar(select(func.max(ParticipationRow.number)).where(ParticipationRow.study_id == study_id))
    return 0 if last is None else last + 1


def participation(connection: Connection, study_id: int, rater: Rater) -> Any:
    """Return a row about the rater's participation in the study.

    The row contains the rater's number, and when the rater was excluded. None: the rater has not joined yet.
    """
    return connection.execute(PARTICIPATION, own(study_id, rater)).first()


def give_out(connection: Connection, of: AssignmentRules, rater: Rater, up_to: int | None) -> None:
    """Assign items until the rater has enough, or no item is left.

    The rater has enough with `up_to` items. up_to None: the rater gets all possible items. Items that the rater gave
    back come first, then the other items in the rater's own order. Practice items and gold items (with known answers)
    come between these items and are counted.

    Call this function in a writing transaction, so that no other writer assigns items meanwhile.
    """
    given, _, has = counts(connection, of.study, rater.id)
    if up_to is not None and given >= up_to:
        return
    part = participation(connection, of.study, rater)
    places = None if up_to is None else up_to - given
    free = next_items(connection, of, rater.id, part.number, _looked_for(connection, of, has, places))
    had = dict(connection.execute(_GIVEN_BACK, own(of.study, rater)).all())
    still = of.still_gets(has, len(free))
    coming = next_roles(connection, of.study, of.seed, rater.id, part.number, still)
    taken = 0
    for place, role in enumerate(islice(coming, places), given + 1):
        item = None if role == "item" else control_item(connection, of.study, rater.id, role)
        if item is None:
            if taken == len(free):
                break
            item = free[taken].item
            taken += 1
        if item in had:
            again = {"place": place, "released_at": None}
            connection.execute(update(AssignmentRow).where(AssignmentRow.id == had[item]).values(again))
        else:
            _assign(connection, of, rater, place, item, part.number)
    keep_reached(connection, of, rater.id, free[:taken])
    _seen(connection, of.study, rater, utc_now())


def _looked_for(connection: Connection, of: AssignmentRules, has: int, places: int | None) -> int | None:
    """Return how many of the study's own items to search for.

    Own items are all items except practice items and gold items (with known answers). places: number of
    positions in the rater's order to fill, also with such other items; None: all positions. The result is None if all
    own items are needed. A gold item comes only after a certain number of own items. So this number is
    added to the result, which may be larger than `places`.
    """
    number = of.course.items_per_rater
    left = None if number is None else max(0, number - has)
    if places is None:
        return left
    watch = watch_of(connection, of.study)
    ahead = places + (watch.gold_every or 0)
    return ahead if left is None else min(ahead, left)


def take_back(connection: Connection, of: AssignmentRules, rater: Rater, assignment: str, at: datetime) -> None:
    """Assign an item again to the rater who finished it after its release.

    The item was taken from the rater before the rater finished it. It gets the position after the rater's last item. If
    fewer raters than allowed hold the item, it also counts for the study again. Otherwise it counts only for the rater.
    """
    place = (connection.scalar(GIVEN, own(of.study, rater)) or 0) + 1
    kept: dict[str, Any] = {"place": place, "finished_at": at}
    item = connection.scalar(select(AssignmentRow.item_id).where(AssignmentRow.id == assignment))
    if item is not None and (of.raters_per_item is None or holders(connection, item) < of.raters_per_item):
        kept["released_at"] = None
    connection.execute(update(AssignmentRow).where(AssignmentRow.id == assignment).values(kept))


def holders(connection: Connection, item: int) -> int:
    """Return how many raters hold an item."""
    return len(connection.execute(_SLOTS, {"item": item}).all())


def _assign(connection: Connection, of: AssignmentRules, rater: Rater, place: int, item_id: int, number: int) -> None:
    item, slot = given_item(connection, of.study, item_id), number
    if of.raters_per_item is not None:  # number each item's raters separately, to balance the order of panels
        slot = _lowest_free(connection.scalars(_SLOTS, {"item": item_id}))
    row = {"id": item.id_of(of.study, rater, slot), "study_id": of.study, "rater_id": rater.id, "item_id": item_id}
    row |= {"place": place, "slot": slot, "panels": item.panels(slot), "note": "", "given_at": utc_now()}
    connection.execute(_NEW_ASSIGNMENT, row)


def _lowest_free(taken: Iterable[int]) -> int:
    used = set(taken)
    return next(slot for slot in count() if slot not in used)


def _seen(connection: Connection, study_id: int, rater: Rater, at: datetime) -> None:
    mine = (ParticipationRow.study_id == study_id, ParticipationRow.rater_id == rater.id)
    connection.execute(update(ParticipationRow).where(*mine).values(seen_at=at))
