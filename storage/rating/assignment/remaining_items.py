"""Count the items that one rater can still get.

These are the rater's unfinished items, and the items that are free for the rater at this moment.
"""

from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, case, func, select

from core.studies.planning.control_places import Role, Workload, roles_to_come
from storage.engine.database import utc_now
from storage.rating.assignment.assignment_rules import AssignmentRules, assignment_rules
from storage.rating.assignment.gold_schedule import next_roles, study_controls
from storage.rating.assignment.joining import next_number, participation
from storage.rating.assignment.next_items import IN_PLACE, MINE, NO_END, OWN, holding
from storage.rating.assignment.released_items import expired_raters
from storage.study_types import Outlook, Rater
from storage.tables import AssignmentRow, ControlRow, ImageRow, ItemRow, SampleRow

_NOBODY = 0  # no rater has this id
_HAS_PICTURE = ImageRow.width.is_not(None)


def outlook(connection: Connection, study_id: int, rater: Rater | None) -> Outlook:
    """Return how many items a rater can still get in a study.

    rater None: the result is for a new rater. Raises NotFound.
    """
    of = assignment_rules(connection, study_id)
    part = None if rater is None else participation(connection, study_id, rater)
    mine = {"study": study_id, "rater": _NOBODY if rater is None else rater.id}
    held = connection.execute(_HELD, mine).all()
    has = sum(row.number for row in held if row.role is None)
    free = connection.execute(_free(expired_raters(connection, of, utc_now())), mine | _bounds(of)).one()
    still = of.still_gets(has, free.number)
    if part is None:
        number, controls = next_number(connection, study_id), study_controls(connection, [study_id])[study_id]
        coming = roles_to_come(of.seed, number, [], still, controls)
    else:
        coming = next_roles(connection, study_id, of.seed, mine["rater"], part.number, still)
    return _outlook(of, held, tuple(coming), free)


def _outlook(of: AssignmentRules, held: Any, coming: tuple[Role, ...], free: Any) -> Outlook:
    """Compute how many items a rater can still get.

    held: rows with the numbers of the rater's items, grouped by role. coming: roles of the items that the rater will
    still get. free: the row that the query `_free` returns, about items that are free for the rater.
    """
    rest = [row for row in held if not row.finished]
    number = {
        role: sum(row.number for row in rest if (row.role or "item") == role) + coming.count(role)
        for role in ("item", "training", "gold")
    }
    own, others = coming.count("item"), coming.count("gold")
    pictured = min(own, free.pictured or 0)
    return Outlook(
        left=Workload(number["item"], number["training"], number["gold"]),
        done=sum(row.number for row in held if row.finished and row.role != "training"),
        is_most=own > 0 and _others_may_take(of, own, free),
        pictures=sum(row.number for row in held if row.pictured and row.role != "training") + pictured + others,
        is_most_pictures=others > 0 or own < free.number,
    )


def _others_may_take(of: AssignmentRules, own: int, free: Any) -> bool:
    """Return whether another rater could take items that this rater needs.

    own: the number of items that this rater needs.
    """
    if of.raters_per_item is None:
        return False
    share = of.course.items_per_rater
    taken = free.last if share is None else min(share, free.last or 0)
    return share is None or free.number - taken < own


def _bounds(of: AssignmentRules) -> dict[str, Any]:
    return {"limit": NO_END if of.raters_per_item is None else of.raters_per_item}


def _free(expired: tuple[int, ...]) -> Any:
    """Select the number of items that are free for a rater.

    Also select how many of these items have a picture, and how many have room for only one more rater.
    """
    holds = holding(AssignmentRow.item_id, func.count().label("raters")).where(AssignmentRow.study_id == _STUDY)
    if expired:
        holds = holds.where(AssignmentRow.finished_at.is_not(None) | AssignmentRow.rater_id.not_in(expired))
    held = holds.group_by(AssignmentRow.item_id).subquery()
    raters, limit = func.coalesce(held.c.raters, 0), bindparam("limit", type_=ItemRow.place.type)
    columns = (
        func.count().label("number"),
        func.sum(case((_HAS_PICTURE, 1), else_=0)).label("pictured"),
        func.sum(case((raters + 1 >= limit, 1), else_=0)).label("last"),
    )
    items = (
        select(*columns)
        .select_from(ItemRow)
        .join(SampleRow, SampleRow.id == ItemRow.sample_id)
        .join(ImageRow, ImageRow.id == SampleRow.image_id)
        .outerjoin(held, held.c.item_id == ItemRow.id)
    )
    is_mine = ItemRow.id.in_(IN_PLACE)
    return items.where(ItemRow.study_id == _STUDY, OWN, ~is_mine, raters < limit)


_STUDY: BindParameter[int] = bindparam("study")
_HELD = (
    select(
        ControlRow.role,
        AssignmentRow.finished_at.is_not(None).label("finished"),
        _HAS_PICTURE.label("pictured"),
        func.count().label("number"),
    )
    .select_from(AssignmentRow)
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(ImageRow, ImageRow.id == SampleRow.image_id)
    .outerjoin(ControlRow, ControlRow.item_id == AssignmentRow.item_id)
    .where(*MINE)
    .group_by(ControlRow.role, AssignmentRow.finished_at.is_not(None), _HAS_PICTURE)
)
