"""Read a study's answers as rows of numbers. After the first reading, read only changes.

This works because every change of answers leaves a trace in stored rows. Each action of a rater stores an event. If an
item is taken back, its assignment is released or gets a negative place, or its rater is excluded. An erasure of data is
also stored. So the updated rows are equal to the rows of a complete new reading.
"""

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sqlalchemy import BindParameter, ColumnElement, Connection, and_, bindparam, case, func, literal, select

from core.arrays import Ints
from storage.tables import (
    AssignmentRow,
    ErasureRow,
    EventRow,
    ExclusionRow,
    RatingRow,
    ReleaseRow,
)

# Indices of the columns of StudyRows.ratings.
KEY, ITEM, SCORE, CRITERION, POINT, MS, RELEASED = range(7)
_WIDTH = 7


@dataclass(frozen=True, slots=True, eq=False)
class StudyRows:
    """A study's stored answers, and the number of the newest change of each kind that they include."""

    erased: int  # number of the newest data erasure that is already applied to these rows
    event: int  # number of the newest event that the rows include
    release: int  # number of the newest release (items taken back from a rater) that is taken into account
    # Key: rater. Value: number of items that the rater gave back (stored with a place below 0), and the time of the
    # rater's exclusion. Raters who gave nothing back and are not excluded have no entry.
    people: Mapping[int, Hashable]
    ratings: Ints  # shape (7, answers), ordered by rater, place, criterion and score


def raters_of(ratings: Ints) -> Ints:
    """Return the id of the rater of each answer."""
    rater_ids: Ints = ratings[KEY] >> 32
    return rater_ids


def read_rows(
    connection: Connection, study_id: int, criteria: Mapping[str, int], known: StudyRows | None = None
) -> StudyRows:
    """Return a study's answers as rows of numbers.

    criteria: the number of each criterion. known: an earlier result; with it, only changes since then are read.
    """
    of_study = {"study": study_id}
    erased, event, release = connection.execute(_NEWEST).one()
    people = _people(connection, study_id)
    if known is None or known.erased != erased:
        ratings = _sorted(_columns(connection.execute(_asked(criteria, lambda table: table.study_id == study_id))))
        return StudyRows(erased, event, release, people, ratings)
    since = of_study | {"event": known.event, "release": known.release}
    changed = {rater for rater in {*people, *known.people} if people.get(rater) != known.people.get(rater)}
    if release != known.release:
        changed |= set(connection.scalars(_RELEASED, since))
    pairs = connection.execute(_TOUCHED, since).all() if event != known.event else ()
    ratings = _replaced(connection, study_id, criteria, known.ratings, changed, pairs)
    return StudyRows(erased, event, release, people, ratings)


def _people(connection: Connection, study_id: int) -> dict[int, Hashable]:
    below = connection.execute(_BELOW, {"study": study_id})
    versions: dict[int, Hashable] = {rater: (count, None) for rater, count in below}
    for rater, at in connection.execute(_EXCLUDED, {"study": study_id}):
        versions[rater] = (versions.get(rater), at)
    return versions


def _replaced(
    connection: Connection,
    study_id: int,
    criteria: Mapping[str, int],
    ratings: Ints,
    raters: Collection[int],
    pairs: Collection[Any],
) -> Ints:
    """Read some raters' answers again. Return all answers of the study.

    raters: raters whose answers are all read again. pairs: pairs of a rater and an item whose answers are also read
    again.
    """
    if not raters and not pairs:
        return ratings
    fresh, gone = [], np.isin(raters_of(ratings), list(raters))
    if raters:
        of_raters = _asked(criteria, lambda table: and_(table.study_id == study_id, table.rater_id.in_(raters)))
        fresh.append(_columns(connection.execute(of_raters)))
    left = [pair for pair in pairs if pair.rater_id not in raters]
    for some in (left[first : first + _AT_ONCE] for first in range(0, len(left), _AT_ONCE)):
        these = AssignmentRow.id.in_([pair.id for pair in some])
        fresh.append(_columns(connection.execute(_asked(criteria, partial(_only, these)))))
        touched = np.array([pair.rater_id << 32 | pair.item_id for pair in some])
        gone |= np.isin(raters_of(ratings) << 32 | ratings[ITEM], touched)
    kept, added = ratings[:, ~gone], _sorted(np.concatenate(fresh, axis=1))
    return np.insert(kept, np.searchsorted(kept[KEY], added[KEY]), added, axis=1)


def _columns(result: Any) -> Ints:
    """Return a query's whole numbers column by column.

    Reading by columns is faster, because numpy takes ten times as long to convert rows.
    """
    rows = zip(*result.all(), strict=True)
    columns = [np.fromiter(column, dtype=np.int64, count=len(column)) for column in rows]
    if not columns:
        return np.zeros((_WIDTH, 0), dtype=np.int64)
    rater, place, *rest = columns
    return np.array([rater << 32 | np.abs(place) << 1 | (place < 0), *rest])  # sort key for each item of a rater


def _sorted(ratings: Ints) -> Ints:
    return ratings[:, np.lexsort((ratings[SCORE], ratings[CRITERION], ratings[KEY]))]


def _asked(criteria: Mapping[str, int], where: Callable[[Any], ColumnElement[bool]]) -> Any:
    """Select ratings.

    criteria: the number of each criterion. where: returns the condition for rows of a table.
    """
    # CASE needs at least one criterion. A study without criteria has no ratings, so the 0 is never returned.
    number = case(dict(criteria), value=RatingRow.criterion) if criteria else literal(0)
    return _from(RatingRow, number, RatingRow.point).where(where(RatingRow))


def _only(condition: ColumnElement[bool], _table: Any) -> ColumnElement[bool]:
    return condition


def _from(table: Any, number: Any, point: Any) -> Any:
    released = case((AssignmentRow.released_at.is_(None), 0), else_=1)
    same = (AssignmentRow.item_id == table.item_id) & (AssignmentRow.rater_id == table.rater_id)
    columns = (table.rater_id, AssignmentRow.place, table.item_id, table.score_id, number, point, table.duration_ms)
    return select(*columns, released).join_from(table, AssignmentRow, same)


_AT_ONCE = 500  # maximum number of bound values in one statement
_STUDY: BindParameter[int] = bindparam("study")
_NEWEST = select(
    *(select(func.coalesce(func.max(table.id), 0)).scalar_subquery() for table in (ErasureRow, EventRow, ReleaseRow))
)
_BELOW = (
    select(AssignmentRow.rater_id, func.count())
    .where(AssignmentRow.study_id == _STUDY, AssignmentRow.place < 0)
    .group_by(AssignmentRow.rater_id)
)
_EXCLUDED = select(ExclusionRow.rater_id, ExclusionRow.at).where(ExclusionRow.study_id == _STUDY)
_RELEASED = select(ReleaseRow.rater_id).where(ReleaseRow.study_id == _STUDY, ReleaseRow.id > bindparam("release"))
_TOUCHED = select(AssignmentRow.id, AssignmentRow.item_id, AssignmentRow.rater_id).where(
    AssignmentRow.study_id == _STUDY,
    AssignmentRow.id.in_(select(EventRow.assignment_id).where(EventRow.id > bindparam("event"))),
)
