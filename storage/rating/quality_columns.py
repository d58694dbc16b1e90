"""A study's answers as columns, for measuring how its raters work."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import BindParameter, Connection, bindparam, case, func, select

from core.arrays import Ints
from core.studies.quality_types import ROLES, Answers, GivenItems
from storage.tables import (
    AssignmentRow,
    ControlRow,
    ItemRow,
    ItemScoreRow,
    ParticipationRow,
    RaterRow,
    RatingRow,
    ScoreRow,
    StudyCriterionRow,
)


@dataclass(frozen=True, slots=True, eq=False)
class StudyColumns:
    """Everything that is measured of a study's raters."""

    codes: tuple[str, ...]  # of the raters, in the order of joining
    criteria: tuple[str, ...]  # whose place in here the answers name
    given: GivenItems
    answers: Answers


def study_columns(connection: Connection, study_id: int) -> StudyColumns:
    """Return a study's answers as columns. Nothing is expected any more of controls that are retired."""
    of_study = {"study": study_id}
    raters = connection.execute(_RATERS, of_study).all()
    criteria = tuple(connection.scalars(_CRITERIA, of_study))
    places = {criterion: place for place, criterion in enumerate(criteria)}
    in_place = case(places, value=RatingRow.criterion) if places else func.coalesce(0)
    ratings = _columns(connection, select(*_ANSWERS, in_place).where(RatingRow.study_id == study_id), 6)
    assigned = _columns(connection, _ASSIGNED.where(AssignmentRow.study_id == study_id), 3)
    controls = {row.item_id: row for row in connection.execute(_CONTROLS, of_study)}
    number = {row.id: place for place, row in enumerate(raters)}
    return StudyColumns(
        tuple(row.code for row in raters),
        criteria,
        *_laid_out(ratings, assigned, controls, criteria, number, _words(connection, study_id)),
    )


def _laid_out(
    ratings: Ints,
    assigned: Ints,
    controls: Mapping[int, Any],
    criteria: Sequence[str],
    number: Mapping[int, int],
    words: Mapping[int, int],
) -> tuple[GivenItems, Answers]:
    """Put answers in the order of their raters' items; ratings: item, score, rater, point, ms, criterion a column."""
    keys = assigned[0] << 32 | assigned[1]
    order = np.argsort(keys)
    place = assigned[2][order[np.searchsorted(keys, ratings[0] << 32 | ratings[2], sorter=order)]]
    ratings = ratings[:, np.lexsort((ratings[1], ratings[5], np.abs(place), ratings[2]))]
    item, score, rater, point, ms, criterion = ratings
    pair, first, given = np.unique(rater << 32 | item, return_index=True, return_inverse=True)
    longest = np.zeros(len(pair), dtype=np.int64)
    np.maximum.at(longest, given, ms)
    items, codes = np.unique(item, return_inverse=True)
    role, original = _roles(items, controls)
    _, unit = np.unique((original[codes] << 32) + score, return_inverse=True)
    lowest, highest = _expected(items, controls, criteria)
    given_items = GivenItems(
        rater=_mapped(rater[first], number),
        role=role[codes[first]],
        seconds=longest / 1000,
        words=_mapped(item[first], words),
    )
    bounds = (lowest[codes, criterion], highest[codes, criterion])
    return given_items, Answers(given, unit, criterion, point, *bounds)


def _columns(connection: Connection, query: Any, width: int) -> Ints:
    """Return whole numbers column by column, shape (width, rows). Rows as they are take numpy ten times as long."""
    rows = zip(*connection.execute(query).all(), strict=True)
    found = [np.fromiter(column, dtype=np.int64, count=len(column)) for column in rows]
    return np.array(found) if found else np.zeros((width, 0), dtype=np.int64)


def _mapped(values: Ints, to: Mapping[int, int]) -> Ints:
    unique, place = np.unique(values, return_inverse=True)
    return np.array([to[value] for value in unique.tolist()], dtype=np.int64)[place]


def _roles(items: Ints, controls: Mapping[int, Any]) -> tuple[Ints, Ints]:
    """Return each item's role, as its place in ROLES, and the item that it repeats, or itself."""
    found = [controls.get(item) for item in items.tolist()]
    role = [0 if row is None else ROLES.index(row.role) for row in found]
    original = [
        item if row is None else row.original_id or item for item, row in zip(items.tolist(), found, strict=True)
    ]
    return np.array(role, dtype=np.int64), np.array(original, dtype=np.int64)


def _expected(items: Ints, controls: Mapping[int, Any], criteria: Sequence[str]) -> tuple[Ints, Ints]:
    """Return the lowest and the highest right answer, each of shape (items, criteria); 0 where any may be right."""
    bounds = np.zeros((2, len(items), max(len(criteria), 1)), dtype=np.int64)
    for place, item in enumerate(items.tolist()):
        row = controls.get(item)
        if row is None or row.retired_at is not None:
            continue
        for criterion, (low, high) in row.expected.items():
            bounds[:, place, criteria.index(criterion)] = low, high
    return bounds[0], bounds[1]


def _words(connection: Connection, study_id: int) -> dict[int, int]:
    """Return how many words of explanation each item has."""
    words: dict[int, int] = defaultdict(int)
    for item, rationales in connection.execute(_EXPLANATIONS, {"study": study_id}):
        words[item] += sum(len(text.split()) for text in rationales.values())
    return words


_STUDY: BindParameter[int] = bindparam("study")
_RATERS = (
    select(RaterRow.id, RaterRow.code)
    .join(ParticipationRow, ParticipationRow.rater_id == RaterRow.id)
    .where(ParticipationRow.study_id == _STUDY)
    .order_by(ParticipationRow.number)
)
_CRITERIA = (
    select(StudyCriterionRow.criterion).where(StudyCriterionRow.study_id == _STUDY).order_by(StudyCriterionRow.place)
)
_CONTROLS = select(
    ControlRow.item_id, ControlRow.role, ControlRow.original_id, ControlRow.expected, ControlRow.retired_at
).where(ControlRow.study_id == _STUDY)
_ANSWERS = (RatingRow.item_id, RatingRow.score_id, RatingRow.rater_id, RatingRow.point, RatingRow.duration_ms)
_ASSIGNED = select(AssignmentRow.item_id, AssignmentRow.rater_id, AssignmentRow.place)
_EXPLANATIONS = (
    select(ItemScoreRow.item_id, ScoreRow.rationales)
    .join(ScoreRow, ScoreRow.id == ItemScoreRow.score)
    .join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    .where(ItemRow.study_id == _STUDY)
)
