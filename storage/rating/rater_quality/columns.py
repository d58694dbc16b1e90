"""Read a study's answers as columns, from which the quality of raters' work is measured."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sqlalchemy import BindParameter, Connection, bindparam, select

from core.arrays import Ints
from core.studies.rater_quality.types import ITEM as OWN
from core.studies.rater_quality.types import ROLES, Answers, GivenItems
from storage.rating.rater_quality.rows import CRITERION, ITEM, KEY, MS, POINT, RELEASED, SCORE, StudyRows, read_rows
from storage.tables import (
    ControlRow,
    ExclusionRow,
    ItemRow,
    ItemScoreRow,
    ParticipationRow,
    RaterRow,
    ScoreRow,
    StudyCriterionRow,
)


@dataclass(frozen=True, slots=True, eq=False)
class StudyColumns:
    """All data from which the work of a study's raters is measured."""

    codes: tuple[str, ...]  # codes by which the raters are known, in the order in which the raters joined
    excluded: frozenset[str]  # codes of excluded raters
    criteria: tuple[str, ...]  # keys of the criteria; answers refer to a criterion by its index in this tuple
    given: GivenItems
    answers: Answers
    rows: StudyRows  # stored rows from which the columns were made; with them, an update reads only later changes
    words: Mapping[int, int]  # key: item; value: number of words in its explanations
    state: Hashable  # value that changes whenever the columns change


def study_columns(connection: Connection, study_id: int, known: StudyColumns | None = None) -> StudyColumns:
    """Return the data of a study's answers as columns.

    known: an earlier result; with it, only changes since then are read. Retired control items (practice, and gold with
    known answers) have no expected answers.
    """
    of_study = {"study": study_id}
    raters = connection.execute(_RATERS, of_study).all()
    criteria = tuple(connection.scalars(_CRITERIA, of_study))
    numbers = {criterion: place for place, criterion in enumerate(criteria)}
    rows = read_rows(connection, study_id, numbers, known.rows if known else None)
    controls = connection.execute(_CONTROLS, of_study).all()
    state = (repr(controls), repr(raters))
    if known is not None and rows.ratings is known.rows.ratings and state == known.state:
        return replace(known, rows=rows)
    items = np.unique(rows.ratings[ITEM])
    words = known.words if known is not None and known.words.keys() >= set(items.tolist()) else None
    words = _words(connection, study_id) if words is None else words
    given, answers = _laid_out(rows.ratings, items, {row.item_id: row for row in controls}, criteria, raters, words)
    left_out = frozenset(row.code for row in raters if row.at is not None)
    codes = tuple(row.code for row in raters)
    return StudyColumns(codes, left_out, criteria, given, answers, rows, words, state)


def _laid_out(
    ratings: Ints,
    items: Ints,
    controls: Mapping[int, Any],
    criteria: Sequence[str],
    raters: Sequence[Any],
    words: Mapping[int, int],
) -> tuple[GivenItems, Answers]:
    """Return answers as columns: given items and ratings.

    items: the ids of the answered items, ascending.
    """
    key, score, criterion = ratings[KEY], ratings[SCORE], ratings[CRITERION]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    given = np.repeat(np.arange(len(first)), np.diff(first, append=len(key)))
    item = np.searchsorted(items, ratings[ITEM][first])
    role, original = _roles(items, controls)
    lowest, highest = _expected(items, controls, criteria)
    number = {row.id: place for place, row in enumerate(raters)}
    counts = np.array([not row.pilot and row.at is None for row in raters], dtype=bool)
    rater, role = _mapped(key[first] >> 32, number), role[item]
    given_items = GivenItems(
        rater=rater,
        role=role,
        seconds=np.maximum.reduceat(ratings[MS], first) / 1000 if len(first) else np.zeros(0),
        words=_mapped(items, words)[item],
        counts=counts[rater] & (ratings[RELEASED][first] == 0) & (role == OWN),
    )
    unit = (original[item][given] << 32) + score
    place = item[given]
    answers = Answers(
        given=given,
        unit=_numbered(unit),
        criterion=criterion,
        point=ratings[POINT],
        lowest=lowest[place, criterion],
        highest=highest[place, criterion],
    )
    return given_items, answers


def _numbered(values: Ints) -> Ints:
    """Replace each value by its rank among the distinct values, from 0."""
    _, codes = np.unique(values, return_inverse=True)
    return codes


def _mapped(values: Ints, to: Mapping[int, int]) -> Ints:
    unique, place = np.unique(values, return_inverse=True)
    return np.array([to[value] for value in unique.tolist()], dtype=np.int64)[place]


def _roles(items: Ints, controls: Mapping[int, Any]) -> tuple[Ints, Ints]:
    """Return each item's role and each item's original.

    The role is an index in ROLES. The original of a repeat is the item that it repeats. The original of any other item
    is the item itself.
    """
    found_controls = [controls.get(item) for item in items.tolist()]
    role = [0 if row is None else ROLES.index(row.role) for row in found_controls]
    original = [
        item if row is None else row.original_id or item
        for item, row in zip(items.tolist(), found_controls, strict=True)
    ]
    return np.array(role, dtype=np.int64), np.array(original, dtype=np.int64)


def _expected(items: Ints, controls: Mapping[int, Any], criteria: Sequence[str]) -> tuple[Ints, Ints]:
    """Return the lowest and highest right answer for each item and criterion.

    Both arrays have the shape (items, criteria). The value 0 means that any answer is right.
    """
    bounds = np.zeros((2, len(items), max(len(criteria), 1)), dtype=np.int64)
    for place, item in enumerate(items.tolist()):
        row = controls.get(item)
        if row is None or row.retired_at is not None:
            continue
        for criterion, (low, high) in row.expected.items():
            bounds[:, place, criteria.index(criterion)] = low, high
    return bounds[0], bounds[1]


def _words(connection: Connection, study_id: int) -> dict[int, int]:
    """Return how many words the explanations of each item have."""
    words: dict[int, int] = defaultdict(int)
    for item, rationales in connection.execute(_EXPLANATIONS, {"study": study_id}):
        words[item] += sum(len(text.split()) for text in rationales.values())
    return words


_STUDY: BindParameter[int] = bindparam("study")
_RATERS = (
    select(RaterRow.id, RaterRow.code, ParticipationRow.pilot, ExclusionRow.at)
    .join(ParticipationRow, ParticipationRow.rater_id == RaterRow.id)
    .outerjoin(
        ExclusionRow,
        (ExclusionRow.study_id == ParticipationRow.study_id) & (ExclusionRow.rater_id == ParticipationRow.rater_id),
    )
    .where(ParticipationRow.study_id == _STUDY)
    .order_by(ParticipationRow.number)
)
_CRITERIA = (
    select(StudyCriterionRow.criterion).where(StudyCriterionRow.study_id == _STUDY).order_by(StudyCriterionRow.place)
)
_CONTROLS = select(
    ControlRow.item_id, ControlRow.role, ControlRow.original_id, ControlRow.expected, ControlRow.retired_at
).where(ControlRow.study_id == _STUDY)
_EXPLANATIONS = (
    select(ItemScoreRow.item_id, ScoreRow.rationales)
    .join(ScoreRow, ScoreRow.id == ItemScoreRow.score)
    .join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    .where(ItemRow.study_id == _STUDY)
)
