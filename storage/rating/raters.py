"""Store raters, and read what the raters of a study have done and when. A rater is known by a short code only."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, case, func, insert, select

from core.errors import AlreadyExists, BadSetting, NotFound
from core.studies.results.flow import StudyRater
from storage.engine.database import Operations, new_id, utc_now
from storage.engine.sql import upsert
from storage.rating.assignment import limit_of
from storage.rating.rules import Rules
from storage.study_types import Rater
from storage.tables import AssignmentRow, ExclusionRow, ItemRow, ParticipationRow, RaterRow, VisitRow

LONGEST_CODE = 24


class Raters(Operations):
    """Operations on raters."""

    def add(self, code: str) -> Rater:
        """Add a rater with a code. Raises BadSetting for a malformed code.

        Raises AlreadyExists if another rater has the code.
        """
        code = clean_code(code)
        with self._database.write() as connection:
            if connection.scalar(select(RaterRow.id).where(RaterRow.code == code)) is not None:
                raise AlreadyExists(f"The code {code} is taken. Choose another one, or give its return key.")
            return Rater(new_id(connection.execute(insert(RaterRow).values(code=code, created_at=utc_now()))), code)

    def has_some(self) -> bool:
        """Return whether there is a rater."""
        with self._database.read() as connection:
            return connection.scalar(select(RaterRow.id).limit(1)) is not None

    def named(self, code: str) -> Rater:
        """Return the rater who has this code. Raises NotFound."""
        with self._database.read() as connection:
            return find_rater(connection, code)


def find_rater(connection: Connection, code: str) -> Rater:
    """Return the rater who has this code. Raises NotFound."""
    row = connection.execute(select(RaterRow.id, RaterRow.code).where(RaterRow.code == clean_code(code))).first()
    if row is None:
        raise NotFound(f"There is no rater with the code {code!r}.")
    return Rater(row.id, row.code)


def participant(connection: Connection, study_id: int, code: str) -> int:
    """Return the id of a study's rater. Raises NotFound."""
    query = select(RaterRow.id).join(ParticipationRow, ParticipationRow.rater_id == RaterRow.id)
    rater_id = connection.scalar(query.where(RaterRow.code == code, ParticipationRow.study_id == study_id))
    if rater_id is None:
        raise NotFound(f"No rater {code!r} takes part in this study.")
    return rater_id


def come(connection: Connection, study: int, rater: int, at: datetime | None = None) -> None:
    """Store that a rater came to a study, unless it is stored. at: when; None: now."""
    values = {"study_id": study, "rater_id": rater, "came_at": at or utc_now()}
    connection.execute(upsert(connection, VisitRow).values(values).on_conflict_do_nothing())


def clean_code(code: str) -> str:
    """Return a rater's code in its stored form. Raises BadSetting.

    The stored form has only capital letters, digits, - and _. Other characters are refused before the letters become
    capitals. Otherwise "ß" would become "SS" and "ﬀ" would become "FF", and the code could be equal to another person's
    code.
    """
    cleaned = code.strip()
    if not 1 <= len(cleaned) <= LONGEST_CODE or not all(c.isascii() and (c.isalnum() or c in "-_") for c in cleaned):
        raise BadSetting(f"A rater's code is 1 to {LONGEST_CODE} letters, digits, - or _, for instance K7.")
    return cleaned.upper()


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
