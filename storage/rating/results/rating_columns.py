"""Read a study's ratings as columns, much faster than storage.rating.results.records reads records."""

import json
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Any

import numpy as np
from sqlalchemy import Connection, String, case, cast, func, select

from core.arrays import Ints
from core.studies.results.rating_columns import NOT_KNOWN, RatingColumns, coded
from storage.rating.results.excluded_ratings import reason
from storage.rating.results.records import CAPTION, NUMBERED
from storage.tables import (
    AssignmentRow,
    ControlRow,
    ExclusionRow,
    ImageRow,
    ItemRow,
    ItemScoreRow,
    ParticipationRow,
    RaterRow,
    RatingRow,
    SampleRow,
    ScoreRow,
    StudyRow,
    as_text,
)


def rating_columns(connection: Connection, study_id: int) -> RatingColumns:
    """Return every rating of a study, in the order of storage.rating.results.records."""
    veil = connection.scalar(select(StudyRow.veil).where(StudyRow.id == study_id)) or False
    rated = connection.execute(_rated_query(study_id)).all()
    of_rated = {(row.item_id, row.score_id): number for number, row in enumerate(rated)}
    raters = connection.execute(_raters_query(study_id)).all()
    of_rater = {row.id: number for number, row in enumerate(raters)}
    given_items, given_raters, panels, released = _columns(connection, _assignments_query(study_id), 4)
    of_given = {key: number for number, key in enumerate(zip(given_items, given_raters, strict=True))}
    items, scores, rater_ids, criteria, points, times, days, late, shown = _columns(
        connection, _ratings_query(study_id), 9
    )
    order = _order([row.place for row in rated], of_rated, items, scores, rater_ids, criteria)

    def ordered(values: Any) -> Ints:
        return np.fromiter(values, np.int64, len(items))[order]

    what = ordered(map(of_rated.__getitem__, zip(items, scores, strict=True)))
    who = ordered(map(of_rater.__getitem__, rater_ids))
    where = ordered(map(of_given.__getitem__, zip(items, rater_ids, strict=True)))
    samples = sorted({row.key for row in rated})
    place = {key: number for number, key in enumerate(samples)}
    explanation, explanations = coded([(row.metric, row.signature) for row in rated])
    criterion, names = coded(criteria)
    missing = np.array([row.width is None for row in rated], np.bool_)
    overlays_shown = ordered(NOT_KNOWN if one is None else one for one in shown)
    if veil and (overlays_shown == NOT_KNOWN).any():
        lifted = _after_veil(connection, study_id)
        after = ordered(map(lifted.__contains__, zip(items, scores, rater_ids, criteria, strict=True)))
        overlays_shown = np.where(overlays_shown == NOT_KNOWN, after, overlays_shown)
    overlays_shown[missing[what]] = 0
    left_out, reasons = _left_out(rated, raters, np.array(released, np.int64)[where], what, who)
    return RatingColumns(
        item=_ints([row.number for row in rated])[what],
        sample=_ints([place[row.key] for row in rated])[what],
        explanation=explanation[what],
        rater=who,
        criterion=criterion[order],
        point=ordered(points),
        position=_positions(panels, [row.score_id for row in rated], what, where),
        duration_ms=ordered(times),
        day=ordered(map(cache(_ordinal), days)),
        left_out=left_out,
        shown=overlays_shown,
        missing=missing[what],
        late=ordered(late).astype(np.bool_),
        samples=tuple(samples),
        explanations=explanations,
        raters=tuple(row.code for row in raters),
        criteria=names,
        reasons=reasons,
    )


def _order(places: list[int], of_rated: dict[Any, int], items: Any, scores: Any, raters: Any, criteria: Any) -> Ints:
    """Return the order of ratings by item, rater, score and criterion.

    Sorting in the database would be slower.
    """
    names = {name: number for number, name in enumerate(sorted(set(criteria)))}
    of_item = {item: places[number] for (item, _), number in of_rated.items()}
    columns = (map(names.__getitem__, criteria), scores, raters, map(of_item.__getitem__, items))
    return np.lexsort([np.fromiter(column, np.int64, len(items)) for column in columns])


def _columns(connection: Connection, query: Any, width: int) -> list[tuple[Any, ...]]:
    """Return the columns of a query, with values as the driver returns them."""
    result = connection.execute(query)
    assert result.cursor is not None  # a SELECT has a cursor
    columns = list(zip(*result.cursor.fetchall(), strict=True)) or [()] * width
    result.close()
    return columns


