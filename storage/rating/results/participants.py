"""Read how far participants have come in a study, and count the ratings that items lack."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, case, func, select

from core.errors import NotFound
from core.studies.asking.questionnaire import questionnaire_of
from core.studies.results.participants import Participant
from storage.engine.database import Database
from storage.rating.assignment.assignment_rules import AssignmentRules, assignment_rules
from storage.rating.results.rater_work import WorkedItem, worked_items
from storage.tables import (
    AssignmentRow,
    ControlRow,
    ExclusionRow,
    ItemRow,
    ParticipationRow,
    RaterRow,
    SampleRow,
    StudyEntryRow,
    VisitRow,
)

_SCREENED = "answers before the first item that do not fit the study"


@dataclass(frozen=True, slots=True)
class ShortItem:
    """An item that needs more ratings."""

    item: int  # number of the item in the study, from 1
    key: str  # key of the sample
    finished: int  # number of raters who finished the item and whose answers count in the results
    held: int  # number of raters who have the item but have not finished it
    missing: int  # number of finished ratings that the item still needs


class Participants:
    """Reads the work of a study's participants."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, study_id: int) -> tuple[Participant, ...]:
        """Return a study's participants, in the order of arrival. Raises NotFound."""
        with self._database.read() as connection:
            return _participants(connection, assignment_rules(connection, study_id))

    def short_items(self, study_id: int) -> tuple[ShortItem, ...]:
        """Return the items that need more ratings. Raises NotFound.

        The items that lack most ratings come first. If every rater rates every item, the result is empty, because no
        number of ratings per item is set.
        """
        with self._database.read() as connection:
            of = assignment_rules(connection, study_id)
            if of.raters_per_item is None:
                return ()
            rows = connection.execute(_short_query(study_id, of.raters_per_item)).all()
        return tuple(
            ShortItem(row.place + 1, row.key, row.finished, row.held, of.raters_per_item - row.finished) for row in rows
        )

    def work(self, study_id: int, code: str) -> tuple[WorkedItem, ...]:
        """Return the items of a participant in this study. Raises NotFound.

        They are in the participant's order.
        """
        with self._database.read() as connection:
            rater = connection.scalar(select(RaterRow.id).where(RaterRow.code == code, _takes_part(study_id)))
            if rater is None:
                raise NotFound(f"No rater {code!r} takes part in this study.")
            return worked_items(connection, study_id, rater)


# Finished items that count in results: not reassigned, and not of an excluded rater.
_COUNTS = and_(
    AssignmentRow.finished_at.is_not(None),
    AssignmentRow.released_at.is_(None),
    ExclusionRow.at.is_(None),
)


def _short_query(study_id: int, wanted: int) -> Any:
    finished = func.coalesce(func.sum(case((_COUNTS, 1), else_=0)), 0)
    held = and_(
        AssignmentRow.finished_at.is_(None), AssignmentRow.released_at.is_(None), AssignmentRow.place > 0,
        ExclusionRow.at.is_(None),
    )  # fmt: skip
    query: Any = select(
        ItemRow.place,
        SampleRow.key,
        finished.label("finished"),
        func.coalesce(func.sum(case((held, 1), else_=0)), 0).label("held"),
    ).select_from(ItemRow)
    query = query.join(SampleRow, SampleRow.id == ItemRow.sample_id)
    excluded = and_(ExclusionRow.study_id == AssignmentRow.study_id, ExclusionRow.rater_id == AssignmentRow.rater_id)
    query = query.outerjoin(AssignmentRow, AssignmentRow.item_id == ItemRow.id).outerjoin(ExclusionRow, excluded)
    query = query.where(ItemRow.study_id == study_id, ItemRow.place >= 0).group_by(
        ItemRow.id, ItemRow.place, SampleRow.key
    )
    return query.having(finished < wanted).order_by(finished, ItemRow.place)


def _takes_part(study_id: int) -> ColumnElement[bool]:
    tables: tuple[Any, ...] = (ParticipationRow, VisitRow)
    joined, visited = (select(one.rater_id).where(one.study_id == study_id) for one in tables)
    return RaterRow.id.in_(joined) | RaterRow.id.in_(visited)


