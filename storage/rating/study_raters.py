"""Read the raters of a study: what each has done, and when."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, case, func, select

from core.errors import NotFound
from core.studies.results.flow import StudyRater
from storage.rating.assignment import limit_of
from storage.rating.rules import Rules
from storage.tables import (
    AssignmentRow,
    ExclusionRow,
    ItemRow,
    ParticipationRow,
    RaterRow,
    VisitRow,
)


def participant(connection: Connection, study_id: int, code: str) -> int:
    """Return the id of a study's rater. Raises NotFound."""
    query = select(RaterRow.id).join(ParticipationRow, ParticipationRow.rater_id == RaterRow.id)
    rater_id = connection.scalar(query.where(RaterRow.code == code, ParticipationRow.study_id == study_id))
    if rater_id is None:
        raise NotFound(f"No rater {code!r} takes part in this study.")
    return rater_id


def raters_of(connection: Connection, of: Rules) -> tuple[StudyRater, ...]:
    """Return a study's raters, in the order of arrival."""
    visits, exclusions, joined = (
        _by_rater(connection, one, of.study) for one in (VisitRow, ExclusionRow, ParticipationRow)
    )
    work = {row.rater_id: row for row in connection.execute(_work_query(of))}
    items, free = connection.execute(
        select(func.count(), func.coalesce(func.sum(case((ItemRow.takers < limit_of(of), 1), else_=0)), 0)).where(
            ItemRow.study_id == of.study, ItemRow.place >= 0
        )
    ).one()
    people = select(RaterRow.id, RaterRow.code, RaterRow.created_at).where(RaterRow.id.in_([*visits, *joined]))
    raters = []
    for row in connection.execute(people):
        found: tuple[Any, ...] = tuple(rows.get(row.id) for rows in (visits, exclusions, joined, work))
        visit, out, part, did = found
        finished = _finished(of, did, items, free)
        if of.design.after and finished is not None:
            finished = visit and visit.answered_after_at
        most = of.design.still_gets(0, items)
        got = did.got if did else 0
        came = (visit and visit.came_at, part and part.seen_at, did and did.given)
        raters.append(
            StudyRater(
                id=row.id,
                code=row.code,
                number=None if part is None else part.number,
                done=did.done if did else 0,
                counted=did.counted if did else 0,
                total=min(most, got) if of.is_shared else most,
                arrived_at=min((time for time in came if time), default=row.created_at),
                screened_out_at=visit and visit.screened_out_at,
                practised_at=did and did.practised,
                rated_at=did and did.rated,
                finished_at=finished,
                returned_at=visit and visit.returned_at,
                excluded_at=out and out.at,
                excluded=out.reason if out else "",
            )
        )
    return tuple(sorted(raters, key=lambda one: (one.arrived_at, one.id)))


def _by_rater(connection: Connection, table: Any, study_id: int) -> Mapping[int, Any]:
    rows = connection.execute(select(*table.__table__.columns).where(table.study_id == study_id))
    return {row.rater_id: row for row in rows}


def _number(*conditions: Any) -> Any:
    return func.coalesce(func.sum(case((and_(*conditions), 1), else_=0)), 0)


def _work_query(of: Rules) -> Any:
    """Select how many items each rater got and finished, and when.

    The times are when items were first given, and when they were first and last finished.
    """
    is_own, has, ended = ItemRow.place >= 0, AssignmentRow.place > 0, AssignmentRow.finished_at
    return (
        select(
            AssignmentRow.rater_id,
            func.min(AssignmentRow.given_at).label("given"),
            func.max(ended).label("last"),
            func.min(case((ItemRow.role == "practice", AssignmentRow.given_at))).label("practised"),
            func.min(case((is_own, ended))).label("rated"),
            _number(is_own, has, ended.is_not(None)).label("done"),
            _number(is_own, has, ended.is_not(None), AssignmentRow.released_at.is_(None)).label("counted"),
            _number(is_own).label("got"),
            _number(has, ended.is_(None)).label("open"),
            _number(is_own, ~has).label("given_back"),
            _number(is_own, ItemRow.takers < limit_of(of)).label("of_free"),
        )
        .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
        .where(AssignmentRow.study_id == of.study)
        .group_by(AssignmentRow.rater_id)
    )


def _finished(of: Rules, did: Any, items: int, free: int) -> datetime | None:
    """Return when a rater finished the study's items; None: not yet.

    A rater has finished if one of three conditions holds. The rater has finished all items of the study. The rater has
    finished as many items as one rater gets. Or the number of raters per item is limited, and no other item is free for
    the rater. In the last case, a rater whose items were given to others has not finished.
    """
    if did is None or not did.done or did.open:
        return None
    nothing_left: bool = of.is_shared and not did.given_back and free <= did.of_free
    last: datetime = did.last
    return last if did.done >= of.design.still_gets(0, items) or nothing_left else None