def _ordinal(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def _after_veil(connection: Connection, study_id: int) -> set[tuple[Any, ...]]:
    """Return the ratings that were given after the hidden picture was shown.

    A rating is identified by item, score, rater and criterion.
    """
    of_rating = (AssignmentRow.item_id == RatingRow.item_id) & (AssignmentRow.rater_id == RatingRow.rater_id)
    query = select(RatingRow.item_id, RatingRow.score_id, RatingRow.rater_id, RatingRow.criterion)
    query = query.join(AssignmentRow, of_rating).where(RatingRow.study_id == study_id)
    rows = connection.execute(query.where(AssignmentRow.revealed_at <= RatingRow.submitted_at))
    return {tuple(row) for row in rows}


def _left_out(rated: Any, raters: Any, released: Ints, what: Ints, who: Ints) -> tuple[Ints, tuple[str, ...]]:
    """Return why results exclude each rating; "" if they include it.

    The result is a pair. Its second value lists the different reasons. Its first value has, for each rating, the
    position of the rating's reason in that list. released: 1 if the rating's assignment was released, else 0. what: for
    each rating, the index of its item and score in `rated`. who: for each rating, the index of its rater in `raters`.
    """
    roles, role_names = coded([row.role for row in rated])
    cases = (roles[what] * len(raters) + who) * 2 + released
    distinct, place = np.unique(cases, return_inverse=True)
    why = []
    for number in distinct.tolist():
        rest, is_released = divmod(number, 2)
        role, rater = divmod(rest, len(raters))
        why.append(reason(raters[rater].pilot, raters[rater].reason, bool(is_released), role_names[role]))
    codes, reasons = coded(why, [""])
    return codes[place], reasons


def _positions(panels: Sequence[str], scores: list[int], what: Ints, where: Ints) -> Ints:
    """Return each rated explanation's position on the rating page, from 1.

    panels: for each assignment, the ids of its rated scores in the order of the page, as JSON.
    """
    positions = np.ones(len(what), np.int64)
    several = {n: json.loads(one) for n, one in enumerate(panels) if "," in one}
    for n, page in enumerate(where.tolist() if several else ()):
        if page in several:
            positions[n] = several[page].index(scores[what[n]]) + 1
    return positions


def _ints(values: list[Any]) -> Ints:
    return np.array(values, np.int64)


def _rated_query(study_id: int) -> Any:
    of_caption = ItemScoreRow.caption.is_not(None)
    metric = case((of_caption, case((StudyRow.form == "single", "caption"), else_=CAPTION)), else_=ScoreRow.metric)
    return (
        select(ItemScoreRow.item_id, ItemScoreRow.score_id, ItemRow.place, SampleRow.key, ImageRow.width)
        .add_columns(
            case((NUMBERED.place >= 0, NUMBERED.place + 1), else_=NUMBERED.place).label("number"),
            metric.label("metric"),
            func.coalesce(ScoreRow.signature, "").label("signature"),
            func.coalesce(ControlRow.role, "item").label("role"),
        )
        .join_from(ItemRow, StudyRow, StudyRow.id == ItemRow.study_id)
        .outerjoin(ControlRow, ControlRow.item_id == ItemRow.id)
        .join(NUMBERED, NUMBERED.id == func.coalesce(ControlRow.original_id, ItemRow.id))
        .join(ItemScoreRow, ItemScoreRow.item_id == ItemRow.id)
        .join(SampleRow, SampleRow.id == func.coalesce(ItemScoreRow.caption, ItemRow.sample_id))
        .join(ImageRow, ImageRow.id == SampleRow.image_id)
        .outerjoin(ScoreRow, ScoreRow.id == ItemScoreRow.score)
        .where(ItemRow.study_id == study_id)
    )


def _raters_query(study_id: int) -> Any:
    of_rater = (ExclusionRow.study_id == ParticipationRow.study_id) & (
        ExclusionRow.rater_id == ParticipationRow.rater_id
    )
    return (
        select(RaterRow.id, RaterRow.code, ParticipationRow.pilot, ExclusionRow.reason)
        .join_from(ParticipationRow, RaterRow, RaterRow.id == ParticipationRow.rater_id)
        .outerjoin(ExclusionRow, of_rater)
        .where(ParticipationRow.study_id == study_id)
    )


def _assignments_query(study_id: int) -> Any:
    columns = (AssignmentRow.item_id, AssignmentRow.rater_id, as_text(AssignmentRow.panels))
    released = case((AssignmentRow.released_at.is_(None), 0), else_=1)
    return select(*columns, released).where(AssignmentRow.study_id == study_id)


def _ratings_query(study_id: int) -> Any:
    return (
        select(RatingRow.item_id, RatingRow.score_id, RatingRow.rater_id, RatingRow.criterion, RatingRow.point)
        .add_columns(RatingRow.duration_ms, func.substr(cast(RatingRow.submitted_at, String), 1, 10))
        .add_columns(RatingRow.late, RatingRow.picture_shown)
        .where(RatingRow.study_id == study_id)
    )
