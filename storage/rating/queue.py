"""The rater's desk: gives out items and takes in answers. The hot path of the app.

Items are given out a few at a time, in the rater's own order; the order of panels is fixed at that moment
and stored. Every verb checks that what is asked for belongs to the rater who asks.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, func, select

from core.errors import NotFound, NotYours, Veiled
from core.types import ImageRef, Score
from storage.data.samples import image_ref
from storage.database import Database
from storage.rating.assignment import ITEM_COUNT, give_out, join, own, participation
from storage.rating.overlays import overlays
from storage.rating.veil import is_open, judged_without_image
from storage.tables import (
    AssignmentRow,
    ImageRow,
    ItemRow,
    RatingRow,
    SampleRow,
    ScoreRow,
    StudyRow,
)
from storage.types import AssignedItem, Panel, Queue, Rater

MOST_AT_ONCE = 20  # items of one request
AHEAD = 20  # items that a rater's browser may hold before they are needed
AHEAD_SHARED = 2  # where raters share the items: what one holds, no other gets

# Statements of the hot path, built once: SQLAlchemy takes longer to build one than SQLite to run it.
_STUDY: BindParameter[int] = bindparam("study")
_RATER: BindParameter[int] = bindparam("rater")
_OWN = (AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER)
_LIMIT = select(StudyRow.raters_per_item).where(StudyRow.id == _STUDY)
_HOW = select(StudyRow.raters_per_item, StudyRow.uniform).where(StudyRow.id == _STUDY)
_DONE_AND_GIVEN = select(func.count(AssignmentRow.finished_at), func.count()).where(*_OWN)
_FIRST_UNFINISHED = select(func.min(AssignmentRow.place)).where(*_OWN, AssignmentRow.finished_at.is_(None))
_ITEMS = (
    select(*AssignmentRow.__table__.columns, SampleRow.candidate, ImageRow.width, ImageRow.height, ImageRow.vocabulary)
    .add_columns(StudyRow.veil, StudyRow.overlay)
    .join(StudyRow, StudyRow.id == AssignmentRow.study_id)
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(ImageRow, ImageRow.id == SampleRow.image_id)
    .where(*_OWN, AssignmentRow.place >= bindparam("first"), AssignmentRow.place < bindparam("end"))
    .order_by(AssignmentRow.place)
)
_SCORES = select(ScoreRow.id, ScoreRow.value, ScoreRow.scale_low, ScoreRow.scale_high, ScoreRow.rationales).where(
    ScoreRow.id.in_(bindparam("ids", expanding=True))
)
_ANSWERS = select(RatingRow.item_id, RatingRow.score_id, RatingRow.criterion, RatingRow.point).where(
    RatingRow.item_id.in_(bindparam("items", expanding=True)), RatingRow.rater_id == _RATER
)
_IMAGE = (
    select(ImageRow.name, ImageRow.path, ImageRow.sha256, ImageRow.width, ImageRow.height, ImageRow.vocabulary)
    .add_columns(StudyRow.veil, AssignmentRow.study_id, AssignmentRow.item_id, AssignmentRow.panels)
    .join(SampleRow, SampleRow.image_id == ImageRow.id)
    .join(ItemRow, ItemRow.sample_id == SampleRow.id)
    .join(AssignmentRow, AssignmentRow.item_id == ItemRow.id)
    .join(StudyRow, StudyRow.id == AssignmentRow.study_id)
    .where(AssignmentRow.id == bindparam("assignment"), AssignmentRow.rater_id == _RATER)
)


class Desk:
    """Verbs of a rater at work; taking in answers is storage.rating.saving."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def queue(self, study_id: int, rater: Rater, start: int | None = None, count: int = 3) -> Queue:
        """Return the rater's place in a study and up to count items from place start (None: where to resume).

        Items are given out on the way when there are too few. Raises NotFound for an unknown study.
        """
        if not rater.may_rate(study_id):
            raise NotFound(f"There is no study number {study_id}.")
        count = max(1, min(count, MOST_AT_ONCE))
        with self._database.read() as connection:
            queue = _queue(connection, study_id, rater, start, count)
        if queue is not None and len(queue.items) >= min(count, queue.total - (start or queue.resume) + 1):
            return queue
        with self._database.write() as connection:
            join(connection, study_id, rater)
            first = start or _resume(connection, study_id, rater)
            give_out(connection, study_id, rater, first + count - 1, count)
            queue = _queue(connection, study_id, rater, start, count)
        assert queue is not None  # the rater has just joined
        return queue

    def image(self, assignment_id: str, rater: Rater) -> ImageRef:
        """Return the picture of an item.

        Raises NotYours unless the item is assigned to the rater, Veiled before what is judged without it is answered.
        """
        with self._database.read() as connection:
            row = connection.execute(_IMAGE, {"assignment": assignment_id, "rater": rater.id}).first()
            if row is None or not rater.may_rate(row.study_id):
                raise NotYours("There is no such item for this rater.")
            if row.veil and row.width is not None:
                blind = judged_without_image(connection, row.study_id)
                if not is_open(row, blind, _answers(connection, [row.item_id], rater)):
                    raise Veiled("The picture is shown once what is judged without it is answered.")
        return image_ref(row)


