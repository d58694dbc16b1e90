"""How far the raters of studies have come: one statement, however many studies and raters there are."""

from collections import defaultdict
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select

from storage.tables import AssignmentRow, ItemRow, ParticipationRow, RaterRow, RatingRow, StudyRow
from storage.types import RaterProgress


def raters_progress(connection: Connection, *of: ColumnElement[bool]) -> dict[int, tuple[RaterProgress, ...]]:
    """Return every rater's progress, in the order of joining, by study; of: conditions on studies."""
    found: dict[int, list[RaterProgress]] = defaultdict(list)
    for row in connection.execute(_progress_query().where(*of)):
        found[row.study].append(_progress(row))
    return {study: tuple(raters) for study, raters in found.items()}


def _progress_query() -> Select[Any]:
    assigned, rated, items, full = _assigned(), _rated(), _items(), _full_items()
    of_rater = (ParticipationRow.study_id, ParticipationRow.rater_id)
    mine = select(AssignmentRow.study_id, AssignmentRow.rater_id, func.count().label("full"))
    mine = mine.join(full, full.c.item_id == AssignmentRow.item_id)
    own_full = mine.group_by(AssignmentRow.study_id, AssignmentRow.rater_id).subquery()
    all_full = select(full.c.study_id, func.count().label("full")).group_by(full.c.study_id).subquery()
    return (
        select(
            StudyRow.id.label("study"),
            RaterRow.id,
            RaterRow.code,
            func.coalesce(assigned.c.done, 0).label("done"),
            func.coalesce(assigned.c.assigned, 0).label("assigned"),
            ParticipationRow.offered,
            StudyRow.raters_per_item,
            func.coalesce(items.c.in_study, 0).label("items"),
            func.coalesce(all_full.c.full, 0).label("full"),
            func.coalesce(own_full.c.full, 0).label("own_full"),
            func.coalesce(rated.c.ms, 0).label("ms"),
            rated.c.last,
        )
        .select_from(ParticipationRow)
        .join(RaterRow, RaterRow.id == ParticipationRow.rater_id)
        .join(StudyRow, StudyRow.id == ParticipationRow.study_id)
        .outerjoin(items, items.c.study_id == StudyRow.id)
        .outerjoin(all_full, all_full.c.study_id == StudyRow.id)
        .outerjoin(assigned, _same(assigned, *of_rater))
        .outerjoin(own_full, _same(own_full, *of_rater))
        .outerjoin(rated, _same(rated, *of_rater))
        .order_by(StudyRow.id, ParticipationRow.number)
    )


def _same(table: Any, study: Any, rater: Any) -> ColumnElement[bool]:
    return and_(table.c.study_id == study, table.c.rater_id == rater)


def _assigned() -> Any:
    """Select how many items every rater of a study has, and has finished."""
    done = func.count(AssignmentRow.finished_at).label("done")
    query = select(AssignmentRow.study_id, AssignmentRow.rater_id, done, func.count().label("assigned"))
    return query.group_by(AssignmentRow.study_id, AssignmentRow.rater_id).subquery()


def _rated() -> Any:
    """Select how long every rater of a study has had items in sight, and when the last answer came."""
    of_item = (RatingRow.study_id, RatingRow.rater_id, RatingRow.item_id)
    longest = (func.max(RatingRow.duration_ms).label("ms"), func.max(RatingRow.submitted_at).label("last"))
    items = select(*of_item, *longest).group_by(*of_item).subquery()
    of_rater = (items.c.study_id, items.c.rater_id)
    sums = (func.sum(items.c.ms).label("ms"), func.max(items.c.last).label("last"))
    return select(*of_rater, *sums).group_by(*of_rater).subquery()


def _items() -> Any:
    return select(ItemRow.study_id, func.count().label("in_study")).group_by(ItemRow.study_id).subquery()


def _full_items() -> Any:
    """Select the items that have as many raters as their study asks for."""
    query = select(AssignmentRow.study_id, AssignmentRow.item_id).join(StudyRow, StudyRow.id == AssignmentRow.study_id)
    query = query.group_by(AssignmentRow.study_id, AssignmentRow.item_id, StudyRow.raters_per_item)
    return query.having(func.count() >= StudyRow.raters_per_item).subquery()


def _progress(row: Any) -> RaterProgress:
    """Add what a rater can still get: what was not offered yet, or, where raters share items, what is not full."""
    own_open = row.assigned - row.own_full
    free = row.items - row.offered if row.raters_per_item is None else row.items - row.full - own_open
    return RaterProgress(
        id=row.id,
        code=row.code,
        done=row.done,
        total=row.assigned + free,
        minutes=row.ms / 60_000,
        last_seen=row.last,
    )
