"""Read one rater's work in a study: items, times and answers."""

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, func, select

from core.json_types import UtcTime
from storage.rating.results.ratings import NUMBERED
from storage.tables import (
    AssignmentRow,
    ControlRow,
    ItemRow,
    RatingRow,
    SampleRow,
)


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """A rater's current answer to one question."""

    panel: int  # position of the explanation on the rater's page, from 1
    criterion: str  # key of the criterion
    point: int  # point of the scale; 0: abstained; -1: no picture


@dataclass(frozen=True, slots=True)
class WorkedItem:
    """An item that a rater got, with the answers."""

    place: int | None  # position in the rater's order, from 1; None: the rater gave the item back
    item: int | None  # number of the item in the study, from 1; None for practice and gold
    role: str  # role of the item: item, training, gold or repeat
    key: str  # key of the sample
    caption: str
    given_at: UtcTime | None
    started_at: UtcTime | None  # when the rater first saw the item
    finished_at: UtcTime | None
    released_at: UtcTime | None  # when the item was released to other raters
    seconds: float | None  # seconds with the item in view until the last answer
    note: str
    answers: tuple[GivenAnswer, ...]  # by panel


def worked_items(connection: Connection, study_id: int, rater: int) -> tuple[WorkedItem, ...]:
    """Return every item that a rater got in a study.

    The items are in the rater's order. Items that the rater gave back come last.
    """
    answers, started, longest = _answers(connection, study_id, rater)
    query = (
        select(
            AssignmentRow.item_id,
            AssignmentRow.place,
            AssignmentRow.panels,
            AssignmentRow.given_at,
            AssignmentRow.finished_at,
            AssignmentRow.released_at,
            AssignmentRow.note,
            NUMBERED.place.label("number"),
            func.coalesce(ControlRow.role, "item").label("role"),
            SampleRow.key,
            SampleRow.candidate,
        )
        .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
        .outerjoin(ControlRow, ControlRow.item_id == AssignmentRow.item_id)
        .join(NUMBERED, NUMBERED.id == ItemRow.id)
        .join(SampleRow, SampleRow.id == ItemRow.sample_id)
        .where(AssignmentRow.study_id == study_id, AssignmentRow.rater_id == rater)
    )
    rows = sorted(connection.execute(query), key=lambda row: (row.place < 0, abs(row.place)))
    return tuple(
        WorkedItem(
            place=row.place if row.place > 0 else None,
            item=row.number + 1 if row.number >= 0 else None,
            role=row.role,
            key=row.key,
            caption=row.candidate,
            given_at=row.given_at,
            started_at=started.get(row.item_id),
            finished_at=row.finished_at,
            released_at=row.released_at,
            seconds=longest[row.item_id] / 1000 if row.item_id in longest else None,
            note=row.note,
            answers=tuple(_placed(row.panels, answers[row.item_id])),
        )
        for row in rows
    )


_Answers = dict[int, list[tuple[int, GivenAnswer]]]  # key: item; values: (number of the explanation, answer)


def _answers(connection: Connection, study_id: int, rater: int) -> tuple[_Answers, dict[int, UtcTime], dict[int, int]]:
    """Return a rater's answers, and the times of the items; key: item.

    The times are when each item was first seen, and the milliseconds until its last answer.
    """
    answers: _Answers = defaultdict(list)
    started: dict[int, UtcTime] = {}
    longest: dict[int, int] = {}
    query: Any = select(RatingRow.item_id, RatingRow.started_at, RatingRow.duration_ms, RatingRow.score_id)
    query = query.add_columns(RatingRow.criterion, RatingRow.point)
    query = query.where(RatingRow.study_id == study_id, RatingRow.rater_id == rater)
    for item, began, lasted, score, criterion, point in connection.execute(query):
        answers[item].append((score, GivenAnswer(0, criterion, point)))
        started[item] = min(began, started.get(item, began))
        longest[item] = max(lasted, longest.get(item, 0))
    return answers, started, longest


def _placed(panels: list[int], found: list[tuple[int, GivenAnswer]]) -> list[GivenAnswer]:
    placed = [replace(given, panel=panels.index(score) + 1) for score, given in found if score in panels]
    return sorted(placed, key=lambda one: (one.panel, one.criterion))
