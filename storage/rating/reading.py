"""Estimate how much raters read, to predict a study's duration.

The estimate also contains how long raters took for items.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, median

from sqlalchemy import BindParameter, Connection, and_, bindparam, case, func, select

from core.studies.planning.minutes import FEWEST_TIMES, ReadingLoad
from storage.rating.rules import IS_EXCLUDED
from storage.tables import (
    AssignmentRow,
    ExclusionRow,
    ItemRow,
    ItemScoreRow,
    RatingRow,
    SampleRow,
    ScoreRow,
    as_text,
)

MOST_ITEMS = 200  # maximum number of items whose texts and times are read; the random order makes them a fair sample


def plan_reading(connection: Connection, items: Sequence[tuple[int, tuple[int, ...]]]) -> ReadingLoad:
    """Return how much text is in items that are not stored yet.

    items: the sample of each item, with the ids of its scores. A caption that is rated without a score has minus its
    sample's id instead.
    """
    return _texts_reading(connection, items[:MOST_ITEMS])


def study_reading(connection: Connection, study: int) -> ReadingLoad:
    """Return how much text a study has, and how long raters took for its items."""
    of_study = {"study": study}
    items: dict[int, list[int]] = defaultdict(list)
    samples = {}
    for item, sample, number in connection.execute(_ITEMS, of_study):
        items[item].append(number)
        samples[item] = sample
    load = _texts_reading(connection, [(samples[item], tuple(numbers)) for item, numbers in items.items()])
    divided = connection.scalar(_DIVIDED, of_study)
    times = [ms / 1000 for ms in connection.scalars(_TIMES, of_study)]
    return replace(load, divided=float(divided or 0), learnt=median(times) if len(times) >= FEWEST_TIMES else None)


def _texts_reading(connection: Connection, items: Sequence[tuple[int, tuple[int, ...]]]) -> ReadingLoad:
    if not items:
        return ReadingLoad(0.0)
    shown = {sample for sample, _ in items} | {-n for _, numbers in items for n in numbers if n < 0}
    captions, references = {}, {}
    for row in connection.execute(_CAPTIONS, {"samples": list(shown)}):
        captions[row.id] = _words(row.candidate)
        references[row.id] = sum(map(_words, row.references))
    scores = [n for _, numbers in items for n in numbers if n > 0]
    explained: dict[int, Mapping[str, str]] = {
        row.id: row.rationales or {} for row in connection.execute(_EXPLANATIONS, {"scores": scores})
    }
    words = {score: sum(map(_words, texts.values())) for score, texts in explained.items()}
    read = [
        sum(captions[one] for one in {sample, *(-n for n in numbers if n < 0)}) + sum(words.get(n, 0) for n in numbers)
        for sample, numbers in items
    ]
    return ReadingLoad(
        words=fmean(read),
        references=fmean(references[sample] for sample, _ in items),
        panels=fmean(len(numbers) for _, numbers in items),
    )


def _words(text: str) -> int:
    return len(text.split())


_STUDY: BindParameter[int] = bindparam("study")
_FIRST = (
    select(ItemRow.id)
    .where(ItemRow.study_id == _STUDY, ItemRow.place >= 0)
    .order_by(ItemRow.place)
    .limit(MOST_ITEMS)
    .subquery()
)
_ITEMS = (
    select(ItemRow.id, ItemRow.sample_id, ItemScoreRow.score_id)
    .join(_FIRST, _FIRST.c.id == ItemRow.id)
    .join(ItemScoreRow, ItemScoreRow.item_id == ItemRow.id)
    .order_by(ItemRow.place, ItemScoreRow.place)
)
_CAPTIONS = select(SampleRow.id, SampleRow.candidate, SampleRow.references).where(
    SampleRow.id.in_(bindparam("samples", expanding=True))
)
_EXPLANATIONS = select(ScoreRow.id, ScoreRow.rationales).where(ScoreRow.id.in_(bindparam("scores", expanding=True)))
_DIVIDED = (
    select(func.avg(case((as_text(ScoreRow.rationales).like('{"overall"%'), 0.0), else_=1.0)))
    .join(ItemScoreRow, ItemScoreRow.score == ScoreRow.id)
    .join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    .where(ItemRow.study_id == _STUDY, ItemRow.place >= 0)
)
# The items that raters rated. Practice, gold items and items of excluded raters are omitted. Places are random, so the
# limit omits items, not raters.
_FINISHED = (
    select(AssignmentRow.item_id, AssignmentRow.rater_id)
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .outerjoin(ExclusionRow, IS_EXCLUDED)
    .where(AssignmentRow.study_id == _STUDY, AssignmentRow.place > 0, AssignmentRow.finished_at.is_not(None))
    .where(ItemRow.place >= 0, ExclusionRow.at.is_(None))
    .order_by(ItemRow.place, AssignmentRow.rater_id)
    .limit(MOST_ITEMS)
    .subquery()
)
_TIMES = (
    select(func.max(RatingRow.duration_ms))
    .join(_FINISHED, and_(_FINISHED.c.item_id == RatingRow.item_id, _FINISHED.c.rater_id == RatingRow.rater_id))
    .group_by(RatingRow.item_id, RatingRow.rater_id)
)