def _participants(connection: Connection, of: AssignmentRules) -> tuple[Participant, ...]:
    visits, exclusions, joined = (
        _by_rater(connection, one, of.study) for one in (VisitRow, ExclusionRow, ParticipationRow)
    )
    entry = connection.scalar(select(StudyEntryRow.entry).where(StudyEntryRow.study_id == of.study))
    asks_after = entry is not None and bool(questionnaire_of(entry).after)
    every, free = connection.execute(_items_query(of)).one()
    participants = []
    work: dict[int, Any] = {row.rater_id: row for row in connection.execute(_work_query(of))}
    people = select(RaterRow.id, RaterRow.code, RaterRow.created_at).where(_takes_part(of.study))
    for row in connection.execute(people.order_by(RaterRow.id)):
        visit: Any = visits.get(row.id)
        out, part, did = exclusions.get(row.id), joined.get(row.id), work.get(row.id)
        finished = _finished(of, did, every, free or 0)
        if asks_after and finished is not None:
            finished = visit and visit.answered_after_at
        times = [visit and visit.came_at, part and part.seen_at, did and did.given, did and did.first]
        screened = visit and visit.screened_out_at
        participants.append(
            Participant(
                code=row.code,
                arrived_at=min((time for time in times if time), default=row.created_at),
                screened_out_at=screened,
                screened_out=_SCREENED if screened else "",
                practised_at=did and did.practised,
                rated_at=did and did.rated,
                finished_at=finished,
                returned_at=visit and visit.returned_at,
                excluded_at=out and out.at,
                excluded=out.reason if out else "",
            )
        )
    return tuple(sorted(participants, key=lambda one: one.arrived_at))


def _by_rater(connection: Connection, table: Any, study_id: int) -> Mapping[int, Any]:
    rows = connection.execute(select(*table.__table__.columns).where(table.study_id == study_id))
    return {row.rater_id: row for row in rows}


def _items_query(of: AssignmentRules) -> Any:
    """Select the number of items, and how many of them another rater could get."""
    free = func.sum(case((ItemRow.takers < (of.raters_per_item or 0), 1), else_=0))
    return select(func.count(), free).where(ItemRow.study_id == of.study, ItemRow.place >= 0)


def _work_query(of: AssignmentRules) -> Select[Any]:
    """Select how many items each rater got and finished, and when.

    The times are when items were first given, and when they were first and last finished.
    """
    is_own, has, ended = ItemRow.place >= 0, AssignmentRow.place > 0, AssignmentRow.finished_at

    def number(*conditions: ColumnElement[bool]) -> Any:
        return func.coalesce(func.sum(case((and_(*conditions), 1), else_=0)), 0)

    given = func.coalesce(AssignmentRow.given_at, ended)
    return (
        select(
            AssignmentRow.rater_id,
            func.min(given).label("given"),
            func.min(ended).label("first"),
            func.max(ended).label("last"),
            func.min(case((ControlRow.role == "training", given))).label("practised"),
            func.min(case((is_own, ended))).label("rated"),
            number(is_own, has, ended.is_not(None)).label("done"),
            number(has, ended.is_(None)).label("open"),
            number(is_own, ~has).label("given_back"),
            number(is_own, ItemRow.takers < (of.raters_per_item or 0)).label("of_free"),
        )
        .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
        .outerjoin(ControlRow, ControlRow.item_id == AssignmentRow.item_id)
        .where(AssignmentRow.study_id == of.study)
        .group_by(AssignmentRow.rater_id)
    )


def _finished(of: AssignmentRules, did: Any, every: int, free: int) -> datetime | None:
    """Return when a rater finished the study's items; None: not yet.

    A rater has finished if one of three conditions holds. The rater has finished all items of the study. The rater has
    finished as many items as one rater gets. Or the number of raters per item is limited, and no other item is free for
    the rater. In the last case, a rater whose items were given to others has not finished.
    """
    if did is None or not did.done or did.open:
        return None
    limit = of.course.items_per_rater
    most = every if limit is None else min(every, limit)
    nothing_left = of.raters_per_item is not None and not did.given_back and free <= did.of_free
    return did.last if did.done >= most or nothing_left else None
