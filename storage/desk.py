"""The rater's desk: gives out items and takes in answers. The hot path of the app.

Items are given out a few at a time, in the rater's own order; the order of panels is fixed at that moment
and stored. Every verb checks that what is asked for belongs to the rater who asks.
"""

import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from core.errors import NotFound, NotYours
from core.latin import panel_order
from core.study import rater_order
from core.types import ImageRef
from storage.database import Database
from storage.samples import image_ref
from storage.tables import (
    AssignmentRow,
    ImageRow,
    ItemRow,
    ItemScoreRow,
    ParticipationRow,
    RatingRow,
    SampleRow,
    ScoreRow,
    StudyRow,
)
from storage.values import AssignedItem, Panel, Queue, Rater

MOST_AT_ONCE = 20  # items of one request


class Desk:
    """Verbs of a rater at work; taking in answers is storage.saving."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def queue(self, study_id: int, rater: Rater, start: int | None = None, count: int = 3) -> Queue:
        """Return the rater's place in a study and up to count items from place start (None: where to resume).

        Items are given out on the way when there are too few. Raises NotFound for an unknown study.
        """
        count = max(1, min(count, MOST_AT_ONCE))
        with self._database.read() as connection:
            queue = _queue(connection, study_id, rater, start, count)
        if queue is not None and len(queue.items) >= min(count, queue.total - (start or queue.resume) + 1):
            return queue
        with self._database.write() as connection:
            _join(connection, study_id, rater)
            first = start or _resume(connection, study_id, rater)
            _give_out(connection, study_id, rater, first + count - 1, count)
            queue = _queue(connection, study_id, rater, start, count)
        assert queue is not None  # the rater has just joined
        return queue

    def image(self, assignment_id: str, rater: Rater) -> ImageRef:
        """Return the picture of an item. Raises NotYours unless the item is assigned to the rater."""
        query = (
            select(ImageRow.name, ImageRow.path, ImageRow.sha256, ImageRow.width, ImageRow.height)
            .join(SampleRow, SampleRow.image_id == ImageRow.id)
            .join(ItemRow, ItemRow.sample_id == SampleRow.id)
            .join(AssignmentRow, AssignmentRow.item_id == ItemRow.id)
            .where(AssignmentRow.id == assignment_id, AssignmentRow.rater_id == rater.id)
        )
        with self._database.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise NotYours("There is no such item for this rater.")
        return image_ref(row)


def still_free(connection: Connection, study_id: int, rater_id: int, offered: int) -> int:
    """Return how many items of a study a rater can still get."""
    items = connection.scalar(select(func.count()).where(ItemRow.study_id == study_id)) or 0
    limit = connection.scalar(select(StudyRow.raters_per_item).where(StudyRow.id == study_id))
    if limit is None:
        return items - offered
    taken = select(AssignmentRow.item_id).where(AssignmentRow.study_id == study_id)
    full = taken.group_by(AssignmentRow.item_id).having(func.count() >= limit)
    own = taken.where(AssignmentRow.rater_id == rater_id)
    free = select(func.count()).where(ItemRow.study_id == study_id, ItemRow.id.not_in(full), ItemRow.id.not_in(own))
    return connection.scalar(free) or 0


def _join(connection: Connection, study_id: int, rater: Rater) -> None:
    if connection.scalar(select(StudyRow.id).where(StudyRow.id == study_id)) is None:
        raise NotFound(f"There is no study number {study_id}.")
    if _participation(connection, study_id, rater) is not None:
        return
    number = connection.scalar(select(func.count()).where(ParticipationRow.study_id == study_id)) or 0
    connection.execute(insert(ParticipationRow).values(study_id=study_id, rater_id=rater.id, number=number, offered=0))


def _participation(connection: Connection, study_id: int, rater: Rater) -> Any:
    query = select(ParticipationRow.number, ParticipationRow.offered)
    return connection.execute(
        query.where(ParticipationRow.study_id == study_id, ParticipationRow.rater_id == rater.id)
    ).first()


def _give_out(connection: Connection, study_id: int, rater: Rater, up_to: int, most: int) -> None:
    """Assign items until the rater has up_to of them, got most new ones, or none is left.

    Items that have enough raters are passed over.
    """
    part = _participation(connection, study_id, rater)
    study = connection.execute(select(StudyRow.seed, StudyRow.raters_per_item).where(StudyRow.id == study_id)).one()
    items = connection.scalar(select(func.count()).where(ItemRow.study_id == study_id)) or 0
    given = connection.scalar(select(func.count()).where(*_of(study_id, rater))) or 0
    order = rater_order(study.seed, part.number, items)
    offered, up_to = part.offered, min(up_to, given + most)
    while given < up_to and offered < items:
        place_in_study = order[offered]
        offered += 1
        item = connection.scalar(
            select(ItemRow.id).where(ItemRow.study_id == study_id, ItemRow.place == place_in_study)
        )
        raters = connection.scalar(select(func.count()).where(AssignmentRow.item_id == item)) or 0
        if study.raters_per_item is not None and raters >= study.raters_per_item:
            continue
        given += 1
        scores = connection.scalars(
            select(ItemScoreRow.score_id).where(ItemScoreRow.item_id == item).order_by(ItemScoreRow.place)
        ).all()
        panels = [scores[n] for n in panel_order(len(scores), place_in_study, part.number)]
        row = {
            "study_id": study_id,
            "item_id": item,
            "rater_id": rater.id,
            "place": given,
            "panels": panels,
            "note": "",
        }
        connection.execute(insert(AssignmentRow).values(id=secrets.token_urlsafe(12), **row))
    connection.execute(
        update(ParticipationRow)
        .where(ParticipationRow.study_id == study_id, ParticipationRow.rater_id == rater.id)
        .values(offered=offered)
    )


def _of(study_id: int, rater: Rater) -> tuple[Any, Any]:
    return AssignmentRow.study_id == study_id, AssignmentRow.rater_id == rater.id


def _resume(connection: Connection, study_id: int, rater: Rater) -> int:
    unfinished = select(func.min(AssignmentRow.place)).where(*_of(study_id, rater), AssignmentRow.finished_at.is_(None))
    given = select(func.count()).where(*_of(study_id, rater))
    return connection.scalar(unfinished) or (connection.scalar(given) or 0) + 1


def _queue(connection: Connection, study_id: int, rater: Rater, start: int | None, count: int) -> Queue | None:
    part = _participation(connection, study_id, rater)
    if part is None:
        return None
    counts = select(func.count(AssignmentRow.finished_at), func.count()).where(*_of(study_id, rater))
    done, given = connection.execute(counts).one()
    resume = _resume(connection, study_id, rater)
    return Queue(
        total=given + still_free(connection, study_id, rater.id, part.offered),
        done=done,
        resume=resume,
        items=_items(connection, study_id, rater, start or resume, count),
    )


def _items(connection: Connection, study_id: int, rater: Rater, first: int, count: int) -> tuple[AssignedItem, ...]:
    query = (
        select(*AssignmentRow.__table__.columns, SampleRow.candidate, ImageRow.width, ImageRow.height)
        .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
        .join(SampleRow, SampleRow.id == ItemRow.sample_id)
        .join(ImageRow, ImageRow.id == SampleRow.image_id)
        .where(*_of(study_id, rater), AssignmentRow.place >= first, AssignmentRow.place < first + count)
        .order_by(AssignmentRow.place)
    )
    rows = connection.execute(query).all()
    scores = _scores(connection, [score for row in rows for score in row.panels])
    answers = _answers(connection, [row.item_id for row in rows], rater)
    return tuple(_item(row, scores, answers) for row in rows)


def _scores(connection: Connection, ids: Sequence[int]) -> dict[int, Any]:
    columns = (ScoreRow.id, ScoreRow.value, ScoreRow.scale_low, ScoreRow.scale_high, ScoreRow.rationales)
    return {row.id: row for row in connection.execute(select(*columns).where(ScoreRow.id.in_(ids)))}


def _answers(connection: Connection, items: Sequence[int], rater: Rater) -> dict[tuple[int, int], dict[str, int]]:
    query = select(RatingRow.item_id, RatingRow.score_id, RatingRow.criterion, RatingRow.point)
    answers: dict[tuple[int, int], dict[str, int]] = {}
    for row in connection.execute(query.where(RatingRow.item_id.in_(items), RatingRow.rater_id == rater.id)):
        answers.setdefault((row.item_id, row.score_id), {})[row.criterion] = row.point
    return answers


def _item(row: Any, scores: dict[int, Any], answers: dict[tuple[int, int], dict[str, int]]) -> AssignedItem:
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
        revealed=row.revealed_at is not None,
        finished=row.finished_at is not None,
        note=row.note,
    )