def still_free(connection: Connection, study_id: int, rater_id: int, offered: int) -> int:
    """Return how many items of a study a rater can still get."""
    items = connection.scalar(ITEM_COUNT, {"study": study_id}) or 0
    limit = connection.scalar(_LIMIT, {"study": study_id})
    if limit is None:
        return items - offered
    taken = select(AssignmentRow.item_id).where(AssignmentRow.study_id == study_id)
    full = taken.group_by(AssignmentRow.item_id).having(func.count() >= limit)
    own = taken.where(AssignmentRow.rater_id == rater_id)
    free = select(func.count()).where(ItemRow.study_id == study_id, ItemRow.id.not_in(full), ItemRow.id.not_in(own))
    return connection.scalar(free) or 0


def _resume(connection: Connection, study_id: int, rater: Rater) -> int:
    own_part = own(study_id, rater)
    return connection.scalar(_FIRST_UNFINISHED, own_part) or connection.execute(_DONE_AND_GIVEN, own_part).one()[1] + 1


def _queue(connection: Connection, study_id: int, rater: Rater, start: int | None, count: int) -> Queue | None:
    part = participation(connection, study_id, rater)
    if part is None:
        return None
    done, given = connection.execute(_DONE_AND_GIVEN, own(study_id, rater)).one()
    resume = _resume(connection, study_id, rater)
    how = connection.execute(_HOW, {"study": study_id}).one()
    return Queue(
        total=given + still_free(connection, study_id, rater.id, part.offered),
        ahead=AHEAD if how.raters_per_item is None else AHEAD_SHARED,
        uniform=how.uniform,
        done=done,
        resume=resume,
        items=_items(connection, study_id, rater, start or resume, count),
    )


def _items(connection: Connection, study_id: int, rater: Rater, first: int, count: int) -> tuple[AssignedItem, ...]:
    places = {"first": first, "end": first + count}
    rows = connection.execute(_ITEMS, own(study_id, rater) | places).all()
    scores = _scores(connection, [score for row in rows for score in row.panels])
    answers = _answers(connection, [row.item_id for row in rows], rater)
    blind = judged_without_image(connection, study_id)
    opened = {row.item_id for row in rows if is_open(row, blind, answers)}
    seen = overlays(connection, rows, opened)
    return tuple(_item(row, scores, answers, row.item_id in opened, seen.get(row.item_id)) for row in rows)


def _scores(connection: Connection, ids: Sequence[int]) -> dict[int, Any]:
    return {row.id: row for row in connection.execute(_SCORES, {"ids": ids})}


def _answers(connection: Connection, items: Sequence[int], rater: Rater) -> dict[tuple[int, int], dict[str, int]]:
    answers: dict[tuple[int, int], dict[str, int]] = {}
    for row in connection.execute(_ANSWERS, {"items": items, "rater": rater.id}):
        answers.setdefault((row.item_id, row.score_id), {})[row.criterion] = row.point
    return answers


def _item(
    row: Any,
    scores: dict[int, Any],
    answers: dict[tuple[int, int], dict[str, int]],
    is_open: bool,
    overlay: Score | None,
) -> AssignedItem:
    panels = tuple(
        Panel(
            place=place,
            value=scores[score].value,
            scale=(scores[score].scale_low, scores[score].scale_high),
            rationales=scores[score].rationales,
            answers=answers.get((row.item_id, score), {}),
        )
        for place, score in enumerate(row.panels, 1)
    )
    return AssignedItem(
        id=row.id,
        place=row.place,
        caption=row.candidate,
        image_size=None if row.width is None else (row.width, row.height),
        panels=panels,
        open=is_open,
        revealed=row.revealed_at is not None,
        finished=row.finished_at is not None,
        note=row.note,
        overlay=overlay,
    )
